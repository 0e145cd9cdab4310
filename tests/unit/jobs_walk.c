/* jobs_walk.c -- the names of a hostile tree: their order, and which
 * directories are not entered. */
#include "jobs/probe/walk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "temp_tree.h"

static struct cupel_error err;
static struct walk walk;

static void enter(void)
{
	tree_enter("/tmp/cupel-walk.XXXXXX");
}

/* The bytes of the path decide the order, and '/' is one of them. */
static void paths_come_in_the_order_of_their_bytes(void)
{
	static const char *const names[] = { "a b",        "a-b", "a",
					     "a.b/x.json", "a/b", "a/c/d",
					     "a0",         "b",   "a\xff/z" };
	const struct walk_request w = { .root_fd = -1 };
	struct walk_request req = w;

	enter();
	req.root_fd = root_fd;
	for (const char *const *d =
		     (const char *const[]){ "a.b", "e", "e/c", "a\xff", NULL };
	     *d; d++)
		ok_int(mkdirat(root_fd, *d, 0755), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(names[i], "a/", 2) != 0)
			put(names[i], "");
	put("e/c/d", "");
	put("e-", "");
	put("e/b", "");
	put("e0", "");
	memset(&walk, 0, sizeof walk);
	ok_int(walk_run(&req, &walk, &err), 0);
	ok_int((intmax_t)walk.len, 11);
	for (size_t i = 1; i < walk.len; i++)
		ok(strcmp(walk.names[i - 1].path, walk.names[i].path) < 0);
	walk_done(&walk);
	leave();
}

/* However many names there are, only what is asked for is entered. */
static void some_directories_are_not_entered(void)
{
	const char *const dirs[] = { ".git", ".cupel", "node_modules", "out",
				     NULL };
	struct walk_request w = { 0 };
	struct stat st;
	char name[64];

	enter();
	for (const char *const *d = dirs; *d != NULL; d++) {
		ok_int(mkdirat(root_fd, *d, 0755), 0);
		(void)snprintf(name, sizeof name, "%s/x.json", *d);
		put(name, "1");
	}
	w.root_fd = root_fd;
	memset(&walk, 0, sizeof walk);
	ok_int(walk_run(&w, &walk, &err), 0);
	ok_int((intmax_t)walk.len, 1);
	walk_done(&walk);
	w.with_own_output = true;
	ok_int(walk_run(&w, &walk, &err), 0);
	ok_int((intmax_t)walk.len, 2);
	ok(strcmp(walk.names[0].path, ".cupel/x.json") == 0);
	walk_done(&walk);
	w.with_own_output = false;
	w.with_node_modules = true;
	ok_int(fstatat(root_fd, "out", &st, 0), 0);
	w.out_dev = st.st_dev;
	w.out_ino = st.st_ino;
	ok_int(walk_run(&w, &walk, &err), 0);
	ok_int((intmax_t)walk.len, 1);
	ok(strcmp(walk.names[0].path, "node_modules/x.json") == 0);
	walk_done(&walk);
	leave();
}

/* A directory that cannot be entered is named; a link is not even tried. */
static void what_cannot_be_entered_is_told(void)
{
	struct walk_request w = { 0 };

	enter();
	ok_int(mkdirat(root_fd, "shut", 0), 0);
	ok_int(symlinkat("/", root_fd, "link"), 0);
	put("file", "");
	w.root_fd = root_fd;
	memset(&walk, 0, sizeof walk);
	ok_int(walk_run(&w, &walk, &err), 0);
	ok_int((intmax_t)walk.len, 2);
	if (geteuid() != 0) {
		ok_int((intmax_t)walk.skips_len, 1);
		ok(strcmp(walk.skips[0].path, "shut") == 0 &&
		   strcmp(walk.skips[0].code, "unreadable") == 0);
	}
	walk_done(&walk);
	leave();
	w.root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(void)walk_run(&w, &walk, &err);
	for (size_t i = 0; i < walk.len; i++)
		ok(strncmp(walk.names[i].path, "proc/", 5) != 0);
	walk_done(&walk);
	close(w.root_fd);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(paths_come_in_the_order_of_their_bytes),
		CASE(some_directories_are_not_entered),
		CASE(what_cannot_be_entered_is_told), TAP_END });
}
