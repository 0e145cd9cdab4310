/* artifact_write.c -- a temporary beside the target, then one rename. */
#include "supervise/artifact_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "supervise/artifact.h"

#define COPY_BYTES  65536
#define TRIES       8
#define TEMP_BYTES  40
#define FILE_MODE   0666 /* less the caller's umask */
#define FOLDER_MODE 0777

/* The directory of dst, opened; missing ones are made on the way.  No part of
 * it may be a link: the current directory is often the very repository whose
 * tests were run, and a link in it was put there by whoever wrote it. */
static int open_parent(const char *dst, const char **ret_name)
{
	owned_fd int at = openat(AT_FDCWD, dst[0] == '/' ? "/" : ".",
				 O_PATH | O_DIRECTORY | O_CLOEXEC);

	while (at >= 0) {
		char name[NAME_MAX + 1];
		size_t n;
		int below;

		dst += strspn(dst, "/");
		n = strcspn(dst, "/");
		if (dst[n] == '\0' || dst[n + strspn(dst + n, "/")] == '\0') {
			*ret_name = dst;
			return take_fd(&at);
		}
		if (n > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, dst, n);
		name[n] = '\0';
		if (mkdirat(at, name, FOLDER_MODE) < 0 && errno != EEXIST)
			return -errno;
		below = openat(at, name,
			       O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (below < 0)
			return -errno;
		cleanup_fd(&at);
		at = below;
		dst += n;
	}
	return -errno;
}

static int open_temp(int dir_fd, char name[TEMP_BYTES])
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t r[2];
		int fd;

		if (getrandom(r, sizeof r, 0) != sizeof r)
			return -EIO;
		(void)snprintf(name, TEMP_BYTES, ".cupel-%016llx",
			       (unsigned long long)(r[0] ^ r[1]));
		fd = openat(dir_fd, name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    FILE_MODE);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : -errno;
	}
	return -EEXIST;
}

static const char *write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, bytes, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return "write_failed";
		bytes += w;
		n -= (size_t)w;
	}
	return NULL;
}

static const char *copy_bytes(int from, int to, uint64_t cap,
			      struct artifact *ret)
{
	uint8_t digest[BLAKE3_BYTES];
	char bytes[COPY_BYTES];
	struct blake3 hash;
	uint64_t total = 0;

	blake3_init(&hash);
	for (;;) {
		ssize_t n = pread(from, bytes, sizeof bytes, (off_t)total);
		const char *why;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return "unreadable";
		if (n == 0)
			break;
		total += (uint64_t)n;
		if (total > cap)
			return "too_large";
		blake3_update(&hash, bytes, (size_t)n);
		why = write_all(to, bytes, (size_t)n);
		if (why != NULL)
			return why;
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, ret->blake3);
	ret->bytes = total;
	return NULL;
}

/* The name without slashes at its end; empty, "." and ".." name no file. */
static int take_name(const char *dst, char name[NAME_MAX + 1])
{
	size_t n = strcspn(dst, "/");

	if (n == 0 || n > NAME_MAX)
		return -EINVAL;
	memcpy(name, dst, n);
	name[n] = '\0';
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? -EINVAL : 0;
}

const char *artifact_write(int fd, const char *dst, uint64_t cap,
			   struct artifact *ret)
{
	const char *last = NULL;
	owned_fd int dir = open_parent(dst, &last);
	owned_fd int to = -1;
	char name[NAME_MAX + 1];
	char temp[TEMP_BYTES];
	const char *why;

	if (dir < 0 || take_name(last, name) < 0)
		return "write_failed";
	to = open_temp(dir, temp);
	if (to < 0)
		return "write_failed";
	why = copy_bytes(fd, to, cap, ret);
	if (why == NULL && renameat(dir, temp, dir, name) < 0)
		why = "write_failed";
	if (why != NULL)
		(void)unlinkat(dir, temp, 0);
	return why;
}
