/* trial_control.c -- whether the argument that a flag names is the one that fails.
 * See trial_private.h, and docs/confirm.md. */
#include <string.h>

#include "jobs/confirm/control.h"
#include "jobs/confirm/trial_private.h"

bool trial_control_take(struct trial *t)
{
	const struct json_value *said =
		json_find(&t->synthesis.value, "argument");
	const char *asked = t->flag->argument;

	if (asked == NULL)
		return true;
	if (said == NULL)
		return t->flag->tool != NULL;
	if (strcmp(said->u.string.bytes, asked) != 0)
		return false;
	t->control.argument = asked;
	return true;
}

/* No call has shown that the argument decides: the best verdict is no confirmation.
 * A call that was ended says nothing, neither for the argument nor against it. */
static void give_up(struct trial *t)
{
	struct trial_control *c = &t->control;

	if (c->ended_reason != NULL) {
		t->best.status = c->ended;
		t->best.reason = c->ended_reason;
		verdict_set_detail(&t->best,
				   "a call that differs in the argument alone "
				   "was ended");
		return;
	}
	if (c->others < TRIAL_OTHER_MAX)
		c->other[c->others++] = c->of;
	t->best.status = CONFIRM_NO_BUG;
	t->best.reason = "other-argument";
	verdict_set_detail(
		&t->best,
		"no call returned that differs in that argument alone");
}

const struct json_value *trial_control_next(struct trial *t)
{
	struct trial_control *c = &t->control;
	const struct json_value *other = NULL;

	if (c->of != t->best_witness) {
		c->of = t->best_witness;
		c->next = 0;
		c->runs = 0;
		c->ended_reason = NULL;
	}
	if (c->runs < TRIAL_CONTROL_MAX && t->slow < TRIAL_SLOW_MAX)
		other = control_find(t->witnesses, c->of, c->argument,
				     &c->next);
	c->runs++;
	if (other == NULL)
		give_up(t);
	return other;
}

static bool is_of_other(const struct trial_control *c,
			const struct json_value *witness)
{
	for (unsigned i = 0; i < c->others; i++)
		if (control_is(c->other[i], witness, c->argument))
			return true;
	return false;
}

static void control_pass(struct trial *t)
{
	while (t->next < t->witnesses->u.array.len &&
	       is_of_other(&t->control, &t->witnesses->u.array.items[t->next]))
		t->next++;
}

void trial_pass(struct trial *t)
{
	size_t at;

	do {
		at = t->next;
		trial_explored_pass(t);
		control_pass(t);
	} while (t->next != at);
}

/* Nothing but a return shows that the other arguments are good ones. */
bool trial_control_hold(struct trial *t)
{
	struct trial_control *c = &t->control;

	switch (t->current.status) {
	case CONFIRM_CONFIRMED:
		return false;
	case CONFIRM_NO_BUG:
		if (strcmp(t->current.reason, "returned") != 0)
			return false;
		c->held = t->witness;
		return true;
	case CONFIRM_TIMEOUT:
	case CONFIRM_SANDBOX_ERROR:
		t->slow++;
		break;
	default: /* it was not called */
		break;
	}
	c->ended = t->current.status;
	c->ended_reason = t->current.reason;
	return false;
}
