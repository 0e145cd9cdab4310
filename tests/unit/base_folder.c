/* Whether a directory is empty, and its removal: all of it, nothing else, and no
 * further than it may go. */
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char top[] = "/tmp/cupel-folder-XXXXXX";
static int top_fd;

static void put(const char *path)
{
	int fd = openat(top_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0600);

	ok(fd >= 0);
	(void)close(fd);
}

static bool is_there(const char *path)
{
	struct stat st;

	return fstatat(top_fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static int has_names(const char *path)
{
	int fd = openat(top_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = folder_has_names(fd);

	(void)close(fd);
	return r;
}

static void says_whether_it_is_empty(void)
{
	int file = openat(top_fd, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	ok_int(mkdirat(top_fd, "d", 0700), 0);
	ok_int(has_names("d"), 0);
	put("d/.x");
	ok_int(has_names("d"), 1);
	ok_int(has_names("d"), 1); /* it may be asked again */
	ok_int(folder_has_names(file), -ENOTDIR);
	ok_int(folder_has_names(-1), -EBADF);
	(void)close(file);
	ok_int(unlinkat(top_fd, "file", 0), 0);
	ok_int(folder_end(top_fd, "d", NULL, NULL), 0);
	ok(!is_there("d"));
}

static void removes_all_and_follows_nothing(void)
{
	ok_int(mkdirat(top_fd, "other", 0700), 0);
	put("other/mine");
	ok_int(mkdirat(top_fd, "d", 0700), 0);
	ok_int(mkdirat(top_fd, "d/e", 0700), 0);
	ok_int(mkdirat(top_fd, "d/e/f", 0700), 0);
	ok_int(mkdirat(top_fd, "d/g", 0700), 0);
	put("d/e/f/x");
	put("d/e/y\n");
	put("d/g/z");
	ok_int(symlinkat("../other", top_fd, "d/l"), 0);
	ok_int(symlinkat("../../other/mine", top_fd, "d/e/l"), 0);
	ok_int(mkfifoat(top_fd, "d/fifo", 0600), 0);
	ok_int(linkat(top_fd, "other/mine", top_fd, "d/hard", 0), 0);
	ok_int(folder_end(top_fd, "d", NULL, NULL), 0);
	ok(!is_there("d"));
	ok(is_there("other/mine"));
	ok_int(symlinkat("other", top_fd, "l"), 0);
	ok(folder_end(top_fd, "l", NULL, NULL) < 0);
	ok(folder_end(top_fd, "other/mine", NULL, NULL) < 0);
	ok_int(folder_end(top_fd, "nothing", NULL, NULL), -ENOENT);
	ok(is_there("l") && is_there("other/mine"));
	ok_int(unlinkat(top_fd, "l", 0), 0);
	ok_int(folder_end(top_fd, "other", NULL, NULL), 0);
}

/* What may not be removed is not reported as "Not a directory".  Root may
 * remove everything. */
static void it_says_why_a_file_stays(void)
{
	bool is_root = geteuid() == 0;

	ok_int(fchmod(top_fd, 0755), 0);
	ok_int(mkdirat(top_fd, "shut", 0700), 0);
	put("shut/x");
	ok_int(fchmodat(top_fd, "shut", 0500, 0), 0);
	if (is_root)
		ok_int(fchownat(top_fd, "shut", 65534, 65534, 0), 0);
	ok(!is_root || seteuid(65534) == 0);
	ok_int(folder_end(top_fd, "shut", NULL, NULL), -EACCES);
	ok(!is_root || seteuid(0) == 0);
	ok_int(fchmodat(top_fd, "shut", 0700, 0), 0);
	ok_int(folder_end(top_fd, "shut", NULL, NULL), 0);
}

/* One inside the other, below the directory d. */
static void deep_make(int n)
{
	int at = dup(top_fd);

	for (int i = 0; i < n; i++) {
		int next;

		ok_int(mkdirat(at, "d", 0700), 0);
		next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		(void)close(at);
		at = next;
	}
	(void)close(at);
}

static void goes_so_deep_and_no_deeper(void)
{
	deep_make(FOLDER_DEPTH_MAX + 1); /* the last is empty */
	ok_int(folder_end(top_fd, "d", NULL, NULL), 0);
	ok(!is_there("d"));
	deep_make(FOLDER_DEPTH_MAX + 2);
	ok_int(folder_end(top_fd, "d", NULL, NULL), -ELOOP);
	ok_int(renameat(top_fd, "d/d/d", top_fd, "e"), 0);
	ok_int(folder_end(top_fd, "d", NULL, NULL), 0);
	ok_int(folder_end(top_fd, "e", NULL, NULL), 0);
}

static bool is_counted_down(const void *data)
{
	int *left = *(int *const *)data;

	return (*left)-- <= 0;
}

static void stops_when_it_is_told_to(void)
{
	char name[16];
	int left = 3, *at = &left;

	ok_int(mkdirat(top_fd, "d", 0700), 0);
	for (int i = 0; i < 10; i++) {
		(void)snprintf(name, sizeof name, "d/%d", i);
		put(name);
	}
	ok_int(folder_end(top_fd, "d", is_counted_down, &at), -ECANCELED);
	ok_int(has_names("d"), 1);
	left = 100;
	ok_int(folder_end(top_fd, "d", is_counted_down, &at), 0);
	ok_int(left, 93); /* the three before are gone */
}

int main(void)
{
	int r;

	if (mkdtemp(top) == NULL)
		return 1;
	top_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = tap_run((struct tap_case[]){
		CASE(it_says_why_a_file_stays), CASE(says_whether_it_is_empty),
		CASE(removes_all_and_follows_nothing),
		CASE(goes_so_deep_and_no_deeper),
		CASE(stops_when_it_is_told_to), TAP_END });
	(void)close(top_fd);
	ok_int(rmdir(top), 0);
	return r;
}
