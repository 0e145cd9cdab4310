/* records.h -- writes the records of a gate, as cupel-gate-ledger(5) has them.
 *
 * Each function writes one record, or those of one thing, and returns 0 when
 * they are on disk, or -errno. */
#ifndef CUPEL_JOBS_GATE_RECORDS_H
#define CUPEL_JOBS_GATE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "jobs/gate/gate.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"

/* Where the records go.  Borrowed. */
struct records {
	struct ledger *ledger;
	const struct state *state;
};

/* records_room -- the most bytes that the records of one attempt of g, and
 * those that begin and end the gate, can need.  They are reserved before it
 * begins. */
size_t records_room(const struct gate *g);

/* A gate that begins. */
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

/* records_override -- record that somebody allowed more attempts than the gate
 * has, and who it was. */
int records_override(struct records *r, unsigned max_attempts, unsigned of_gate,
		     const char *operator, struct cupel_error * err);

/* @tree	what it will judge */
int records_attempt_begin(struct records *r, unsigned attempt,
			  const struct judged *tree, struct cupel_error *err);

/* One piece of evidence that is on disk. */
struct records_kept {
	const char *name; /* what it is: "runs/0-install.json" */
	char path[STATE_PATH_BYTES], hash[BLAKE3_TEXT_BYTES];
	bool is_cut; /* only its beginning */
};

/* records_keep -- store bytes as evidence.  Returns 0 or -errno. */
int records_keep(struct records *r, const char *name, const char *bytes,
		 size_t n, struct records_kept *ret, struct cupel_error *err);

/* records_kept_read -- find the piece of that name in a record's evidence.  ret
 * is left alone if there is none. */
void records_kept_read(const struct json_value *record, const char *name,
		       struct records_kept *ret);

/* records_run -- record that a phase has ended, what it cost, and each of its
 * connections that was refused. */
int records_run(struct records *r, unsigned attempt, const struct gate_run *run,
		struct cupel_error *err);

/* records_attempt -- record the evidence of an attempt, and each signal.
 *
 * @kept	room for a->files_len of them, in their order */
int records_attempt(struct records *r, const struct gate_attempt *a,
		    struct records_kept *kept, struct cupel_error *err);

/* How an attempt ended. */
struct records_end {
	unsigned attempt;
	const struct gate_verdict *verdict;
	const char *why;           /* beside its signals, or NULL */
	const struct judged *tree; /* as it was then, or NULL: not known */
	const char *changed;       /* where it changed meanwhile, or NULL */
	const struct records_kept *kept;
	size_t kept_len;
};
int records_attempt_end(struct records *r, const struct records_end *end,
			struct cupel_error *err);

/* records_replan -- record that a planner ended with status, after it read
 * `kept`. */
int records_replan(struct records *r, unsigned attempt, int status,
		   const struct records_kept *input, struct cupel_error *err);

/* records_isolation -- "shared_kernel" and so on. */
const char *records_isolation(enum gate_isolation isolation);

#endif
