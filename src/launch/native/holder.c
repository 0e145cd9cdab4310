/* holder.c -- see holder.h. */
#include "launch/native/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/begin.h"
#include "launch/native/fd.h"
#include "plan/plan.h"
#include "plan/shape.h"

struct native_holder {
	struct holder held; /* first: callers hold a pointer to it */
	struct child child;
	bool is_ready;
	bool is_tree;
	struct native *asked; /* a phase that is not made yet; NULL = none */
};

/* --- answers -------------------------------------------------------------- */

/* Read one message and at most one descriptor.  The kernel closes further ones,
 * and says so.  Without one, *ret_fd is -1. */
static int answer_read(int socket_fd, struct answer_phase *ret, int *ret_fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec v = { .iov_base = ret, .iov_len = sizeof *ret };
	struct msghdr msg = { .msg_iov = &v,
			      .msg_iovlen = 1,
			      .msg_control = control.bytes,
			      .msg_controllen = sizeof control.bytes };
	struct cmsghdr *c;
	ssize_t n = recvmsg(socket_fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	*ret_fd = -1;
	if (n < 0)
		return errno == ECONNRESET ? -EPIPE : -errno;
	c = CMSG_FIRSTHDR(&msg);
	if (c != NULL && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(ret_fd, CMSG_DATA(c), sizeof(int));
	if (n == sizeof *ret && (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0)
		return 0;
	cleanup_fd(ret_fd);
	return n == 0 ? -EPIPE : -EPROTO;
}

static bool answer_is_sound(const struct answer_phase *a, enum answer_kind kind,
			    int fd)
{
	bool is_refusal = a->error.stage != CUPEL_STAGE_NONE;

	if (a->kind != (uint32_t)kind || a->error.stage >= CUPEL_STAGE_MAX_ ||
	    a->error.cause >= CUPEL_CAUSE_MAX_ ||
	    memchr(a->error.what, 0, sizeof a->error.what) == NULL)
		return false;
	return (fd >= 0) == !is_refusal &&
	       (!is_refusal || a->error.cause != CUPEL_CAUSE_NONE);
}

/* Take the holder's answer.  The error is the holder's own, or says that it
 * cannot answer any more.  -EAGAIN: it has not answered yet. */
static int answer_take(const struct native_holder *h, enum answer_kind kind,
		       int *ret_fd, struct cupel_error *err)
{
	struct answer_phase answer = { 0 };
	int fd = -1;
	int r = answer_read(h->child.control_fd, &answer, &fd);

	if (r == -EAGAIN || r == -EINTR)
		return -EAGAIN;
	if (r == 0 && !answer_is_sound(&answer, kind, fd))
		r = -EPROTO;
	if (r == 0 && answer.error.stage == CUPEL_STAGE_NONE) {
		*ret_fd = fd;
		return 0;
	}
	cleanup_fd(&fd);
	if (r < 0)
		return begin_fail(r, "hearing from the keeper of phases", err);
	*err = answer.error;
	return answer.error.sys > 0 ? -answer.error.sys : -EPROTO;
}

/* --- the files ------------------------------------------------------------ */

/* There may be many templates, and they never write or read. */
static void streams_close(struct child *c)
{
	cleanup_fd(&c->stdin_fd);
	cleanup_fd(&c->stdout_fd);
	cleanup_fd(&c->stderr_fd);
	cleanup_fd(&c->result_fd);
}

static int start(const struct plan *plan, const struct launch_extra *extra,
		 struct holder **ret, struct cupel_error *err)
{
	struct native_holder *h = calloc(1, sizeof *h);
	int r;

	if (h == NULL)
		return begin_fail(-ENOMEM, "no memory for phases", err);
	h->child = CHILD_NONE;
	h->held.tmpfs_fd = -1;
	h->is_tree = extra->is_tree;
	r = launcher_native.start(plan, extra, &h->child, err);
	if (r == 0 && h->is_tree)
		streams_close(&h->child);
	if (r < 0)
		holder_end(&h->held);
	else
		*ret = &h->held;
	return r;
}

int holder_start(const struct plan *plan, bool is_scoped, struct holder **ret,
		 struct cupel_error *err)
{
	const struct launch_extra extra = { .exec_fd = -1,
					    .is_scoped = is_scoped,
					    .is_holder = true };

	return start(plan, &extra, ret, err);
}

int tree_start(const struct plan *plan, struct holder **ret,
	       struct cupel_error *err)
{
	const struct launch_extra extra = { .exec_fd = -1,
					    .is_holder = true,
					    .is_tree = true };

	return start(plan, &extra, ret, err);
}

bool holder_lives(const struct holder *held)
{
	const struct native_holder *h = (const struct native_holder *)held;
	struct pollfd p[] = { { .fd = h->child.pidfd, .events = POLLIN },
			      { .fd = h->child.control_fd } };

	return poll(p, 2, 0) == 0;
}

void holder_end(struct holder *held)
{
	struct native_holder *h = (struct native_holder *)held;

	begin_done(h->asked);
	cleanup_fd(&h->held.tmpfs_fd);
	if (h->child.pidfd >= 0)
		launcher_native.close(&h->child);
	free(h);
}

/* --- a phase -------------------------------------------------------------- */

/* A process that was not born in a cgroup gets into it only by this file, with
 * the rights of the one who opened it.  A copy moves itself, its only thread: for
 * that the kernel need not stop all forks.  Returns it, -ENOENT when there is no
 * cgroup, or another -errno. */
static int procs_open(struct native *l, bool is_tree)
{
	if (l->child.cgroup.dir_fd < 0)
		return -ENOENT;
	return (int)sys4(&l->k, SYS_openat, l->child.cgroup.dir_fd,
			 is_tree ? "tasks" : "cgroup.procs",
			 O_WRONLY | O_CLOEXEC, 0);
}

static int order_send(struct native *l, const struct native_holder *h,
		      const struct plan *plan, int procs_fd)
{
	union {
		char bytes[CMSG_SPACE((PHASE_FDS + 1) * sizeof(int))];
		struct cmsghdr head;
	} control = { 0 };
	struct order_phase order = { .kind = ORDER_PHASE,
				     .has_procs = procs_fd >= 0,
				     .clone_flags = plan->clone_flags };
	const int fds[PHASE_FDS + 1] = { l->control,   l->image_fd,
					 l->inside[0], l->inside[1],
					 l->inside[2], l->inside[3],
					 procs_fd };
	size_t n = PHASE_FDS + (procs_fd >= 0);
	struct iovec iov = { .iov_base = &order, .iov_len = sizeof order };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = CMSG_SPACE(n * sizeof(int)) };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	return (int)sys3(&l->k, SYS_sendmsg, h->child.control_fd, &msg,
			 MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int go_send(struct native *l)
{
	const struct order go = { .kind = ORDER_GO };
	long r = sys_call(&l->k, SYS_sendto, l->child.control_fd, sys_arg(&go),
			  sizeof go, MSG_NOSIGNAL, 0, 0);

	return r == -EPIPE ? 0
	       : r < 0     ? (int)r
			   : 0; /* its last message says why */
}

/* Send what init waits for in its own socket: what it is to be.  A copy waits
 * for nothing else of ours. */
static int begin_send(struct native *l, bool is_tree)
{
	long r = sys_call(&l->k, SYS_sendto, l->child.control_fd,
			  sys_arg(&l->order), sizeof l->order, MSG_NOSIGNAL, 0,
			  0);

	if (r >= 0 && is_tree)
		r = go_send(l);
	return r < 0 ? (int)r : 0;
}

static bool has_joined(struct native *l)
{
	owned_fd int fd = (int)sys4(&l->k, SYS_openat, l->child.cgroup.dir_fd,
				    "cgroup.procs", O_RDONLY | O_CLOEXEC, 0);
	char first;

	return fd >= 0 && sys3(&l->k, SYS_read, fd, &first, 1) == 1;
}

static int cgroup_see(struct native *l, const struct plan *plan,
		      struct cupel_error *err)
{
	if (l->child.cgroup.dir_fd < 0 || has_joined(l))
		return 0;
	cgroup_remove(&l->child.cgroup);
	if (!plan->cgroup.is_needed)
		return 0;
	return begin_fail(-EACCES, "a phase cannot enter its cgroup", err);
}

static int phase_ask(struct native *l, const struct native_holder *h,
		     const struct plan *plan, struct cupel_error *err)
{
	owned_fd int procs = procs_open(l, h->is_tree);
	int r = 0;

	/* Without this, nobody would see that a copy is not in its cgroup. */
	if (h->is_tree && procs < 0 && l->child.cgroup.dir_fd >= 0)
		r = procs;
	if (r == 0)
		r = begin_send(l, h->is_tree);
	if (r == 0)
		r = order_send(l, h, plan, procs);
	if (r >= 0) /* bytes sent */
		r = l->child.pidfd = (int)sys3(&l->k, SYS_fcntl, h->child.pidfd,
					       F_DUPFD_CLOEXEC, 0);
	if (r < 0)
		return begin_fail(r, "asking for a phase", err);
	l->child.pid = 0; /* not our child: the holder's */
	l->child.backend = plan->backend;
	begin_close(l); /* only init may have its ends */
	return 0;
}

static int phase_start(struct native *l, const struct native_holder *h,
		       const struct plan *plan, const int trees[],
		       struct cupel_error *err)
{
	int r = begin_streams(l, err);

	if (r == 0)
		r = begin_streams_give(l, plan, err);
	if (r == 0) {
		l->image_fd = fd_memory(&l->k, "cupel-plan", NULL, 0, 0);
		if (l->image_fd < 0)
			r = begin_fail(l->image_fd,
				       "a memory file for the plan", err);
	}
	if (r == 0)
		r = begin_image_write(l, plan, trees, err);
	if (r == 0)
		r = cgroup_make(&l->k, &plan->cgroup, &l->child.cgroup, err);
	if (r == 0)
		r = phase_ask(l, h, plan, err);
	return r;
}

/* What a copy could not have must not be asked of one (plan/shape.h): it would be
 * missing without a word. */
static int copy_check(const struct native_holder *h, const struct plan *plan,
		      const struct launch_extra *extra, struct cupel_error *err)
{
	if (!h->is_tree || (shape_refusal(plan) == NULL &&
			    extra->inputs_len == 0 && extra->exec_fd <= 0))
		return 0;
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE, CUPEL_CAUSE_BUG, EINVAL,
			  "a copy of a template was asked for more than it can "
			  "have");
}

int holder_phase(struct holder *held, const struct plan *plan,
		 const struct launch_extra *extra, struct child *ret,
		 struct cupel_error *err)
{
	struct native_holder *h = (struct native_holder *)held;
	struct native *l;
	int *trees;
	int r = copy_check(h, plan, extra, err);

	if (r < 0)
		return r;
	l = begin_new(extra, 0);
	trees = calloc(plan->sources_len + 1, sizeof *trees);
	if (l == NULL || trees == NULL) {
		begin_done(l);
		free(trees);
		return begin_fail(-ENOMEM, "no memory for descriptors", err);
	}
	for (size_t i = 0; i < plan->sources_len; i++)
		trees[i] = -1; /* the holder has mounted them */
	l->order.backend = plan->backend;
	l->order.clone_flags = plan->clone_flags;
	l->order.is_early = h->is_tree; /* it writes its maps by itself */
#ifdef CUPEL_TEST_HOOKS
	l->order.hooks = plan->hooks;
	l->k.fault = plan->hooks.faults[TEST_PARENT];
#endif
	r = phase_start(l, h, plan, trees, err);
	if (r == 0) /* root's sources were mounted by the holder */
		l->child.unmapped = h->child.unmapped;
	free(trees);
	if (r < 0)
		return begin_end(l, r, ret);
	begin_done(h->asked); /* one that was never made */
	h->asked = l;
	*ret = l->child;
	l->child = CHILD_NONE;
	return 0;
}

/* --- what has become of it ------------------------------------------------ */

/* The phase is there, and waits for its go. */
static int phase_go(struct native *l, const struct plan *plan,
		    struct cupel_error *err)
{
	int r = cgroup_see(l, plan, err);

	if (r == 0)
		r = go_send(l) < 0 ? begin_fail(-EIO, "starting init", err)
				   : begin_helpers(l, plan, err);
	return r;
}

int holder_take(struct holder *held, const struct plan *plan, struct child *c,
		int *ret_pidfd, struct cupel_error *err)
{
	struct native_holder *h = (struct native_holder *)held;
	struct native *l = h->asked;
	int r = 0;

	*ret_pidfd = -1;
	if (!h->is_ready)
		r = answer_take(h, ANSWER_READY, &h->held.tmpfs_fd, err);
	if (r < 0)
		return r;
	h->is_ready = true;
	if (h->is_tree)
		cleanup_fd(&h->held.tmpfs_fd);
	r = answer_take(h, ANSWER_PHASE, ret_pidfd, err);
	if (r < 0)
		return r;
	h->asked = NULL;
	l->child = *c;
	r = h->is_tree ? 0 : phase_go(l, plan, err);
	*c = l->child;
	l->child = CHILD_NONE;
	begin_done(l);
	return r;
}

int holder_fd(const struct holder *held)
{
	return ((const struct native_holder *)held)->child.control_fd;
}
