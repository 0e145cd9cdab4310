/* held.c -- see held.h. */
#include "jobs/gate/held.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "jobs/common/inside.h"

#define READ_BYTES ((size_t)64 << 10)

static int refuse(const struct held_request *req, int sys, const char *why,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "%s %.300s: %s", req->what, req->path, why);
}

/* Open the directory that fd's file lies in, wherever links led; -1: unknown.
 * The kernel tells the name, and the name is checked against the file. */
static int parent_open(int fd, const struct stat *st)
{
	char link[40], path[PATH_MAX];
	owned_fd int dir_fd = -1;
	struct stat named;
	char *slash;
	ssize_t n;

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path);
	if (n <= 0 || (size_t)n >= sizeof path)
		return -1;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL)
		return -1;
	*slash = '\0';
	dir_fd = open(slash == path ? "/" : path,
		      O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0 ||
	    fstatat(dir_fd, slash + 1, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
	    named.st_dev != st->st_dev || named.st_ino != st->st_ino)
		return -1;
	return take_fd(&dir_fd);
}

static int place_check(const struct held_request *req, int fd, int *ret_dir_fd,
		       struct cupel_error *err)
{
	owned_fd int dir_fd = -1;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return refuse(req, errno, strerror(errno), err);
	if (!S_ISREG(st.st_mode))
		return refuse(req, EINVAL, "is not a regular file", err);
	dir_fd = parent_open(fd, &st);
	if (dir_fd < 0)
		return refuse(req, EINVAL, "its directory cannot be found",
			      err);
	if (req->worktree_fd >= 0 &&
	    !test_wall_is_down(TEST_WALL_GATE_WORKTREE)) {
		if (inside_is_below(dir_fd, req->worktree_fd))
			return refuse(req, EPERM, "is in the work tree", err);
		if (st.st_nlink != 1)
			return refuse(req, EPERM,
				      "has a second name (a hard link), which "
				      "may be in the work tree",
				      err);
	}
	if (ret_dir_fd != NULL)
		*ret_dir_fd = take_fd(&dir_fd);
	return 0;
}

static int bytes_read(const struct held_request *req, int fd, struct buf *out,
		      struct cupel_error *err)
{
	for (;;) {
		char *room = buf_reserve(out, READ_BYTES);
		ssize_t n = room != NULL ? read(fd, room, READ_BYTES) : -1;

		if (room == NULL)
			return refuse(req, ENOMEM, "no memory", err);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(req, errno, strerror(errno), err);
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > req->cap_bytes)
			return refuse(req, EFBIG, "is too long", err);
	}
}

int held_read(const struct held_request *req, struct buf *out, int *ret_dir_fd,
	      struct cupel_error *err)
{
	owned_fd int fd = openat(req->dir_fd, req->path,
				 O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	owned_fd int dir_fd = -1;
	int e;

	if (fd < 0)
		return refuse(req, errno, strerror(errno), err);
	e = place_check(req, fd, &dir_fd, err);
	if (e == 0)
		e = bytes_read(req, fd, out, err);
	if (e == 0 && ret_dir_fd != NULL)
		*ret_dir_fd = take_fd(&dir_fd);
	return e;
}
