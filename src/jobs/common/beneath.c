/* beneath.c -- see beneath.h. */
#include "jobs/common/beneath.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hooks.h"

static const char *const names[] = {
	[BENEATH_OK] = "ok",
	[BENEATH_SYMLINK] = "symlink",
	[BENEATH_OTHER_FS] = "other_file_system",
	[BENEATH_FIFO] = "fifo",
	[BENEATH_SOCKET] = "socket",
	[BENEATH_DEVICE] = "device",
	[BENEATH_DIRECTORY] = "directory",
	[BENEATH_UNREADABLE] = "unreadable",
	[BENEATH_VANISHED] = "vanished",
	[BENEATH_FAILED] = "failed",
};
static_assert(sizeof names / sizeof *names == BENEATH_MAX_,
	      "a name for every outcome");

const char *beneath_name(enum beneath b)
{
	return (unsigned)b < BENEATH_MAX_ ? names[b] : "?";
}

static enum beneath why(int sys)
{
	switch (sys) {
	case ELOOP:
		return BENEATH_SYMLINK;
	case EXDEV: /* a mount, or a step above root */
		return BENEATH_OTHER_FS;
	case EACCES:
	case EPERM:
		return BENEATH_UNREADABLE;
	case ENOENT:
	case ENOTDIR:
		return BENEATH_VANISHED;
	default:
		return BENEATH_FAILED;
	}
}

static enum beneath kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return BENEATH_OK;
	case S_IFLNK:
		return BENEATH_SYMLINK;
	case S_IFIFO:
		return BENEATH_FIFO;
	case S_IFSOCK:
		return BENEATH_SOCKET;
	case S_IFDIR:
		return BENEATH_DIRECTORY;
	default:
		return BENEATH_DEVICE;
	}
}

int beneath_open_root(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* One segment: not a link, not another file system.  Returns fd or -errno. */
static int open_segment(int at_fd, const char *name, int flags, dev_t dev)
{
	owned_fd int fd = -1;
	struct stat st;

	if (strcmp(name, "..") == 0)
		return -EXDEV;
	fd = openat(at_fd, name, flags | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	return st.st_dev == dev ? take_fd(&fd) : -EXDEV;
}

/* openat2 by hand, segment by segment. */
static int open_by_segments(int root_fd, const char *path, int flags)
{
	owned_fd int at = -1;
	char name[NAME_MAX + 1];
	struct stat root;

	if (fstat(root_fd, &root) < 0)
		return -errno;
	if (path[0] == '/')
		return -EXDEV;
	at = openat(root_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	while (at >= 0) {
		size_t len = strcspn(path, "/");
		bool is_last = path[len] == '\0';
		int next;

		if (len > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, len > 0 ? path : ".", len > 0 ? len : 1);
		name[len > 0 ? len : 1] = '\0';
		next = open_segment(at, name,
				    is_last ? flags : O_PATH | O_DIRECTORY,
				    root.st_dev);
		if (is_last || next < 0)
			return next;
		cleanup_fd(&at);
		at = next;
		path += len + 1;
	}
	return -errno;
}

static int open_beneath(int root_fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	long fd;

	if (path[0] == '\0')
		path = ".";
	if (test_wall_is_down(TEST_WALL_BENEATH)) {
		how.flags &= ~(unsigned)O_NOFOLLOW;
		how.resolve = 0;
	}
	do
		fd = syscall(SYS_openat2, root_fd, path, &how, sizeof how);
	while (fd < 0 && errno == EAGAIN);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_segments(root_fd, path, flags);
	return fd < 0 ? -errno : (int)fd;
}

enum beneath beneath_open_dir(int root_fd, const char *path, int *ret_fd)
{
	int fd = open_beneath(root_fd, path, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return why(-fd);
	*ret_fd = fd;
	return BENEATH_OK;
}

enum beneath beneath_open_file(int root_fd, const char *path, int *ret_fd,
			       off_t *ret_size)
{
	owned_fd int look = -1;
	owned_fd int fd = -1;
	struct stat seen, st;
	enum beneath kind;

	look = open_beneath(root_fd, path, O_PATH);
	if (look < 0)
		return why(-look);
	if (fstat(look, &seen) < 0)
		return BENEATH_FAILED;
	kind = kind_of(seen.st_mode);
	if (kind != BENEATH_OK && !test_wall_is_down(TEST_WALL_FILE_KIND))
		return kind;
	fd = open_beneath(root_fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return why(-fd);
	if (fstat(fd, &st) < 0)
		return BENEATH_FAILED;
	if (st.st_dev != seen.st_dev || st.st_ino != seen.st_ino)
		return BENEATH_VANISHED;
	*ret_size = st.st_size;
	*ret_fd = take_fd(&fd);
	return BENEATH_OK;
}
