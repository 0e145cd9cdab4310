/* chain.c -- the next record of a chain, under a lock.  See chain.h. */
#include "jobs/common/chain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/jsonw.h"
#include "base/outfile.h"
#include "jobs/common/chain_private.h"
#include "jobs/common/lock.h"

#define LOCK_WAIT_MS 5000
#define STAMP_MAX    INT64_C(253402300799999999) /* the last of year 9999 */

static int fail(struct cupel_error *err, const char *what, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "the run records: %s: %s", what, strerror(sys));
}

int chain_lock(int runs_fd, bool is_shared, struct cupel_error *err)
{
	owned_fd int fd =
		openat(runs_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int e;

	if (fd < 0)
		return fail(err, "cannot be opened", errno);
	e = lock_take(fd, is_shared ? LOCK_SH : LOCK_EX, LOCK_WAIT_MS, -1);
	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EBUSY,
				  "the run records: another process has held "
				  "the lock for %d s",
				  LOCK_WAIT_MS / 1000);
	return e < 0 ? fail(err, "lock", -e) : take_fd(&fd);
}

/* Make sure that the record that HEAD names has its own name.  Returns NULL, or
 * why it could not be done. */
static const char *head_settle(int dir_fd, const struct chain_head *head)
{
	char hash[BLAKE3_TEXT_BYTES];
	const char *why = chain_hash(dir_fd, head->file, hash);

	if (why == NULL)
		return strcmp(hash, head->hash) == 0 ||
				       test_wall_is_down(TEST_WALL_CHAIN_HASH)
			       ? NULL
			       : "was changed";
	if (faccessat(dir_fd, head->file, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	    chain_hash(dir_fd, CHAIN_PENDING, hash) != NULL ||
	    strcmp(hash, head->hash) != 0)
		return why;
	if (renameat2(dir_fd, CHAIN_PENDING, dir_fd, head->file,
		      RENAME_NOREPLACE) < 0)
		return "cannot be renamed";
	return NULL;
}

static void name_copy(char to[CHAIN_NAME_BYTES], const char *from)
{
	(void)snprintf(to, CHAIN_NAME_BYTES, "%s", from);
}

static void link_after(struct chain_link *next, uint64_t position,
		       const char *hash, const char *file)
{
	next->position = position + 1;
	(void)snprintf(next->previous, sizeof next->previous, "%s", hash);
	name_copy(next->previous_file, file);
}

/* Find the place of the next record. */
static void link_find(int dir_fd, struct chain_link *next)
{
	struct chain_link last;
	struct chain_head head;
	char hash[BLAKE3_TEXT_BYTES], name[CHAIN_NAME_BYTES];

	*next = (struct chain_link){ .position = 1 };
	if (chain_head_read(dir_fd, &head) != NULL) {
		name_copy(next->broken, CHAIN_HEAD);
		return;
	}
	if (head.file[0] != '\0') {
		if (head_settle(dir_fd, &head) != NULL)
			name_copy(next->broken, head.file);
		else
			link_after(next, head.position, head.hash, head.file);
		return;
	}
	chain_last_name(dir_fd, name);
	if (name[0] == '\0')
		return;
	if (chain_read(dir_fd, name, &last, hash) != NULL)
		name_copy(next->broken, name);
	else
		link_after(next, last.position, hash, name);
}

int chain_open(int runs_fd, struct chain *ret, struct cupel_error *err)
{
	int fd = chain_lock(runs_fd, false, err);

	if (fd < 0)
		return fd;
	*ret = (struct chain){ .dir_fd = fd };
	link_find(fd, &ret->next);
	return 0;
}

void chain_close(struct chain *c)
{
	cleanup_fd(&c->dir_fd);
}

/* Clear the name.  A directory that somebody put there is kept under another
 * name. */
static int name_clear(int dir_fd, const char *name, const char *hash)
{
	char aside[CHAIN_NAME_BYTES];

	if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	(void)snprintf(aside, sizeof aside, "foreign-%.12s-%s", hash + 7, name);
	return renameat(dir_fd, name, dir_fd, aside) < 0 ? -errno : 0;
}

/* Write these bytes to disk under a name that only the lock's owner uses. */
static int file_put(int dir_fd, const char *name, const char *hash,
		    const char *bytes, size_t n)
{
	owned_fd int fd = -1;
	int e = test_wall_is_down(TEST_WALL_CHAIN_FRESH)
			? 0
			: name_clear(dir_fd, name, hash);

	if (e < 0)
		return e;
	fd = outfile_make(dir_fd, name, 0600);
	if (fd < 0)
		return fd;
	e = outfile_write(fd, bytes, n);
	if (e < 0)
		return e;
	return fdatasync(fd) < 0 && errno != EINVAL && errno != EROFS ? -errno
								      : 0;
}

/* A time later than that of the record before, whatever the clock says. */
static void name_make(const struct chain_link *link, const char *hash,
		      char ret[CHAIN_NAME_BYTES])
{
	struct timespec now = { 0 };
	int64_t us, before = link->previous_file[0] != '\0'
				     ? chain_stamp(link->previous_file)
				     : -1;
	struct tm t = { 0 };
	char utc[32] = "";
	time_t s;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
	if (us <= before)
		us = before + 1;
	us = us > STAMP_MAX ? STAMP_MAX : us;
	s = (time_t)(us / 1000000);
	(void)gmtime_r(&s, &t);
	(void)strftime(utc, sizeof utc, "%Y%m%dT%H%M%S", &t);
	(void)snprintf(ret, CHAIN_NAME_BYTES, "%s.%06dZ-%.12s.json", utc,
		       (int)(us % 1000000), hash + 7);
}

static int head_put(const struct chain *c, const char *name, const char *hash)
{
	owned_buf struct buf text = { 0 };
	struct jsonw w = { .out = &text };
	int e;

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	jsonw_text(&w, "file", name);
	jsonw_uint(&w, "position", c->next.position);
	jsonw_text(&w, "blake3", hash);
	jsonw_end_object(&w);
	buf_char(&text, '\n');
	if (buf_has_failed(&text))
		return -ENOMEM;
	e = file_put(c->dir_fd, CHAIN_HEAD_NEW, hash, text.bytes, text.len);
	if (e < 0)
		return e;
	if (renameat(c->dir_fd, CHAIN_HEAD_NEW, c->dir_fd, CHAIN_HEAD) == 0)
		return 0;
	e = name_clear(c->dir_fd, CHAIN_HEAD, hash);
	if (e == 0 &&
	    renameat(c->dir_fd, CHAIN_HEAD_NEW, c->dir_fd, CHAIN_HEAD) < 0)
		e = -errno;
	return e;
}

int chain_add(struct chain *c, const char *bytes, size_t n,
	      char ret_name[CHAIN_NAME_BYTES], struct cupel_error *err)
{
	char hash[BLAKE3_TEXT_BYTES], name[CHAIN_NAME_BYTES];
	int e;

	blake3_hex_text(bytes, n, hash);
	name_make(&c->next, hash, name);
	e = file_put(c->dir_fd, CHAIN_PENDING, hash, bytes, n);
	if (e == 0)
		e = head_put(c, name, hash);
	if (e < 0)
		return fail(err, "cannot be written", -e);
	if (renameat2(c->dir_fd, CHAIN_PENDING, c->dir_fd, name,
		      RENAME_NOREPLACE) < 0)
		return fail(err, name, errno);
	memcpy(ret_name, name, CHAIN_NAME_BYTES);
	link_after(&c->next, c->next.position, hash, name);
	return 0;
}
