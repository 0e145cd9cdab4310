/* scope.c -- see scope.h: the exchange with the bus, with a time limit. */
#include "launch/native/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "launch/native/cgroup.h"

#define LINE_BYTES   512 /* of the answer to AUTH; ours has some 40 */
#define MESSAGES_MAX 64  /* before the one that we wait for */

struct talk {
	struct sys *k;
	int fd;
	uint64_t end_ms; /* by CLOCK_MONOTONIC */
};

static uint64_t now_ms(void)
{
	struct timespec t = { 0 };

	(void)sys_raw(SYS_clock_gettime, CLOCK_MONOTONIC, sys_arg(&t), 0, 0, 0,
		      0);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int wait_for(const struct talk *t, short events)
{
	struct pollfd p = { .fd = t->fd, .events = events };
	uint64_t now = now_ms();
	uint64_t left = now < t->end_ms ? t->end_ms - now : 0;
	struct timespec most = { .tv_sec = (time_t)(left / 1000),
				 .tv_nsec = (long)(left % 1000) * 1000000 };
	long r = sys5(t->k, SYS_ppoll, &p, 1, &most, 0, 0);

	if (r < 0)
		return r == -EINTR ? 0 : (int)r;
	return r == 0 ? -ETIMEDOUT : 0;
}

/* Send or receive all n bytes, by SYS_sendto or SYS_recvfrom. */
static int move_all(const struct talk *t, long call, long at, size_t n)
{
	short ready = call == SYS_sendto ? POLLOUT : POLLIN;

	while (n > 0) {
		long r = sys_call(t->k, call, t->fd, at, (long)n, MSG_NOSIGNAL,
				  0, 0);

		if (r == -EAGAIN)
			r = wait_for(t, ready);
		else if (r == 0)
			r = -EPIPE;
		if (r < 0 && r != -EINTR)
			return (int)r;
		if (r > 0) {
			at += r;
			n -= (size_t)r;
		}
	}
	return 0;
}

static int send_all(const struct talk *t, const char *bytes, size_t n)
{
	return move_all(t, SYS_sendto, sys_arg(bytes), n);
}

static int read_all(const struct talk *t, void *ret_bytes, size_t n)
{
	return move_all(t, SYS_recvfrom, sys_arg(ret_bytes), n);
}

/* Whoever puts a socket there could move no process but us, but must not even
 * learn who we are.  So the socket must be ours or root's. */
static int connect_to(struct talk *t, const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct ucred peer = { 0 };
	socklen_t len = sizeof peer;
	long r;

	if (strlen(path) >= sizeof name.sun_path)
		return -ENAMETOOLONG;
	memcpy(name.sun_path, path, strlen(path) + 1);
	t->fd = (int)sys3(t->k, SYS_socket, AF_UNIX,
			  SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (t->fd < 0)
		return t->fd;
	r = sys3(t->k, SYS_connect, t->fd, &name, sizeof name);
	if (r == 0)
		r = sys5(t->k, SYS_getsockopt, t->fd, SOL_SOCKET, SO_PEERCRED,
			 &peer, &len);
	if (r == 0 && peer.uid != geteuid() && peer.uid != 0)
		r = -EACCES;
	return (int)r;
}

/* EXTERNAL: the kernel tells the bus who we are.  The line has our uid in
 * hex. */
static int authenticate(const struct talk *t)
{
	char line[LINE_BYTES] = "AUTH EXTERNAL ";
	char uid[16];
	size_t n = strlen(line);
	int r;

	(void)snprintf(uid, sizeof uid, "%u", (unsigned)geteuid());
	for (const char *at = uid; *at != '\0'; at++)
		n += (size_t)snprintf(line + n, sizeof line - n, "%02x",
				      (unsigned)*at);
	(void)snprintf(line + n, sizeof line - n, "\r\n");
	r = send_all(t, "", 1);
	if (r == 0)
		r = send_all(t, line, strlen(line));
	for (n = 0; r == 0 && n < sizeof line - 1; n++) {
		r = read_all(t, line + n, 1);
		if (r == 0 && line[n] == '\n')
			break;
	}
	if (r < 0)
		return r;
	return n < sizeof line - 1 && strncmp(line, "OK ", 3) == 0 ? 0
								   : -EACCES;
}

static int await_job(const struct talk *t, const char *unit)
{
	unsigned char bytes[SCOPE_MESSAGE_BYTES];

	for (int i = 0; i < MESSAGES_MAX; i++) {
		int r = read_all(t, bytes, 16);
		size_t n = r == 0 ? scope_message_len(bytes) : 0;

		if (r == 0 && n == 0)
			r = -EPROTO;
		if (r == 0)
			r = read_all(t, bytes + 16, n - 16);
		if (r == 0)
			r = scope_read_message(bytes, n, unit);
		if (r != 0)
			return r < 0 ? r : 0;
	}
	return -EPROTO;
}

int scope_enter(struct sys *k, const char *bus, unsigned most_ms)
{
	owned_buf struct buf request = { 0 };
	struct talk t = { .k = k, .fd = -1, .end_ms = now_ms() + most_ms };
	struct cgroup_owner self = { 0 };
	char unit[CGROUP_NAME_BYTES];
	int r = cgroup_owner_self(k, &self);

	if (r < 0)
		return r;
	(void)snprintf(unit, sizeof unit, "cupel-%llu-%llu.scope",
		       (unsigned long long)self.pid,
		       (unsigned long long)self.started);
	buf_text(&request, "BEGIN\r\n");
	scope_write_request(&request, unit);
	if (buf_has_failed(&request))
		return -ENOMEM;
	r = connect_to(&t, bus);
	if (r == 0)
		r = authenticate(&t);
	if (r == 0)
		r = send_all(&t, request.bytes, request.len);
	if (r == 0)
		r = await_job(&t, unit);
	sys_close(t.fd);
	return r;
}
