/* state.h -- the directory that a gate keeps: the ledger, and evidence beside it.
 *
 *	attempts.jsonl  HEAD  evidence/<64 digits>
 *
 * It is never inside the work tree, and is opened step by step without following
 * a link: whoever wrote the work tree writes nothing that is read here.  Evidence
 * is a file named by the BLAKE3 of what it holds; records name it so.
 */
#ifndef CUPEL_JOBS_GATE_LEDGER_STATE_H
#define CUPEL_JOBS_GATE_LEDGER_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/blake3.h"

struct buf;
struct cupel_error;

#define STATE_EVIDENCE "evidence"
/* Of one file; of what is longer the beginning is kept. */
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
	bool is_made;     /* made when it is missing; else it has to be there */
};

/* state_path -- where a state is that no --state names:
 * $XDG_STATE_HOME/cupel/gates/NAME, or ~/.local/state/cupel/gates/NAME.
 *
 * @name	"" for the directory of all of them
 * Returns 0 or -errno.  Source: XDG Base Directory Specification. */
int state_path(const char *name, char ret[PATH_MAX], struct cupel_error *err);

/* state_open -- the directory, the caller's own and for nobody else (0700).
 * @ret		STATE_NONE; state_close() ends it
 * Returns 0 or -errno; cause caller: *err says why it will not do. */
int state_open(const struct state_request *req, struct state *ret,
	       struct cupel_error *err);

/* state_lock -- one runner at a time.
 *
 * @wait_ms	for how long another one is waited for
 * @stop_fd	readable: give up; -1: never
 * Returns 0; -EBUSY: another runner has it; -EINTR: stopped; or -errno. */
int state_lock(const struct state *s, int wait_ms, int stop_fd,
	       struct cupel_error *err);

/* state_lock_evidence -- hold off whoever removes evidence, or whoever reads it.
 *
 * It is a lock of its own, not the runner's: a gate can be looked at while it
 * runs, and evidence is not removed under those who look.  It ends with
 * state_close().
 *
 * @removes	whether the caller is the one that removes; he is alone then, and
 *		holds the runner's lock too
 * @wait_ms	for how long the others are waited for
 * Returns 0, also where there is no evidence yet; -EBUSY; or -errno. */
int state_lock_evidence(const struct state *s, bool removes, int wait_ms,
			struct cupel_error *err);
void state_close(struct state *s);

/* state_put -- bytes[0..n-1], capped, as evidence that is on disk.
 *
 * @ret_path	how records name it, below the directory
 * @ret_hash	of what was kept
 * Returns 0; 1: only its beginning was kept; or -errno. */
int state_put(const struct state *s, const char *bytes, size_t n,
	      char ret_path[STATE_PATH_BYTES], char ret_hash[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err);

/* state_read -- what a piece of evidence holds, if it is what its name says.
 *
 * @path	as a record has it: anything else is refused
 * Returns NULL, or what is wrong with it: static words. */
const char *state_read(const struct state *s, const char *path,
		       struct buf *out);

/* state_remove -- a piece of evidence goes.  Returns 0 or -errno. */
int state_remove(const struct state *s, const char *path);

#endif
