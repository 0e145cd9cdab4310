/* keep_world.h -- a directory that plays a cache, one that plays a dead vessel's
 * tmpfs, and a clock and a disk of the test's own: the clock moves by clock_tick_ms
 * with each look, and a sync notes what was there at that moment. */
#ifndef CUPEL_TESTS_UNIT_KEEP_WORLD_H
#define CUPEL_TESTS_UNIT_KEEP_WORLD_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "launch/sync.h"
#include "plan/cache.h"
#include "plan/plan.h"
#include "supervise/keep.h"
#include "tap.h"

#define OLD "tree-00000000000000aa"

static char top[64];
static struct keep keep;
static uint64_t clock_ms; /* 0: the real one */
static uint64_t clock_tick_ms;
static enum { SYNC_WORKS, SYNC_QUIET, SYNC_FAILS, SYNC_DIES, SYNC_HANGS } disk;
static int hung = -1; /* the other end of a sync that never answers */

int clock_gettime(clockid_t which, struct timespec *ret)
{
	if (clock_ms == 0)
		return (int)syscall(SYS_clock_gettime, which, ret);
	clock_ms += clock_tick_ms;
	ret->tv_sec = (time_t)(clock_ms / 1000);
	ret->tv_nsec = (long)(clock_ms % 1000) * 1000000;
	return 0;
}

static const char *text_of(int dir_fd, const char *name)
{
	static char text[4096];
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;

	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static int names_count(int dir_fd, const char *begin)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fdopendir(fd);
	const struct dirent *e;
	int n = 0;

	while ((e = readdir(dir)) != NULL)
		n += strcmp(e->d_name, ".") != 0 &&
		     strcmp(e->d_name, "..") != 0 &&
		     strncmp(e->d_name, begin, strlen(begin)) == 0;
	(void)closedir(dir);
	return n;
}

/* A line for what is there now, unless the disk is a quiet one, because that needs
 * descriptors.  Returns what cupel-sync would say. */
static char sync_note(const char *what)
{
	int top_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int dir = openat(top_fd, "dir", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int log = openat(top_fd, "log",
			 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	const char *now = text_of(dir, CACHE_CURRENT);

	dprintf(log, "%s: mark %d, trees %d, temps %d, current %s;", what,
		cache_is_marked(dir), names_count(dir, CACHE_TREE),
		names_count(dir, ".cupel-"),
		*now == '\0'                          ? "none"
		: strncmp(now, OLD, strlen(OLD)) == 0 ? "old"
						      : "new");
	(void)close(log);
	(void)close(dir);
	(void)close(top_fd);
	return disk == SYNC_FAILS;
}

/* In the place of cupel-sync (tests/unit/launch_sync.c), which has a disk. */
int sync_begin(int fd, enum sync_what what, struct helper *ret)
{
	struct stat st;
	bool is_names = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	char failed = disk == SYNC_QUIET
			      ? 0
			      : sync_note(what == SYNC_FILESYSTEM ? "syncfs"
					  : is_names ? "fsync directory"
						     : "fsync file");
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	*ret = HELPER_NONE;
	ret->control_fd = pair[0];
	if (disk != SYNC_HANGS) {
		if (disk != SYNC_DIES)
			ok_int(send(pair[1], &failed, 1, MSG_NOSIGNAL), 1);
		(void)close(pair[1]);
		return 0;
	}
	ok_int(hung, -1);
	hung = pair[1];
	return 0;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ok(fd >= 0);
	ok(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	(void)close(fd);
}

/* A cache with one tree, unless it is new, and n files that a run wrote. */
static void set_up(bool is_new, int n)
{
	char name[64];

	clock_ms = 0;
	clock_tick_ms = 1;
	disk = SYNC_WORKS;
	(void)strcpy(top, "/tmp/cupel-keep-XXXXXX");
	ok(mkdtemp(top) != NULL && chdir(top) == 0);
	ok(mkdir("dir", 0700) == 0 && mkdir("tmpfs", 0700) == 0 &&
	   mkdir("tmpfs/" PLAN_CACHE_DIR, 0700) == 0);
	if (!is_new) {
		put("dir/" CACHE_TAG_NAME, CACHE_TAG);
		put("dir/" CACHE_CURRENT, OLD "\n");
		ok_int(mkdir("dir/" OLD, 0700), 0);
		put("dir/" OLD "/old", "old");
	}
	for (int i = 0; i < n; i++) {
		(void)snprintf(name, sizeof name, "tmpfs/" PLAN_CACHE_DIR "/%d",
			       i);
		put(name, "new");
	}
	keep = (struct keep){
		.dir_fd = open("dir", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.tree_fd = open("dir/" OLD, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.tree = is_new ? "" : OLD,
		.tmpfs_fd = open("tmpfs", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.bytes = 1U << 30,
		.uid = geteuid(),
		.gid = getegid(),
		.deadline_ns = UINT64_MAX,
		.cancel_fd = -1,
	};
}

static void tear_down(void)
{
	int tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	clock_ms = 0;
	(void)close(keep.dir_fd);
	(void)close(keep.tree_fd);
	(void)close(keep.tmpfs_fd);
	ok_int(chdir("/"), 0);
	ok_int(folder_end(tmp, strrchr(top, '/') + 1, NULL, NULL), 0);
	(void)close(tmp);
}

#endif
