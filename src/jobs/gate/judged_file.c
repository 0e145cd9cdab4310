/* judged_file.c -- reads and hashes the contents of a judged tree.  See
 * judged.h. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/common/beneath.h"
#include "jobs/gate/judged_private.h"

#define CHUNK_BYTES ((size_t)256 << 10)

/* --- git's names ------------------------------------------------------------- */

/* Begin the id of an object of n bytes. */
static void git_begin(struct sha1 *s, const char *type, uint64_t n)
{
	char head[40];
	int len = snprintf(head, sizeof head, "%s %" PRIu64, type, n);

	sha1_init(s);
	sha1_update(s, head, (size_t)len + 1);
}

void judged_git_add(struct judged_dir *d, const char *name, const char *mode,
		    const uint8_t id[SHA1_BYTES])
{
	buf_format(&d->git, "%s %s", mode, name);
	buf_char(&d->git, '\0');
	buf_add(&d->git, id, SHA1_BYTES);
}

void judged_git_end(const struct judged_dir *d, uint8_t id[SHA1_BYTES])
{
	struct sha1 s;

	git_begin(&s, "tree", d->git.len);
	if (d->git.len > 0)
		sha1_update(&s, d->git.bytes, d->git.len);
	sha1_final(&s, id);
}

/* --- contents ----------------------------------------------------------------- */

static bool is_stopped(const struct judging *j)
{
	struct pollfd p = { .fd = j->stop_fd, .events = POLLIN };

	return j->stop_fd >= 0 && poll(&p, 1, 0) > 0;
}

/* One piece of the file.  Returns its length, 0 at the end, or -errno. */
static ssize_t chunk_read(struct judging *j, int fd)
{
	ssize_t n;

	if (is_stopped(j))
		return -EINTR;
	do
		n = read(fd, j->chunk, CHUNK_BYTES);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		j->bytes += (uint64_t)n;
	if (j->bytes > JUDGED_BYTES_MAX)
		return cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EFBIG,
				  "the work tree holds more than %u GiB: it "
				  "cannot be bound to a verdict",
				  (unsigned)(JUDGED_BYTES_MAX >> 30));
	return n < 0 ? cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_HOST,
				  errno, "the work tree: %.300s: %s", j->path,
				  strerror(errno))
		     : n;
}

static int content_read(struct judging *j, int fd, struct judged_record *r)
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	struct sha1 git;
	ssize_t n = 1;

	blake3_init(&hash);
	git_begin(&git, "blob", (uint64_t)r->st.st_size);
	while (n > 0) {
		n = chunk_read(j, fd);
		if (n <= 0)
			break;
		blake3_update(&hash, j->chunk, (size_t)n);
		if (j->is_git)
			sha1_update(&git, j->chunk, (size_t)n);
	}
	if (n < 0)
		return (int)n;
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, r->hash);
	sha1_final(&git, r->git);
	return 0;
}

int judged_file_read(struct judging *j, struct judged_record *r)
{
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath why = beneath_open_file(j->root_fd, j->path, &fd, &size);

	if (j->chunk == NULL)
		j->chunk = malloc(CHUNK_BYTES);
	if (j->chunk == NULL)
		return cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the work tree");
	if (is_stopped(j))
		return -EINTR;
	if (why != BENEATH_OK) {
		r->type = why == BENEATH_OTHER_FS ? 'm' : 'u';
		return 0;
	}
	/* when it was opened, so that a later change has a later time */
	if (fstat(fd, &r->st) < 0)
		return -errno;
	return content_read(j, fd, r);
}

int judged_link_read(struct judging *j, struct judged_record *r)
{
	char *slash = strrchr(j->path, '/');
	char target[PATH_MAX];
	owned_fd int dir_fd = -1;
	struct sha1 git;
	enum beneath why;
	ssize_t n = -1;

	if (slash != NULL)
		*slash = '\0';
	why = beneath_open_dir(j->root_fd, slash != NULL ? j->path : "",
			       &dir_fd);
	if (slash != NULL)
		*slash = '/';
	if (why == BENEATH_OK)
		n = readlinkat(dir_fd, slash != NULL ? slash + 1 : j->path,
			       target, sizeof target);
	if (n < 0) {
		r->type = 'u';
		return 0;
	}
	blake3_hex_text(target, (size_t)n, r->hash);
	git_begin(&git, "blob", (uint64_t)n);
	sha1_update(&git, target, (size_t)n);
	sha1_final(&git, r->git);
	return 0;
}
