/* outfile.c -- see outfile.h. */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hooks.h"
#include "base/outfile_private.h"

#define TRIES 8

/* --- what is there --------------------------------------------------------- */

/* 0: a new file takes its place; 1: it is written to as it is; -errno. */
static int kind_of(const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFREG:
		return 0;
	case S_IFCHR:
		return 1;
	case S_IFIFO:
		return st->st_uid == geteuid() || st->st_uid == 0
			       ? 1
			       : -OUTFILE_NOT_OURS;
	case S_IFLNK:
		return -ELOOP;
	case S_IFDIR:
		return -EISDIR;
	default:
		return -ENOTSUP;
	}
}

/* Like kind_of(). *ret_st has st_nlink 0 when nothing has the name. */
static int target_look(int dir_fd, const char *name, struct stat *ret_st)
{
	*ret_st = (struct stat){ 0 };
	if (fstatat(dir_fd, name, ret_st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(ret_st->st_mode) && outfile_links_are_followed())
		return 1;
	return kind_of(ret_st);
}

/* Open a fifo or a device, and check that it is still the one that was seen
 * before. */
static int open_as_it_is(int dir_fd, const char *name, const struct stat *seen)
{
	int how = outfile_links_are_followed() ? O_TRUNC : O_NOFOLLOW;
	owned_fd int fd =
		openat(dir_fd, name,
		       O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | how);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!outfile_links_are_followed() &&
	    (st.st_dev != seen->st_dev || st.st_ino != seen->st_ino))
		return -EAGAIN;
	return take_fd(&fd);
}

static int open_descriptor(int fd)
{
	int how = fcntl(fd, F_GETFL);
	int own;

	if (how < 0 || (how & O_ACCMODE) == O_RDONLY || (how & O_PATH) != 0)
		return -EBADF;
	own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return own < 0 ? -errno : own;
}

/* --- a new file ------------------------------------------------------------ */

int outfile_make(int dir_fd, const char *name, mode_t mode)
{
	int only = test_wall_is_down(TEST_WALL_OUTPUT_FRESH) ||
				   test_wall_is_down(TEST_WALL_CHAIN_FRESH)
			   ? O_TRUNC
			   : O_EXCL | O_NOFOLLOW;
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC | only,
			mode);

	return fd < 0 ? -errno : fd;
}

int outfile_open_at(int dir_fd, const char *name, mode_t mode,
		    struct outfile *ret)
{
	struct outfile o = OUTFILE_NONE;
	int e = -EEXIST;

	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	(void)snprintf(o.name, sizeof o.name, "%s", name);
	for (int i = 0; i < TRIES && e == -EEXIST; i++) {
		uint64_t r;

		if (getrandom(&r, sizeof r, 0) != (ssize_t)sizeof r)
			return -EIO;
		(void)snprintf(o.temp, sizeof o.temp, OUTFILE_TEMP "%016llx",
			       (unsigned long long)r);
		e = outfile_make(dir_fd, o.temp, mode);
	}
	if (e < 0)
		return e;
	o.fd = e;
	o.dir_fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	if (o.dir_fd < 0) {
		e = -errno;
		(void)unlinkat(dir_fd, o.temp, 0);
		(void)close(o.fd);
		return e;
	}
	*ret = o;
	return 0;
}

/* 0 or -errno; the file is one that outfile_put() will name. */
static int open_new(int dir_fd, const char *name, mode_t mode,
		    const struct stat *old, struct outfile *ret)
{
	int e = outfile_open_at(dir_fd, name, mode, ret);

	if (e == 0 && old->st_nlink > 0 && old->st_uid == geteuid() &&
	    fchmod(ret->fd, old->st_mode & mode) < 0) {
		e = -errno;
		outfile_done(ret);
	}
	return e;
}

int outfile_open(const char *path, mode_t mode, struct outfile *ret,
		 struct cupel_error *err)
{
	int fd = outfile_find_descriptor(path);
	char name[NAME_MAX + 1];
	owned_fd int dir = -1;
	struct stat st;
	int e;

	*ret = OUTFILE_NONE;
	if (fd >= 0) {
		ret->fd = open_descriptor(fd);
		return ret->fd < 0 ? outfile_fail(err, path, -ret->fd) : 0;
	}
	dir = outfile_open_dir(path, 0, name, err);
	if (dir < 0)
		return dir;
	e = target_look(dir, name, &st);
	if (e == 0 && path[strlen(path) - 1] == '/')
		e = -EISDIR;
	if (e == 0)
		e = open_new(dir, name, mode, &st, ret);
	else if (e > 0)
		e = ret->fd = open_as_it_is(dir, name, &st);
	return e < 0 ? outfile_fail(err, path, -e) : 0;
}

int outfile_can_open(const char *path, struct cupel_error *err)
{
	char name[NAME_MAX + 1];
	owned_fd int dir = -1;
	struct stat st;
	int e;

	if (outfile_find_descriptor(path) >= 0)
		return 0;
	dir = outfile_open_dir(path, 0, name, err);
	if (dir < 0)
		return dir;
	e = target_look(dir, name, &st);
	if (e == 0 && path[strlen(path) - 1] == '/')
		e = -EISDIR;
	if (e == 0 && faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		e = -errno;
	return e < 0 ? outfile_fail(err, path, -e) : 0;
}

int outfile_put(struct outfile *o)
{
	if (o->temp[0] == '\0')
		return 0;
	if (renameat(o->dir_fd, o->temp, o->dir_fd, o->name) < 0)
		return -errno;
	o->temp[0] = '\0';
	return 0;
}

bool outfile_is_temp(const char *name)
{
	size_t n = sizeof OUTFILE_TEMP - 1;

	return strlen(name) == n + 16 && strncmp(name, OUTFILE_TEMP, n) == 0 &&
	       strspn(name + n, "0123456789abcdef") == 16;
}

void outfile_done(struct outfile *o)
{
	if (o->temp[0] != '\0')
		(void)unlinkat(o->dir_fd, o->temp, 0);
	cleanup_fd(&o->fd);
	cleanup_fd(&o->dir_fd);
	*o = OUTFILE_NONE;
}

/* --- a log ----------------------------------------------------------------- */

/* 0 or -errno. */
static int log_check(int dir_fd, int fd)
{
	struct stat dir, st;

	if (fstat(fd, &st) < 0 || fstatat(dir_fd, "", &dir, AT_EMPTY_PATH) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -OUTFILE_NOT_REGULAR;
	if (test_wall_is_down(TEST_WALL_LOG_OWNER))
		return 0;
	if (st.st_nlink != 1)
		return -EMLINK;
	return st.st_uid == geteuid() || st.st_uid == dir.st_uid
		       ? 0
		       : -OUTFILE_NOT_OURS;
}

int outfile_open_log(int dir_fd, const char *name, const char *shown,
		     struct cupel_error *err)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_EVENTS_LINKS) ? 0 : O_NOFOLLOW;
	owned_fd int fd = openat(dir_fd, name,
				 O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC |
					 O_NONBLOCK | O_NOCTTY | nofollow,
				 0600);
	int e = fd < 0 ? -errno : log_check(dir_fd, fd);

	if (e == -ENXIO) /* a socket, or a device without a driver */
		e = -OUTFILE_NOT_REGULAR;

	return e < 0 ? outfile_fail(err, shown, -e) : take_fd(&fd);
}

int outfile_write(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = fd, .events = POLLOUT };

			(void)poll(&p, 1, -1);
			continue;
		}
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}
