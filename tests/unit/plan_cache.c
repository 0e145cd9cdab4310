/* Which files in the directory of --cache are ours: the mark, and what a killed
 * cupel left half written.  Everything else may belong to the caller. */
#include "plan/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "tap.h"

#define TEMP ".cupel-0123456789abcdef"

static char top[64];
static int dir_fd;

static void set_up(void)
{
	(void)strcpy(top, "/tmp/cupel-plan-cache-XXXXXX");
	ok(mkdtemp(top) != NULL);
	dir_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void tear_down(void)
{
	int tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)close(dir_fd);
	ok_int(folder_end(tmp, strrchr(top, '/') + 1, NULL, NULL), 0);
	(void)close(tmp);
}

static void put(const char *name, const char *text, size_t n)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0600);

	ok(write(fd, text, n) == (ssize_t)n);
	(void)close(fd);
}

static bool is_left(const char *name, const char *text, size_t n)
{
	bool is;

	put(name, text, n);
	is = cache_is_left(dir_fd, name);
	ok_int(unlinkat(dir_fd, name, 0), 0);
	return is;
}

static void every_beginning_of_what_we_write_is_ours(void)
{
	static const char line[] = CACHE_TREE "0123456789abcdef\n";

	set_up();
	for (size_t n = 0; n < sizeof CACHE_TAG; n++)
		ok(is_left(TEMP, CACHE_TAG, n));
	for (size_t n = 0; n < sizeof line; n++)
		ok(is_left(TEMP, line, n));
	tear_down();
}

static void other_bytes_and_names_are_not(void)
{
	static const char *const texts[] = {
		"x",
		"signature",
		CACHE_TAG "x",
		CACHE_TAG CACHE_TAG,
		"tree-x",
		"tree-0123456789abcdeg\n",
		"tree-0123456789abcdef0",
		"tree-0123456789abcdef\n\n",
		"tree-\n",
		"\n",
	};
	static const char *const names[] = {
		".cupel-0123456789abcde",  ".cupel-0123456789abcdef0",
		".cupel-0123456789abcdeF", ".cupe1-0123456789abcdef",
		"cupel-0123456789abcdef",  CACHE_TAG_NAME,
	};

	set_up();
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (is_left(TEMP, texts[i], strlen(texts[i]))) {
			ok(false);
			fprintf(stderr, "# taken: %s\n", texts[i]);
		}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ok(!is_left(names[i], "", 0));
	tear_down();
}

static void what_is_no_file_of_one_name_is_not(void)
{
	set_up();
	put("f", "", 0);
	ok_int(symlinkat("f", dir_fd, TEMP), 0);
	ok(!cache_is_left(dir_fd, TEMP));
	ok_int(unlinkat(dir_fd, TEMP, 0), 0);
	ok_int(linkat(dir_fd, "f", dir_fd, TEMP, 0), 0);
	ok(!cache_is_left(dir_fd, TEMP));
	ok_int(unlinkat(dir_fd, "f", 0), 0);
	ok(cache_is_left(dir_fd, TEMP)); /* now it is its only name */
	ok_int(unlinkat(dir_fd, TEMP, 0), 0);
	ok_int(mkfifoat(dir_fd, TEMP, 0600), 0);
	ok(!cache_is_left(
		dir_fd, TEMP)); /* and opening it does not wait for a writer */
	ok_int(unlinkat(dir_fd, TEMP, 0), 0);
	ok_int(mkdirat(dir_fd, TEMP, 0700), 0);
	ok(!cache_is_left(dir_fd, TEMP));
	ok_int(unlinkat(dir_fd, TEMP, AT_REMOVEDIR), 0);
	put(TEMP, "", 0);
	if (geteuid() == 0) {
		ok_int(fchownat(dir_fd, TEMP, 12345, 12345, 0), 0);
		ok(!cache_is_left(dir_fd, TEMP));
	}
	tear_down();
}

static void the_mark_counts_only_when_it_is_whole(void)
{
	set_up();
	ok(!cache_is_marked(dir_fd));
	put(CACHE_TAG_NAME, CACHE_TAG, sizeof CACHE_TAG - 2);
	ok(!cache_is_marked(dir_fd));
	put(CACHE_TAG_NAME, CACHE_TAG "x", sizeof CACHE_TAG);
	ok(!cache_is_marked(dir_fd));
	put(CACHE_TAG_NAME, "", 0);
	ok(!cache_is_marked(dir_fd));
	put(CACHE_TAG_NAME, CACHE_TAG, sizeof CACHE_TAG - 1);
	ok(cache_is_marked(dir_fd));
	ok_int(renameat(dir_fd, CACHE_TAG_NAME, dir_fd, "f"), 0);
	ok_int(symlinkat("f", dir_fd, CACHE_TAG_NAME), 0);
	ok(!cache_is_marked(dir_fd));
	tear_down();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_beginning_of_what_we_write_is_ours),
		CASE(other_bytes_and_names_are_not),
		CASE(what_is_no_file_of_one_name_is_not),
		CASE(the_mark_counts_only_when_it_is_whole), TAP_END });
}
