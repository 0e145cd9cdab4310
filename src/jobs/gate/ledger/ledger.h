/* ledger.h -- attempts.jsonl: what a gate did, one line for each record.
 *
 * A line is one JSON object.  It begins with seq (from 1), kind, at and prev
 * (the hash of the record before; in the first one null, or the hash that
 * --chain-head gave), and ends with hash: the BLAKE3 of the line without that
 * member and without its newline.  A line is on disk before the next step
 * begins.
 *
 * HEAD, beside it, holds the number and the hash of the newest record, and is
 * written after the record is on disk.  So HEAD may be behind but is never
 * ahead.  A last line may be cut short.  If HEAD is before that line, a writer
 * was killed while it wrote it; if HEAD names it, somebody cut it off.
 *
 * What this shows: that a record was changed, dropped, moved, repeated or cut
 * short.  What it can't show: that somebody wrote the whole directory anew, or
 * took off the end and changed HEAD to fit.  Against that, keep the hash that
 * `cupel gate verify` prints in another place. */
#ifndef CUPEL_JOBS_GATE_LEDGER_H
#define CUPEL_JOBS_GATE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/blake3.h"
#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"

struct cupel_error;

#define LEDGER_FILE       "attempts.jsonl"
#define LEDGER_HEAD       "HEAD"
#define LEDGER_BYTES      ((size_t)64 << 20) /* then a new one must begin */
#define LEDGER_LINE_BYTES ((size_t)256 << 10)

#define LEDGER_BROKEN 1 /* expected: the chain is not whole */

/* A ledger that is open for appending.  Initialise with LEDGER_NONE. */
struct ledger {
	int fd, head_fd;              /* -1: not open */
	uint64_t seq;                 /* of the newest record; 0: none */
	char hash[BLAKE3_TEXT_BYTES]; /* prev of the next record; "" = null */
	off_t bytes;                  /* of whole records */
};

#define LEDGER_NONE                                                            \
	(struct ledger)                                                        \
	{                                                                      \
		.fd = -1, .head_fd = -1                                        \
	}

/* All records of a ledger.  Zero is valid: none. */
struct ledger_book {
	struct arena arena;
	struct json_value *records;
	size_t len;
	char hash[BLAKE3_TEXT_BYTES]; /* of the last one, or what HEAD begins
				       * with; "" = null */
	off_t bytes;                  /* of whole records */
	bool is_torn; /* after them is a line whose writer was killed */
};

/* A record that is being made: the caller adds members to w. */
struct ledger_record {
	struct buf text;
	struct jsonw w;
};

/* ledger_is_hash -- whether s[0..n-1] is "blake3:" and 64 small digits. */
bool ledger_is_hash(const char *s, size_t n);

/* ledger_check -- check bytes[0..n-1] of a ledger against themselves and HEAD.
 *
 * @head	what HEAD holds, without a NUL in it; NULL: there is no HEAD,
 *		which is whole only if the ledger is empty too
 * @chain_head	what the first record has to follow; NULL: anything
 * @ret		zeroed by the caller; ledger_book_done() frees it, always
 * Pure.  Returns 0; LEDGER_BROKEN with *err, which begins "line N: "; or
 * -ENOMEM. */
int ledger_check(const char *bytes, size_t n, const char *head,
		 const char *chain_head, struct ledger_book *ret,
		 struct cupel_error *err);

/* ledger_read -- the same for the files in a state directory.
 * Returns 0; LEDGER_BROKEN; -ENOENT (there is no ledger); or -errno. */
int ledger_read(int state_fd, const char *chain_head, struct ledger_book *ret,
		struct cupel_error *err);
void ledger_book_done(struct ledger_book *b);

/* ledger_open -- read the ledger and prepare to append; it is made (0600) if it
 * is missing.  The caller holds the lock of the state.  A line whose writer was
 * killed is removed.  Nothing is written if the chain is broken.
 *
 * @ret		LEDGER_NONE; ledger_close() ends it
 * Returns 0; LEDGER_BROKEN; or -errno. */
int ledger_open(int state_fd, const char *chain_head, struct ledger *ret,
		struct ledger_book *ret_book, struct cupel_error *err);
void ledger_close(struct ledger *l);

/* ledger_begin -- write the members that every record begins with. */
void ledger_begin(const struct ledger *l, const char *kind,
		  struct ledger_record *ret);

/* ledger_put -- end the record, append it, and wait until it is on disk.  The
 * record is freed, whatever is returned.
 * Returns 0 or -errno; in that case the ledger is whole, without that
 * record. */
int ledger_put(struct ledger *l, struct ledger_record *r,
	       struct cupel_error *err);

/* ledger_reserve -- reserve n more bytes on disk, if the file system can do so.
 * Returns 0 or -errno: there is no room, or the ledger is full. */
int ledger_reserve(struct ledger *l, size_t n, struct cupel_error *err);

#endif
