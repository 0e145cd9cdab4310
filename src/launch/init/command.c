/* command.c -- fork the command: a child that shares memory and descriptors
 * with init until it has exec'd. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>

#include "launch/init/init.h"

/* The child's frames: a path, a filter patched in place, no recursion. */
#define CHILD_STACK_BYTES 32768

/* Above everything that will be placed by number for the command. */
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

/* Everything that the child needs is moved out of the way of the numbers
 * 0, 1, 2, 3 and the inputs, so that no dup3 hits a source not yet used. */
static long fds_lift(struct init *in)
{
	int32_t *inputs = image_at(in, in->im->inputs);
	uint32_t above = 4 + in->im->inputs.len;
	int32_t *const own[] = { &in->control_fd, &in->base_fd, &in->proc_fd,
				 &in->shm_fd, &in->im->exec_fd };
	long r = 0;

	for (size_t i = 0; r >= 0 && i < 4; i++)
		r = fd_lift(in, &in->im->stdio[i], above);
	for (uint32_t i = 0; r >= 0 && i < in->im->inputs.len; i++)
		r = fd_lift(in, &inputs[i], above);
	for (size_t i = 0; r >= 0 && i < sizeof own / sizeof *own; i++)
		r = fd_lift(in, own[i], above);
	return r;
}

int command_start(struct init *in)
{
	_Alignas(16) char stack[CHILD_STACK_BYTES];
	struct clone_args args = {
		.flags = CLONE_VM | CLONE_VFORK | CLONE_FILES,
		.exit_signal = SIGCHLD,
		.stack = (uint64_t)(uintptr_t)stack,
		.stack_size = sizeof stack,
	};
	long r = fds_lift(in);

	if (r < 0)
		return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "placing descriptors", NULL);
	r = sys_clone3(&in->k, &args, child_run, in);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "forking the command", NULL);
	in->command_pid = (int)r;
	if (in->out.error.stage != CUPEL_STAGE_NONE)
		return -EPROTO;
	return 0;
}
