/* plan_input.h -- what a planner is given on stdin:
 * {attempt, failing_signals, summary, evidence: {kind: path}, prior: [...]}. */
#ifndef CUPEL_JOBS_GATE_PLAN_INPUT_H
#define CUPEL_JOBS_GATE_PLAN_INPUT_H

#include "jobs/gate/records.h"

struct buf;

/* An earlier attempt of the same gate. */
struct plan_prior {
	unsigned attempt;
	bool lost;
	const char *failing[GATE_SIGNALS_MAX];
	size_t failing_len;
};

struct plan_input {
	const struct gate *gate;
	const struct gate_attempt *attempt;
	const struct gate_verdict *verdict;
	unsigned max;
	const char *state;               /* the directory, before each path */
	const struct records_kept *kept; /* of attempt->files, in their order */
	const struct plan_prior *prior;
	size_t prior_len;
};

/* plan_input_write -- write one JSON object and a newline; pure. */
void plan_input_write(const struct plan_input *in, struct buf *out);

#endif
