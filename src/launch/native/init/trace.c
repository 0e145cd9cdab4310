/* trace.c -- the command's process lets itself be traced before it becomes the
 * command.
 *
 * The tracer is outside.  It gets one end of a socket through the supervisor,
 * and the kernel tells it which process writes to the other. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"
#include "tracer/protocol.h"

static int trace_refused(struct init *in, long r, const char *what)
{
	return init_missing(in, WALL_TRACE, CUPEL_STAGE_SECCOMP, (int)-r, what);
}

/* Returns 0, or what the tracer was refused as -errno. */
static long tracer_ask(struct init *in, int fd)
{
	const char ask = TRACER_ASK;
	struct tracer_answer answer = { .error = EPIPE };
	long r = sys_call(&in->k, SYS_sendto, fd, sys_arg(&ask), sizeof ask,
			  MSG_NOSIGNAL, 0, 0);

	if (r >= 0)
		r = sys_call(&in->k, SYS_recvfrom, fd, sys_arg(&answer),
			     sizeof answer, 0, 0, 0);
	if (r < 0)
		return r;
	return r == sizeof answer && answer.error == 0 ? 0 : -answer.error;
}

int trace_begin(struct init *in)
{
	const int yes = 1;
	owned_sys_fd int mine = -1;
	owned_sys_fd int theirs = -1;
	int pair[2];
	long r;

	if (in->im->trace.len == 0 || init_drops(in, WALL_TRACE))
		return 0;
	r = sys4(&in->k, SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC,
		 0, pair);
	if (r < 0)
		return trace_refused(in, r, "a socket for the tracer");
	mine = pair[0];
	theirs = pair[1];
	r = sys5(&in->k, SYS_setsockopt, theirs, SOL_SOCKET, SO_PASSCRED, &yes,
		 sizeof yes);
	if (r < 0)
		return trace_refused(in, r, "a socket for the tracer");
	r = report_tracer(in, theirs);
	if (r < 0)
		return (int)r;
	sys_close(sys_take_fd(&theirs));
	r = tracer_ask(in, mine);
	if (r < 0)
		return trace_refused(in, r, "letting the tracer in");
	in->is_traced = true;
	return 0;
}

/* A notification comes before a stop, and its listener could let the call go
 * on.  So nobody inside may have one, not even where the kernel would allow it
 * because we have none.  Calls of another ABI die in the filter of traced
 * calls. */
static const struct sock_filter no_listener[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		 offsetof(struct seccomp_data, args[1])),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EBUSY),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static int listener_refuse(struct init *in)
{
	struct sock_fprog prog = {
		.len = sizeof no_listener / sizeof *no_listener,
		.filter = (struct sock_filter *)(uintptr_t)no_listener
	};
	long r;

	if ((in->out.refused & WALL_BIT(WALL_TRACE)) != 0)
		return 0;
	r = sys3(&in->k, SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	if (r < 0)
		return trace_refused(in, r, "the filter of listeners");
	init_applied(in, WALL_TRACE);
	return 0;
}

int trace_load(struct init *in)
{
	struct sock_fprog prog = { .len = (unsigned short)in->im->trace.len,
				   .filter = image_at(in, in->im->trace) };
	long r;

	if (!in->is_traced)
		return 0;
	r = sys3(&in->k, SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
	if (r < 0)
		return trace_refused(in, r, "the filter of traced calls");
	/* A copy loads no filter once the policy stands, and has no
	 * listener. */
	return in->is_copy ? listener_refuse(in) : 0;
}

int trace_seal(struct init *in)
{
	return in->is_traced && !in->is_copy ? listener_refuse(in) : 0;
}
