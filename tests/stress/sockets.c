/* sockets.c -- AF_UNIX: queues of bytes, descriptors in flight, filters. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "stress.h"

#define BIG (128UL << 10)

static char bytes[BIG];

/* Fill it until it takes no more, in messages of so many bytes.  A byte is held
 * as a whole buffer of about 768. */
static bool fill(struct job *j, int fd, size_t message)
{
	uint64_t held = message < 512 ? 768 : message;

	while (send(fd, bytes, message, MSG_DONTWAIT) > 0)
		if (!job_take(j, held))
			return false;
	return true;
}

static void pairs_fill(struct job *j, int type, size_t message, int drop_peer)
{
	int big = 1 << 30;
	int fds[2];

	while (socketpair(AF_UNIX, type, 0, fds) == 0) {
		for (int i = 0; i < 2; i++) {
			(void)setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &big,
					 sizeof big);
			if (!fill(j, fds[i], message))
				return;
		}
		if (drop_peer)
			(void)close(fds[1]);
	}
	job_stop(j);
}

static void pairs_stream(struct job *j)
{
	pairs_fill(j, SOCK_STREAM, BIG, 0);
}

static void pairs_datagram(struct job *j)
{
	pairs_fill(j, SOCK_DGRAM, BIG, 0);
}

static void pairs_sequenced(struct job *j)
{
	pairs_fill(j, SOCK_SEQPACKET, BIG, 0);
}

static void pairs_small(struct job *j)
{
	pairs_fill(j, SOCK_STREAM, 1, 0);
}

static void pairs_half(struct job *j)
{
	pairs_fill(j, SOCK_DGRAM, BIG, 1);
}

static int send_fds(int to, const int *fds, unsigned count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(64 * sizeof(int))];
	} c = { 0 };
	struct iovec one = { .iov_base = bytes, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &one,
			    .msg_iovlen = 1,
			    .msg_control = &c,
			    .msg_controllen = CMSG_LEN(count * sizeof(int)) };

	c.head.cmsg_level = SOL_SOCKET;
	c.head.cmsg_type = SCM_RIGHTS;
	c.head.cmsg_len = m.msg_controllen;
	memcpy(CMSG_DATA(&c.head), fds, count * sizeof *fds);
	return sendmsg(to, &m, MSG_DONTWAIT) < 0 ? -errno : 0;
}

/* Full sockets are put into a message and closed here: past RLIMIT_NOFILE. */
static void in_flight(struct job *j)
{
	int big = 1 << 30;
	int road[2], fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, road) < 0)
		return;
	while (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0) {
		(void)setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &big,
				 sizeof big);
		if (!fill(j, fds[0], BIG))
			return;
		if (send_fds(road[0], fds, 2) < 0)
			break;
		(void)close(fds[0]);
		(void)close(fds[1]);
	}
	job_stop(j);
}

/* Cycles of sockets that hold each other: the kernel's collector runs for all. */
static void flight_cycles(struct job *j)
{
	int fds[2];

	while (job_storm(j)) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0) {
			job_stop(j);
			continue;
		}
		if (send_fds(fds[0], fds, 2) < 0)
			job_stop(j);
		(void)close(fds[0]);
		(void)close(fds[1]);
	}
}

/* Clients that are gone, whose bytes wait in the queue of who accepts none. */
static void backlog(struct job *j)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int big = 1 << 30;

	for (unsigned n = 0;; n++) {
		int s = socket(AF_UNIX, SOCK_STREAM, 0);

		(void)job_name(j, at.sun_path, n);
		if (s < 0 || bind(s, (void *)&at, sizeof at) < 0 ||
		    listen(s, 1 << 20) < 0)
			break;
		for (;;) {
			int c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

			(void)setsockopt(c, SOL_SOCKET, SO_SNDBUF, &big,
					 sizeof big);
			if (c < 0 || connect(c, (void *)&at, sizeof at) < 0) {
				(void)close(c);
				break;
			}
			if (!fill(j, c, BIG))
				return;
			(void)close(c);
		}
	}
	job_stop(j);
}

/* A filter of 4,095 instructions on each socket: memory, and memory for code, of
 * which the whole host has one amount (net.core.bpf_jit_limit). */
static void socket_filters(struct job *j)
{
	static struct sock_filter code[4096];
	struct sock_fprog prog = { .len = 4096, .filter = code };
	int fds[2];

	for (unsigned i = 0; i < 4095; i++)
		code[i] = (struct sock_filter)BPF_STMT(
			BPF_ALU | BPF_ADD | BPF_K, i + (1U << 30));
	code[4095] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	while (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0)
		for (int i = 0; i < 2; i++) {
			while (setsockopt(fds[i], SOL_SOCKET, SO_ATTACH_FILTER,
					  &prog, sizeof prog) < 0) {
				job_stop(j);
				if (!job_storm(j))
					return;
			}
			if (!job_take(j, 4096 * 24UL))
				return;
		}
	job_stop(j);
}

static void options(struct job *j)
{
	char value[64] = { 0 };
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
		return;
	for (unsigned n = 0; job_storm(j); n++) {
		socklen_t len = sizeof value;

		(void)getsockopt(fds[0], SOL_SOCKET, (int)(n % 84), value,
				 &len);
		if (setsockopt(fds[1], SOL_SOCKET, (int)(n % 84), value,
			       n % 3 ? 4 : 16) < 0)
			job_stop(j);
	}
}

const struct stressor stress_sockets[] = {
	{ "pairs-stream", "socketpair setsockopt sendto", "full stream pairs",
	  pairs_stream, true },
	{ "pairs-datagram", "socketpair setsockopt sendto",
	  "full datagram pairs", pairs_datagram, true },
	{ "pairs-sequenced", "socketpair setsockopt sendto",
	  "full pairs of SOCK_SEQPACKET", pairs_sequenced, true },
	{ "pairs-small", "socketpair sendto", "messages of one byte",
	  pairs_small, true },
	{ "pairs-half", "socketpair sendto close", "full pairs, one end closed",
	  pairs_half, true },
	{ "in-flight", "sendmsg recvmsg", "full sockets inside of messages",
	  in_flight, true },
	{ "flight-cycles", "sendmsg close", "sockets that hold each other",
	  flight_cycles, true },
	{ "backlog", "bind listen connect accept accept4",
	  "full sockets that nobody accepts", backlog, false },
	{ "socket-filters", "setsockopt", "SO_ATTACH_FILTER on each socket",
	  socket_filters, true },
	{ "socket-options", "setsockopt getsockopt", "each SO_ option in turn",
	  options, true },
	{ 0 },
};
