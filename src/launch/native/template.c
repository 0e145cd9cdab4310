/* template.c -- see template.h: the parent's side of
 * launch/native/init/template.c. */
#include "launch/native/template.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/begin.h"
#include "launch/native/fd.h"
#include "launch/native/image_write.h"
#include "launch/native/init_image.h"
#include "plan/plan.h"

/* The time for an answer: one clone3(2) in a process that does nothing else. */
#define ANSWER_MS 2000

#define SEALS (F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

static int memory_sealed(struct sys *k, const char *name, const void *bytes,
			 size_t n, struct cupel_error *err)
{
	owned_fd int fd = fd_memory(k, name, bytes, n, 1);
	long r = fd;

	if (r >= 0)
		r = sys3(k, SYS_fcntl, fd, F_ADD_SEALS, SEALS);
	return r < 0 ? begin_fail(r, "a memory file for a template", err)
		     : take_fd(&fd);
}

/* The plan of the copies, whose descriptors are still to come. */
static int image_open(struct sys *k, const struct plan *copies,
		      size_t inputs_len, struct cupel_error *err)
{
	owned_buf struct buf image = { 0 };
	int inputs[COPY_INPUTS_MAX] = { 0 };
	int *trees = calloc(copies->sources_len + 1, sizeof *trees);
	struct image_fds fds = { .stdio = { -1, -1, -1, -1 },
				 .exec_fd = -1,
				 .trees = trees,
				 .inputs = inputs,
				 .inputs_len = inputs_len };

	if (trees != NULL)
		image_build(copies, &fds, &image);
	free(trees);
	if (trees == NULL || buf_has_failed(&image))
		return begin_fail(-ENOMEM, "no memory for a template's plan",
				  err);
	return memory_sealed(k, "cupel-plan", image.bytes, image.len, err);
}

int template_launch(const struct plan *plan, const struct plan *copies,
		    size_t inputs_len, int program_fd, struct child *ret,
		    struct cupel_error *err)
{
	struct sys k = { 0 };
	owned_fd int object = -1;
	owned_fd int image = -1;

	if (inputs_len > COPY_INPUTS_MAX)
		return begin_fail(-E2BIG, "inputs of a template's copies", err);
	object = memory_sealed(&k, "cupel-template", template_image_bytes,
			       template_image_len(), err);
	if (object < 0)
		return object;
	image = image_open(&k, copies, inputs_len, err);
	if (image < 0)
		return image;
	return launch_start(
		plan,
		&(struct launch_extra){
			.inputs = (const int[]){ program_fd, object, image },
			.inputs_len = 3,
			.exec_fd = -1,
			.is_template = true },
		ret, err);
}

/* --- the socket ----------------------------------------------------------- */

/* Takes at most one descriptor.  The kernel closes any more, and says so.
 * Returns 0 or -errno; without a descriptor *ret_fd is -1. */
static int answer_read(int socket_fd, int flags, struct answer_copy *ret,
		       int *ret_fd)
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
	ssize_t n = recvmsg(socket_fd, &msg, flags | MSG_CMSG_CLOEXEC);

	*ret_fd = -1;
	if (n < 0)
		return -errno;
	c = CMSG_FIRSTHDR(&msg);
	if (c != NULL && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(ret_fd, CMSG_DATA(c), sizeof(int));
	if (n == sizeof *ret && (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0)
		return 0;
	cleanup_fd(ret_fd);
	return n == 0 ? -EPIPE : -EPROTO;
}

int template_is_ready(int socket_fd)
{
	struct answer_copy answer = { 0 };
	int fd;
	int r = answer_read(socket_fd, MSG_DONTWAIT, &answer, &fd);

	if (r == -EAGAIN || r == -EINTR)
		return 0;
	if (r == 0 && (answer.kind != ANSWER_READY || fd >= 0)) {
		cleanup_fd(&fd);
		r = -EPROTO;
	}
	return r < 0 ? r : 1;
}

static int order_send(struct native *l, int socket_fd,
		      const struct template_vessel *v)
{
	union {
		char bytes[CMSG_SPACE((COPY_FDS + COPY_INPUTS_MAX) *
				      sizeof(int))];
		struct cmsghdr head;
	} control = { 0 };
	struct order_copy order = { .kind = ORDER_COPY,
				    .cross = v->cross,
				    .inherited = v->inherited };
	size_t n = COPY_FDS + l->extra.inputs_len;
	int fds[COPY_FDS + COPY_INPUTS_MAX];
	struct iovec iov = { .iov_base = &order, .iov_len = sizeof order };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = CMSG_SPACE(n * sizeof(int)) };

#ifdef CUPEL_TEST_HOOKS
	order.hooks = v->plan->hooks;
#endif
	memcpy(fds, l->inside, sizeof l->inside);
	fds[COPY_FDS - 1] = l->control;
	memcpy(fds + COPY_FDS, l->extra.inputs,
	       l->extra.inputs_len * sizeof *fds);
	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	return sendmsg(socket_fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0
		       ? -errno
		       : 0;
}

static int answer_await(int socket_fd, struct answer_copy *ret, int *ret_fd)
{
	struct pollfd p = { .fd = socket_fd, .events = POLLIN };
	int r;

	do
		r = poll(&p, 1, ANSWER_MS);
	while (r < 0 && errno == EINTR);
	if (r <= 0)
		return r < 0 ? -errno : -ETIMEDOUT;
	return answer_read(socket_fd, MSG_DONTWAIT, ret, ret_fd);
}

static int copy_ask(struct native *l, int socket_fd,
		    const struct template_vessel *v, struct cupel_error *err)
{
	struct answer_copy answer = { 0 };
	owned_fd int pidfd = -1;
	int r = order_send(l, socket_fd, v);

	if (r < 0)
		return begin_fail(r, "asking a template for a copy", err);
	r = answer_await(socket_fd, &answer, &pidfd);
	if (r == 0 && (answer.kind != ANSWER_COPIED || answer.error < 0 ||
		       (answer.error == 0) != (pidfd >= 0)))
		r = -EPROTO;
	if (r < 0)
		return begin_fail(r, "a template's answer", err);
	if (answer.error != 0)
		return begin_fail(-answer.error,
				  "namespaces within a vessel were refused",
				  err);
	l->child.pidfd = take_fd(&pidfd);
	l->child.pid = 0; /* not our child: the template's */
	l->child.backend = v->plan->backend;
	return 0;
}

int template_copy(int socket_fd, const struct template_vessel *v,
		  const struct launch_extra *extra, struct child *ret,
		  struct cupel_error *err)
{
	struct native *l;
	int r;

	if (extra->inputs_len > COPY_INPUTS_MAX)
		return begin_fail(-E2BIG, "inputs of a template's copy", err);
	l = begin_new(extra, 0);
	if (l == NULL)
		return begin_fail(-ENOMEM, "no memory for descriptors", err);
	r = begin_streams(l, err);
	if (r == 0)
		r = begin_streams_give(l, v->plan, err);
	if (r == 0)
		r = copy_ask(l, socket_fd, v, err);
	return begin_end(l, r, ret);
}
