/* state.h -- the directory that a gate keeps: the ledger, and the evidence.
 *
 *	attempts.jsonl  HEAD  evidence/<64 digits>
 *
 * It is never inside the work tree, and is opened step by step without
 * following a link, so whoever wrote the work tree writes nothing that is read
 * here.  A piece of evidence is a file; its name is the BLAKE3 of what it
 * holds, and records use that name. */
#ifndef CUPEL_JOBS_GATE_LEDGER_STATE_H
#define CUPEL_JOBS_GATE_LEDGER_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/blake3.h"

struct buf;
struct cupel_error;

#define STATE_EVIDENCE "evidence"
/* Of one file.  Of a longer one only the beginning is kept. */
#define STATE_EVIDENCE_BYTES ((size_t)8 << 20)
/* "evidence/" and 64 digits, with the NUL. */
#define STATE_PATH_BYTES 74

/* Initialise with STATE_NONE. */
struct state {
	int dir_fd, evidence_fd; /* -1: not open */
	char path[PATH_MAX];     /* as it was given or found, for people */
};

#define STATE_NONE                                                             \
	(struct state)                                                         \
	{                                                                      \
		.dir_fd = -1, .evidence_fd = -1                                \
	}

struct state_request {
	const char *path; /* --state, or NULL: the default for name */
	const char *name; /* of the gate */
	int worktree_fd;  /* what it must not lie in; -1: nothing */
	bool is_made;     /* make it if it is missing; else it must exist */
};

/* state_path -- the directory of a state when no --state names one:
 * $XDG_STATE_HOME/cupel/gates/NAME, or ~/.local/state/cupel/gates/NAME.
 *
 * @name	"" for the directory of all of them
 * Returns 0 or -errno.  Source: XDG Base Directory Specification. */
int state_path(const char *name, char ret[PATH_MAX], struct cupel_error *err);

/* state_open -- open the directory, which must be the caller's and nobody
 * else's (0700).
 *
 * @ret		STATE_NONE; state_close() ends it
 * Returns 0 or -errno; cause caller: *err says why it cannot be used. */
int state_open(const struct state_request *req, struct state *ret,
	       struct cupel_error *err);

/* state_lock -- lock the state, so that only one runner works at a time.
 *
 * @wait_ms	how long to wait for another runner
 * @stop_fd	readable: give up; -1: never
 * Returns 0; -EBUSY: another runner has it; -EINTR: stopped; or -errno. */
int state_lock(const struct state *s, int wait_ms, int stop_fd,
	       struct cupel_error *err);

/* state_lock_evidence -- keep away processes that remove evidence, or ones that
 * read it.
 *
 * It is not the runner's lock, so a gate can be looked at while it runs, and no
 * evidence is removed while somebody looks at it.  It ends with state_close().
 *
 * @removes	whether the caller is the one that removes; then no other
 *		process has the lock, and the caller holds the runner's too
 * @wait_ms	for how long the others are waited for
 * Returns 0, also where there is no evidence yet; -EBUSY; or -errno. */
int state_lock_evidence(const struct state *s, bool removes, int wait_ms,
			struct cupel_error *err);
void state_close(struct state *s);

/* state_put -- store bytes[0..n-1], capped, on disk as evidence.
 *
 * @ret_path	how records name it, below the directory
 * @ret_hash	of what was kept
 * Returns 0; 1: only its beginning was kept; or -errno. */
int state_put(const struct state *s, const char *bytes, size_t n,
	      char ret_path[STATE_PATH_BYTES], char ret_hash[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err);

/* state_read -- read a piece of evidence, and check that it is what its name
 * says.
 *
 * @path	as a record has it: anything else is refused
 * Returns NULL, or what is wrong with it: static words. */
const char *state_read(const struct state *s, const char *path,
		       struct buf *out);

/* state_remove -- remove a piece of evidence.  Returns 0 or -errno. */
int state_remove(const struct state *s, const char *path);

#endif
