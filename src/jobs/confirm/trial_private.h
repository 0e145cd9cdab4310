/* trial_private.h -- what the files of a trial share. */
#ifndef CUPEL_JOBS_CONFIRM_TRIAL_PRIVATE_H
#define CUPEL_JOBS_CONFIRM_TRIAL_PRIVATE_H

#include "jobs/confirm/trial.h"

/* trial_call_of -- the call of that witness (NULL: of any).  It points into
 * t. */
struct harness_call trial_call_of(const struct trial *t,
				  const struct json_value *witness);

/* trial_rule_of -- what confirms the flag; the nonce is that of run. */
struct verdict_rule trial_rule_of(const struct trial *t,
				  const struct harness *run);

/* trial_judge -- judge the end of run into t->current.  A warm run may be ended
 * here, to make room for the next.
 * Returns false when it says nothing: it has to be repeated cold. */
bool trial_judge(struct trial *t, struct harness *run);

/* trial_explored_pass -- pass over the next witnesses, as long as what they
 * showed while they were explored could change nothing in the record. */
void trial_explored_pass(struct trial *t);

/* trial_explored_can -- whether there are witnesses that are to be explored
 * before they get vessels of their own. */
bool trial_explored_can(const struct trial *t);

/* trial_explored_start -- start the vessel that explores them.
 * Returns false when it cannot be started.  Then the record will say so, nothing
 * more is explored, and the witnesses get vessels of their own. */
bool trial_explored_start(struct trial *t);

/* trial_explored_end -- that vessel has ended: take its answers, and free the
 * run.  If it failed by itself, templates of its kind are ended too. */
void trial_explored_end(struct trial *t, struct harness *run);

/* trial_explored_hold -- a run has ended in a vessel of its own.  If it does not
 * confirm what its witness showed before, believe nothing more of that. */
void trial_explored_hold(struct trial *t);

/* trial_control_take -- after the synthesis: which argument has to fail.
 * Returns false when the flag names one by itself, and the synthesis does not
 * answer for it. */
bool trial_control_take(struct trial *t);

/* trial_control_next -- after a confirmation was repeated: the next call that
 * differs from it in that argument alone.  NULL: there is none left, or
 * TRIAL_SLOW_MAX calls have run into a cap or the alarm, and the trial's best verdict
 * is no confirmation now.  If a call was ended before it said anything, that verdict
 * has its status and its reason, and the witness rules out no others. */
const struct json_value *trial_control_next(struct trial *t);

/* trial_pass -- pass over the next witnesses as trial_explored_pass() does, and
 * over those that differ in that argument alone from one that confirmed for
 * another reason. */
void trial_pass(struct trial *t);

/* trial_control_hold -- such a call has ended; returns whether it shows that the
 * argument decides.  One that ran into a cap or the alarm counts as slow. */
bool trial_control_hold(struct trial *t);

#endif
