/* trial.c -- see trial.h. */
#include "jobs/confirm/trial_private.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/confirm/shrink.h"
#include "jobs/confirm/source.h"

#define WHY_BYTES 640 /* of a message about an invalid answer */

static void finish(struct trial *t, enum confirm_status s, const char *reason,
		   const char *detail)
{
	t->best.status = s;
	t->best.reason = reason;
	verdict_set_detail(&t->best, detail);
	t->phase = TRIAL_DONE;
}

static int64_t now_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Begin with the checks that need no vessel.  Returns why there is nothing more
 * to do, with more words about it, or NULL. */
static const char *begin(struct trial *t, const char **detail)
{
	if (t->file == NULL) {
		*detail = "no_memory";
		return "file";
	}
	*detail = source_read(t->bench->repo_fd, t->file, &t->source,
			      t->file_blake3);
	if (*detail != NULL && strcmp(*detail, SOURCE_NOT_FOUND) != 0)
		return "file";
	if (*detail != NULL) {
		*detail = t->file;
		return SOURCE_NOT_FOUND;
	}
	*detail = t->file;
	t->runner = caps_runner(t->bench->caps, runner_find(t->file));
	if (t->runner == NULL)
		return "unknown-language";
	*detail = t->flag->flag_class;
	if (!class_is_known(t->runner->language, t->flag->flag_class))
		return "unknown-class";
	return NULL;
}

struct harness_call trial_call_of(const struct trial *t,
				  const struct json_value *witness)
{
	return (struct harness_call){ .repo = t->bench->repo,
				      .file = t->file,
				      .flag = t->flag,
				      .source = &t->source,
				      .synthesis = trial_synthesis_find(t),
				      .witness = witness,
				      .warms = t->warms,
				      .views = t->bench->views };
}

static int synthesis_start(struct trial *t, bool is_cold,
			   struct cupel_error *err)
{
	struct harness_call c = trial_call_of(t, NULL);

	if (is_cold)
		c.warms = NULL;
	return harness_synthesise(t->runner, &c, &t->run, err);
}

void trial_start(struct trial *t, const struct trial_bench *bench,
		 struct warm *warms, const struct flag *flag)
{
	struct cupel_error err = { 0 };
	const char *why, *detail = NULL;

	t->bench = bench;
	t->warms = warms;
	t->flag = flag;
	t->best.exit_code = -1;
	t->deadline_ms = now_ms() + (int64_t)bench->flag_time_s * 1000;
	t->file = source_name(bench->repo, flag->file);
	why = begin(t, &detail);
	if (why != NULL)
		finish(t, CONFIRM_SYNTH_FAILED, why, detail);
	else if (synthesis_start(t, false, &err) < 0)
		finish(t, CONFIRM_SANDBOX_ERROR, "runner", err.what);
}

int trial_fd(const struct trial *t)
{
	return harness_fd(&t->run);
}

int trial_left_ms(const struct trial *t)
{
	int64_t left = t->deadline_ms - now_ms();

	if (t->run.run == NULL)
		return -1;
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* The runs that make a confirmation a fact are never copies.  They share nothing with
 * another run, not even where the interpreter keeps its objects. */
static bool is_proof(enum trial_phase phase)
{
	return phase == TRIAL_REPEAT || phase == TRIAL_CONTROL ||
	       phase == TRIAL_SETTLE;
}

static int call_start_at(struct trial *t, enum trial_phase phase,
			 const struct json_value *witness, bool is_cold,
			 struct cupel_error *err)
{
	struct harness_call c = trial_call_of(t, witness);

	if (is_cold)
		c.warms = NULL;
	t->phase = phase;
	t->witness = witness;
	return harness_call(t->runner, &c, &t->run, err);
}

/* While a warm call runs, prepare the vessel of the call that may follow. */
static void next_prepare(struct trial *t)
{
	const struct harness_call c = trial_call_of(t, NULL);

	if (t->run.seat != NULL &&
	    (t->phase == TRIAL_SHRINK ||
	     (t->phase == TRIAL_CALL && !trial_explored_can(t) &&
	      t->next < t->witnesses->u.array.len)))
		harness_prepare(t->runner, &c);
}

static int call_start(struct trial *t, enum trial_phase phase,
		      const struct json_value *witness, struct cupel_error *err)
{
	return call_start_at(t, phase, witness, is_proof(phase), err);
}

static int next_start(struct trial *t, struct cupel_error *err)
{
	trial_pass(t);
	if (t->next == t->witnesses->u.array.len || t->slow >= TRIAL_SLOW_MAX ||
	    t->control.others >= TRIAL_OTHER_MAX) {
		t->phase = TRIAL_DONE;
		return 0;
	}
	if (trial_explored_can(t) && trial_explored_start(t))
		return 0;
	t->tried++;
	return call_start(t, TRIAL_CALL,
			  &t->witnesses->u.array.items[t->next++], err);
}

/* The synthesis has ended: take its list, or why there is none. */
static int synthesis_end(struct trial *t, struct harness *run,
			 struct cupel_error *err)
{
	const struct json_value *failed;
	struct vessel_result result;
	char why[WHY_BYTES];

	vessel_read(run->run, &result);
	if (run->seat != NULL && warm_is_void(&result)) {
		harness_done(run);
		warm_fail(&t->warms[WARM_SYNTHESIS]);
		return synthesis_start(t, true, err);
	}
	if (verdict_of_vessel(&result, &t->best)) {
		/* No code under test has run, so this end is our own
		 * failure. */
		if (t->best.status == CONFIRM_NO_BUG)
			finish(t, CONFIRM_SANDBOX_ERROR, "runner",
			       result.message);
		t->phase = TRIAL_DONE;
		return 0;
	}
	harness_payload_read(run, t->bench->synthesis_schema, &t->synthesis);
	if (t->synthesis.status != PAYLOAD_VALID) {
		vessel_payload_why(&t->synthesis, why, sizeof why);
		finish(t, CONFIRM_SANDBOX_ERROR, "runner", why);
		return 0;
	}
	failed = json_find(&t->synthesis.value, "failed");
	t->witnesses = json_find(&t->synthesis.value, "witnesses");
	if (failed != NULL || t->witnesses == NULL ||
	    t->witnesses->u.array.len == 0) {
		finish(t, CONFIRM_SYNTH_FAILED, "no-witness",
		       failed ? failed->u.string.bytes : "");
		return 0;
	}
	if (!trial_control_take(t)) {
		finish(t, CONFIRM_SANDBOX_ERROR, "runner",
		       "the synthesis did not answer for the flag's argument");
		return 0;
	}
	return next_start(t, err);
}

/* Keep the verdict that ranks highest, and the first of equal ones. */
static void best_keep(struct trial *t)
{
	if (t->tried > 1 && t->current.status <= t->best.status)
		return;
	t->best = t->current;
	t->best_witness = t->witness;
	t->best_at = t->next - 1;
}

static int call_end(struct trial *t, struct cupel_error *err)
{
	best_keep(t);
	trial_explored_hold(t);
	switch (t->current.status) {
	case CONFIRM_CONFIRMED:
		return call_start(t, TRIAL_REPEAT, t->witness, err);
	case CONFIRM_UNSUPPORTED:
		t->phase = TRIAL_DONE;
		return 0;
	case CONFIRM_SYNTH_FAILED:
		if (strcmp(t->current.reason, "receiver-failed") != 0) {
			t->phase = TRIAL_DONE; /* the next would say the same */
			return 0;
		}
		break;
	case CONFIRM_TIMEOUT:
	case CONFIRM_SANDBOX_ERROR:
		t->slow++;
		break;
	default:
		break;
	}
	return next_start(t, err);
}

/* Try the next smaller witness.  If there is none, repeat the smallest. */
static int shrink_next(struct trial *t, struct cupel_error *err)
{
	const struct json_value *from = t->small ? t->small : t->best_witness;
	const struct json_value *candidate = NULL;

	if (t->shrink_runs < TRIAL_SHRINK_RUNS &&
	    shrink_candidate(from, t->shrink_at, &t->synthesis.arena,
			     &candidate) < 0)
		candidate = NULL; /* no memory for more; what we have is good */
	if (candidate != NULL) {
		t->shrink_runs++;
		t->shrink_at++;
		return call_start(t, TRIAL_SHRINK, candidate, err);
	}
	if (t->small != NULL)
		return call_start(t, TRIAL_SETTLE, t->small, err);
	t->phase = TRIAL_DONE;
	return 0;
}

/* Call it with another value of the flag's argument.  If there is none left, the
 * witness is no evidence, and the next one is tried. */
static int control_next(struct trial *t, struct cupel_error *err)
{
	const struct json_value *other = trial_control_next(t);

	return other != NULL ? call_start(t, TRIAL_CONTROL, other, err)
			     : next_start(t, err);
}

static int control_end(struct trial *t, struct cupel_error *err)
{
	return trial_control_hold(t) ? shrink_next(t, err)
				     : control_next(t, err);
}

static int repeat_end(struct trial *t, struct cupel_error *err)
{
	if (t->current.status == CONFIRM_CONFIRMED &&
	    t->control.argument != NULL)
		return control_next(t, err);
	if (t->current.status == CONFIRM_CONFIRMED)
		return shrink_next(t, err);
	verdict_unrepeated(&t->best, &t->current);
	t->phase = TRIAL_DONE;
	return 0;
}

static int shrink_end(struct trial *t, struct cupel_error *err)
{
	if (t->current.status == CONFIRM_CONFIRMED) {
		t->small = t->witness;
		t->shrink_at = 0;
	} else if (t->current.status != CONFIRM_NO_BUG) {
		t->shrink_runs = TRIAL_SHRINK_RUNS; /* it is slow, or worse */
	}
	return shrink_next(t, err);
}

/* The smallest one counts if it was also confirmed twice. */
static void settle_end(struct trial *t)
{
	if (t->current.status == CONFIRM_CONFIRMED) {
		t->best = t->current;
		t->best_witness = t->small;
	}
	t->phase = TRIAL_DONE;
}

/* Act on the end of run, according to the phase in which it was started. */
static int run_end(struct trial *t, struct harness *run,
		   struct cupel_error *err)
{
	if (t->phase == TRIAL_SYNTHESIS)
		return synthesis_end(t, run, err);
	if (t->phase == TRIAL_EXPLORE) {
		trial_explored_end(t, run);
		return next_start(t, err);
	}
	if (!trial_judge(t, run))
		return call_start_at(t, t->phase, t->witness, true, err);
	switch (t->phase) {
	case TRIAL_CALL:
		return call_end(t, err);
	case TRIAL_REPEAT:
		return repeat_end(t, err);
	case TRIAL_CONTROL:
		return control_end(t, err);
	case TRIAL_SHRINK:
		return shrink_end(t, err);
	default:
		settle_end(t);
		return 0;
	}
}

/* The flag's time is over.  A confirmation that was repeated stays one, with
 * the witness that it had; anything less is no confirmation. */
static void budget_end(struct trial *t)
{
	char words[96];

	harness_done(&t->run);
	if (t->phase == TRIAL_SHRINK || t->phase == TRIAL_SETTLE) {
		verdict_set_detail(&t->best, "flag-budget: not every smaller "
					     "witness was tried");
		t->phase = TRIAL_DONE;
		return;
	}
	if (t->phase == TRIAL_SYNTHESIS)
		(void)snprintf(words, sizeof words,
			       "its %u s ended while witnesses were built",
			       t->bench->flag_time_s);
	else
		(void)snprintf(words, sizeof words,
			       "its %u s ended while witness %zu of %zu was "
			       "tried",
			       t->bench->flag_time_s, t->tried,
			       t->witnesses->u.array.len);
	finish(t, CONFIRM_TIMEOUT, "flag-budget", words);
}

void trial_step(struct trial *t)
{
	struct cupel_error err = { 0 };
	struct harness run = t->run;
	int e;

	if (run.run == NULL)
		return;
	e = harness_step(&run, &err);
	if (e > 0 && now_ms() >= t->deadline_ms)
		budget_end(t);
	if (e > 0)
		return;
	t->run = (struct harness){ 0 };
	if (e == 0)
		e = run_end(t, &run, &err);
	harness_done(&run);
	if (e < 0)
		finish(t, CONFIRM_SANDBOX_ERROR, "runner", err.what);
	else if (t->phase != TRIAL_DONE && now_ms() >= t->deadline_ms)
		budget_end(t);
	next_prepare(t);
}
