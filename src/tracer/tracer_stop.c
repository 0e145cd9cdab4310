/* tracer_stop.c -- finds out what stopped and why, and lets it go on. */
#include "tracer/tracer_stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/* How many events are handled in one turn.  Between turns come the supervisor
 * and held connects. */
#define STOPS_A_TURN 64

/* From ptrace(2), for systems whose headers do not have it. */
#define EVENT_OF(status) ((unsigned)(status) >> 16)
#define IN_A_CALL        (SIGTRAP | 0x80)

static void resume(pid_t tid, enum resume how, int signal)
{
	if (how == RESUME_HELD)
		return;
	/* ESRCH: it was killed meanwhile. */
	(void)ptrace(how == RESUME_CALL ? PTRACE_SYSCALL : PTRACE_CONT, tid,
		     NULL, (void *)(intptr_t)signal);
}

static enum resume call_begin(struct tracer *t, pid_t tid)
{
	struct call call;

	/* It was killed meanwhile.  In any case the call is not made. */
	if (call_read(t, tid, &call) < 0)
		call.what = TRACER_NONE;
	switch (call.what) {
	case TRACER_EXEC:
	case TRACER_EXEC_AT:
		return exec_begin(t, tid, &call) ? RESUME_CALL : RESUME_RUN;
	case TRACER_CONNECT:
		return connect_begin(t, tid, &call);
	case TRACER_SHARE:
		t->has_shared = true;
		return RESUME_RUN;
	case TRACER_PTRACE:
		(void)call_skip(tid, -EPERM);
		return RESUME_RUN;
	case TRACER_NONE: /* a filter from inside: answer as without a tracer */
		(void)call_skip(tid, -ENOSYS);
		return RESUME_RUN;
	}
	return RESUME_RUN;
}

static void call_end(struct tracer *t, pid_t tid)
{
	struct task *task = task_find(t, tid);
	long result;

	if (task == NULL || task->call == 0 || call_result(tid, &result) < 0)
		return;
	if (task->is_interrupted) {
		call_restart(tid, task->is_timed);
		task_end(t, task);
	} else if (task->call == TRACER_EXEC || task->call == TRACER_EXEC_AT) {
		exec_end(t, task, result);
	} else {
		connect_end(t, task, result);
	}
}

/* A signal on its way to the program. */
static void signal_pass(struct tracer *t, pid_t tid, int signal)
{
	call_resume(t, tid, signal);
	resume(tid, RESUME_RUN, signal);
}

/* The first stop of a new thread, or a process that is stopped by a signal and
 * must stay so. */
static void stop_pass(pid_t tid, int signal)
{
	if (signal == SIGTRAP)
		resume(tid, RESUME_RUN, 0);
	else
		(void)ptrace(PTRACE_LISTEN, tid, NULL, NULL);
}

static void stop_take(struct tracer *t, pid_t tid, int status)
{
	int signal = WSTOPSIG(status);

	switch (EVENT_OF(status)) {
	case PTRACE_EVENT_SECCOMP:
		resume(tid, call_begin(t, tid), 0);
		return;
	case PTRACE_EVENT_EXEC:
		exec_note(t, tid);
		break;
	case PTRACE_EVENT_STOP:
		stop_pass(tid, signal);
		return;
	case 0:
		if (signal != IN_A_CALL) {
			signal_pass(t, tid, signal);
			return;
		}
		call_end(t, tid);
		break;
	default: /* a process or thread more */
		break;
	}
	resume(tid, RESUME_RUN, 0);
}

static void end_take(struct tracer *t, pid_t tid, int status)
{
	/* The filter kills only for calls of another ABI. */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		t->end.foreign_abi++;
	task_end(t, task_find(t, tid));
	pid_end(t, tid);
}

/* Whether nothing is to be done before the next stop: no record waits to be
 * sent, and no connect(2) is held.  Before the first process is seized there is
 * nobody to wait for, so the call returns at once. */
static bool is_quiet(const struct tracer *t)
{
	return queue_is_empty(&t->queue) && t->held == 0;
}

/* A call that waits takes half of the calls that poll(2) and a signal take, and
 * the kernel wakes us as somebody for whom the stopped thread waits. */
int stops_take(struct tracer *t)
{
	for (int i = 0; i < STOPS_A_TURN; i++) {
		int status = 0;
		int how = is_quiet(t) ? __WALL : __WALL | WNOHANG;
		pid_t tid = waitpid(-1, &status, how);

		if (tid < 0 && errno == ECHILD)
			return -ECHILD;
		if (tid <= 0)
			return 0;
		if (WIFSTOPPED(status))
			stop_take(t, tid, status);
		else
			end_take(t, tid, status);
	}
	return 1;
}

int command_seize(pid_t pid)
{
	const unsigned long options =
		PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
		PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		PTRACE_O_TRACESECCOMP;

	return ptrace(PTRACE_SEIZE, pid, NULL, options) < 0 ? -errno : 0;
}
