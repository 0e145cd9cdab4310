/* file.c -- a file of the caller's into a buffer with a cap. */
#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
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

	return cupel_fail(err, CUPEL_STAGE_SPEC, cause, sys, "%s: %.300s: %s",
			  option, path, strerror(sys));
}

int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err)
{
	owned_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t total = 0;

	if (fd < 0)
		return refuse(option, path, errno, err);
	for (;;) {
		char *room = buf_reserve(out, CHUNK_BYTES);
		ssize_t n;

		if (room == NULL)
			return refuse(option, path, ENOMEM, err);
		n = read(fd, room, CHUNK_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(option, path, errno, err);
		if (n == 0)
			break;
		total += (size_t)n;
		out->len += (size_t)n;
		out->bytes[out->len] = '\0';
		if (total > cap)
			return cupel_fail(err, CUPEL_STAGE_SPEC,
					  CUPEL_CAUSE_CALLER, EFBIG,
					  "%s: %.300s: more than %zu bytes",
					  option, path, cap);
	}
	return 0;
}
