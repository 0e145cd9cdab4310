/* schedule.c -- see schedule.h. */
#include "jobs/gather/schedule.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/error.h"

struct schedule {
	struct bench *b;
	struct task *tasks; /* one for each probe */
	size_t len, done, running;
	unsigned jobs;
	int stop_fd;
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

/* Start what can be started.  An answer from the cache takes no place, and may
 * let others go: hence again from the first. */
static int places_fill(struct schedule *s, struct cupel_error *err)
{
	for (size_t i = 0; i < s->len && s->running < s->jobs; i++) {
		struct task *t = &s->tasks[i];
		int e;

		if (!is_ready(s, t))
			continue;
		e = task_start(s->b, t, err);
		if (e < 0)
			return e;
		s->running += t->state == TASK_RUNNING;
		s->done += t->state == TASK_DONE;
		progress(s, t);
		if (t->state == TASK_DONE)
			i = (size_t)-1;
	}
	return 0;
}

/* Returns -EINTR when asked to stop. */
static int wait_any(const struct schedule *s)
{
	struct pollfd fds[SCHEDULE_JOBS_MAX + 1] = { 0 };
	nfds_t n = 1;
	int timeout = -1;

	fds[0] = (struct pollfd){ .fd = s->stop_fd, .events = POLLIN };
	for (size_t i = 0; i < s->len; i++) {
		if (s->tasks[i].state != TASK_RUNNING)
			continue;
		fds[n].fd = vessel_fd(s->tasks[i].attempt.run);
		fds[n].events = POLLIN;
		if (fds[n].fd < 0)
			timeout = 0; /* it has ended already */
		n++;
	}
	(void)poll(fds, n, timeout);
	return fds[0].revents != 0 ? -EINTR : 0;
}

/* Which vessels have ended. */
static void tasks_step(struct schedule *s)
{
	for (size_t i = 0; i < s->len; i++) {
		struct task *t = &s->tasks[i];
		struct cupel_error why = { 0 };

		if (t->state != TASK_RUNNING ||
		    vessel_step(t->attempt.run, &why) == 1)
			continue;
		t->state = TASK_ENDED;
		s->running--;
	}
}

static int tasks_finish(struct schedule *s, struct cupel_error *err)
{
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

/* Kill every vessel and see it dead. */
static void tasks_stop(struct schedule *s)
{
	struct cupel_error why = { 0 };

	for (size_t i = 0; i < s->len; i++)
		if (s->tasks[i].state == TASK_RUNNING)
			vessel_cancel(s->tasks[i].attempt.run, 0);
	for (size_t i = 0; i < s->len; i++)
		if (s->tasks[i].state == TASK_RUNNING)
			(void)vessel_wait(s->tasks[i].attempt.run, &why);
}

static int schedule_drive(struct schedule *s, struct cupel_error *err)
{
	int e = places_fill(s, err);

	while (e == 0 && s->done < s->len) {
		e = wait_any(s);
		if (e < 0)
			break;
		tasks_step(s);
		/* Answers are looked at while the next vessel starts; what
		 * requires them comes after. */
		e = places_fill(s, err);
		if (e == 0)
			e = tasks_finish(s, err);
		if (e == 0)
			e = places_fill(s, err);
	}
	return e;
}

int schedule_run(struct bench *b, unsigned jobs, int stop_fd,
		 struct cupel_error *err)
{
	struct schedule s = { .b = b,
			      .len = b->selection->len,
			      .jobs = jobs,
			      .stop_fd = stop_fd };
	int e;

	s.tasks = calloc(s.len + 1, sizeof *s.tasks);
	if (s.tasks == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the probes' tasks");
	for (size_t i = 0; i < s.len; i++) {
		s.tasks[i].index = i;
		s.tasks[i].attempt = ATTEMPT_NONE;
	}
	e = schedule_drive(&s, err);
	if (e < 0)
		tasks_stop(&s);
	for (size_t i = 0; i < s.len; i++)
		task_done(&s.tasks[i]);
	free(s.tasks);
	return e;
}
