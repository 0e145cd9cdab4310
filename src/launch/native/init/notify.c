/* notify.c -- forbidden calls: none that was made goes unseen (docs/init.md).
 *
 * A call that the policy forbids as a violation waits as a notification, which
 * only init receives.  A notification disappears unreceived when its thread is
 * killed or interrupted first, but the kernel goes on counting it: then a
 * receive fails at once with ENOENT, where it would wait if there had been
 * none.  That holds as long as a process lives that has the filter.  So we keep
 * a process of our own, the keeper, that does nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>

#include "launch/native/init/init.h"

#define KERNEL_SIGSET 8 /* bytes of the kernel's sigset_t */

/* The time that a try to receive may take, again and again: the first tick can
 * come too early. */
#define TICK_US       10
#define TICK_AGAIN_US 100

/* --- the keeper ----------------------------------------------------------- */

/* The keeper runs in init's memory, which nobody inside may look into, blocks
 * all signals but SIGKILL, and is not in the command's process group.  The
 * Landlock domain that the command enters after this keeps its signals in.  The
 * keeper's end sends no SIGCHLD, and wait4(2) does not see it without __WCLONE,
 * so nobody waits for it by mistake. */
__attribute__((noreturn)) static int keeper_run(void *arg)
{
	const struct init *in = arg;
	const uint64_t all = ~UINT64_C(0);
	struct sys k = { .key = in->keeper_key };

	turn_await(in, DROP_TURN_KEEPER);
	/* If the policy forbids the call, the trap still ends us without
	 * one. */
	if (life_share(&k, in->life, true) < 0) {
		(void)sys1(&k, SYS_exit_group, 0);
		__builtin_trap();
	}
	for (;;)
		(void)sys2(&k, SYS_rt_sigsuspend, &all, KERNEL_SIGSET);
}

long keeper_start(struct init *in)
{
	struct clone_args args = {
		.flags = CLONE_VM | CLONE_FILES | CLONE_SIGHAND | CLONE_PARENT |
			 CLONE_UNTRACED,
		.stack = (uint64_t)(uintptr_t)in->keeper_stack,
		.stack_size = KEEPER_STACK_BYTES,
	};
	long r;

	if (init_drops(in, DROP_KEEPER))
		return 0;
	r = sys_clone3(&in->k, &args, keeper_run, in);
	if (r > 0)
		in->out.keeper_pid = (int32_t)r;
	return r;
}

/* --- receiving ------------------------------------------------------------ */

/* The kernel may know a longer struct than these headers.  It wants to be given
 * its own size, zeroed. */
union notification {
	struct seccomp_notif n;
	char room[512];
};

/* Read it before the process can have ended and its number belongs to
 * another. */
static void comm_read(struct init *in, const union notification *u,
		      char ret[16])
{
	static const char tail[] = "/comm";
	char path[40] = "/proc/";
	char digits[20];
	char *from = number_before(digits + sizeof digits, u->n.pid);
	size_t n = strlen(path);
	owned_sys_fd int fd = -1;
	long len;

	while (from < digits + sizeof digits)
		path[n++] = *from++;
	memcpy(path + n, tail, sizeof tail);
	n = in->proc_fd >= 0 ? strlen("/proc/") : 0;
	fd = (int)sys4(&in->k, SYS_openat, in->proc_fd, path + n,
		       O_RDONLY | O_CLOEXEC, 0);
	len = fd >= 0 ? sys3(&in->k, SYS_read, fd, ret, 16) : 0;
	if (len > 0 && ret[len - 1] == '\n')
		len--;
	ret[len > 0 && len < 16 ? len : 0] = '\0';
	if (sys3(&in->k, SYS_ioctl, in->listener_fd,
		 SECCOMP_IOCTL_NOTIF_ID_VALID, &u->n.id) < 0)
		ret[0] = '\0';
}

/* Note the first one, which ends the run. */
static void notification_note(struct init *in, const union notification *u)
{
	struct forbidden *f = &in->out.forbidden;

	if (f->kind == FORBIDDEN_SEEN)
		return;
	*f = (struct forbidden){ .kind = FORBIDDEN_SEEN,
				 .number = u->n.data.nr,
				 .arch = u->n.data.arch,
				 .pid = (int32_t)u->n.pid };
	memcpy(f->args, u->n.data.args, sizeof f->args);
	if (f->pid > 0)
		comm_read(in, u, f->comm);
}

/* Returns 0 with in->out.forbidden filled, or -errno. */
static long notification_receive(struct init *in)
{
	union notification u;
	long r;

	memset(&u, 0, sizeof u);
	r = sys3(&in->k, SYS_ioctl, in->listener_fd, SECCOMP_IOCTL_NOTIF_RECV,
		 &u);
	if (r == 0)
		notification_note(in, &u);
	return r < 0 ? r : 0;
}

static void note(struct init *in, enum forbidden_kind kind)
{
	if (in->out.forbidden.kind == FORBIDDEN_NONE)
		in->out.forbidden.kind = kind;
}

int forbidden_take(struct init *in)
{
	bool is_first = in->out.forbidden.kind == FORBIDDEN_NONE;

	/* Init was told that there is one.  Receiving does not wait for
	 * another, because only we lower the kernel's count. */
	if (notification_receive(in) < 0)
		note(in, FORBIDDEN_COUNTED);
	return is_first ? report_forbidden(in) : 0;
}

static bool is_kept(struct init *in)
{
	const struct timespec none = { 0 };
	struct pollfd p = { .fd = in->listener_fd, .events = POLLIN };
	long r = sys5(&in->k, SYS_ppoll, &p, 1, &none, 0, 0);

	return r == 0 || (r > 0 && (p.revents & POLLHUP) == 0);
}

/* The kernel checks its count once more when a signal ends the wait.  So when
 * only the command's own end did that, there was no forbidden call up to this
 * end.  A host that stops init itself (a debugger) could come between the two,
 * but nobody inside can, because init is the first process of a PID
 * namespace. */
int forbidden_await(struct init *in)
{
	bool is_first = in->out.forbidden.kind == FORBIDDEN_NONE;
	union notification u;
	struct wake wake;
	long r;

	memset(&u, 0, sizeof u);
	r = event_await(in, SECCOMP_IOCTL_NOTIF_RECV, &u, &wake);
	if (r == -EAGAIN)
		return 0;
	if (r == -EINTR) {
		in->is_settled =
			wake.signals == 1 && wake.ended_pid == in->command_pid;
		return 0;
	}
	if (r == 0)
		notification_note(in, &u);
	else if (r == -ENOENT && is_kept(in))
		note(in, FORBIDDEN_COUNTED);
	else
		return (int)r;
	return is_first ? report_forbidden(in) : 0;
}

/* --- the count ------------------------------------------------------------ */

static void on_tick(int signal)
{
	(void)signal;
}

static long tick_handle(struct init *in, uint64_t handler)
{
	const struct {
		uint64_t handler, flags, restorer, mask;
	} act = { handler, SIGNAL_RESTORER_FLAG,
		  (uint64_t)(uintptr_t)signal_return, 0 };

	return sys4(&in->k, SYS_rt_sigaction, SIGALRM, &act, 0,
		    sizeof act.mask);
}

static long tick_mask(struct init *in, int how)
{
	const uint64_t mask = UINT64_C(1) << (SIGALRM - 1);

	return sys4(&in->k, SYS_rt_sigprocmask, how, &mask, 0, KERNEL_SIGSET);
}

static long ticks_set(struct init *in, long first_us, long us)
{
	const struct itimerval every = { .it_interval.tv_usec = us,
					 .it_value.tv_usec = first_us };

	return sys3(&in->k, SYS_setitimer, ITIMER_REAL, &every, 0);
}

/* Like notification_receive(), but -EINTR where there is none and the filter
 * still lives.  A SIGALRM from inside does no harm: the kernel looks at the
 * count before it looks at signals. */
static long notification_try(struct init *in)
{
	long r = tick_handle(in, (uint64_t)(uintptr_t)on_tick);

	if (r == 0)
		r = tick_mask(in, SIG_UNBLOCK);
	if (r == 0)
		r = ticks_set(in, TICK_US, TICK_AGAIN_US);
	if (r == 0)
		r = notification_receive(in);
	(void)ticks_set(in, 0, 0);
	(void)tick_mask(in, SIG_BLOCK);
	return r;
}

/* This comes before the command is reaped: up to Linux 6.10 even a dead process
 * keeps the count until then. */
void forbidden_settle(struct init *in)
{
	long r;

	if (in->listener_fd < 0 || in->is_settled ||
	    init_drops(in, DROP_KEEPER) ||
	    in->out.forbidden.kind != FORBIDDEN_NONE)
		return;
	r = notification_try(in);
	if (r == -EINTR)
		return;
	/* ENOENT is also the answer where no filter is left. */
	if (r == -ENOENT && is_kept(in))
		note(in, FORBIDDEN_COUNTED);
	else if (r < 0)
		note(in, FORBIDDEN_UNKNOWN);
}
