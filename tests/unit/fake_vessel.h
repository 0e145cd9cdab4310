/* fake_vessel.h -- a struct child without namespaces: a forked process that
 * plays init by a script of its test's own. */
#ifndef CUPEL_TESTS_FAKE_VESSEL_H
#define CUPEL_TESTS_FAKE_VESSEL_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/launch.h"
#include "launch/record.h"
#include "plan/plan.h"
#include "supervise/run.h"
#include "tap.h"

/* What the script has: the inner ends. */
struct fake {
	int control, in, out, errs, result;
};
typedef void fake_script(struct fake *f);

static inline void fake_send(struct fake *f, const struct record *r,
			     const int *fds, unsigned n)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int) * 8)];
		struct cmsghdr align;
	} c = { { 0 } };
	struct iovec v = { .iov_base = (void *)(uintptr_t)r,
			   .iov_len = sizeof *r };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	if (n > 0) {
		struct cmsghdr *h;

		m.msg_control = c.bytes;
		m.msg_controllen = CMSG_SPACE(sizeof(int) * n);
		h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int) * n);
		memcpy(CMSG_DATA(h), fds, sizeof(int) * n);
	}
	(void)!sendmsg(f->control, &m, MSG_NOSIGNAL);
}

static inline void fake_started(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED };

	fake_send(f, &r, NULL, 0);
}

static inline void fake_exited(struct fake *f, int wait_status)
{
	struct record r = { .kind = RECORD_EXITED,
			    .wait_status = wait_status,
			    .processes = 3,
			    .processes_killed = 1,
			    .cpu_user_us = 1000,
			    .cpu_system_us = 2000,
			    .tree_user_us = 5000,
			    .tree_system_us = 6000,
			    .max_rss_kib = 77 };

	fake_send(f, &r, NULL, 0);
}

/* The next order, or 0 when the supervisor went away. */
static inline int fake_order(struct fake *f)
{
	struct order o = { 0 };

	if (recv(f->control, &o, sizeof o, 0) != (ssize_t)sizeof o)
		return 0;
	return o.kind == ORDER_SIGNAL ? o.signal : -1;
}

static inline void fake_write(int fd, const char *text)
{
	(void)!write(fd, text, strlen(text));
}

static inline struct child fake_start(fake_script *script)
{
	struct child c = CHILD_NONE;
	int s[2], in[2], out[2], errs[2], result[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, s) < 0 ||
	    pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 ||
	    pipe2(errs, O_CLOEXEC) < 0 || pipe2(result, O_CLOEXEC) < 0)
		abort();
	c.pid = fork();
	if (c.pid == 0) {
		struct fake f = { s[1], in[0], out[1], errs[1], result[1] };

		(void)close(s[0]);
		(void)close(in[1]);
		(void)close(out[0]);
		(void)close(errs[0]);
		(void)close(result[0]);
		script(&f);
		_exit(0);
	}
	c.pidfd = (int)syscall(SYS_pidfd_open, c.pid, 0);
	(void)close(s[1]);
	(void)close(in[0]);
	(void)close(out[1]);
	(void)close(errs[1]);
	(void)close(result[1]);
	c.control_fd = s[0];
	c.stdin_fd = in[1];
	c.stdout_fd = out[0];
	c.stderr_fd = errs[0];
	c.result_fd = result[0];
	for (int *fd = &c.stdin_fd; fd <= &c.result_fd; fd++)
		(void)fcntl(*fd, F_SETFL, O_NONBLOCK);
	return c;
}

static inline struct plan fake_plan(void)
{
	return (struct plan){
		.watch = { .wall_ms = 5000,
			   .cpu_ms = SPEC_UNLIMITED,
			   .kill_after_ms = 5000,
			   .mem_bytes = SPEC_UNLIMITED,
			   .output_bytes = 1 << 20,
			   .result_bytes = 1 << 20 },
	};
}

static inline int open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	(void)closedir(d);
	return n;
}

static inline struct run *adopt(const struct plan *p, const struct run_hooks *h,
				fake_script *script)
{
	struct child c = fake_start(script);
	struct cupel_error err = { 0 };
	struct run *r = NULL;

	ok_int(run_adopt(p, h, &c, &r, &err), 0);
	ok_int(c.pidfd, -1);
	return r;
}

static inline void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	(void)nanosleep(&t, NULL);
}

#endif
