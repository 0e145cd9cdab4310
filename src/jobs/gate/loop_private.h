/* loop_private.h -- what loop.c and loop_begin.c share. */
#ifndef CUPEL_JOBS_GATE_LOOP_PRIVATE_H
#define CUPEL_JOBS_GATE_LOOP_PRIVATE_H

#include "jobs/gate/loop.h"
#include "jobs/gate/plan_input.h"

#define LOOP_INPUT "summary.json" /* the name of what a planner reads */

/* A gate that is running. */
struct loop {
	const struct loop_request *req;
	struct ledger ledger;
	struct records records;
	struct ledger_book book; /* what was there before */
	struct attempts at;
	struct arena arena; /* of what planners get */
	struct plan_prior prior[GATE_ATTEMPTS_MAX];
	size_t prior_len;
	struct records_kept input; /* for the planner; path "" = none */
	struct judged tree;        /* when the attempt that runs began */
	const char *reason; /* why there was no plan, in a word; or NULL */
	bool is_retryable;  /* the last attempt */
};

/* loop_begin -- write its first record, or take its state from existing ones.
 * Returns like loop_run(). */
int loop_begin(struct loop *l, struct cupel_error *err);

/* loop_end_put -- write the last record of the attempt that runs, and step.
 *
 * @end		all of it but the attempt's number
 * Returns 0 or -errno. */
int loop_end_put(struct loop *l, const struct records_end *end,
		 struct cupel_error *err);

/* loop_no_plan_reason -- why a planner that ended like this left no plan, in a
 * word; NULL if there is one. */
const char *loop_no_plan_reason(int status);

/* loop_prior_add -- add this attempt to those that planners hear of. */
void loop_prior_add(struct loop *l, unsigned attempt, bool lost,
		    const char *const *failing, size_t n);

/* loop_tell -- give one line to the caller. */
void loop_tell(const struct loop *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
