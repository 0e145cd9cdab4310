/* floor_relay.c -- the least that a relay can cost a stream: two sockets and a pipe
 * for each direction, without rules, names, walls or records.
 *
 * usage: floor_relay ADDRESS PORT TRAFFIC stream|upload COUNT
 *
 * Runs TRAFFIC (traffic.c) in a network namespace of its own.  Its one connection
 * goes to a listener there, and from here on to ADDRESS and PORT.  The sockets are
 * set as the relay sets its own: reno inside, the host's choice outside
 * (docs/egress.md), and as much is moved at once (relay/copy.c).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_BYTES (256 << 10)
#define MOVE_BYTES (1U << 20)
#define ROUNDS_MAX 4
#define MOVE       (SPLICE_F_MOVE | SPLICE_F_NONBLOCK)
#define INSIDE     "127.0.0.1"
#define CONTROL    "reno"
#define CONTROL_AT "/proc/sys/net/ipv4/tcp_congestion_control"

/* One direction. */
struct way {
	int from, to, pipe[2];
	size_t held; /* bytes in the pipe */
	bool is_ended, is_blocked;
};

static void die(const char *what)
{
	perror(what);
	_exit(2);
}

/* What cannot be moved now can be moved later; any other error ends the
 * measurement, or poll(2) would report it again and again. */
static void moved_or_die(ssize_t n)
{
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		die("splice");
}

static struct sockaddr_in address_read(const char *address, const char *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };

	if (inet_pton(AF_INET, address, &a.sin_addr) != 1)
		die(address);
	a.sin_port = htons((uint16_t)strtol(port, NULL, 10));
	return a;
}

static int socket_new(void)
{
	int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
		die("socket");
	return fd;
}

/* A network namespace whose loopback is up and not paced. */
static void network_enter(void)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		die("unshare");
	lo.ifr_flags = IFF_UP | IFF_RUNNING;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo) < 0)
		die("lo");
	(void)close(fd);
	fd = open(CONTROL_AT, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, CONTROL, strlen(CONTROL)) < 0)
		die(CONTROL_AT);
	(void)close(fd);
}

static int listener_new(const char *port)
{
	struct sockaddr_in at = address_read(INSIDE, port);
	int fd = socket_new();

	if (bind(fd, (const struct sockaddr *)&at, sizeof at) < 0 ||
	    listen(fd, 1) < 0)
		die("listen");
	return fd;
}

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr head;
};

static void fd_send(int way, int fd)
{
	char byte = 0;
	union control c = { .head = { .cmsg_len = CMSG_LEN(sizeof fd),
				      .cmsg_level = SOL_SOCKET,
				      .cmsg_type = SCM_RIGHTS } };
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = &c,
			    .msg_controllen = sizeof c };

	memcpy(CMSG_DATA(&c.head), &fd, sizeof fd);
	if (sendmsg(way, &m, 0) != 1)
		die("sendmsg");
}

static int fd_take(int way)
{
	char byte;
	int fd = -1;
	union control c;
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = &c,
			    .msg_controllen = sizeof c };

	if (recvmsg(way, &m, MSG_CMSG_CLOEXEC) != 1 ||
	    m.msg_controllen < CMSG_LEN(sizeof fd))
		die("recvmsg");
	memcpy(&fd, CMSG_DATA(&c.head), sizeof fd);
	return fd;
}

static pid_t client_start(int way, char *argv[])
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	network_enter();
	fd_send(way, listener_new(argv[2]));
	execl(argv[3], argv[3], argv[4], INSIDE, argv[2], argv[5],
	      (char *)NULL);
	die(argv[3]);
	return -1;
}

static struct way way_new(int from, int to)
{
	struct way w = { .from = from, .to = to };

	if (pipe2(w.pipe, O_CLOEXEC | O_NONBLOCK) < 0 ||
	    fcntl(w.pipe[1], F_SETPIPE_SZ, PIPE_BYTES) < 0)
		die("pipe");
	return w;
}

/* Returns false when nothing more can be moved now. */
static bool is_moved(struct way *w)
{
	ssize_t n = (ssize_t)w->held;

	if (n == 0)
		n = splice(w->from, NULL, w->pipe[1], NULL, MOVE_BYTES, MOVE);
	moved_or_die(n);
	if (n < 0)
		return false;
	if (n == 0) {
		w->is_ended = true;
		(void)shutdown(w->to, SHUT_WR);
		return false;
	}
	w->held = (size_t)n;
	n = splice(w->pipe[0], NULL, w->to, NULL, w->held, MOVE);
	moved_or_die(n);
	w->held -= n > 0 ? (size_t)n : 0;
	w->is_blocked = w->held > 0;
	return !w->is_blocked;
}

static void way_run(struct way *w)
{
	for (int i = 0; i < ROUNDS_MAX && !w->is_ended; i++)
		if (!is_moved(w))
			return;
}

static short events_of(const struct way *from, const struct way *to)
{
	int events = from->is_ended || from->is_blocked ? 0 : POLLIN;

	return (short)(events | (to->is_blocked ? POLLOUT : 0));
}

/* A connection that has failed says so in every poll(2), and nothing may be left to
 * move. */
static void connection_die(int fd)
{
	socklen_t n = sizeof errno;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &errno, &n) < 0 || errno == 0)
		errno = EPIPE;
	die("connection");
}

/* ways[i] reads from fds[i]; the other writes to it. */
static void ways_run(struct way ways[2])
{
	struct pollfd fds[2] = { { .fd = ways[0].from },
				 { .fd = ways[1].from } };

	while (!ways[0].is_ended || !ways[1].is_ended) {
		for (int i = 0; i < 2; i++)
			fds[i].events = events_of(&ways[i], &ways[!i]);
		if (poll(fds, 2, -1) < 0)
			die("poll");
		for (int i = 0; i < 2; i++) {
			if ((fds[i].revents & (POLLERR | POLLNVAL)) != 0)
				connection_die(fds[i].fd);
			if ((fds[i].revents & ~POLLOUT) != 0)
				way_run(&ways[i]);
			if ((fds[i].revents & POLLOUT) != 0)
				way_run(&ways[!i]);
		}
	}
}

int main(int argc, char *argv[])
{
	int pair[2], listener, in, out, status;
	struct sockaddr_in to;
	struct way ways[2];
	pid_t pid;

	if (argc != 6 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 2;
	to = address_read(argv[1], argv[2]);
	pid = client_start(pair[1], argv);
	(void)close(pair[1]);
	listener = fd_take(pair[0]);
	in = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	out = socket_new();
	if (in < 0 ||
	    connect(out, (const struct sockaddr *)&to, sizeof to) < 0 ||
	    fcntl(out, F_SETFL, O_NONBLOCK) < 0)
		die("connect");
	ways[0] = way_new(in, out);
	ways[1] = way_new(out, in);
	ways_run(ways);
	(void)close(in);
	(void)close(out);
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
