/* template.c -- makes vessels out of a running program (docs/copies.md).
 *
 * A shared object that a template loads.  The template is an interpreter that
 * has done what any run of it would do first.  For each order it makes one
 * vessel inside its own: init, in namespaces of its own and in the template's
 * memory, on a stack of its own; and the command, a copy of that memory,
 * confined like any other.  The command returns to the program; in the template
 * nothing returns to it while orders come.
 *
 * The template waits for init's end, so no two of them use the memory at once.
 * What the moment before that needs is on its stack. */
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/template.h"
#include "plan/plan.h"

__attribute__((visibility("default"))) long template_serve(
	long socket_fd, long image_fd, int (*fork)(void),
	const struct template_range *ranges, long ranges_len);

static void list_close(const struct fd_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		sys_close(list->fds[i]);
}

/* Returns 1 with an order, 0 at the end, or -errno. */
static int order_take(struct template *t)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof t->given.fds)];
	} control = { 0 };
	struct iovec iov = { .iov_base = &t->order,
			     .iov_len = sizeof t->order };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control };
	long n = sys_raw(SYS_recvmsg, t->socket_fd, sys_arg(&msg),
			 MSG_CMSG_CLOEXEC, 0, 0, 0);

	t->given.len = 0;
	if (n <= 0)
		return (int)n;
	if (msg.msg_controllen >= sizeof control.head &&
	    control.head.cmsg_level == SOL_SOCKET &&
	    control.head.cmsg_type == SCM_RIGHTS) {
		size_t bytes = control.head.cmsg_len - CMSG_LEN(0);

		memcpy(t->given.fds, CMSG_DATA(&control.head), bytes);
		t->given.len = bytes / sizeof(int);
	}
	if (n != sizeof t->order || t->order.kind != ORDER_COPY ||
	    (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
	    t->given.len != COPY_FDS + t->in.im->inputs.len)
		return -EPROTO;
	return 1;
}

static long answer_send(struct template *t, enum answer_kind kind, int error,
			int pidfd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof pidfd)];
	} control = { 0 };
	struct answer_copy answer = { .kind = kind, .error = error };
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
	return sys_raw(SYS_sendmsg, t->socket_fd, sys_arg(&msg), MSG_NOSIGNAL,
		       0, 0, 0);
}

/* One after the other: the next vessel begins only when everything in this one
 * is gone. */
static long copy_make(struct template *t)
{
	owned_sys_fd int pidfd = -1;
	struct fd_list given = t->given;
	struct clone_args args = {
		.flags = PLAN_NAMESPACES | CLONE_VM | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.exit_signal = SIGCHLD,
		.stack = (uint64_t)(uintptr_t)t->stack,
		.stack_size = sizeof t->stack,
	};
	struct sys k = { 0 };
	long pid;
	long r = sys_raw(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0, 0);

	if (r < 0)
		return r;
	pid = sys_clone3(&k, &args, copy_main, t);
	list_close(&given);
	r = answer_send(t, ANSWER_COPIED, pid < 0 ? (int)-pid : 0, pidfd);
	if (pid > 0)
		while (sys_raw(SYS_wait4, pid, 0, 0x40000000 /* __WALL */, 0, 0,
			       0) == -EINTR)
			;
	return r;
}

static long orders_serve(struct template *t)
{
	long r = answer_send(t, ANSWER_READY, 0, -1);

	while (r >= 0) {
		r = order_take(t);
		if (r <= 0) {
			list_close(&t->given);
			return r;
		}
		r = copy_make(t);
	}
	return r;
}

/* template_serve -- called by the program that is to be copied, which has only
 * one thread.
 *
 * @socket_fd	orders come here
 * @image_fd	of the copies' plan (image.h); closed
 * @fork	the C library's, which knows its own state
 * @ranges	of memory that each copy writes to: copied at once, not page by
 *		page as it is written to
 * Returns 1 in each copy, confined; in the template 0 or -errno, when it is to
 * end. */
long template_serve(long socket_fd, long image_fd, int (*fork)(void),
		    const struct template_range *ranges, long ranges_len)
{
	struct template t = { .socket_fd = (int)socket_fd,
			      .fork = fork,
			      .ranges = ranges,
			      .ranges_len = (size_t)ranges_len,
			      .in = { .base_fd = -1,
				      .root_fd = -1,
				      .proc_fd = -1,
				      .shm_fd = -1,
				      .sockets_fd = -1,
				      .terminal_fd = -1,
				      .rootdir_fd = -1,
				      .listener_fd = -1,
				      .ruleset_fd = -1,
				      .begin.backend = BACKEND_NAMESPACES,
				      .begin.clone_flags = PLAN_NAMESPACES,
				      .is_copy = true } };
	long r = image_map_from(&t.in, (int)image_fd);

	if (r < 0)
		return r;
	/* A copy returns here, with the template's stack as it was. */
	if (__builtin_setjmp(t.jump) != 0)
		return 1;
	return orders_serve(&t);
}
