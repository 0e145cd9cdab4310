/* artifact_write.c -- a temporary beside the target, then one rename. */
#include "supervise/artifact_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "base/utf8.h"
#include "supervise/artifact.h"

#define COPY_BYTES  65536
#define FILE_MODE   0666 /* less the caller's umask */
#define FOLDER_MODE 0777

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
		if (outfile_write(to, bytes, (size_t)n) < 0)
			return "write_failed";
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, ret->blake3);
	ret->bytes = total;
	return NULL;
}

/* Whether the name is that of a file which is in the list. */
static bool is_done(const struct artifact_list *done, int dir_fd,
		    const char *name)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	for (size_t i = 0; i < done->len; i++) {
		const struct artifact *a = &done->items[i];

		if (a->dst != NULL && a->dev == st.st_dev &&
		    a->ino == st.st_ino)
			return true;
	}
	return false;
}

const char *artifact_write(int fd, const char *dst, uint64_t cap,
			   const struct artifact_list *done,
			   struct artifact *ret)
{
	struct outfile to = OUTFILE_NONE;
	struct cupel_error ignored = { 0 };
	char name[NAME_MAX + 1];
	owned_fd int dir = -1;
	struct stat st;
	const char *why;

	if (!utf8_is_valid(dst, strlen(dst)))
		return "not_utf8";
	dir = outfile_open_dir(dst, FOLDER_MODE, name, &ignored);
	if (dir < 0)
		return "write_failed";
	if (is_done(done, dir, name))
		return "same_target";
	if (outfile_open_at(dir, name, FILE_MODE, &to) < 0)
		return "write_failed";
	why = copy_bytes(fd, to.fd, cap, ret);
	if (why == NULL && (fstat(to.fd, &st) < 0 || outfile_put(&to) < 0))
		why = "write_failed";
	if (why == NULL) {
		ret->dev = st.st_dev;
		ret->ino = st.st_ino;
	}
	outfile_done(&to);
	return why;
}
