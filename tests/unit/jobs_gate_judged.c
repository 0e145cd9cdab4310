/* jobs_gate_judged.c -- which tree is judged, and that a change is seen. */
#include "jobs/gate/judged.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/time.h>

#include "base/error.h"
#include "temp_tree.h"

static char changed[JUDGED_PATH_BYTES];

static void put_dir(const char *name)
{
	ok_int(mkdirat(root_fd, name, 0755), 0);
}

/* The directory of the test, with names whose order is not that of strcmp(3). */
static void enter(void)
{
	tree_enter("/tmp/judged-XXXXXX");
	put_dir("a");
	put_dir("a.b");
	put("a/x", "hi");
	put("a.b/z", "yo");
	put("a-b", "q");
	put("run", "run");
	ok_int(fchmodat(root_fd, "run", 0755, 0), 0);
	ok_int(symlinkat("a/x", root_fd, "link"), 0);
}

static struct judged look(const struct judged *before)
{
	struct judged j = { 0 };
	struct cupel_error err = { 0 };

	ok_int(judged_read(dir, -1, before, &j, changed, &err), 0);
	return j;
}

/* git write-tree of the same files, by git itself. */
static void the_id_is_gits_own(void)
{
	struct judged j;

	enter();
	j = look(NULL);
	ok(j.git_tree[0] == '\0'); /* no work tree of git */
	judged_done(&j);
	put_dir(".git");
	put_dir("empty");
	put(".git/config", "[core]\n\tfsmonitor = touch /tmp/judged-ran\n");
	j = look(NULL);
	ok(strcmp(j.git_tree, "e90070b6ddd4e4f3ab0e10d9e259e79ebbf1e167") == 0);
	judged_done(&j);
	put_dir("a/.git"); /* a repository within: only git knows its commit */
	j = look(NULL);
	ok(j.git_tree[0] == '\0' && j.hash[0] != '\0');
	judged_done(&j);
	leave();
}

/* Run sh over the tree and hold it against what it was. */
static void hold(const char *sh, bool is_other, const char *where)
{
	char command[256];
	struct judged was, now;

	enter();
	was = look(NULL);
	(void)snprintf(command, sizeof command, "cd %s && { %s; }", dir, sh);
	ok_int(system(command), 0);
	now = look(&was);
	if ((strcmp(was.hash, now.hash) != 0) != is_other ||
	    strcmp(changed, where) != 0)
		fprintf(stderr, "# %s: %s\n", sh, changed);
	ok((strcmp(was.hash, now.hash) != 0) == is_other);
	ok(strcmp(changed, where) == 0);
	judged_done(&was);
	judged_done(&now);
	leave();
}

static void every_change_is_seen(void)
{
	hold("true", false, "");
	hold("cat a/x run >/dev/null; ls -R >/dev/null", false, "");
	hold("printf ho >a/x", true, "a/x");
	hold("chmod 600 a-b", true, "a-b");
	hold("chmod 700 a.b", true, "a.b");
	hold(": >a/new", true, "a");
	hold("rm a.b/z", true, "a.b");
	hold("mkdir b", true, ".");
	hold("ln -sfn a-b link", true, ".");
	hold("mkfifo a/pipe", true, "a");
	hold("mv a c", true, ".");
}

/* What was there for a moment only, and what has the same bytes again. */
static void a_change_that_was_undone_is_seen(void)
{
	hold("cp -p run r; printf x >run; cat r >run; rm r", false, ".");
	hold("cp -p a/x /tmp/judged-x; printf ho >a/x; cat /tmp/judged-x >a/x; "
	     "touch -r /tmp/judged-x a/x; rm /tmp/judged-x",
	     false, "a/x");
	hold(": >a/new; rm a/new", false, "a");
	hold("chmod 600 a-b; chmod 644 a-b", false, "a-b");
}

/* Another name of a file somewhere else changes its time, and no content. */
static void a_second_name_elsewhere_is_no_change(void)
{
	struct judged was, now;
	char other[80], command[320];

	enter();
	(void)snprintf(other, sizeof other, "%s-other", dir);
	(void)snprintf(command, sizeof command, "ln %s/a-b %s", dir, other);
	ok_int(system(command), 0);
	was = look(NULL);
	(void)snprintf(command, sizeof command, "ln %s %s-2; rm %s-2", other,
		       other, other);
	ok_int(system(command), 0);
	now = look(&was);
	ok(changed[0] == '\0');
	judged_done(&now);
	(void)snprintf(command, sizeof command, "echo r >%s", other);
	ok_int(system(command), 0);
	now = look(&was);
	ok(strcmp(changed, "a-b") == 0);
	judged_done(&was);
	judged_done(&now);
	ok_int(unlink(other), 0);
	leave();
}

/* git's own account of the tree is no part of it; one further down is. */
static void only_git_at_the_top_is_left_out(void)
{
	hold("mkdir .git; cp run .git/index", false, ".");
	hold("mkdir a/.git; cp run a/.git/index", true, "a");
}

/* Nothing outside of the tree is read, and nothing that is not a file. */
static void what_is_outside_does_not_count(void)
{
	struct judged was, now;
	char out[80], command[640];

	enter();
	(void)snprintf(out, sizeof out, "%s-out", dir);
	(void)snprintf(command, sizeof command,
		       "mkdir %s && echo 1 >%s/f && ln -s %s %s/to && "
		       "ln -s %s/f %s/file && mkfifo %s/pipe",
		       out, out, out, dir, out, dir, dir);
	ok_int(system(command), 0);
	was = look(NULL); /* the fifo would wait for ever */
	(void)snprintf(command, sizeof command, "echo 2 >%s/f", out);
	ok_int(system(command), 0);
	now = look(&was);
	ok(strcmp(was.hash, now.hash) == 0);
	ok(changed[0] == '\0');
	judged_done(&was);
	judged_done(&now);
	(void)snprintf(command, sizeof command, "rm -r %s", out);
	ok_int(system(command), 0);
	leave();
}

static void it_can_be_stopped(void)
{
	struct judged j = { 0 };
	struct cupel_error err = { 0 };
	int stop[2];

	enter();
	ok_int(pipe(stop), 0);
	ok_int((intmax_t)write(stop[1], "", 1), 1);
	ok_int(judged_read(dir, stop[0], NULL, &j, changed, &err), -EINTR);
	judged_done(&j);
	ok_int(judged_read("/no/such", -1, NULL, &j, changed, &err), -ENOENT);
	judged_done(&j);
	close(stop[0]);
	close(stop[1]);
	leave();
}

/* Deeper than descriptors could be open. */
static void a_deep_tree_is_read(void)
{
	struct judged was, now;
	char command[256];

	enter();
	(void)snprintf(command, sizeof command,
		       "cd %s && p=d; i=0; while [ $i -lt 1500 ]; do "
		       "p=$p/d; i=$((i+1)); done; mkdir -p $p && echo 1 >$p/f",
		       dir);
	ok_int(system(command), 0);
	was = look(NULL);
	(void)snprintf(command, sizeof command,
		       "find %s -name f -exec sh -c 'echo 2 >$0' {} \\;", dir);
	ok_int(system(command), 0);
	now = look(&was);
	ok(strcmp(was.hash, now.hash) != 0);
	judged_done(&was);
	judged_done(&now);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_id_is_gits_own), CASE(every_change_is_seen),
		CASE(a_change_that_was_undone_is_seen),
		CASE(a_second_name_elsewhere_is_no_change),
		CASE(only_git_at_the_top_is_left_out),
		CASE(what_is_outside_does_not_count), CASE(it_can_be_stopped),
		CASE(a_deep_tree_is_read), TAP_END });
}
