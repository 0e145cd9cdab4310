/* trial_explored.c -- which witnesses are worth a vessel of their own.  See
 * trial_private.h, and docs/confirm.md. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "jobs/confirm/trial_private.h"

/* Fewer witnesses than these are not worth one more vessel. */
#define LEAST 2U

static void answers_drop(struct trial_explored *e)
{
	payload_done(&e->payload);
	e->payload = (struct payload){ 0 };
	e->answers = NULL;
}

/* What the next witness showed; NULL: it was not explored. */
static const struct json_value *answer_next(const struct trial *t)
{
	const struct trial_explored *e = &t->explored;
	size_t at = t->next - e->from;

	if (e->answers == NULL || t->next < e->from ||
	    at >= e->answers->u.array.len)
		return NULL;
	return &e->answers->u.array.items[at];
}

/* Whether a run that ends like this would leave the record as it is, and be
 * followed by the next witness. */
static bool changes_nothing(const struct trial *t, const struct verdict *v)
{
	if (v->status == CONFIRM_SYNTH_FAILED)
		return strcmp(v->reason, "receiver-failed") == 0;
	return v->status == CONFIRM_NO_BUG && t->best.status >= CONFIRM_NO_BUG;
}

void trial_explored_pass(struct trial *t)
{
	const struct verdict_rule rule = trial_rule_of(t, NULL);
	const struct json_value *answer;

	t->explored.has_promised = false;
	while (t->next < t->witnesses->u.array.len &&
	       (answer = answer_next(t)) != NULL) {
		struct verdict v = { 0 };

		verdict_of_explored(answer, &rule, &v);
		t->explored.has_promised = v.status == CONFIRM_CONFIRMED;
		if (!changes_nothing(t, &v))
			return;
		t->next++;
		t->tried++;
		t->explored.passed++;
	}
}

bool trial_explored_can(const struct trial *t)
{
	return !t->bench->is_cold && !t->explored.is_off &&
	       t->runner->explore.text.from != NULL && t->tried > 0 &&
	       t->explored.vessels < TRIAL_EXPLORE_MAX &&
	       t->witnesses->u.array.len - t->next >= LEAST &&
	       answer_next(t) == NULL;
}

/* Explore no more, for a reason that lies with us or this host. */
static void explored_fail(struct trial_explored *e, const char *why)
{
	e->is_off = true;
	(void)snprintf(e->failed, sizeof e->failed, "%.*s",
		       (int)sizeof e->failed - 1, why);
	utf8_make_line(e->failed);
}

bool trial_explored_start(struct trial *t)
{
	const struct harness_call c = trial_call_of(t, NULL);
	struct cupel_error err = { 0 };

	answers_drop(&t->explored);
	t->explored.vessels++;
	t->explored.from = t->next;
	if (harness_explore(t->runner, &c, t->next, &t->run, &err) < 0) {
		explored_fail(&t->explored, err.what);
		return false;
	}
	t->phase = TRIAL_EXPLORE;
	return true;
}

static void answers_take(struct trial *t, const struct harness *run)
{
	struct trial_explored *e = &t->explored;
	const struct json_value *nonce, *answers;

	harness_payload_read(run, t->bench->explore_schema, &e->payload);
	if (e->payload.status != PAYLOAD_VALID)
		return;
	nonce = json_find(&e->payload.value, "nonce");
	answers = json_find(&e->payload.value, "answers");
	if (strcmp(nonce->u.string.bytes, run->nonce) != 0 ||
	    answers->u.array.len == 0)
		return;
	e->answers = answers;
	e->is_off = false;
}

/* Code under test can have its vessel killed, but it can neither keep it from
 * starting nor make us fail. */
static bool is_own_failure(const struct vessel_result *r)
{
	return r->status == CUPEL_INTERNAL_ERROR || !r->started;
}

void trial_explored_end(struct trial *t, struct harness *run)
{
	struct vessel_result r;
	bool is_warm = run->seat != NULL, has_failed;

	vessel_read(run->run, &r);
	has_failed = is_own_failure(&r);
	t->explored.is_off = true;
	if (has_failed)
		explored_fail(&t->explored,
			      r.message ? r.message
					: "the vessel did not start");
	else if (r.status == CUPEL_OK)
		answers_take(t, run);
	harness_done(run); /* the next is made in its place */
	if (is_warm && has_failed)
		warm_fail(&t->warms[WARM_EXPLORE]);
}

void trial_explored_hold(struct trial *t)
{
	if (!t->explored.has_promised || t->current.status == CONFIRM_CONFIRMED)
		return;
	answers_drop(&t->explored);
	t->explored.is_off = true;
}
