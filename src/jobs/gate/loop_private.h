/* loop_private.h -- what loop.c and loop_begin.c share. */
#ifndef CUPEL_JOBS_GATE_LOOP_PRIVATE_H
#define CUPEL_JOBS_GATE_LOOP_PRIVATE_H

#include "jobs/gate/loop.h"
#include "jobs/gate/plan_input.h"

#define LOOP_INPUT "summary.json" /* the name of what a planner reads */

/* A gate under way. */
struct loop {
	const struct loop_request *req;
	struct ledger ledger;
	struct records records;
	struct ledger_book book; /* what was there before */
	struct attempts at;
	struct arena arena; /* of what is told to planners */
	struct plan_prior prior[GATE_ATTEMPTS_MAX];
	size_t prior_len;
	struct records_kept input; /* for the planner; path "" = none */
	const char *reason; /* why there was no plan, in a word; or NULL */
	bool is_retryable;  /* the last attempt */
};

/* loop_begin -- its first record, or its state from those that are there.
 * Returns as loop_run(). */
int loop_begin(struct loop *l, struct cupel_error *err);

/* loop_end_put -- the last record of the attempt that runs, and the step that it
 * is.  Returns 0 or -errno. */
int loop_end_put(struct loop *l, const struct gate_verdict *v, const char *why,
		 const struct records_kept *kept, size_t n,
		 struct cupel_error *err);

/* loop_no_plan_reason -- why a planner that ended so left no plan, in a word; NULL
 * when there is one. */
const char *loop_no_plan_reason(int status);

/* loop_prior_add -- planners are told of this attempt. */
void loop_prior_add(struct loop *l, unsigned attempt, bool lost,
		    const char *const *failing, size_t n);

/* loop_tell -- one line for who listens. */
void loop_tell(const struct loop *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
