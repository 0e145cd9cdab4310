/* report.c -- packets between init and the supervisor. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"

static int order_fail(struct init *in, long r, const char *what)
{
	if (r == 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, EPIPE,
				 "init: the supervisor is gone", NULL);
	return init_fail(in, CUPEL_STAGE_NAMESPACE, r < 0 ? (int)-r : EPROTO,
			 what, NULL);
}

/* Init goes by the row of its backend: where the row has namespaces, init
 * mounts, and relies on its own end to end everything below it.  So it must
 * have been born into the namespaces that the row says; a test may take down
 * the others. */
static bool is_of_backend(const struct order_begin *b)
{
	const uint64_t must = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID;
	uint64_t row = backend_of((enum spec_backend)b->backend)->clone_flags;

	return (b->clone_flags & ~row) == 0 &&
	       ((b->clone_flags ^ row) & must) == 0;
}

int order_begin(struct init *in)
{
	struct order_begin *b = &in->begin;
	/* Ask for the full length, too: a longer packet is not this one. */
	long r = sys_call(&in->k, SYS_recvfrom, in->control_fd, sys_arg(b),
			  sizeof *b, MSG_TRUNC, 0, 0);

	if (r != sizeof *b || b->kind != ORDER_BEGIN || !is_of_backend(b))
		return order_fail(in, r, "init: waiting for its task");
#ifdef CUPEL_TEST_HOOKS
	in->k.fault = b->hooks.faults[TEST_INIT];
#endif
	return 0;
}

int order_wait(struct init *in)
{
	struct order order = { 0 };
	long r;

	do {
		r = sys_call(&in->k, SYS_recvfrom, in->control_fd,
			     sys_arg(&order), sizeof order, 0, 0, 0);
		if (r > 0 && order.kind == ORDER_HELLO)
			r = sys_call(&in->k, SYS_sendto, in->control_fd,
				     sys_arg(&order), sizeof order,
				     MSG_NOSIGNAL, 0, 0);
	} while (r > 0 && order.kind == ORDER_HELLO);
	if (r <= 0 || order.kind != ORDER_GO)
		return order_fail(in, r, "init: waiting for the id maps");
	return 0;
}

/* The relay has what it needs, so there is a network.  A signal for the command
 * may be ordered before that. */
int order_network(struct init *in)
{
	struct order order = { 0 };

	while (order.kind != ORDER_NETWORK) {
		long r = sys_call(&in->k, SYS_recvfrom, in->control_fd,
				  sys_arg(&order), sizeof order, 0, 0, 0);

		if (r <= 0)
			return order_fail(in, r, "init: waiting for the relay");
		if (order.kind == ORDER_SIGNAL)
			in->held_signal = order.signal;
	}
	return 0;
}

static long packet_send(struct init *in, const int fds[], size_t n)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(EGRESS_SOCKETS_MAX * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { .iov_base = &in->out, .iov_len = sizeof in->out };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (n > 0) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	}
	return sys3(&in->k, SYS_sendmsg, in->control_fd, &msg, MSG_NOSIGNAL);
}

void report_failed(struct init *in)
{
	in->out.kind = RECORD_FAILED;
	in->out.carries = 0;
	(void)packet_send(in, NULL, 0);
}

/* What the supervisor may have.  The terminal goes at once, because nobody else
 * answers it. */
static size_t carry_collect(struct init *in, uint32_t which, int send[])
{
	const int fds[] = { in->proc_fd, in->base_fd, in->shm_fd,
			    in->terminal_fd, in->sockets_fd };
	static const uint32_t bits[] = { CARRY_PROC, CARRY_TMPFS, CARRY_SHM,
					 CARRY_TERMINAL, CARRY_SOCKETS };
	size_t n = 0;

	in->out.carries = 0;
	in->out.offers = 0;
	for (size_t i = 0; i < RECORD_FDS_MAX; i++) {
		if (fds[i] < 0)
			continue;
		if (!(which & bits[i])) {
			in->out.offers |= bits[i];
			continue;
		}
		in->out.carries |= bits[i];
		send[n++] = fds[i];
	}
	return n;
}

/* From here on init holds the control socket, the listener and what it offered,
 * at the lowest numbers, and nothing else.  The pipes must reach their end when
 * the command's side closes. */
static int descriptors_close(struct init *in)
{
	/* The listener has a low number (command.c, FDS_FREE), and all others
	 * have a higher one than any that is given here.  So the listener is
	 * moved first. */
	int *const kept[] = {
		&in->listener_fd, &in->control_fd, &in->base_fd,
		&in->proc_fd,     &in->shm_fd,     &in->sockets_fd
	};
	long r = 0;
	int n = 0;

	for (size_t i = 0; r >= 0 && i < sizeof kept / sizeof *kept; i++) {
		if (*kept[i] < 0)
			continue;
		r = sys3(&in->k, SYS_dup3, *kept[i], n, O_CLOEXEC);
		*kept[i] = n++;
	}
	if (r >= 0)
		r = sys3(&in->k, SYS_close_range, n, ~0U, 0);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "init: closing descriptors", NULL);
	in->terminal_fd = -1;
	return 0;
}

static int carry_send(struct init *in, enum record_kind kind, uint32_t which)
{
	int send[RECORD_FDS_MAX];
	size_t n = carry_collect(in, which, send);
	long r;

	in->out.kind = kind;
	r = packet_send(in, send, n);
	return r < 0 ? init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "init: reporting", NULL)
		     : 0;
}

int report_started(struct init *in)
{
	uint32_t now = CARRY_TERMINAL |
		       (in->im->carry_tmpfs ? (uint32_t)CARRY_TMPFS : 0);
	int r = carry_send(in, RECORD_STARTED, now);

	return r < 0 ? r : descriptors_close(in);
}

/* The command's process calls this with its own copy; init knows nothing of
 * it. */
int report_network(struct init *in, const int fds[], size_t n)
{
	long r;

	in->out.kind = RECORD_NETWORK;
	in->out.carries = 0;
	r = packet_send(in, fds, n);
	return r < 0 ? init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "handing the network's sockets over", NULL)
		     : 0;
}

int report_tracer(struct init *in, int fd)
{
	long r;

	in->out.kind = RECORD_TRACER;
	in->out.carries = 0;
	r = packet_send(in, &fd, 1);
	return r < 0 ? init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "handing the tracer's socket over", NULL)
		     : 0;
}

int report_carried(struct init *in)
{
	if (in->has_shm && in->shm_fd < 0)
		in->shm_fd = (int)sys4(&in->k, SYS_openat, in->proc_fd,
				       "sysvipc/shm", O_RDONLY | O_CLOEXEC, 0);
	return carry_send(in, RECORD_CARRIED,
			  CARRY_PROC | CARRY_TMPFS | CARRY_SHM | CARRY_SOCKETS);
}

int report_forbidden(struct init *in)
{
	in->out.kind = RECORD_FORBIDDEN;
	in->out.carries = 0;
	return (int)packet_send(in, NULL, 0);
}

int report_exited(struct init *in)
{
	in->out.kind = RECORD_EXITED;
	in->out.carries = 0;
	return (int)packet_send(in, NULL, 0);
}
