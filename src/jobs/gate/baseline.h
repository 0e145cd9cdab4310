/* baseline.h -- what the tree was like before the change. */
#ifndef CUPEL_JOBS_GATE_BASELINE_H
#define CUPEL_JOBS_GATE_BASELINE_H

#include "jobs/gate/gate.h"

struct cupel_error;
struct buf;

#define BASELINE_BYTES ((size_t)64 << 20)

/* Zero is valid: none. */
struct baseline {
	struct arena arena;
	struct json_value value;      /* schema gate-baseline */
	char hash[BLAKE3_TEXT_BYTES]; /* its name */
};

/* baseline_read -- a file of cupel gate baseline.
 *
 * @worktree_fd	a file inside of it is refused, by identity; -1: no work tree
 * @g		the gate that it must belong to, by name and by hash
 * @ret		zeroed by the caller; baseline_done() frees it, on failure too
 * Returns 0, or -EINVAL with one line: no baseline, or another gate's. */
int baseline_read(const char *file, int worktree_fd, const struct gate *g,
		  struct baseline *ret, struct cupel_error *err);

/* baseline_take -- the same from its text, which is not checked for its place. */
int baseline_take(const char *file, const struct buf *text,
		  const struct gate *g, struct baseline *ret,
		  struct cupel_error *err);

/* baseline_place_check -- whether a baseline may be written to file: not into the
 * work tree, where baseline_read() would refuse it.
 *
 * Returns 0, or -errno with *err filled. */
int baseline_place_check(const char *file, int worktree_fd,
			 struct cupel_error *err);

/* baseline_write -- write what an attempt over the base tree found as the
 * file's text: {version, gate, gate_hash, at, tree, inventory, trace, context,
 * vulnerabilities}.
 *
 * @a		one without a phase that failed
 * @hash	receives the baseline's name
 * Returns 0 or -errno; cause caller: a phase was not OK, and which one. */
int baseline_write(const struct gate *g, const struct gate_attempt *a,
		   struct buf *out, char hash[BLAKE3_TEXT_BYTES],
		   struct cupel_error *err);

void baseline_done(struct baseline *b);

#endif
