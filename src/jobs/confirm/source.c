/* source.c -- see source.h. */
#include "jobs/confirm/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "jobs/common/beneath.h"

#define CHUNK ((size_t)64 << 10)

char *source_name(const char *repo, const char *file)
{
	size_t len = strlen(repo);

	if (file[0] == '/' && strncmp(file, repo, len) == 0 &&
	    (file[len] == '/' || repo[len - 1] == '/'))
		file += len;
	else if (file[0] == '/')
		return strdup(file); /* opening it will be refused */
	while (file[0] == '/' || (file[0] == '.' && file[1] == '/'))
		file++;
	return strdup(file);
}

const char *source_read(int repo_fd, const char *file, struct buf *out,
			char ret_blake3[BLAKE3_TEXT_BYTES])
{
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath why = beneath_open_file(repo_fd, file, &fd, &size);

	if (why == BENEATH_VANISHED)
		return SOURCE_NOT_FOUND;
	if (why != BENEATH_OK)
		return beneath_name(why);
	for (;;) {
		char *at = buf_reserve(out, CHUNK);
		ssize_t n;

		if (at == NULL)
			return "no_memory";
		n = read(fd, at, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return "unreadable";
		if (n == 0)
			break;
		out->len += (size_t)n;
		if (out->len > SOURCE_BYTES)
			return "too_large";
	}
	blake3_hex_text(out->bytes, out->len, ret_blake3);
	return NULL;
}
