/* holder.c -- keeps the files of a run of phases, and starts their inits
 * (docs/copies.md).
 *
 * It is PID 1 of a PID namespace around all phases, so they end with it.  It
 * never reads a file, and starts nothing but inits of ours. */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "launch/native/init/init.h"

#define PHASE_STACK_BYTES (128U << 10) /* with the child's and the keeper's */
#define WAIT_ALL          0x40000000   /* __WALL */

/* Made together with the process; the command makes its network itself. */
#define PHASE_NAMESPACES                                                       \
	(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |            \
	 CLONE_NEWCGROUP)

struct holder {
	struct init *in;
	struct order_phase order;
	struct phase_given given;
	size_t given_len;
	_Alignas(16) char stack[PHASE_STACK_BYTES];
};

static long answer_send(struct init *in, enum answer_kind kind, int pidfd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof pidfd)];
	} control = { 0 };
	struct answer_phase answer = { .kind = kind, .error = in->out.error };
	struct iovec iov = { .iov_base = &answer, .iov_len = sizeof answer };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (pidfd >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof control;
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof pidfd);
		memcpy(CMSG_DATA(&control.head), &pidfd, sizeof pidfd);
	}
	return sys3(&in->k, SYS_sendmsg, in->control_fd, &msg, MSG_NOSIGNAL);
}

#ifdef CUPEL_TEST_HOOKS
/* Be slow, where a test asks for that. */
static void holder_dawdle(const struct init *in, enum drop_bit bit,
			  int64_t seconds)
{
	const struct timespec time = { .tv_sec = seconds };

	if (init_drops(in, bit))
		(void)sys_raw(SYS_nanosleep, sys_arg(&time), 0, 0, 0, 0, 0);
}
#else
#define holder_dawdle(in, bit, seconds) ((void)(in))
#endif

/* --- orders --------------------------------------------------------------- */

static void given_take(struct holder *h, const struct msghdr *msg,
		       const struct cmsghdr *head)
{
	int fds[PHASE_FDS + 1];

	h->given_len = 0;
	h->given.procs_fd = -1;
	if (msg->msg_controllen < sizeof *head ||
	    head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
		return;
	h->given_len = (head->cmsg_len - CMSG_LEN(0)) / sizeof *fds;
	memcpy(fds, CMSG_DATA(head), h->given_len * sizeof *fds);
	memcpy(h->given.fds, fds, sizeof h->given.fds);
	if (h->given_len > PHASE_FDS)
		h->given.procs_fd = fds[PHASE_FDS];
}

/* Returns 1 with an order, 0 when the supervisor is gone, or -errno. */
static long order_take(struct holder *h)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE((PHASE_FDS + 1) * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { .iov_base = &h->order,
			     .iov_len = sizeof h->order };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control };
	long n = sys3(&h->in->k, SYS_recvmsg, h->in->control_fd, &msg,
		      MSG_CMSG_CLOEXEC);

	if (n <= 0)
		return n;
	given_take(h, &msg, &control.head);
	if (n != sizeof h->order || h->order.kind != ORDER_PHASE ||
	    (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
	    h->given_len != PHASE_FDS + (h->order.has_procs != 0))
		return -EPROTO;
	return 1;
}

static void given_close(struct holder *h)
{
	for (size_t i = 0; i < PHASE_FDS && i < h->given_len; i++)
		sys_close(h->given.fds[i]);
	sys_close(h->given.procs_fd);
}

/* --- a phase -------------------------------------------------------------- */

static uint64_t flags_of(const struct holder *h)
{
	const struct order_phase *order = &h->order;
	uint64_t flags = order->clone_flags & PHASE_NAMESPACES;

	if (h->in->part == PART_TREE)
		flags |= CLONE_NEWUSER;
	if (init_shares(h->in, WALL_USERNS))
		flags &= ~(uint64_t)CLONE_NEWUSER;
	if (init_shares(h->in, WALL_IPCNS))
		flags &= ~(uint64_t)CLONE_NEWIPC;

	/* It must hide the cgroup that init has yet to join. */
	return order->has_procs ? flags & ~(uint64_t)CLONE_NEWCGROUP : flags;
}

/* Wait until nothing of the phase is left: init is the first process of a PID
 * namespace, and ends only after all others in it.  Returns 0, or -EPIPE when
 * the supervisor is gone, and with it the reason for all that is in here. */
static long phase_await(struct holder *h, long pid, int pidfd)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
				{ .fd = h->in->control_fd } };
	long r;

	do
		r = sys5(&h->in->k, SYS_ppoll, fds, 2, 0, 0, 8);
	while (r == -EINTR || (r > 0 && fds[0].revents == 0 &&
			       (fds[1].revents & POLLHUP) == 0));
	if (r < 0 || fds[0].revents == 0)
		return r < 0 ? r : -EPIPE;
	do
		r = sys4(&h->in->k, SYS_wait4, pid, 0, WAIT_ALL, 0);
	while (r == -EINTR);
	return r < 0 ? r : 0;
}

/* Done while init waits for its go.  The right to it is the supervisor's, who
 * opened the file and checks whether any process has come. */
static void cgroup_fill(struct holder *h, long pid)
{
	char text[24];
	char *end = text + sizeof text;
	const char *digits = number_before(end, pid);

	/* a copy does it itself */
	if (h->given.procs_fd >= 0 && h->in->part != PART_TREE)
		(void)sys3(&h->in->k, SYS_write, h->given.procs_fd, digits,
			   end - digits);
}

/* A copy shares nothing with the next one, so nobody waits for its end here. */
static void copies_reap(struct holder *h)
{
	while (sys4(&h->in->k, SYS_wait4, -1, 0, WAIT_ALL | WNOHANG, 0) > 0)
		;
}

static long phase_make(struct holder *h)
{
	bool is_tree = h->in->part == PART_TREE;
	owned_sys_fd int pidfd = -1;
	struct clone_args args = {
		.flags = flags_of(h) | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.exit_signal = SIGCHLD,
		.stack = (uint64_t)(uintptr_t)h->stack,
		.stack_size = sizeof h->stack,
	};
	long pid = sys_clone3(&h->in->k, &args,
			      is_tree ? tree_main : phase_main, &h->given);
	long r;

	if (pid < 0) {
		given_close(h);
		(void)init_fail(h->in, CUPEL_STAGE_NAMESPACE, (int)-pid,
				"the namespaces of a phase were refused", NULL);
		return answer_send(h->in, ANSWER_PHASE, -1) < 0 ? -EPIPE : pid;
	}
	cgroup_fill(h, pid);
	given_close(h);
	holder_dawdle(h->in, DROP_ANSWER, 1);
	r = answer_send(h->in, ANSWER_PHASE, pidfd);
	if (is_tree)
		copies_reap(h);
	return r < 0 || is_tree ? r : phase_await(h, pid, pidfd);
}

/* What the phases need is in the mount table.  The supervisor needs the
 * tmpfs. */
#define TMPFS_FD  (CONTROL_FD + 1)
#define COUNTS_FD (CONTROL_FD + 2)

/* Both leave their numbers first, so that neither takes the other's. */
static long descriptors_place_kept(struct init *in)
{
	long base = sys3(&in->k, SYS_fcntl, in->base_fd, F_DUPFD_CLOEXEC,
			 COUNTS_FD + 1);
	long counts = 0;

	if (base >= 0 && in->counts_fd >= 0)
		counts = sys3(&in->k, SYS_fcntl, in->counts_fd, F_DUPFD_CLOEXEC,
			      COUNTS_FD + 1);
	if (base < 0 || counts < 0)
		return base < 0 ? base : counts;
	base = sys3(&in->k, SYS_dup3, base, TMPFS_FD, O_CLOEXEC);
	if (base >= 0 && in->counts_fd >= 0)
		base = sys3(&in->k, SYS_dup3, counts, COUNTS_FD, O_CLOEXEC);
	return base;
}

static int descriptors_drop(struct init *in)
{
	long r = descriptors_place_kept(in);

	if (r >= 0)
		r = sys3(&in->k, SYS_fcntl, CONTROL_FD, F_SETFD, FD_CLOEXEC);
	if (r >= 0)
		r = sys3(&in->k, SYS_close_range, 0, CONTROL_FD - 1, 0);
	if (r >= 0)
		r = sys3(&in->k, SYS_close_range,
			 COUNTS_FD + (in->counts_fd >= 0), ~0U, 0);
	if (in->counts_fd >= 0)
		in->counts_fd = COUNTS_FD;
	in->root_fd = in->rootdir_fd = in->proc_fd = -1;
	in->base_fd = TMPFS_FD;
	if (r == 0)
		r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE,
			 init_drops(in, DROP_DUMPABLE));
	return r < 0 ? init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "closing what the phases do not need", NULL)
		     : 0;
}

static int files_make(struct init *in)
{
	static init_stage *const first[] = {
		umask_set, signals_reset, order_wait, image_map,
		ids_take,  names_set,     root_build,
	};
	static init_stage *const of_phases[] = { holder_enter,
						 descriptors_drop };
	static init_stage *const of_copies[] = { tree_keep, holder_enter,
						 tree_close, descriptors_drop };
	int r = stages_run(in, first, sizeof first / sizeof *first);

	if (r < 0)
		return r;
	if (in->part == PART_TREE)
		return stages_run(in, of_copies,
				  sizeof of_copies / sizeof *of_copies);
	return stages_run(in, of_phases, sizeof of_phases / sizeof *of_phases);
}

int holder_main(struct init *in)
{
	struct holder h = { .in = in };
	long r;

	in->part = in->begin.holds == HOLDS_TREE ? PART_TREE : PART_HOLDER;
	h.given.holder = in;
	r = files_make(in);
	holder_dawdle(in, DROP_READY, 60);
	if (answer_send(in, ANSWER_READY, r < 0 ? -1 : in->base_fd) < 0 ||
	    r < 0)
		return 1;
	sys_close(in->base_fd);
	while (r >= 0) {
		r = order_take(&h);
		if (r <= 0)
			break;
		r = phase_make(&h);
	}
	return r < 0;
}
