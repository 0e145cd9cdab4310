/* net.c -- ways out through the network. */
#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void open_socket(char **args)
{
	say_errno(socket((int)arg_u64(args, 0), (int)arg_u64(args, 1),
			 (int)arg_u64(args, 2)),
		  "socket");
}

static void open_pair(char **args)
{
	int pair[2];

	say_errno(socketpair((int)arg_u64(args, 0), (int)arg_u64(args, 1), 0,
			     pair),
		  "socketpair");
}

/* Try to open a socket of every family; local, IPv4, IPv6 and netlink are
 * allowed. */
static void all_families(char **args)
{
	char list[512] = "";

	(void)args;
	for (int f = 0; f < 64; f++) {
		static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_RAW,
					     SOCK_SEQPACKET };

		if (f == AF_UNIX || f == AF_INET || f == AF_INET6 ||
		    f == AF_NETLINK)
			continue;
		for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
			int fd = socket(f, types[t], 0);

			if (fd < 0)
				continue;
			(void)close(fd);
			(void)snprintf(list + strlen(list),
				       sizeof list - strlen(list), "%d,", f);
			break;
		}
	}
	say(list[0] ? "won" : "EAFNOSUPPORT", "%s", list);
}

/* Try every netlink protocol but ROUTE, which is allowed. */
static void all_netlinks(char **args)
{
	char list[256] = "";

	(void)args;
	for (int p = 1; p < 32; p++) {
		int fd = socket(AF_NETLINK, SOCK_RAW, p);

		if (fd < 0)
			continue;
		(void)close(fd);
		(void)snprintf(list + strlen(list), sizeof list - strlen(list),
			       "%d,", p);
	}
	say(list[0] ? "won" : "EAFNOSUPPORT", "%s", list);
}

static int connect_within(int fd, const struct sockaddr *to, socklen_t n)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof errno;
	int err = 0;

	if (connect(fd, to, n) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return -1;
	if (poll(&p, 1, 500) <= 0) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
		return -1;
	errno = err;
	return err ? -1 : 0;
}

/* Connect to a server of the host, by address and port. */
static void connect_tcp(char **args)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (fd < 0)
		say(errno_name(errno), "socket");
	if (inet_pton(AF_INET, arg(args, 0), &to.sin_addr) != 1)
		say("E?", "address");
	to.sin_port = htons((uint16_t)arg_u64(args, 1));
	say_errno(connect_within(fd, (struct sockaddr *)&to, sizeof to),
		  "connect");
}

static void connect_tcp6(char **args)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6 };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (fd < 0)
		say(errno_name(errno), "socket");
	if (inet_pton(AF_INET6, arg(args, 0), &to.sin6_addr) != 1)
		say("E?", "address");
	to.sin6_port = htons((uint16_t)arg_u64(args, 1));
	say_errno(connect_within(fd, (struct sockaddr *)&to, sizeof to),
		  "connect");
}

/* Send a datagram, which needs no handshake: if the call succeeds, it has
 * left. */
static void send_udp(char **args)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		say(errno_name(errno), "socket");
	if (inet_pton(AF_INET, arg(args, 0), &to.sin_addr) != 1)
		say("E?", "address");
	to.sin_port = htons((uint16_t)arg_u64(args, 1));
	say_errno(
		sendto(fd, "escaped", 7, 0, (struct sockaddr *)&to, sizeof to),
		"sendto");
}

/* Connect to an abstract Unix socket of the host. */
static void abstract_unix(char **args)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t n = strlen(arg(args, 0));
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0)
		say(errno_name(errno), "socket");
	memcpy(to.sun_path + 1, args[0], n);
	say_errno(connect(fd, (struct sockaddr *)&to,
			  (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				      1 + n)),
		  "connect");
}

/* Bring an interface up, which is the first step out of an empty network
 * namespace. */
static void interface_up(char **args)
{
	struct ifreq r = { 0 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		say(errno_name(errno), "socket");
	(void)snprintf(r.ifr_name, sizeof r.ifr_name, "%s", arg(args, 0));
	if (ioctl(fd, SIOCGIFFLAGS, &r) < 0)
		say(errno_name(errno), "SIOCGIFFLAGS");
	r.ifr_flags ^= IFF_UP;
	say_errno(ioctl(fd, SIOCSIFFLAGS, &r), "SIOCSIFFLAGS");
}

/* List the interfaces: only lo belongs to the vessel. */
static void interfaces(char **args)
{
	struct if_nameindex *all = if_nameindex();
	char list[512] = "";

	(void)args;
	if (!all)
		say(errno_name(errno), "if_nameindex");
	for (struct if_nameindex *i = all; i->if_index; i++)
		if (strcmp(i->if_name, "lo") != 0)
			(void)snprintf(list + strlen(list),
				       sizeof list - strlen(list), "%s,",
				       i->if_name);
	if_freenameindex(all);
	say(list[0] ? "won" : "none", "%s", list);
}

static void add_link(char **args)
{
	struct {
		struct nlmsghdr h;
		struct ifinfomsg i;
	} q = { .h = { .nlmsg_len = sizeof q,
		       .nlmsg_type = RTM_NEWLINK,
		       .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.i = { .ifi_index = 1,
		       .ifi_flags = IFF_UP,
		       .ifi_change = IFF_UP } };
	char answer[1024];
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	struct nlmsgerr *e;

	(void)args;
	if (fd < 0)
		say(errno_name(errno), "socket");
	if (send(fd, &q, sizeof q, 0) < 0 ||
	    recv(fd, answer, sizeof answer, 0) < (ssize_t)sizeof q.h)
		say(errno_name(errno), "netlink");
	e = NLMSG_DATA((struct nlmsghdr *)answer);
	errno = -e->error;
	say_errno(e->error ? -1 : 0, "RTM_NEWLINK");
}

const struct attack attacks_net[] = {
	{ "socket", open_socket },
	{ "socketpair", open_pair },
	{ "families", all_families },
	{ "netlinks", all_netlinks },
	{ "connect", connect_tcp },
	{ "connect6", connect_tcp6 },
	{ "udp", send_udp },
	{ "abstract", abstract_unix },
	{ "interface-up", interface_up },
	{ "interfaces", interfaces },
	{ "add-link", add_link },
	{ 0 },
};
