/* attempts.h -- decides what a gate does next: a table of states and events,
 * without effects.
 *
 * The same table is used while a gate runs and when its records are read again
 * after a kill, so that both lead to the same state. */
#ifndef CUPEL_JOBS_GATE_ATTEMPTS_H
#define CUPEL_JOBS_GATE_ATTEMPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "jobs/gate/gate.h"

/* How often the same kinds may fail before the gate stops trying. */
#define ATTEMPTS_SAME_MAX 3U

enum attempts_state {
	ATTEMPTS_READY,    /* the next attempt begins */
	ATTEMPTS_RUNNING,  /* it began and has not ended */
	ATTEMPTS_PLANNING, /* it failed, and the planner is asked */
	/* ends: */
	ATTEMPTS_PASSED,
	ATTEMPTS_ESCALATE,
	ATTEMPTS_UNRECOVERABLE,
	ATTEMPTS_HOST, /* escalate, and the last attempt was lost */
	ATTEMPTS_STATE_MAX_
};

enum attempts_event {
	ATTEMPTS_BEGUN,    /* an attempt began */
	ATTEMPTS_DONE,     /* it passed */
	ATTEMPTS_FAILED,   /* it failed; another could end differently */
	ATTEMPTS_SAME,     /* the same kinds failed for the last time */
	ATTEMPTS_FINAL,    /* it failed for good, or was the last one */
	ATTEMPTS_LOST,     /* nothing is known of it, and there is another */
	ATTEMPTS_LOST_ALL, /* nothing is known of it, and it was the last */
	ATTEMPTS_PLANNED,  /* the planner changed the work tree */
	ATTEMPTS_NO_PLAN,  /* it has none, failed, or there is no planner */
	ATTEMPTS_EVENT_MAX_
};

/* How an attempt ended, as its record has it. */
struct attempts_end {
	bool passed, retryable, lost;
	const char *const *failing; /* kinds, in the order of the gate */
	size_t failing_len;
};

/* The state of a gate.  Zero is valid: before the first attempt. */
struct attempts {
	enum attempts_state state;
	unsigned begun; /* attempts, including the one that runs */
	unsigned max;   /* allowed */
	struct {
		char kinds[GATE_SIGNALS_MAX * (GATE_NAME_BYTES + 1)];
		unsigned times;
	} failed[GATE_ATTEMPTS_MAX]; /* each set of failing kinds, once */
	size_t failed_len;
};

/* attempts_next -- the state after event; ATTEMPTS_STATE_MAX_ if that event
 * cannot come in that state. */
enum attempts_state attempts_next(enum attempts_state state,
				  enum attempts_event event);

/* attempts_step -- move a to its next state.  Returns whether the event can
 * come now; if not, a is left alone. */
bool attempts_step(struct attempts *a, enum attempts_event event);

/* attempts_end_step -- the attempt that runs has ended like this: find the
 * event for it, considering what failed before, and step.  Returns like
 * attempts_step(). */
bool attempts_end_step(struct attempts *a, const struct attempts_end *end);

/* attempts_is_end -- whether nothing follows. */
bool attempts_is_end(enum attempts_state state);

/* attempts_outcome -- "passed", "escalate" or "failed_unrecoverable"; NULL if
 * the state is not an end. */
const char *attempts_outcome(enum attempts_state state);

#endif
