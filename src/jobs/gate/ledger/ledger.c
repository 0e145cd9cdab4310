/* ledger.c -- reads a ledger's files, appends to them and syncs them.  See
 * ledger.h. */
#include "jobs/gate/ledger/ledger.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "jobs/common/log.h"
#include "jobs/gate/ledger/ledger_point.h"
#include "jobs/gate/ledger/ledger_private.h"
#include "jobs/gate/ledger/moment.h"

static int fail(struct cupel_error *err, const char *what, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "the ledger: %s: %s", what, strerror(sys));
}

/* --- reading ---------------------------------------------------------------- */

/* Read all that a file of ours holds now, as text that ends with a NUL. */
static int file_read(int dir_fd, const char *name, size_t cap_bytes,
		     struct buf *out)
{
	owned_fd int fd = openat(dir_fd, name,
				 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
					 O_CLOEXEC);
	struct stat st;
	size_t left;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return -EPERM;
	if ((size_t)st.st_size > cap_bytes)
		return -EFBIG;
	left = (size_t)st.st_size;
	if (buf_reserve(out, left + 1) == NULL)
		return -ENOMEM;
	while (left > 0) {
		ssize_t n = read(fd, out->bytes + out->len, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO; /* it got shorter */
		out->len += (size_t)n;
		left -= (size_t)n;
	}
	out->bytes[out->len] = '\0';
	return 0;
}

/* Read HEAD first, because a process that appends meanwhile writes it last.
 * Returns 0, -ENOENT (neither is there) or -errno. */
static int files_read(int state_fd, struct buf *head, struct buf *lines,
		      struct cupel_error *err)
{
	int h = file_read(state_fd, LEDGER_HEAD, LEDGER_HEAD_BYTES + 1, head);
	int e = file_read(state_fd, LEDGER_FILE, LEDGER_BYTES, lines);

	if (h < 0 && h != -ENOENT)
		return fail(err, LEDGER_HEAD, -h);
	if (e < 0 && e != -ENOENT)
		return fail(err, LEDGER_FILE, -e);
	if (e == -ENOENT && h == -ENOENT)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  ENOENT, "there is no ledger");
	return 0;
}

int ledger_read(int state_fd, const char *chain_head, struct ledger_book *ret,
		struct cupel_error *err)
{
	owned_buf struct buf head = { 0 }, lines = { 0 };
	int e = files_read(state_fd, &head, &lines, err);

	if (e < 0)
		return e;
	return ledger_check(lines.bytes != NULL ? lines.bytes : "", lines.len,
			    head.bytes, chain_head, ret, err);
}

/* --- writing ---------------------------------------------------------------- */

static int head_put(const struct ledger *l, uint64_t seq, const char *hash)
{
	char text[LEDGER_HEAD_BYTES + 1];
	ssize_t n;

	ledger_head_write(seq, hash, text);
	do
		n = pwrite(l->head_fd, text, LEDGER_HEAD_BYTES, 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)LEDGER_HEAD_BYTES)
		return n < 0 ? -errno : -ENOSPC;
	return 0;
}

/* Make a new ledger's files.  They and their names are on disk before the first
 * record. */
static int files_make(int state_fd, const struct ledger *l)
{
	int e = head_put(l, 0, l->hash);

	if (e < 0)
		return e;
	if (fdatasync(l->head_fd) < 0 || fsync(l->fd) < 0 ||
	    fsync(state_fd) < 0)
		return -errno;
	return 0;
}

static int files_open(int state_fd, struct ledger *l, struct cupel_error *err)
{
	l->fd = outfile_open_log(state_fd, LEDGER_FILE, LEDGER_FILE, err);
	if (l->fd < 0)
		return l->fd;
	l->head_fd = outfile_open_log(state_fd, LEDGER_HEAD, LEDGER_HEAD, err);
	if (l->head_fd < 0)
		return l->head_fd;
	/* written in place: pwrite(2) on O_APPEND would append */
	return fcntl(l->head_fd, F_SETFL, 0) < 0 ? fail(err, LEDGER_HEAD, errno)
						 : 0;
}

/* Remove what a killed writer left after the last whole record. */
static int tail_end(const struct ledger *l)
{
	return ftruncate(l->fd, l->bytes) < 0 || fdatasync(l->fd) < 0 ? -errno
								      : 0;
}

int ledger_open(int state_fd, const char *chain_head, struct ledger *ret,
		struct ledger_book *ret_book, struct cupel_error *err)
{
	struct ledger l = LEDGER_NONE;
	int e = ledger_read(state_fd, chain_head, ret_book, err);

	if (e != 0 && e != -ENOENT)
		return e;
	l.seq = ret_book->len;
	l.bytes = ret_book->bytes;
	memcpy(l.hash, ret_book->hash, sizeof l.hash);
	if (l.seq == 0 && chain_head != NULL)
		(void)snprintf(l.hash, sizeof l.hash, "%s", chain_head);
	e = files_open(state_fd, &l, err);
	if (e == 0 && ret_book->is_torn && (e = tail_end(&l)) < 0)
		e = fail(err, LEDGER_FILE, -e);
	if (e == 0 && l.seq == 0 && (e = files_make(state_fd, &l)) < 0)
		e = fail(err, LEDGER_FILE, -e);
	if (e < 0) {
		ledger_close(&l);
		return e;
	}
	*ret = l;
	return 0;
}

void ledger_close(struct ledger *l)
{
	/* free the room that was reserved and not used */
	if (l->fd >= 0)
		(void)ftruncate(l->fd, l->bytes);
	cleanup_fd(&l->fd);
	cleanup_fd(&l->head_fd);
}

/* --- a record --------------------------------------------------------------- */

void ledger_begin(const struct ledger *l, const char *kind,
		  struct ledger_record *ret)
{
	char at[MOMENT_BYTES];

	moment_now(at);
	*ret = (struct ledger_record){ .text = { .cap_bytes =
							 LEDGER_LINE_BYTES } };
	ret->w.out = &ret->text;
	jsonw_object(&ret->w, NULL);
	jsonw_uint(&ret->w, "seq", l->seq + 1);
	jsonw_text(&ret->w, "kind", kind);
	jsonw_text(&ret->w, "at", at);
	jsonw_text_or_null(&ret->w, "prev",
			   l->hash[0] != '\0' ? l->hash : NULL);
}

/* Turn the record's text into a line with its hash. */
static int record_end(struct ledger_record *r, char ret_hash[BLAKE3_TEXT_BYTES])
{
	r->w.out = &r->text;
	jsonw_end_object(&r->w);
	if (buf_has_failed(&r->text))
		return -E2BIG;
	blake3_hex_text(r->text.bytes, r->text.len, ret_hash);
	r->text.len--;
	buf_format(&r->text, ",\"hash\":\"%s\"}\n", ret_hash);
	return buf_has_failed(&r->text) ? -E2BIG : 0;
}

/* Write the line to disk, or leave nothing of it there. */
static int line_put(const struct ledger *l, const char *line, size_t n)
{
	int e = 0;

	if ((size_t)l->bytes + n > LEDGER_BYTES)
		return -EFBIG;
	ledger_point(l->seq + 1, LEDGER_POINT_BEFORE);
	e = log_put_line(l->fd, line, n);
	if (e < 0)
		return e;
	ledger_point(l->seq + 1, LEDGER_POINT_WRITTEN);
	if (fdatasync(l->fd) < 0) {
		e = -errno;
		(void)ftruncate(l->fd, l->bytes);
	}
	return e;
}

int ledger_put(struct ledger *l, struct ledger_record *r,
	       struct cupel_error *err)
{
	char hash[BLAKE3_TEXT_BYTES];
	int e = record_end(r, hash);

	if (e == 0)
		e = line_put(l, r->text.bytes, r->text.len);
	if (e == 0) {
		l->seq++;
		l->bytes += (off_t)r->text.len;
		memcpy(l->hash, hash, sizeof l->hash);
		ledger_point(l->seq, LEDGER_POINT_SYNCED);
		e = head_put(l, l->seq, l->hash);
		ledger_point(l->seq, LEDGER_POINT_NAMED);
	}
	buf_done(&r->text);
	return e < 0 ? fail(err, "a record could not be written", -e) : 0;
}

int ledger_reserve(struct ledger *l, size_t n, struct cupel_error *err)
{
	int e = 0;

	if ((size_t)l->bytes + n > LEDGER_BYTES)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EFBIG,
				  "the ledger is full; begin another with "
				  "--state DIR and --chain-head %s",
				  l->hash);
	if (fallocate(l->fd, FALLOC_FL_KEEP_SIZE, l->bytes, (off_t)n) < 0 &&
	    errno != EOPNOTSUPP && errno != ENOSYS)
		e = -errno;
	return e < 0 ? fail(err, "there is no room for another attempt", -e)
		     : 0;
}
