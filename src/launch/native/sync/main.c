/* main.c -- cupel-sync: waits for the disk in the place of whoever started it
 * (launch/sync.h).  A freestanding program with init's entry point, because it is
 * small and has nothing to allocate.
 *
 * It is two processes, because nothing ends one that waits for the disk.  The second
 * waits for it, and its exit status says how that went.  The first must never wait
 * for it, because the caller will reap the first: it ends when it has reaped the
 * second and told the caller, or when the caller has hung up.  In that case the
 * second is killed, and ends as soon as the disk lets it. */
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "launch/native/helper.h"
#include "launch/native/sys.h"
#include "launch/sync.h"

int sync_main(void);

/* Returns the file's descriptor, or -1. */
static int order_take(unsigned char *ret_what)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = { 0 };
	struct iovec iov = { .iov_base = ret_what, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control.bytes };
	int fd;

	if (sys_raw(SYS_recvmsg, HELPER_CONTROL_FD, sys_arg(&msg),
		    MSG_CMSG_CLOEXEC, 0, 0, 0) != 1 ||
	    control.head.cmsg_len != CMSG_LEN(sizeof fd) ||
	    control.head.cmsg_type != SCM_RIGHTS)
		return -1;
	__builtin_memcpy(&fd, CMSG_DATA(&control.head), sizeof fd);
	return fd;
}

/* Returns the exit status: 0 when everything is on the disk. */
static int sync_run(unsigned char what, int fd, long parent)
{
	const long nr = what == SYNC_FILE ? SYS_fsync : SYS_syncfs;

	if (sys_raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0) < 0 ||
	    sys_raw(SYS_getppid, 0, 0, 0, 0, 0, 0) != parent)
		return 1;
	return sys_raw(nr, fd, 0, 0, 0, 0, 0) < 0;
}

/* The second has ended: nobody else may ever reap it. */
static void answer_send(long pid)
{
	int status = 1;
	char failed;

	(void)sys_raw(SYS_wait4, pid, sys_arg(&status), __WALL, 0, 0, 0);
	failed = status != 0;
	(void)sys_raw(SYS_sendto, HELPER_CONTROL_FD, sys_arg(&failed), 1,
		      MSG_NOSIGNAL, 0, 0);
}

int sync_main(void)
{
	const long self = sys_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
	unsigned char what = SYNC_FILE;
	int fd = order_take(&what), child = -1;
	struct clone_args args = { .flags = CLONE_PIDFD,
				   .pidfd = (uint64_t)(uintptr_t)&child };
	struct pollfd p[] = { { .fd = HELPER_CONTROL_FD }, { .fd = -1 } };
	long pid;

	if (fd < 0)
		return 1;
	pid = sys_raw(SYS_clone3, sys_arg(&args), sizeof args, 0, 0, 0, 0);
	if (pid == 0)
		return sync_run(what, fd, self);
	if (pid < 0)
		return 1;
	sys_close(fd);
	p[1] = (struct pollfd){ .fd = child, .events = POLLIN };
	(void)sys_raw(SYS_ppoll, sys_arg(p), 2, 0, 0, 0, 0);
	if (p[1].revents != 0)
		answer_send(pid);
	return 0;
}
