/* loop.c -- see loop.h. */
#include "jobs/gate/loop.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "jobs/gate/judge.h"
#include "jobs/gate/ledger/evidence.h"
#include "jobs/gate/loop_private.h"
#include "jobs/gate/replan.h"

void loop_tell(const struct loop *l, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	l->req->tell(l->req->data, line);
}

/* --- an attempt ------------------------------------------------------------- */

void loop_prior_add(struct loop *l, unsigned attempt, bool lost,
		    const char *const *failing, size_t n)
{
	struct plan_prior *p = &l->prior[l->prior_len];

	if (l->prior_len == GATE_ATTEMPTS_MAX)
		return;
	*p = (struct plan_prior){ .attempt = attempt, .lost = lost };
	for (size_t i = 0; i < n && i < GATE_SIGNALS_MAX; i++) {
		const char *kind = arena_text(&l->arena, failing[i]);

		if (kind != NULL)
			p->failing[p->failing_len++] = kind;
	}
	l->prior_len++;
}

static void end_tell(const struct loop *l, unsigned attempt,
		     const struct gate_verdict *v, const char *why)
{
	owned_buf struct buf kinds = { 0 };

	for (size_t i = 0; i < v->failing_len; i++)
		buf_format(&kinds, "%s%s", i > 0 ? ", " : "", v->failing[i]);
	if (why == NULL)
		why = v->lost ? "nothing is known of it" : "";
	if (v->lost)
		loop_tell(l, "attempt %u: lost: %.300s", attempt, why);
	else if (v->passed)
		loop_tell(l, "attempt %u: passed", attempt);
	else
		loop_tell(l, "attempt %u: failed: %.300s%s%.400s%s", attempt,
			  kinds.bytes != NULL ? kinds.bytes : "",
			  kinds.len > 0 && why[0] != '\0' ? "; " : "", why,
			  v->retryable ? "" : " (not retryable)");
}

/* Write the attempt's last record, and step accordingly. */
int loop_end_put(struct loop *l, const struct records_end *end,
		 struct cupel_error *err)
{
	const struct gate_verdict *v = end->verdict;
	const struct attempts_end step = { .passed = v->passed,
					   .retryable = v->retryable,
					   .lost = v->lost,
					   .failing = v->failing,
					   .failing_len = v->failing_len };
	struct records_end record = *end;
	int e;

	record.attempt = l->at.begun;
	e = records_attempt_end(&l->records, &record, err);
	if (e < 0)
		return e;
	end_tell(l, record.attempt, v, end->why);
	loop_prior_add(l, record.attempt, v->lost, v->failing, v->failing_len);
	l->is_retryable = v->retryable;
	(void)attempts_end_step(&l->at, &step);
	return 0;
}

/* What no signal says about a verdict: a sentence, or NULL. */
static const char *why_make(struct loop *l, const struct gate_attempt *a,
			    const struct gate_verdict *v)
{
	if (v->is_too_weak)
		return arena_format(
			&l->arena,
			"its isolation is too weak: %s, where the gate asks "
			"for %s",
			records_isolation(a->isolation),
			records_isolation(l->req->gate->isolation));
	if (!v->is_changed)
		return a->why;
	return arena_format(&l->arena,
			    "the work tree changed during the attempt: %s",
			    a->changed);
}

/* Keep what a planner will read as evidence, too. */
static int input_keep(struct loop *l, const struct gate_attempt *a,
		      const struct gate_verdict *v, struct records_kept *kept,
		      struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	const struct plan_input in = { .gate = l->req->gate,
				       .attempt = a,
				       .verdict = v,
				       .max = l->at.max,
				       .state = l->records.state->path,
				       .kept = kept,
				       .prior = l->prior,
				       .prior_len = l->prior_len };
	int e;

	plan_input_write(&in, &text);
	if (buf_has_failed(&text))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory");
	e = records_keep(&l->records, LOOP_INPUT, text.bytes, text.len,
			 &kept[a->files_len], err);
	if (e == 0)
		l->input = kept[a->files_len];
	return e;
}

static int attempt_put(struct loop *l, const struct gate_attempt *a,
		       struct cupel_error *err)
{
	struct records_kept *kept =
		arena_array(&l->arena, a->files_len + 1, sizeof *kept);
	struct gate_verdict v = { 0 };
	size_t n = a->files_len;
	int e;

	if (kept == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory");
	gate_judge(l->req->gate, a, &v);
	e = records_attempt(&l->records, a, kept, err);
	if (e == 0 && !v.passed && !v.lost) {
		e = input_keep(l, a, &v, kept, err);
		n++;
	}
	if (e < 0)
		return e;
	return loop_end_put(l,
			    &(struct records_end){ .verdict = &v,
						   .why = why_make(l, a, &v),
						   .tree = &a->tree,
						   .changed = a->changed,
						   .kept = kept,
						   .kept_len = n },
			    err);
}

/* The attempt cannot be made, now or later, so the gate ends. */
static int attempt_fail(struct loop *l, int e, struct cupel_error *err)
{
	const struct gate_verdict lost = { .lost = true };
	struct cupel_error again;

	if (e == -EINTR || err->cause == CUPEL_CAUSE_BUSY)
		return e;
	if (loop_end_put(
		    l,
		    &(struct records_end){ .verdict = &lost, .why = err->what },
		    &again) == 0)
		(void)records_gate_end(&l->records, "escalate", "error",
				       l->at.begun, &again);
	return e;
}

static int run_ended(void *data, const struct gate_run *run,
		     struct cupel_error *err)
{
	struct loop *l = data;

	return records_run(&l->records, l->at.begun, run, err);
}

static int running_run(struct loop *l, struct cupel_error *err)
{
	const struct loop_request *q = l->req;
	const struct gate_attempt_request req = { .gate = q->gate,
						  .worktree = q->worktree,
						  .work_dir = q->work_dir,
						  .tree = &l->tree,
						  .number = l->at.begun,
						  .baseline = q->baseline,
						  .options = q->options,
						  .osv = q->osv,
						  .stop_fd = q->stop_fd,
						  .ended = run_ended,
						  .data = l };
	struct gate_attempt a = { 0 };
	int e = q->attempt_run(&req, &a, err);

	if (e < 0)
		e = attempt_fail(l, e, err);
	else
		e = attempt_put(l, &a, err);
	gate_attempt_done(&a);
	return e;
}

/* The next attempt begins with the tree that it judges. */
static int ready_run(struct loop *l, struct cupel_error *err)
{
	char changed[JUDGED_PATH_BYTES];
	int e = ledger_reserve(&l->ledger, records_room(l->req->gate), err);

	judged_done(&l->tree);
	if (e == 0)
		e = judged_read(l->req->worktree, l->req->stop_fd, NULL,
				&l->tree, changed, err);
	if (e == 0)
		e = records_attempt_begin(&l->records, l->at.begun + 1,
					  &l->tree, err);
	if (e == 0)
		(void)attempts_step(&l->at, ATTEMPTS_BEGUN);
	return e;
}

/* --- the planner ------------------------------------------------------------ */

const char *loop_no_plan_reason(int status)
{
	if (status == 0)
		return NULL;
	return status == REPLAN_NO_PLAN ? "no_plan" : "planner_failed";
}

static int plan_run(struct loop *l, struct cupel_error *err)
{
	owned_buf struct buf input = { 0 };
	const char *why = state_read(l->records.state, l->input.path, &input);
	int status = REPLAN_NO_PLAN, e;

	if (why != NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EIO,
				  "%.80s %s", l->input.path, why);
	e = replan_run(&(struct replan_request){ .command = l->req->replan,
						 .worktree = l->req->worktree,
						 .input = input.bytes,
						 .input_len = input.len,
						 .stop_fd = l->req->stop_fd },
		       &status, err);
	if (e == 0)
		e = records_replan(&l->records, l->at.begun, status, &l->input,
				   err);
	if (e < 0)
		return e;
	l->reason = loop_no_plan_reason(status);
	loop_tell(l, "the planner ended with %d", status);
	(void)attempts_step(&l->at,
			    status == 0 ? ATTEMPTS_PLANNED : ATTEMPTS_NO_PLAN);
	return 0;
}

static int planning_run(struct loop *l, struct cupel_error *err)
{
	if (l->req->replan != NULL)
		return plan_run(l, err);
	l->reason = "no_planner";
	(void)attempts_step(&l->at, ATTEMPTS_NO_PLAN);
	return 0;
}

/* --- until it ends ---------------------------------------------------------- */

/* Why a gate did not pass, in a word; NULL if it did. */
static const char *reason_of(const struct loop *l)
{
	switch (l->at.state) {
	case ATTEMPTS_PASSED:
		return NULL;
	case ATTEMPTS_UNRECOVERABLE:
		return "same_signals";
	case ATTEMPTS_HOST:
		return "lost";
	default:
		break;
	}
	if (l->reason != NULL)
		return l->reason;
	return l->is_retryable ? "attempts" : "not_retryable";
}

static int go_on(struct loop *l, struct cupel_error *err)
{
	static int (*const steps[ATTEMPTS_STATE_MAX_])(
		struct loop * l, struct cupel_error * err) = {
		[ATTEMPTS_READY] = ready_run,
		[ATTEMPTS_RUNNING] = running_run,
		[ATTEMPTS_PLANNING] = planning_run,
	};
	int e = 0;

	while (e == 0 && !attempts_is_end(l->at.state))
		e = steps[l->at.state](l, err);
	if (e < 0)
		return e;
	return records_gate_end(&l->records, attempts_outcome(l->at.state),
				reason_of(l), l->at.begun, err);
}

static int whole_open(struct loop *l, const struct state *s,
		      struct cupel_error *err)
{
	int e = ledger_open(s->dir_fd, l->req->chain_head, &l->ledger, &l->book,
			    err);

	return e != 0 ? e : evidence_verify(s, &l->book, err);
}

int loop_run(const struct loop_request *req, const struct state *s,
	     enum attempts_state *ret, struct cupel_error *err)
{
	struct loop l = { .req = req,
			  .ledger = LEDGER_NONE,
			  .at = { .max = req->max_attempts },
			  .records = { .state = s } };
	int e;

	l.records.ledger = &l.ledger;
	e = whole_open(&l, s, err);
	if (e == 0)
		e = loop_begin(&l, err);
	if (e == 0)
		e = go_on(&l, err);
	if (e == 0)
		*ret = l.at.state;
	judged_done(&l.tree);
	ledger_close(&l.ledger);
	ledger_book_done(&l.book);
	arena_done(&l.arena);
	return e;
}
