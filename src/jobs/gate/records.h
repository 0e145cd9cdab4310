/* records.h -- the records of a gate, as cupel-gate-ledger(5) has them.
 *
 * Each function writes one record, or those of one thing, and returns when they
 * are on disk: 0 or -errno.
 */
#ifndef CUPEL_JOBS_GATE_RECORDS_H
#define CUPEL_JOBS_GATE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "jobs/gate/gate.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"

/* Where they go.  Borrowed. */
struct records {
	struct ledger *ledger;
	const struct state *state;
};

/* records_room -- the most that the records of one attempt of g, and those that
 * begin and end the gate, can need: set aside before it begins.  Bytes. */
size_t records_room(const struct gate *g);

/* One gate that begins. */
struct records_gate {
	const struct gate *gate;
	const char *worktree, *baseline; /* its hash, or NULL */
	unsigned max_attempts;
	bool has_planner;
};
int records_gate_begin(struct records *r, const struct records_gate *g,
		       struct cupel_error *err);

/* @reason	why it did not pass, in a word, or NULL */
int records_gate_end(struct records *r, const char *outcome, const char *reason,
		     unsigned attempts, struct cupel_error *err);

/* records_override -- more attempts than the gate has, and who said so. */
int records_override(struct records *r, unsigned max_attempts, unsigned of_gate,
		     const char *operator, struct cupel_error * err);

int records_attempt_begin(struct records *r, unsigned attempt,
			  struct cupel_error *err);

/* One piece of evidence that is on disk. */
struct records_kept {
	const char *name; /* what it is: "runs/0-install.json" */
	char path[STATE_PATH_BYTES], hash[BLAKE3_TEXT_BYTES];
	bool is_cut; /* only its beginning */
};

/* records_keep -- bytes become evidence.  Returns 0 or -errno. */
int records_keep(struct records *r, const char *name, const char *bytes,
		 size_t n, struct records_kept *ret, struct cupel_error *err);

/* records_kept_read -- the piece of that name among a record's evidence, into ret,
 * which is left alone when there is none. */
void records_kept_read(const struct json_value *record, const char *name,
		       struct records_kept *ret);

/* records_run -- a phase has ended: what it cost, and each connection of it that
 * was refused. */
int records_run(struct records *r, unsigned attempt, const struct gate_run *run,
		struct cupel_error *err);

/* records_attempt -- the evidence of an attempt, and a record for each signal.
 *
 * @kept	room for a->files_len of them, in their order */
int records_attempt(struct records *r, const struct gate_attempt *a,
		    struct records_kept *kept, struct cupel_error *err);

/* What an attempt came to. */
struct records_end {
	unsigned attempt;
	const struct gate_verdict *verdict;
	const char *why; /* it was lost, or NULL */
	const struct records_kept *kept;
	size_t kept_len;
};
int records_attempt_end(struct records *r, const struct records_end *end,
			struct cupel_error *err);

/* records_replan -- a planner ended with status, having read what was kept. */
int records_replan(struct records *r, unsigned attempt, int status,
		   const struct records_kept *input, struct cupel_error *err);

/* records_isolation -- "shared_kernel" and so on. */
const char *records_isolation(enum gate_isolation isolation);

#endif
