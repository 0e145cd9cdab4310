/* confirm.c -- see confirm.h.  One pool drives all running trials. */
#include "jobs/confirm/confirm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/beneath.h"
#include "jobs/common/log.h"
#include "jobs/confirm/can_run.h"
#include "jobs/confirm/intake.h"
#include "jobs/confirm/reproduce.h"
#include "jobs/confirm/resume.h"
#include "jobs/confirm/resumed.h"
#include "jobs/confirm/sarif_out.h"
#include "jobs/confirm/trial.h"
#include "service/pool.h"

struct job {
	const struct confirm_request *req;
	struct rules rules;
	struct flags flags; /* points into rules */
	struct trial_bench bench;
	struct seal seal;
	struct sarif_out sarif;
	int log_fd;
	struct trial *trials;             /* req->jobs of them */
	struct warm (*warms)[WARM_KINDS]; /* as many */
	size_t next;                      /* index of the next flag to start */
	char *repo;                       /* absolute; malloc'd */
	size_t done, all;                 /* without the recorded ones */
	struct confirm_counts *counts;
};

static int flags_load(struct job *j, struct cupel_error *err)
{
	const struct confirm_request *req = j->req;
	const struct flags *f = &j->flags;
	const struct intake_request from = {
		.path = req->flags,
		.rules = req->rules,
		.repo = req->repo,
		.beneath = req->has_own_flags ? CONFIRM_FOLDER "/" CONFIRM_FLAGS
					      : NULL,
		.repo_fd = j->bench.repo_fd,
		.stop_fd = req->stop_fd,
	};
	int e = intake_read(&from, &j->rules, &j->flags, err);

	if (e < 0)
		return e;
	for (size_t i = 0; req->fault != NULL && i < f->faults_len; i++)
		req->fault(req->data, f->unit, f->faults[i].number,
			   f->faults[i].message);
	j->counts->flags = f->len;
	j->counts->faults = f->faults_all;
	j->counts->faults_told = f->faults_len;
	j->counts->left_out = f->left_out;
	return 0;
}

static int bench_open(struct job *j, struct cupel_error *err)
{
	int e;

	j->repo = realpath(j->req->repo, NULL);
	if (j->repo == NULL)
		j->repo = strdup(j->req->repo);
	if (j->repo == NULL)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "--repo: no memory for its path");
	j->bench.repo = j->req->repo;
	j->bench.caps = j->req->caps;
	j->bench.flag_time_s = j->req->flag_time_s;
	j->bench.views = j->req->views;
	j->bench.is_cold = j->req->is_cold;
	j->bench.repo_fd = beneath_open_root(j->req->repo);
	if (j->bench.repo_fd < 0)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
			-j->bench.repo_fd,
			"--repo: %s: cannot be opened as a directory: %s",
			j->req->repo, strerror(-j->bench.repo_fd));
	e = vessel_schema("confirm-synthesis", &j->bench.synthesis_schema, err);
	if (e == 0)
		e = vessel_schema("confirm-call", &j->bench.call_schema, err);
	if (e == 0)
		e = vessel_schema("confirm-explore", &j->bench.explore_schema,
				  err);
	return e;
}

static int64_t now_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Write the script of a confirmed bug.  This comes before the record, so that
 * every recorded bug has its script. */
static int script_put(struct job *j, const struct trial *t,
		      struct cupel_error *err)
{
	const struct reproduce_facts f = {
		.language = t->runner != NULL ? t->runner->language
					      : LANGUAGE_PYTHON,
		.repo = j->repo,
		.file = t->file,
		.flag = t->flag,
		.synthesis = trial_synthesis_find(t),
		.witness = t->best_witness,
	};
	owned_buf struct buf text = { 0 };
	char name[REPRODUCE_NAME];
	const char *why = NULL;
	int e = reproduce_build(&f, &text, &why);

	if (e == -EOPNOTSUPP && j->req->no_script != NULL)
		j->req->no_script(j->req->data, t->flag, why);
	if (e == -EOPNOTSUPP)
		return 0;
	if (e < 0)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM,
				      "--reproducer: no memory for a script");
	reproduce_name(&f, name);
	return reproduce_put(j->req->reproducer_fd, name, text.bytes, text.len,
			     err);
}

/* Write the record as a result, unless its rule stands for no class. */
static int result_put(struct job *j, const struct trial *t,
		      const struct buf *line, struct cupel_error *err)
{
	const struct json_text text = { .bytes = line->bytes,
					.len = line->len };

	if (t->flag->has_no_class)
		return 0;
	return sarif_out_add(&j->sarif, &text,
			     t->file != NULL ? t->file : t->flag->file,
			     &t->source, err);
}

/* A trial has ended: write its record, and free its place. */
static int trial_finish(struct job *j, struct trial *t, struct cupel_error *err)
{
	owned_buf struct buf line = { 0 };
	int e = 0;

	if (t->best.status == CONFIRM_CONFIRMED && j->req->reproducer_fd >= 0)
		e = script_put(j, t, err);
	if (e < 0)
		return e;
	trial_record(t, now_ms(), &line);
	seal_write(&j->seal, &line);
	if (buf_has_failed(&line))
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a record");
	e = log_append(j->log_fd, j->req->stop_fd, line.bytes, line.len, err);
	if (e == 0)
		e = result_put(j, t, &line, err);
	if (e < 0)
		return e;
	j->done++;
	if (t->flag->has_no_class)
		j->counts->no_class++;
	else
		j->counts->of[t->best.status]++;
	if (j->req->progress != NULL)
		j->req->progress(j->req->data, t->flag, &t->best, j->done,
				 j->all);
	trial_done(t);
	return 0;
}

static const struct flag *flag_next(struct job *j)
{
	while (j->next < j->flags.len && j->flags.items[j->next].is_recorded)
		j->next++;
	return j->next < j->flags.len ? &j->flags.items[j->next++] : NULL;
}

/* A trial that is done at once is recorded at once. */
static int place_start(void *data, size_t place, struct cupel_error *err)
{
	struct job *j = data;
	struct trial *t = &j->trials[place];
	const struct flag *flag = flag_next(j);
	int e;

	if (flag == NULL)
		return POOL_NOTHING;
	trial_start(t, &j->bench, j->warms[place], flag);
	if (t->phase != TRIAL_DONE)
		return POOL_STARTED;
	e = trial_finish(j, t, err);
	return e < 0 ? e : POOL_AT_ONCE;
}

static int place_fd(const void *data, size_t place)
{
	const struct job *j = data;

	return trial_fd(&j->trials[place]);
}

static int place_left_ms(const void *data, size_t place)
{
	const struct job *j = data;

	return trial_left_ms(&j->trials[place]);
}

static int place_step(void *data, size_t place, struct cupel_error *err)
{
	struct job *j = data;
	struct trial *t = &j->trials[place];

	trial_step(t);
	return t->phase == TRIAL_DONE ? trial_finish(j, t, err) : 1;
}

static void place_cancel(void *data, size_t place)
{
	struct job *j = data;

	trial_cancel(&j->trials[place]);
}

static void place_end(void *data, size_t place)
{
	struct job *j = data;

	trial_done(&j->trials[place]);
}

static int trials_drive(struct job *j, struct cupel_error *err)
{
	static const struct pool_calls calls = {
		.start = place_start,
		.fd = place_fd,
		.left_ms = place_left_ms,
		.step = place_step,
		.cancel = place_cancel,
		.end = place_end,
	};

	return pool_run(&calls, j, j->req->jobs, j->req->stop_fd, err);
}

/* Leave out the flags that the log has already, then tell the caller the
 * counts. */
static int flags_sift(struct job *j, struct cupel_error *err)
{
	const struct resume_from from = { .log_fd = j->log_fd,
					  .seal = &j->seal,
					  .repo = j->req->repo,
					  .repo_fd = j->bench.repo_fd };
	struct resume_counts c = { 0 };
	int e = j->req->resume ? resume_mark(&from, &j->flags, &c, err) : 0;

	if (e == 0)
		e = resumed_take(&from, &j->flags, j->counts->recorded_of,
				 &j->sarif, err);
	if (e < 0)
		return e;
	j->all = j->flags.len - c.recorded;
	j->counts->recorded = c.recorded;
	j->counts->log_bad = c.bad;
	j->counts->log_unsealed = c.unsealed;
	if (tally_read(&j->flags, &j->counts->tally) < 0)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for the flags");
	if (j->req->begin != NULL)
		j->req->begin(j->req->data, j->counts);
	return 0;
}

static int job_log_open(struct job *j, struct cupel_error *err)
{
	const struct log_place own = { .root_fd = j->bench.repo_fd,
				       .folder = CONFIRM_FOLDER,
				       .name = CONFIRM_LOG,
				       .shown = j->req->log };

	seal_open(&j->seal, j->repo, j->bench.repo_fd);
	j->counts->has_seal = j->seal.has_key;
	j->log_fd = j->req->has_own_log
			    ? log_open_in(&own, j->req->stop_fd, err)
			    : log_open(j->req->log, j->req->stop_fd, err);
	return j->log_fd < 0 ? j->log_fd : 0;
}

/* Write what follows the results, which says so if the run was stopped. */
static int sarif_end(struct job *j, bool is_whole, struct cupel_error *err)
{
	const struct sarif_end end = { .now_ms = now_ms(),
				       .is_whole = is_whole,
				       .flags = &j->flags,
				       .tally = &j->counts->tally };

	return sarif_out_close(&j->sarif, &end, err);
}

static int job_run(struct job *j, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	int e = bench_open(j, err);

	if (e == 0)
		e = flags_load(j, err);
	if (e == 0)
		e = flags_can_run(j->req, &j->flags, err);
	if (e == 0)
		e = sarif_out_open(j->req->sarif, now_ms(), &j->sarif, err);
	if (e == 0)
		e = job_log_open(j, err);
	if (e == 0)
		e = flags_sift(j, err);
	if (e < 0)
		return e;
	j->trials = calloc(j->req->jobs, sizeof *j->trials);
	j->warms = calloc(j->req->jobs, sizeof *j->warms);
	if (j->trials == NULL || j->warms == NULL)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for the trials");
	for (unsigned i = 0; i < j->req->jobs * WARM_KINDS; i++)
		j->warms[i / WARM_KINDS][i % WARM_KINDS].is_wanted =
			!j->req->is_cold;
	e = trials_drive(j, err);
	if (e == 0 || e == -EINTR) {
		int r = sarif_end(j, e == 0, e == 0 ? err : &why);

		e = e == 0 ? r : e;
	}
	return e;
}

int confirm_run(const struct confirm_request *req, struct confirm_counts *ret,
		struct cupel_error *err)
{
	struct job j = {
		.req = req, .log_fd = -1, .bench.repo_fd = -1, .counts = ret
	};
	int e;

	*ret = (struct confirm_counts){ 0 };
	if (req->jobs < 1 || req->jobs > CONFIRM_JOBS_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, 0,
				  "--jobs: %u is outside 1..%d", req->jobs,
				  CONFIRM_JOBS_MAX);
	if (req->flag_time_s < 1 || req->flag_time_s > CONFIRM_FLAG_TIME_MAX_S)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, 0,
				  "--flag-time-s: %u is outside 1..%d",
				  req->flag_time_s, CONFIRM_FLAG_TIME_MAX_S);
	e = job_run(&j, err);
	for (unsigned i = 0; j.trials != NULL && i < req->jobs; i++)
		trial_done(&j.trials[i]);
	for (unsigned i = 0; j.warms != NULL && i < req->jobs * WARM_KINDS; i++)
		warm_done(&j.warms[i / WARM_KINDS][i % WARM_KINDS]);
	free(j.trials);
	free(j.warms);
	schema_set_free(j.bench.synthesis_schema);
	schema_set_free(j.bench.call_schema);
	schema_set_free(j.bench.explore_schema);
	cleanup_fd(&j.bench.repo_fd);
	cleanup_fd(&j.log_fd);
	sarif_out_done(&j.sarif);
	flags_done(&j.flags);
	free(j.repo);
	rules_done(&j.rules);
	return e;
}

void confirm_write_summary(const struct confirm_counts *c, struct buf *out)
{
	buf_format(out,
		   "{\"confirmed\": %zu, \"timeout\": %zu, "
		   "\"sandbox_error\": %zu, \"no_bug\": %zu, "
		   "\"synth_failed\": %zu, \"unsupported\": %zu, "
		   "\"no_class\": %zu}\n",
		   c->of[CONFIRM_CONFIRMED], c->of[CONFIRM_TIMEOUT],
		   c->of[CONFIRM_SANDBOX_ERROR], c->of[CONFIRM_NO_BUG],
		   c->of[CONFIRM_SYNTH_FAILED], c->of[CONFIRM_UNSUPPORTED],
		   c->no_class);
}
