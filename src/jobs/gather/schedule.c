/* schedule.c -- see schedule.h. */
#include "jobs/gather/schedule.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "service/pool.h"

struct schedule {
	struct bench *b;
	struct task *tasks; /* one for each probe */
	size_t len, done, running;
	struct task *at[SCHEDULE_JOBS_MAX]; /* what runs in a place */
};

static void progress(const struct schedule *s, const struct task *t)
{
	const struct gather_probe *p = &s->b->results[t->index];
	const struct gather_progress now = {
		.done = s->done,
		.running = s->running,
		.all = s->len,
		.finished = t->state == TASK_DONE ? p : NULL,
		.started = t->state == TASK_DONE ? NULL : p->probe->name,
	};

	if (s->b->hooks->progress != NULL)
		s->b->hooks->progress(s->b->hooks->data, &now);
}

static bool is_ready(const struct schedule *s, const struct task *t)
{
	const struct selection *all = s->b->selection;
	const char *const *r = all->probes[t->index]->requires;

	if (t->state != TASK_WAITING)
		return false;
	for (; r != NULL && *r != NULL; r++)
		if (s->tasks[selection_find(all, *r)].state != TASK_DONE)
			return false;
	return true;
}

/* An answer from the cache takes no place and may let other probes start, so
 * the search begins with the first one again. */
static int task_begin(void *data, size_t place, struct cupel_error *err)
{
	struct schedule *s = data;
	struct task *t = s->tasks;
	int e;

	while (t < s->tasks + s->len && !is_ready(s, t))
		t++;
	if (t == s->tasks + s->len)
		return POOL_NOTHING;
	e = task_start(s->b, t, err);
	if (e < 0)
		return e;
	s->at[place] = t;
	s->running += t->state == TASK_RUNNING;
	s->done += t->state == TASK_DONE;
	progress(s, t);
	return t->state == TASK_RUNNING ? POOL_STARTED : POOL_AT_ONCE;
}

static int task_fd(const void *data, size_t place)
{
	const struct schedule *s = data;

	return vessel_fd(s->at[place]->attempt.run);
}

/* Our own failure ends that vessel and becomes its outcome. */
static int task_step(void *data, size_t place, struct cupel_error *err)
{
	struct schedule *s = data;
	struct cupel_error why = { 0 };

	(void)err;
	if (vessel_step(s->at[place]->attempt.run, &why) == 1)
		return 1;
	s->at[place]->state = TASK_ENDED;
	s->running--;
	return 0;
}

/* Answers are checked while the next vessel starts.  Probes that require them
 * start later. */
static int tasks_settle(void *data, struct cupel_error *err)
{
	struct schedule *s = data;

	for (size_t i = 0; i < s->len; i++) {
		struct task *t = &s->tasks[i];
		int e;

		if (t->state != TASK_ENDED)
			continue;
		e = task_finish(s->b, t, err);
		if (e < 0)
			return e;
		s->done++;
		progress(s, t);
	}
	return 0;
}

static void task_cancel(void *data, size_t place)
{
	const struct schedule *s = data;

	vessel_cancel(s->at[place]->attempt.run, 0);
}

static void task_end(void *data, size_t place)
{
	const struct schedule *s = data;
	struct cupel_error ignored = { 0 };

	(void)vessel_wait(s->at[place]->attempt.run, &ignored);
}

int schedule_run(struct bench *b, unsigned jobs, int stop_fd,
		 struct cupel_error *err)
{
	static const struct pool_calls calls = {
		.start = task_begin,
		.fd = task_fd,
		.step = task_step,
		.settle = tasks_settle,
		.cancel = task_cancel,
		.end = task_end,
	};
	struct schedule s = { .b = b, .len = b->selection->len };
	int e;

	if (jobs > SCHEDULE_JOBS_MAX)
		jobs = SCHEDULE_JOBS_MAX;
	s.tasks = calloc(s.len + 1, sizeof *s.tasks);
	if (s.tasks == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the probes' tasks");
	for (size_t i = 0; i < s.len; i++) {
		s.tasks[i].index = i;
		s.tasks[i].attempt = ATTEMPT_NONE;
	}
	e = pool_run(&calls, &s, jobs, stop_fd, err);
	for (size_t i = 0; i < s.len; i++)
		task_done(&s.tasks[i]);
	free(s.tasks);
	return e;
}
