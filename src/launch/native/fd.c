/* fd.c -- see fd.h. */
#include "launch/native/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/socket.h>

#include "base/cleanup.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

/* An ordinary user may have 64 MiB of pipes in all, so this is not larger. */
#define PIPE_BYTES (256 << 10)

int fd_raise(struct sys *k, int *fd)
{
	long r;

	if (*fd > 2)
		return 0;
	r = sys3(k, SYS_fcntl, *fd, F_DUPFD_CLOEXEC, 3);
	if (r < 0)
		return (int)r;
	sys_close(*fd);
	*fd = (int)r;
	return 0;
}

static int pair_take(struct sys *k, int made[2], int ret[2])
{
	owned_fd int a = made[0];
	owned_fd int b = made[1];
	int r = fd_raise(k, &a);

	if (r == 0)
		r = fd_raise(k, &b);
	if (r < 0)
		return r;
	ret[0] = take_fd(&a);
	ret[1] = take_fd(&b);
	return 0;
}

int fd_pipe(struct sys *k, int ret[2], int parent_end)
{
	int made[2];
	long r = sys2(k, SYS_pipe2, made, O_CLOEXEC);
	int pair[2];

	if (r < 0)
		return (int)r;
	r = pair_take(k, made, pair);
	if (r < 0)
		return (int)r;
	(void)sys3(k, SYS_fcntl, pair[0], F_SETPIPE_SZ, PIPE_BYTES);
	r = sys3(k, SYS_fcntl, pair[parent_end], F_SETFL,
		 O_NONBLOCK | (parent_end == 1 ? O_WRONLY : O_RDONLY));
	if (r < 0) {
		sys_close(pair[0]);
		sys_close(pair[1]);
		return (int)r;
	}
	ret[0] = pair[0];
	ret[1] = pair[1];
	return 0;
}

int fd_pair(struct sys *k, int ret[2])
{
	int made[2];
	long r = sys4(k, SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC,
		      0, made);

	return r < 0 ? (int)r : pair_take(k, made, ret);
}

static long memory_create(struct sys *k, const char *name, int executable)
{
	unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	long r = sys2(k, SYS_memfd_create, name,
		      flags | (executable ? MFD_EXEC : MFD_NOEXEC_SEAL));

	if (r != -EINVAL)
		return r;
	/* Before Linux 6.3 there was no such flag. */
	return sys2(k, SYS_memfd_create, name, flags);
}

int fd_fill(struct sys *k, int fd, const void *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		long r = sys4(k, SYS_pwrite64, fd, (const char *)bytes + done,
			      n - done, done);

		if (r <= 0)
			return r < 0 ? (int)r : -ENOSPC;
		done += (size_t)r;
	}
	return 0;
}

int fd_memory(struct sys *k, const char *name, const void *bytes, size_t n,
	      int executable)
{
	owned_fd int fd = -1;
	long r = memory_create(k, name, executable);

	if (r < 0)
		return (int)r;
	fd = (int)r;
	r = fd_raise(k, &fd);
	if (r == 0)
		r = fd_fill(k, fd, bytes, n);
	return r < 0 ? (int)r : take_fd(&fd);
}
