/* judge.h -- strict AND over what a gate requires. */
#ifndef CUPEL_JOBS_GATE_JUDGE_H
#define CUPEL_JOBS_GATE_JUDGE_H

#include "jobs/gate/gate.h"

/* gate_judge -- what the signals of an attempt come to; pure.
 *
 * It passed when every required kind has a signal that passed, no run was of a
 * lesser class than the gate's and the attempt was not lost.  A required kind
 * without a signal is a failing one.  It is retryable when it was lost, or when
 * each failing kind is: one that may not be tried again decides.
 *
 * @g		has at least one required kind; one without passes never
 * @ret		its strings are the gate's */
void gate_judge(const struct gate *g, const struct gate_attempt *a,
		struct gate_verdict *ret);

#endif
