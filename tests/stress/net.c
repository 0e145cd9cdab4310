/* net.c -- AF_INET and AF_NETLINK, where a profile gives a loopback. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stress.h"

static char bytes[1 << 16];

static struct sockaddr_in own_port(const struct job *j, unsigned n)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)(2000 + j->worker * 512 + n)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static void make_large(int fd)
{
	int big = 1 << 30;

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &big, sizeof big);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
}

/* Datagrams that nobody receives. */
static void udp_queues(struct job *j)
{
	int out = socket(AF_INET, SOCK_DGRAM, 0);

	for (unsigned n = 0; n < 500; n++) {
		struct sockaddr_in at = own_port(j, n);
		int in = socket(AF_INET, SOCK_DGRAM, 0);

		make_large(in);
		if (in < 0 || bind(in, (void *)&at, sizeof at) < 0)
			break;
		/* What is too much is dropped without an error. */
		for (unsigned i = 0; i < 256; i++) {
			if (sendto(out, bytes, 32768, MSG_DONTWAIT, (void *)&at,
				   sizeof at) < 0)
				job_stop(j);
			if (!job_take(j, 32768))
				return;
		}
	}
	job_stop(j);
}

static void tcp_queues(struct job *j)
{
	struct sockaddr_in at = own_port(j, 0);
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s < 0 || bind(s, (void *)&at, sizeof at) < 0 ||
	    listen(s, 4096) < 0) {
		job_stop(j);
		return;
	}
	make_large(s);
	for (;;) {
		int c = socket(AF_INET, SOCK_STREAM, 0);
		ssize_t n;

		make_large(c);
		if (c < 0 || connect(c, (void *)&at, sizeof at) < 0 ||
		    accept(s, NULL, NULL) < 0)
			break;
		while ((n = send(c, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
			if (!job_take(j, (uint64_t)n))
				return;
	}
	job_stop(j);
}

/* As above, but nobody accepts and each client closes: the kernel keeps them. */
static void tcp_backlog(struct job *j)
{
	int s = -1;

	for (unsigned n = 0, port = 0; port < 200; n++) {
		struct sockaddr_in at = own_port(j, port);
		int c = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		ssize_t sent;

		if (s < 0) {
			s = socket(AF_INET, SOCK_STREAM, 0);
			make_large(s);
			if (bind(s, (void *)&at, sizeof at) < 0 ||
			    listen(s, 4096) < 0)
				break;
		}
		make_large(c);
		(void)connect(c, (void *)&at, sizeof at);
		while ((sent = send(c, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
			if (!job_take(j, (uint64_t)sent))
				return;
		if (c < 0 || !job_take(j, 4096))
			break;
		(void)close(c);
		if (n % 4096 == 4095) {
			s = -1;
			port++;
		}
	}
	job_stop(j);
}

/* Connections that have ended wait a minute each. */
static void tcp_time_wait(struct job *j)
{
	struct sockaddr_in at = own_port(j, 0);
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s < 0 || bind(s, (void *)&at, sizeof at) < 0 ||
	    listen(s, 128) < 0) {
		job_stop(j);
		return;
	}
	while (job_take(j, 256)) {
		int c = socket(AF_INET, SOCK_STREAM, 0);
		int a;

		if (connect(c, (void *)&at, sizeof at) < 0)
			job_stop(j);
		a = accept(s, NULL, NULL);
		(void)close(c);
		(void)close(a);
	}
}

/* Groups of multicast are lists of the interface, under a lock of the host. */
static void memberships(struct job *j)
{
	unsigned group = j->worker << 16;

	for (;;) {
		int fd = socket(AF_INET, SOCK_DGRAM, 0);

		if (fd < 0)
			break;
		for (int i = 0; i < 20; i++) {
			struct ip_mreqn m = { .imr_ifindex = 1 };

			m.imr_multiaddr.s_addr = htonl(0xe1000000 + group++);
			if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &m,
				       sizeof m) < 0)
				break;
			if (!job_take(j, 256))
				return;
		}
	}
	job_stop(j);
}

static void ask_routes(int fd, unsigned short type)
{
	struct {
		struct nlmsghdr head;
		struct rtgenmsg body;
	} ask = { .head = { .nlmsg_len = sizeof ask,
			    .nlmsg_type = type,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP } };

	(void)send(fd, &ask, sizeof ask, MSG_DONTWAIT);
}

static void route_dumps(struct job *j)
{
	static const unsigned short types[] = { RTM_GETLINK,  RTM_GETADDR,
						RTM_GETROUTE, RTM_GETNEIGH,
						RTM_GETRULE,  RTM_GETNEIGHTBL };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	if (fd < 0) {
		job_stop(j);
		return;
	}
	for (unsigned n = 0; job_storm(j); n++) {
		ask_routes(fd, types[n % 6]);
		while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
			;
	}
}

/* Each level and option number, with small values. */
static void inet_options(struct job *j)
{
	static const int levels[] = { IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP,
				      IPPROTO_UDP, 284 };
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM };
	char value[64] = { 0 };

	for (unsigned n = 0; job_storm(j); n++) {
		int fd =
			socket(n & 1 ? AF_INET6 : AF_INET, types[n / 2 % 2], 0);

		for (int option = 0; fd >= 0 && option < 80; option++) {
			socklen_t len = sizeof value;

			value[0] = (char)n;
			(void)setsockopt(fd, levels[n / 4 % 5], option, value,
					 n % 3 ? 4 : 32);
			(void)getsockopt(fd, levels[n / 4 % 5], option, value,
					 &len);
		}
		(void)close(fd);
	}
}

static void mptcp(struct job *j)
{
	struct sockaddr_in at = own_port(j, 0);
	int s = socket(AF_INET, SOCK_STREAM, 262);

	if (s < 0 || bind(s, (void *)&at, sizeof at) < 0 ||
	    listen(s, 128) < 0) {
		job_stop(j);
		return;
	}
	for (;;) {
		int c = socket(AF_INET, SOCK_STREAM, 262);
		ssize_t n;

		make_large(c);
		if (c < 0 || connect(c, (void *)&at, sizeof at) < 0)
			break;
		(void)accept(s, NULL, NULL);
		while ((n = send(c, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
			if (!job_take(j, (uint64_t)n))
				return;
	}
	job_stop(j);
}

/* Descriptors that sockets give and take, and messages in large crowds. */
static void crowds(struct job *j)
{
	struct iovec one = { .iov_base = bytes, .iov_len = 64 };
	struct mmsghdr m[64];
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) < 0)
		return;
	memset(m, 0, sizeof m);
	for (int i = 0; i < 64; i++) {
		m[i].msg_hdr.msg_iov = &one;
		m[i].msg_hdr.msg_iovlen = 1;
	}
	while (job_storm(j)) {
		if (sendmmsg(fds[0], m, 64, MSG_DONTWAIT) < 0)
			job_stop(j);
		(void)recvmmsg(fds[1], m, 64, MSG_DONTWAIT, NULL);
	}
}

const struct stressor stress_net[] = {
	{ "udp-queues", "socket bind sendto", "datagrams that nobody receives",
	  udp_queues, true },
	{ "tcp-queues", "socket connect accept sendto",
	  "connections that nobody reads", tcp_queues, true },
	{ "tcp-backlog", "socket listen connect close",
	  "connections that nobody accepts, and whose client is gone",
	  tcp_backlog, true },
	{ "tcp-time-wait", "socket connect close",
	  "connections that have ended", tcp_time_wait, true },
	{ "memberships", "setsockopt", "IP_ADD_MEMBERSHIP", memberships, true },
	{ "route-dumps", "socket sendto recvfrom", "NETLINK_ROUTE without end",
	  route_dumps, true },
	{ "inet-options", "setsockopt getsockopt",
	  "each option of IP, IPv6, TCP, UDP and MPTCP", inet_options, true },
	{ "mptcp", "socket", "queues of multipath TCP", mptcp, true },
	{ "crowds", "sendmmsg recvmmsg", "64 messages a call", crowds, true },
	{ 0 },
};
