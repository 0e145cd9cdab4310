/* loop_begin.c -- begins a gate, or goes on where it was killed.  See
 * loop.h. */
#include "base/error.h"
#include "jobs/gate/loop_private.h"
#include "jobs/gate/replan.h"
#include "jobs/gate/replay.h"

static int override_put(struct loop *l, struct cupel_error *err)
{
	const struct loop_request *q = l->req;

	if (q->max_attempts <= q->gate->max_attempts)
		return 0;
	return records_override(&l->records, q->max_attempts,
				q->gate->max_attempts, q->operator_ack, err);
}

static int gate_begin(struct loop *l, struct cupel_error *err)
{
	const struct loop_request *q = l->req;
	const struct records_gate g = { .gate = q->gate,
					.worktree = q->worktree,
					.baseline = q->baseline_hash,
					.max_attempts = q->max_attempts,
					.has_planner = q->replan != NULL };
	int e = ledger_reserve(&l->ledger, records_room(q->gate), err);

	if (e == 0)
		e = records_gate_begin(&l->records, &g, err);
	return e < 0 ? e : override_put(l, err);
}

static uint64_t number_of(const struct json_value *r, const char *name)
{
	const struct json_value *v = json_find(r, name);
	uint64_t n = 0;

	return v != NULL && json_read_u64(v, &n) == 0 ? n : 0;
}

static void end_read(struct loop *l, const struct json_value *r)
{
	const struct json_value *list = json_find(r, "failing_signals");
	const struct json_value *retryable = json_find(r, "retryable");
	const char *failing[GATE_SIGNALS_MAX];
	size_t n = 0;

	for (; n < list->u.array.len; n++)
		failing[n] = list->u.array.items[n].u.string.bytes;
	loop_prior_add(l, (unsigned)number_of(r, "attempt"), replay_is_lost(r),
		       failing, n);
	records_kept_read(r, LOOP_INPUT, &l->input);
	l->is_retryable = retryable != NULL && retryable->type == JSON_BOOL &&
			  retryable->u.boolean;
}

/* Read what planners hear about the attempts before, the last summary, and why
 * there was no plan.  replay_read() has checked each record. */
static void prior_read(struct loop *l, size_t begun)
{
	for (size_t i = begun + 1; i < l->book.len; i++) {
		const struct json_value *r = &l->book.records[i];
		const struct json_value *kind = json_find(r, "kind");

		if (json_is_text(kind, "attempt.ended"))
			end_read(l, r);
		else if (json_is_text(kind, "replan"))
			l->reason = loop_no_plan_reason(
				(int)number_of(r, "status"));
	}
}

/* How many attempts the gate was allowed when it ran, so that nobody has to say
 * it again to go on with it. */
static unsigned max_find(const struct loop *l, size_t begun)
{
	uint64_t max = 1;

	for (size_t i = begun; i < l->book.len; i++) {
		const struct json_value *r = &l->book.records[i];
		const struct json_value *kind = json_find(r, "kind");
		uint64_t n = number_of(r, "max_attempts");

		if ((i == begun || json_is_text(kind, "attempts.override")) &&
		    n > max)
			max = n;
	}
	return max < GATE_ATTEMPTS_MAX ? (unsigned)max : GATE_ATTEMPTS_MAX;
}

static int worktree_check(const struct loop *l, size_t begun,
			  struct cupel_error *err)
{
	const struct json_value *was =
		json_find(&l->book.records[begun], "worktree");

	if (json_is_text(was, l->req->worktree))
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "the gate that has not ended is for the work tree "
			  "%.200s, not for %.200s",
			  was != NULL && was->type == JSON_STRING
				  ? was->u.string.bytes
				  : "?",
			  l->req->worktree);
}

/* Find out where a killed gate was, and count its attempt as lost. */
static int gate_resume(struct loop *l, size_t begun, struct cupel_error *err)
{
	const struct gate_verdict lost = { .lost = true };
	int e = worktree_check(l, begun, err);

	l->at.max = max_find(l, begun);
	if (e == 0)
		e = replay_read(&l->book, begun, &l->at, err);
	if (e != 0)
		return e;
	prior_read(l, begun);
	if (l->req->max_attempts > l->at.max) {
		l->at.max = l->req->max_attempts;
		e = override_put(l, err);
	}
	if (e == 0 && l->at.state == ATTEMPTS_RUNNING)
		e = loop_end_put(
			l,
			&(struct records_end){ .verdict = &lost,
					       .why = "its runner was killed" },
			err);
	return e;
}

/* Whether the gate at index begun is the requested one. */
static bool is_same(const struct loop *l, size_t begun)
{
	const struct json_value *r = &l->book.records[begun];
	const struct json_value *baseline = json_find(r, "baseline");

	if (!json_is_text(json_find(r, "gate_hash"), l->req->gate->hash) ||
	    baseline == NULL)
		return false;
	return l->req->baseline_hash != NULL
		       ? json_is_text(baseline, l->req->baseline_hash)
		       : baseline->type == JSON_NULL;
}

int loop_begin(struct loop *l, struct cupel_error *err)
{
	long begun = replay_find(&l->book);
	int e;

	if (begun < 0)
		return gate_begin(l, err);
	if (!l->req->resume)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "the gate that began on line %ld of the "
				  "ledger has not ended; --resume continues it",
				  begun + 1);
	if (is_same(l, (size_t)begun))
		return gate_resume(l, (size_t)begun, err);
	loop_tell(l, "the gate that had not ended was a different one: it is "
		     "ended now, and this one begins");
	e = records_gate_end(&l->records, "escalate", "superseded", 0, err);
	return e < 0 ? e : gate_begin(l, err);
}
