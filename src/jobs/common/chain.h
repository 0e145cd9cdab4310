/* chain.h -- a directory of records, each naming the hash of the one before.
 *
 * A record is one file, <utc>-<short>.json: utc to the microsecond and later
 * than that of the record before, so that names sort in the chain's order;
 * short the first digits of the file's own BLAKE3.  In it stand its position
 * (from 1), the hash and name of the record before (null in the first), and
 * chain_broken: the file that should have been continued and could not be.
 *
 * HEAD names the newest record and its hash.  A record is written whole as
 * .pending, then named by HEAD, then given its own name: the next caller after
 * a crash finishes the last step, so there is never half a record.
 *
 * What this shows: that a record was changed, removed, moved or put in between
 * after the next one was written, and that the newest was removed while HEAD
 * stays.  What it cannot show: that somebody wrote the whole directory anew, or
 * removed the newest records and changed HEAD to match.
 * */
#ifndef CUPEL_JOBS_COMMON_CHAIN_H
#define CUPEL_JOBS_COMMON_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blake3.h"

struct arena;
struct buf;
struct cupel_error;
struct json_value;

#define CHAIN_NAME_BYTES   64 /* of a record's file name, with its NUL */
#define CHAIN_RECORD_BYTES ((size_t)64 << 20)
#define CHAIN_NAMES_MAX    200000U /* read in one directory */

/* One record's place, as it stands in it. */
struct chain_link {
	uint64_t position;
	char previous[BLAKE3_TEXT_BYTES]; /* "" = null */
	char previous_file[CHAIN_NAME_BYTES];
	char broken[CHAIN_NAME_BYTES]; /* "" = null */
};

/* A locked directory, about to receive its next record. */
struct chain {
	int dir_fd;
	struct chain_link next;
};

/* chain_open -- lock the directory and find where the next record stands.
 *
 * Finishes what a crash left undone.  When the newest record cannot be
 * continued (changed, gone, no regular file, not readable as a record), next
 * is position 1 with `broken` naming the file.
 *
 * @runs_fd	the directory, open for reading; stays the caller's
 * @ret		chain_close() ends it, on success only
 * System calls: flock, openat2, read, renameat2.  Waits at most 5 s for the
 * lock.  Returns 0 or -errno; -EBUSY when others held the lock. */
int chain_open(int runs_fd, struct chain *ret, struct cupel_error *err);

/* chain_add -- write the record that was built for c->next.
 *
 * @bytes	one JSON object that says what c->next says
 * @ret_name	the file's name
 * Returns 0 or -errno; after a failure the chain is what it was. */
int chain_add(struct chain *c, const char *bytes, size_t n,
	      char ret_name[CHAIN_NAME_BYTES], struct cupel_error *err);

void chain_close(struct chain *c);

/* chain_newest -- the newest record's name, as HEAD or else the names have it.
 * Returns 0, -ENOENT when there is neither, or -EINVAL when there is a HEAD that
 * names none. */
int chain_newest(int runs_fd, char ret_name[CHAIN_NAME_BYTES]);

/* chain_load -- read one record as a value, after checking that its bytes have
 * the hash in its name.
 *
 * @arena	owns the value
 * @ret_hash	of its bytes
 * Returns NULL, or why there is none: a static text to be printed after a
 * name. */
const char *chain_load(int runs_fd, const char *name, struct arena *arena,
		       struct json_value *ret,
		       char ret_hash[BLAKE3_TEXT_BYTES]);

/* chain_verify -- check every record against the one before, and HEAD against
 * the last.
 *
 * @lines	receives one line for each thing wrong, the first broken record
 *		first, and at most CHAIN_LINES_MAX of them
 * @ret_records	how many files are named as records
 * Memory: one record at a time and the names.
 * Returns 0 (whole), 1 (not), or -errno. */
#define CHAIN_LINES_MAX 100U
int chain_verify(int runs_fd, struct buf *lines, size_t *ret_records,
		 struct cupel_error *err);

#endif
