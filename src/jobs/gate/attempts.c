/* attempts.c -- see attempts.h. */
#include "jobs/gate/attempts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define NONE ATTEMPTS_STATE_MAX_

/* clang-format off */
static const enum attempts_state
	next_of[ATTEMPTS_STATE_MAX_][ATTEMPTS_EVENT_MAX_] = {
	[ATTEMPTS_READY] = {
		[ATTEMPTS_BEGUN] = ATTEMPTS_RUNNING,
		[ATTEMPTS_DONE] = NONE, [ATTEMPTS_FAILED] = NONE,
		[ATTEMPTS_SAME] = NONE, [ATTEMPTS_FINAL] = NONE,
		[ATTEMPTS_LOST] = NONE, [ATTEMPTS_LOST_ALL] = NONE,
		[ATTEMPTS_PLANNED] = NONE, [ATTEMPTS_NO_PLAN] = NONE,
	},
	[ATTEMPTS_RUNNING] = {
		[ATTEMPTS_BEGUN] = NONE,
		[ATTEMPTS_DONE] = ATTEMPTS_PASSED,
		[ATTEMPTS_FAILED] = ATTEMPTS_PLANNING,
		[ATTEMPTS_SAME] = ATTEMPTS_UNRECOVERABLE,
		[ATTEMPTS_FINAL] = ATTEMPTS_ESCALATE,
		[ATTEMPTS_LOST] = ATTEMPTS_READY,
		[ATTEMPTS_LOST_ALL] = ATTEMPTS_HOST,
		[ATTEMPTS_PLANNED] = NONE, [ATTEMPTS_NO_PLAN] = NONE,
	},
	[ATTEMPTS_PLANNING] = {
		[ATTEMPTS_BEGUN] = NONE, [ATTEMPTS_DONE] = NONE,
		[ATTEMPTS_FAILED] = NONE, [ATTEMPTS_SAME] = NONE,
		[ATTEMPTS_FINAL] = NONE, [ATTEMPTS_LOST] = NONE,
		[ATTEMPTS_LOST_ALL] = NONE,
		[ATTEMPTS_PLANNED] = ATTEMPTS_READY,
		[ATTEMPTS_NO_PLAN] = ATTEMPTS_ESCALATE,
	},
	[ATTEMPTS_PASSED] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
			      NONE },
	[ATTEMPTS_ESCALATE] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
				NONE },
	[ATTEMPTS_UNRECOVERABLE] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE,
				     NONE, NONE },
	[ATTEMPTS_HOST] = { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
			    NONE },
};
/* clang-format on */
static_assert(ATTEMPTS_STATE_MAX_ == 7 && ATTEMPTS_EVENT_MAX_ == 9,
	      "each pair of the table is written out");

enum attempts_state attempts_next(enum attempts_state state,
				  enum attempts_event event)
{
	return state < ATTEMPTS_STATE_MAX_ && event < ATTEMPTS_EVENT_MAX_
		       ? next_of[state][event]
		       : NONE;
}

bool attempts_step(struct attempts *a, enum attempts_event event)
{
	enum attempts_state next = attempts_next(a->state, event);

	if (next == NONE)
		return false;
	a->state = next;
	if (event == ATTEMPTS_BEGUN)
		a->begun++;
	return true;
}

/* Count how often these kinds have failed, this time included. */
static unsigned failed_note(struct attempts *a, const struct attempts_end *end)
{
	char kinds[sizeof a->failed[0].kinds] = "";
	size_t n = 0, i = 0;

	for (size_t k = 0; k < end->failing_len && n < sizeof kinds; k++)
		n += (size_t)snprintf(kinds + n, sizeof kinds - n, "%s ",
				      end->failing[k]);
	while (i < a->failed_len && strcmp(a->failed[i].kinds, kinds) != 0)
		i++;
	if (i == GATE_ATTEMPTS_MAX)
		return ATTEMPTS_SAME_MAX;
	if (i == a->failed_len) {
		a->failed_len++;
		memcpy(a->failed[i].kinds, kinds, sizeof kinds);
		a->failed[i].times = 0;
	}
	return ++a->failed[i].times;
}

static enum attempts_event end_event(struct attempts *a,
				     const struct attempts_end *end)
{
	bool is_last = a->begun >= a->max;

	if (end->lost)
		return is_last ? ATTEMPTS_LOST_ALL : ATTEMPTS_LOST;
	if (end->passed)
		return ATTEMPTS_DONE;
	if (!end->retryable)
		return ATTEMPTS_FINAL;
	if (failed_note(a, end) >= ATTEMPTS_SAME_MAX)
		return ATTEMPTS_SAME;
	return is_last ? ATTEMPTS_FINAL : ATTEMPTS_FAILED;
}

bool attempts_end_step(struct attempts *a, const struct attempts_end *end)
{
	return a->state == ATTEMPTS_RUNNING &&
	       attempts_step(a, end_event(a, end));
}

bool attempts_is_end(enum attempts_state state)
{
	return attempts_outcome(state) != NULL;
}

const char *attempts_outcome(enum attempts_state state)
{
	static const char *const names[ATTEMPTS_STATE_MAX_] = {
		[ATTEMPTS_PASSED] = "passed",
		[ATTEMPTS_ESCALATE] = "escalate",
		[ATTEMPTS_UNRECOVERABLE] = "failed_unrecoverable",
		[ATTEMPTS_HOST] = "escalate",
	};

	return state < ATTEMPTS_STATE_MAX_ ? names[state] : NULL;
}
