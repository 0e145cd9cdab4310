/* judge.h -- a strict AND over everything that a gate requires. */
#ifndef CUPEL_JOBS_GATE_JUDGE_H
#define CUPEL_JOBS_GATE_JUDGE_H

#include "jobs/gate/gate.h"

/* gate_judge -- the verdict of an attempt, from its signals; pure.
 *
 * It passes if every required kind has a signal that passed, no run was of a
 * lesser class than the gate's, and the attempt was not lost.  A required kind
 * without a signal fails.  It is retryable if it was lost, or if each failing
 * kind is: a single kind that may not be tried again decides.
 *
 * @g		has at least one required kind; a gate with none never passes
 * @ret		its strings are the gate's */
void gate_judge(const struct gate *g, const struct gate_attempt *a,
		struct gate_verdict *ret);

#endif
