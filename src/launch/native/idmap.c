/* idmap.c -- see idmap.h. */
#include "launch/native/idmap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "launch/native/fd.h"

#define HOLDER_STACK_BYTES 8192

static int proc_write(struct sys *k, int dir, const char *name,
		      const char *text)
{
	owned_fd int fd = -1;
	long r = sys4(k, SYS_openat, dir, name, O_WRONLY | O_CLOEXEC, 0);

	if (r < 0)
		return (int)r;
	fd = (int)r;
	r = sys3(k, SYS_write, fd, text, strlen(text));
	return r < 0 ? (int)r : 0;
}

static int proc_open(struct sys *k, pid_t pid)
{
	char path[32];

	(void)snprintf(path, sizeof path, "/proc/%d", (int)pid);
	return (int)sys4(k, SYS_openat, AT_FDCWD, path,
			 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
}

static int maps_write(struct sys *k, int proc, const struct idmap *map,
		      int deny_groups)
{
	char text[64];
	int r = 0;

	if (deny_groups)
		r = proc_write(k, proc, "setgroups", "deny");
	(void)snprintf(text, sizeof text, "%u %u 1\n", (unsigned)map->from_uid,
		       (unsigned)map->to_uid);
	if (r == 0)
		r = proc_write(k, proc, "uid_map", text);
	(void)snprintf(text, sizeof text, "%u %u 1\n", (unsigned)map->from_gid,
		       (unsigned)map->to_gid);
	if (r == 0)
		r = proc_write(k, proc, "gid_map", text);
	return r;
}

int idmap_write(struct sys *k, pid_t pid, const struct idmap *map,
		int deny_groups)
{
	owned_fd int proc = proc_open(k, pid);
	int r;

	if (proc < 0)
		return proc;
	r = maps_write(k, proc, map, deny_groups);
	if (r == 0)
		r = proc_write(k, proc, "oom_score_adj", "1000");
	return r;
}

/* The process that keeps the namespace open while it is given its map.  We kill
 * it; the pipe ends it if its parent dies first. */
struct holder {
	int read_fd; /* at least 3 */
};

__attribute__((no_sanitize("address", "undefined"))) static int holder_run(
	void *arg)
{
	const struct holder *h = arg;
	char byte;

	/* The table is a copy.  The descriptors of other runs are closed in it,
	 * so that their pipes and control sockets reach their end while this
	 * process waits. */
	(void)sys_raw(SYS_close_range, 0, h->read_fd - 1, 0, 0, 0, 0);
	(void)sys_raw(SYS_close_range, h->read_fd + 1, ~0U, 0, 0, 0, 0);
	while (sys_raw(SYS_read, h->read_fd, sys_arg(&byte), 1, 0, 0, 0) ==
	       -EINTR)
		;
	return 0;
}

static int userns_take(struct sys *k, pid_t pid, const struct idmap *map,
		       int *ret_fd)
{
	owned_fd int proc = proc_open(k, pid);
	long r;

	if (proc < 0)
		return proc;
	r = maps_write(k, proc, map, 0);
	if (r < 0)
		return (int)r;
	r = sys4(k, SYS_openat, proc, "ns/user", O_RDONLY | O_CLOEXEC, 0);
	if (r < 0)
		return (int)r;
	*ret_fd = (int)r;
	return 0;
}

int idmap_open(struct sys *k, const struct idmap *map, int *ret_fd)
{
	_Alignas(16) char stack[HOLDER_STACK_BYTES];
	int ends[2];
	owned_fd int pidfd = -1;
	struct holder h;
	struct clone_args args = {
		.flags = CLONE_NEWUSER | CLONE_VM | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.stack = (uint64_t)(uintptr_t)stack,
		.stack_size = sizeof stack,
	};
	long pid;
	int r = fd_pipe(k, ends, 1);

	if (r < 0)
		return r;
	h = (struct holder){ ends[0] };
	pid = sys_clone3(k, &args, holder_run, &h);
	r = pid < 0 ? (int)pid : userns_take(k, (pid_t)pid, map, ret_fd);
	/* Kill it rather than close the pipe: a fork of another thread may hold
	 * the pipe's other end.  The stack must stay until the child is
	 * gone. */
	if (pid > 0)
		(void)sys_raw(SYS_pidfd_send_signal, pidfd, SIGKILL, 0, 0, 0,
			      0);
	if (pid > 0)
		while (sys_raw(SYS_waitid, P_PIDFD, pidfd, 0, WEXITED | __WALL,
			       0, 0) == -EINTR)
			;
	sys_close(ends[0]);
	sys_close(ends[1]);
	return r;
}
