/* tracer_task.c -- threads that are in the middle of something. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "tracer/tracer.h"

struct task *task_find(struct tracer *t, pid_t tid)
{
	for (size_t i = 0; i < t->tasks_len; i++)
		if (t->tasks[i].tid == tid)
			return &t->tasks[i];
	return NULL;
}

/* A task that only remembers a failed exec can be reported at once. */
static struct task *find_idle(struct tracer *t)
{
	for (size_t i = 0; i < t->tasks_len; i++)
		if (t->tasks[i].call == 0)
			return &t->tasks[i];
	return NULL;
}

struct task *task_add(struct tracer *t, pid_t tid)
{
	struct task *task;

	if (t->tasks_len == TASKS_MAX)
		task_end(t, find_idle(t));
	if (t->tasks_len == TASKS_MAX) {
		t->end.lost++;
		return NULL;
	}
	task = &t->tasks[t->tasks_len++];
	memset(task, 0, sizeof *task);
	task->tid = tid;
	task->socket_fd = task->claim_of.socket_fd = -1;
	return task;
}

/* A connect(2) that a signal or the end of its thread cut short may have begun
 * all the same.  An exec that was cut short ran nothing of what it named. */
void task_end(struct tracer *t, struct task *task)
{
	const struct text none = { 0 };

	if (task == NULL)
		return;
	if (task->call == TRACER_CONNECT)
		connect_tell(t, task, -EINTR);
	else if (task->call != 0)
		exec_end(t, task, -EINTR);
	if (task->has_failed)
		record_put(t, &task->record,
			   (struct text){ task->claim, strlen(task->claim) },
			   none, none);
	if (task->socket_fd >= 0) {
		(void)fcntl(task->socket_fd, F_SETFL, task->flags);
		socket_close(task->socket_fd);
		t->held--;
	}
	*task = t->tasks[--t->tasks_len];
}
