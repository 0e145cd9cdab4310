/* command.c -- forks the command's process early, releases it when the root is
 * built, and waits until it has exec'd. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <time.h>

#include "launch/native/init/init.h"

#define SIGNALS_LAST 64

/* Signals that the caller ignores would stay ignored across every exec.  If
 * SIGCHLD were ignored, the kernel would reap the command before init could ask
 * how it ended.  Until its exec the command's process shares the settings. */
int signals_reset(struct init *in)
{
	const struct {
		uint64_t handler, flags, restorer, mask;
	} dfl = { 0 };

	for (int sig = 1; sig <= SIGNALS_LAST; sig++) {
		long r;

		if (sig == SIGKILL || sig == SIGSTOP)
			continue;
		if (sig != SIGCHLD && init_drops(in, DROP_DISPOSITIONS))
			continue;
		r = sys4(&in->k, SYS_rt_sigaction, sig, &dfl, 0,
			 sizeof dfl.mask);
		if (r < 0)
			return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
					 "default signal dispositions", NULL);
	}
	return 0;
}

/* When a descriptor table that two processes share has to grow, the one that
 * makes it grow waits for all processors, 7 ms.  The sockets of scoped egress
 * would cause that.  To grow it before costs nothing, and a failure does no
 * harm. */
#define TABLE_ROOM 191 /* the kernel takes powers of two, from 64 on */
static void table_grow(struct init *in)
{
	long r = sys3(&in->k, SYS_fcntl, in->control_fd, F_DUPFD_CLOEXEC,
		      TABLE_ROOM);

	if (r >= 0)
		sys_close((int)r);
}

static int command_clone(struct init *in)
{
	struct child *child = in->child;
	struct clone_args args = {
		.flags = CLONE_VM | CLONE_FILES | CLONE_SIGHAND |
			 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
		/* No signal until its exec, which sets SIGCHLD; the keeper
		 * inherits that (notify.c). */
		.exit_signal = 0,
		.stack = (uint64_t)(uintptr_t)child->stack,
		.stack_size = CHILD_STACK_BYTES,
		.parent_tid = (uint64_t)(uintptr_t)&child->running,
		.child_tid = (uint64_t)(uintptr_t)&child->running,
	};
	long r;

	table_grow(in);
	child->side = *in;
	child->side.child = NULL;
	child->side.out.applied = 0;
	child->side.out.refused = 0;
	child->side.k = (struct sys){ 0 };
#ifdef CUPEL_TEST_HOOKS
	child->side.k.fault = in->begin.hooks.faults[TEST_CHILD];
#endif
	r = sys_clone3(&in->k, &args, child_run, child);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "forking the command", NULL);
	in->command_pid = (int)r;
	/* A process that was forked early stays; init is called away. */
	if (!in->begin.is_apart)
		place_off(&in->k, &in->begin.cpus, r);
	return 0;
}

/* Fork before the plan is known, so that the making of the network namespace
 * begins.  An ordinary user's ids are right by the map alone.  When root
 * launches, the process takes its ids itself, as soon as it is told the
 * plan. */
int command_fork_early(struct init *in)
{
	return in->begin.is_early ? command_clone(in) : 0;
}

/* How many numbers stay free below those that are lifted, for the listener and
 * the Landlock ruleset. */
#define FDS_FREE 4

/* Move *fd above everything that will be placed by number for the command. */
static long fd_lift(struct init *in, int32_t *fd, uint32_t above)
{
	long r;

	if (*fd < 0)
		return 0;
	r = sys3(&in->k, SYS_fcntl, *fd, F_DUPFD_CLOEXEC, above);
	if (r >= 0)
		*fd = (int32_t)r;
	return r;
}

/* Move everything that the child needs out of the way of the numbers 0, 1, 2, 3
 * and the inputs, so that no dup3 overwrites a source that is not yet used.
 * The same for what init will hand to the supervisor. */
int descriptors_lift(struct init *in)
{
	int32_t *inputs = image_at(in, in->im->inputs);
	uint32_t placed = 4 + in->im->inputs.len;
	uint32_t above = placed + FDS_FREE;
	int32_t *const own[] = { &in->control_fd,  &in->base_fd,
				 &in->proc_fd,     &in->shm_fd,
				 &in->terminal_fd, &in->sockets_fd,
				 &in->im->exec_fd };
	long r = 0;

	for (size_t i = 0; r >= 0 && i < 4; i++)
		r = fd_lift(in, &in->im->stdio[i], above);
	for (uint32_t i = 0; r >= 0 && i < in->im->inputs.len; i++)
		r = fd_lift(in, &inputs[i], above);
	for (size_t i = 0; r >= 0 && i < sizeof own / sizeof *own; i++)
		r = fd_lift(in, own[i], above);
	if (r >= 0)
		r = sys3(&in->k, SYS_close_range, placed, above - 1, 0);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "placing descriptors", NULL);
	return 0;
}

void gate_open(struct init *in, enum gate to)
{
	struct child *child = in->child;

	__atomic_store_n(&child->gate, (int)to, __ATOMIC_RELEASE);
	/* Not counted: a waiter that was not woken finds the gate open. */
	(void)sys_raw(SYS_futex, sys_arg(&child->gate), FUTEX_WAKE, 1, 0, 0, 0);
}

int command_fork(struct init *in)
{
	int r = 0;

	if (in->command_pid == 0)
		r = command_clone(in);
	if (r < 0)
		return r;
	in->child->im = in->im;
	gate_open(in, GATE_TOLD);
	return 0;
}

/* A child that is killed says nothing, so check on it now and then. */
void help_await(struct init *in, enum help want)
{
	const struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	struct child *child = in->child;
	int now;

	while ((now = __atomic_load_n(&child->help, __ATOMIC_ACQUIRE)) <
		       (int)want &&
	       __atomic_load_n(&child->running, __ATOMIC_ACQUIRE) != 0)
		(void)sys_raw(SYS_futex, sys_arg(&child->help), FUTEX_WAIT, now,
			      sys_arg(&moment), 0, 0);
}

/* Wait for the word that the kernel clears when the child leaves our memory. */
static void child_await(struct init *in)
{
	int *running = &in->child->running;
	int tid;

	while ((tid = __atomic_load_n(running, __ATOMIC_ACQUIRE)) != 0)
		(void)sys_raw(SYS_futex, sys_arg(running), FUTEX_WAIT, tid, 0,
			      0, 0);
}

int command_settle(struct init *in)
{
	int r;

	help_await(in, HELP_SETTLED);
	in->sockets_fd = in->child->side.sockets_fd;
	r = descriptors_lift(in);
	if (r < 0)
		return r;
	gate_open(in, GATE_LIFTED);
	help_await(in, HELP_PLACED);
	return init_can(in, WALL_MOUNTNS) ? landlock_begin(in) : 0;
}

/* Let the command run on all processors of its caller, wherever we ran best.
 * This comes before init gives up its capabilities: it may not move a process
 * that has more of them than itself. */
static int place_leave(struct init *in)
{
	long r = place_back(&in->k, &in->begin.cpus, in->command_pid);

	/* A process that has ended reports the reason itself. */
	return r < 0 && r != -ESRCH
		       ? init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				   "the command's processors", NULL)
		       : 0;
}

int command_release(struct init *in)
{
	struct init *side = &in->child->side;
	int r;

	r = init_can(in, WALL_MOUNTNS) ? landlock_prepare(in) : 0;
	if (r < 0)
		return r;
	in->child->cross = in->cross;
	in->child->ruleset_fd = in->ruleset_fd;
	in->child->applied = in->out.applied;
	in->child->refused = in->out.refused;
	gate_open(in, GATE_BUILT);
	r = place_leave(in);
	if (r == 0)
		r = privilege_drop(in);
	if (r == 0 && in->child->has_network)
		r = order_network(in);
	if (r < 0)
		return r;
	gate_open(in, GATE_READY);
	child_await(in);
	/* The keeper was born on its parent's processors.  It sleeps, so the
	 * result does not matter. */
	if (side->out.keeper_pid > 0)
		(void)place_back(&in->k, &in->begin.cpus, side->out.keeper_pid);
	in->out.applied = side->out.applied;
	in->out.refused = side->out.refused;
	in->out.exec_errno = side->out.exec_errno;
	in->out.seccomp_errno = side->out.seccomp_errno;
	in->out.objects_by_filter |= side->out.objects_by_filter;
	in->out.keeper_pid = side->out.keeper_pid;
	in->listener_fd = side->listener_fd;
	if (side->out.error.stage != CUPEL_STAGE_NONE) {
		in->out.error = side->out.error;
		return -EPROTO;
	}
	if (side->out.exec_errno == 0 && !side->out.had_started)
		return init_fail(in, CUPEL_STAGE_EXEC, ECHILD,
				 "the command's process was killed before the "
				 "command could start",
				 NULL);
	return 0;
}
