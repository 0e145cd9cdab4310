/* sync.c -- see launch/sync.h. */
#include "launch/sync.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/error.h"
#include "launch/native/init_image.h"

static long order_send(struct sys *k, int control_fd, int fd,
		       enum sync_what what)
{
	union {
		char bytes[CMSG_SPACE(sizeof fd)];
		struct cmsghdr head;
	} control = { 0 };
	unsigned char byte = (unsigned char)what;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	const struct msghdr msg = { .msg_iov = &iov,
				    .msg_iovlen = 1,
				    .msg_control = &control,
				    .msg_controllen = sizeof control.bytes };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	return sys3(k, SYS_sendmsg, control_fd, &msg, MSG_NOSIGNAL);
}

int sync_begin(int fd, enum sync_what what, struct helper *ret)
{
	const struct helper_program program = { .name = "cupel-sync",
						.bytes = sync_image_bytes,
						.len = sync_image_len() };
	struct cupel_error err = { 0 };
	struct sys k = { 0 };
	long r = helper_start(&k, &program, ret, &err);

	if (r < 0)
		return (int)r;
	r = order_send(&k, ret->control_fd, fd, what);
	if (r < 0)
		helper_close(ret);
	return r < 0 ? (int)r : 0;
}
