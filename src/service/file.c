/* file.c -- reads a file of the caller into a buffer with a cap. */
#include "service/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"

#define CHUNK_BYTES 65536

static int refuse(const char *option, const char *path, int sys,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, file_cause(sys), sys,
			  "%s%s%.300s: %s", option != NULL ? option : "",
			  option != NULL ? ": " : "", path, file_why(sys));
}

enum cupel_cause file_cause(int sys)
{
	return cupel_cause_of(sys) == CUPEL_CAUSE_BUSY ? CUPEL_CAUSE_BUSY
						       : CUPEL_CAUSE_CALLER;
}

const char *file_why(int sys)
{
	switch (sys) {
	case ENOTSUP:
		return "is not a regular file";
	case ELOOP:
		return "leads to a descriptor, or through too many links";
	default:
		return strerror(sys);
	}
}

/* Make a descriptor of our own a blocking one.  Returns it or -errno. */
static int wait_on(int own_fd)
{
	owned_fd int fd = own_fd;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || ((flags & O_NONBLOCK) != 0 &&
			  fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0))
		return -errno;
	return take_fd(&fd);
}

int file_open(const char *path)
{
	int given = outfile_find_descriptor(path);
	owned_fd int fd = -1;
	struct stat st;

	if (given >= 0)
		fd = fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (given < 0 && !S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	return wait_on(take_fd(&fd));
}

int file_open_regular(const char *path)
{
	const struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NOCTTY |
					       O_NONBLOCK,
				      .resolve = RESOLVE_NO_MAGICLINKS };
	owned_fd int fd =
		(int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
	struct statfs fs;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || fstatfs(fd, &fs) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || fs.f_type == PROC_SUPER_MAGIC)
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOTSUP;
	return take_fd(&fd);
}

int file_read_regular(const char *option, const char *path, size_t cap,
		      struct buf *out, struct cupel_error *err)
{
	owned_fd int fd = file_open_regular(path);

	if (fd < 0)
		return refuse(option, path, -fd, err);
	return file_read_fd(option, path, fd, cap, out, err);
}

int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err)
{
	owned_fd int fd = file_open(path);

	if (fd < 0)
		return refuse(option, path, -fd, err);
	return file_read_fd(option, path, fd, cap, out, err);
}

int file_read_fd(const char *option, const char *path, int fd, size_t cap,
		 struct buf *out, struct cupel_error *err)
{
	size_t total = 0;

	for (;;) {
		/* One byte past the cap shows that there is more. */
		size_t want = MIN(CHUNK_BYTES, cap - total + 1);
		char *room = buf_reserve(out, want);
		ssize_t n;

		if (room == NULL)
			return refuse(option, path, ENOMEM, err);
		n = read(fd, room, want);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(option, path, errno, err);
		if (n == 0)
			return 0;
		total += (size_t)n;
		out->len += (size_t)n;
		out->bytes[out->len] = '\0';
		if (total > cap)
			return cupel_fail(
				err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				EFBIG, "%s%s%.300s: longer than %zu bytes",
				option != NULL ? option : "",
				option != NULL ? ": " : "", path, cap);
	}
}
