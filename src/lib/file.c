/* file.c -- a file of the caller's into a buffer with a cap. */
#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"

#define CHUNK_BYTES 65536

static int refuse(const char *option, const char *path, int sys,
		  struct cupel_error *err)
{
	enum cupel_cause cause = cupel_cause_of(sys) == CUPEL_CAUSE_BUSY
					 ? CUPEL_CAUSE_BUSY
					 : CUPEL_CAUSE_CALLER;

	return cupel_fail(err, CUPEL_STAGE_SPEC, cause, sys, "%s%s%.300s: %s",
			  option != NULL ? option : "",
			  option != NULL ? ": " : "", path, strerror(sys));
}

/* A fifo without a writer would be waited for in open(2); it is empty.  With
 * one (a shell's <(...)) its bytes are waited for.  Returns -errno. */
static int open_ready(const char *path)
{
	owned_fd int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int flags;

	if (fd < 0)
		return -errno;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return -errno;
	return take_fd(&fd);
}

int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err)
{
	owned_fd int fd = open_ready(path);

	if (fd < 0)
		return refuse(option, path, -fd, err);
	return file_read_fd(option, path, fd, cap, out, err);
}

int file_read_fd(const char *option, const char *path, int fd, size_t cap,
		 struct buf *out, struct cupel_error *err)
{
	size_t total = 0;

	for (;;) {
		/* One byte past the cap tells that there is more. */
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
