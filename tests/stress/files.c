/* files.c -- names, inodes and attributes of the scratch. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "stress.h"

static char bytes[1 << 16];

/* A name of 255 bytes that differs from the others. */
static void long_name(const struct job *j, char to[512], unsigned n)
{
	int len = snprintf(to, 64, "/scratch/%u.%u.", j->worker, n);

	memset(to + len, 'x', 9 + 255 - (size_t)len);
	to[9 + 255] = '\0';
}

static void inodes(struct job *j)
{
	char name[512];
	int fd;

	for (unsigned n = 0;; n++) {
		long_name(j, name, n);
		fd = open(name, O_WRONLY | O_CREAT, 0600);
		if (fd < 0)
			break;
		(void)close(fd);
		if (!job_take(j, 1300))
			return;
	}
	job_stop(j);
}

static void links(struct job *j)
{
	char name[512], first[512];
	int fd;

	long_name(j, first, 0);
	fd = open(first, O_WRONLY | O_CREAT, 0600);
	(void)close(fd);
	for (unsigned n = 1;; n++) {
		long_name(j, name, n);
		if (link(first, name) < 0)
			break;
		if (!job_take(j, 600))
			return;
	}
	job_stop(j);
}

static void symlinks(struct job *j)
{
	static char target[4000];
	char name[NAME_BYTES];

	memset(target, 'x', sizeof target - 1);
	for (unsigned n = 0;; n++) {
		target[n % 3 ? 120 : 3999] = '\0';
		if (symlink(target, job_name(j, name, n)) < 0)
			break;
		target[n % 3 ? 120 : 3999] = 'x';
		if (!job_take(j, 1300))
			return;
	}
	job_stop(j);
}

static void attributes(struct job *j)
{
	char name[NAME_BYTES], key[NAME_BYTES];

	for (unsigned n = 0;; n++) {
		int fd = open(job_name(j, name, n), O_WRONLY | O_CREAT, 0600);

		if (fd < 0)
			break;
		for (unsigned i = 0; i < 4096; i++) {
			(void)snprintf(key, sizeof key, "user.%u", i);
			if (fsetxattr(fd, key, bytes, 32768, 0) < 0) {
				job_stop(j);
				break;
			}
			if (!job_take(j, 32768))
				return;
		}
		(void)close(fd);
		if (!job_storm(j))
			return;
	}
	job_stop(j);
}

static void deep(struct job *j)
{
	char name[NAME_BYTES];

	(void)mkdir(job_name(j, name, 0), 0700);
	if (chdir(name) < 0)
		return;
	for (;;) {
		if (mkdir("d", 0700) < 0 || chdir("d") < 0)
			break;
		if (!job_take(j, 1100))
			return;
	}
	job_stop(j);
}

static void contents(struct job *j)
{
	char name[NAME_BYTES];

	for (unsigned n = 0;; n++) {
		int fd = open(job_name(j, name, n), O_RDWR | O_CREAT, 0600);
		struct iovec v = { bytes, sizeof bytes };

		if (fd < 0)
			break;
		(void)fallocate(fd, 0, 0, 1 << 20);
		while (pwritev(fd, &v, 1, lseek(fd, 0, SEEK_END)) > 0) {
			if (lseek(fd, 0, SEEK_END) > 64 << 20)
				break;
			if (!job_take(j, sizeof bytes))
				return;
		}
		(void)close(fd);
		if (!job_storm(j))
			return;
	}
	job_stop(j);
}

/* Files without a name, which only a descriptor holds; and fifos. */
static void nameless(struct job *j)
{
	char name[NAME_BYTES];

	for (unsigned n = 0;; n++) {
		int fd = open("/scratch", O_TMPFILE | O_RDWR, 0600);

		if (fd < 0)
			break;
		(void)!ftruncate(fd, 8 << 20);
		(void)mkfifo(job_name(j, name, n), 0600);
		if (!job_take(j, 2048))
			return;
	}
	job_stop(j);
}

/* Names that do not exist: each is remembered, where a file system does so. */
static void missing_in(struct job *j, const char *const *tops, unsigned count)
{
	char name[300];
	struct stat s;

	for (unsigned n = 0;; n++) {
		int len = snprintf(name, 64, "%s/%u.%u.", tops[n % count],
				   j->worker, n);

		memset(name + len, 'x', 200);
		name[len + 200] = '\0';
		if (stat(name, &s) == 0 || errno != ENOENT)
			job_stop(j);
		if (!job_take(j, 512))
			return;
	}
}

static void missing(struct job *j)
{
	static const char *const tops[] = { "/usr", "/repo", "/scratch",
					    "/proc", "/etc" };

	missing_in(j, tops, 5);
}

static void missing_usr(struct job *j)
{
	static const char *const tops[] = { "/usr/lib" };

	missing_in(j, tops, 1);
}

static void missing_repo(struct job *j)
{
	static const char *const tops[] = { "/repo" };

	missing_in(j, tops, 1);
}

static void walk(struct job *j, int top, const char *name, int depth)
{
	int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct stat s;

	while (d != NULL && (e = readdir(d)) != NULL && job_take(j, 0)) {
		if (e->d_name[0] == '.')
			continue;
		(void)fstatat(fd, e->d_name, &s, AT_SYMLINK_NOFOLLOW);
		if (e->d_type == DT_DIR && depth < 8)
			walk(j, fd, e->d_name, depth + 1);
	}
	if (d != NULL)
		(void)closedir(d);
}

/* Every name below /usr: the host's caches of names and inodes. */
static void walks(struct job *j)
{
	while (job_take(j, 0))
		walk(j, AT_FDCWD, "/usr", 0);
}

/* The calls about a name that change little, one after the other. */
static void small_changes(struct job *j)
{
	char a[NAME_BYTES], b[NAME_BYTES];
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW },
				     { .tv_nsec = UTIME_NOW } };
	int fd = open(job_name(j, a, 0), O_RDWR | O_CREAT, 0600);

	(void)job_name(j, b, 1);
	while (fd >= 0 && job_storm(j)) {
		if (rename(a, b) < 0 || link(b, a) < 0 || unlink(b) < 0)
			job_stop(j);
		(void)fchmod(fd, 0600);
		(void)fchown(fd, (uid_t)-1, (gid_t)-1);
		(void)utimensat(AT_FDCWD, a, times, 0);
		(void)faccessat(AT_FDCWD, a, R_OK, 0);
		(void)mkdir(b, 0700);
		(void)rmdir(b);
		(void)symlink(a, b);
		(void)!readlink(b, bytes, sizeof bytes);
		(void)unlink(b);
		(void)flock(fd, LOCK_EX);
		(void)flock(fd, LOCK_UN);
		(void)!ftruncate(fd, 1 << 20);
		(void)fsetxattr(fd, "user.a", bytes, 4096, 0);
		(void)fgetxattr(fd, "user.a", bytes, sizeof bytes);
		(void)flistxattr(fd, bytes, sizeof bytes);
		(void)fremovexattr(fd, "user.a");
		(void)close(dup(fd));
		(void)!getcwd(bytes, sizeof bytes);
		(void)syscall(SYS_statfs, "/scratch", bytes);
	}
}

const struct stressor stress_files[] = {
	{ "inodes", "open creat", "empty files with names of 255 bytes", inodes,
	  true },
	{ "links", "link linkat", "names of one file", links, true },
	{ "symlinks", "symlink symlinkat", "long targets", symlinks, true },
	{ "attributes", "setxattr fsetxattr", "attributes of 32 KiB",
	  attributes, true },
	{ "deep", "mkdir chdir", "directories in directories", deep, true },
	{ "contents", "write pwritev fallocate lseek", "files of 64 MiB",
	  contents, true },
	{ "nameless", "open mknod ftruncate", "files without a name, fifos",
	  nameless, true },
	{ "missing", "stat", "names that do not exist, everywhere", missing,
	  true },
	{ "missing-usr", "stat", "names that do not exist in /usr", missing_usr,
	  true },
	{ "missing-repo", "stat", "names that do not exist in /repo",
	  missing_repo, true },
	{ "walks", "getdents64 newfstatat openat", "every name below /usr",
	  walks, true },
	{ "small-changes",
	  "rename unlink fchmod fchown utimensat faccessat rmdir readlink "
	  "flock "
	  "fgetxattr flistxattr fremovexattr dup getcwd statfs",
	  "what changes little", small_changes, true },
	{ 0 },
};
