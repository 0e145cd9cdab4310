/* network.c -- the network of scoped egress, in which every address is local.
 *
 * A local route over the loopback covers all addresses: whatever the command
 * connects to arrives at a listener here, at the address that was asked for, or
 * is refused by the kernel like any closed port.  There is no other interface,
 * and nothing inside may add one or a route (docs/egress.md). */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"

#define LOOPBACK 1 /* the index of lo, in each network namespace */

/* The source address where there is no better one, from a range that belongs to
 * nobody (RFC 2544). */
static const uint8_t own[4] = { 198, 18, 0, 1 };

/* Addresses that belong to nobody here: if they are local, all are. */
static const uint8_t any4[4] = { 192, 0, 2, 1 };
static const uint8_t any6[16] = { 0x26, 0 };

enum request { ADDRESS, ROUTE4, ROUTE6, LOOK4, LOOK6, REQUESTS };

struct packet {
	uint32_t len;
	_Alignas(NLMSG_ALIGNTO) char bytes[512];
};

struct answer {
	int error; /* -errno */
	int type;  /* of the route that was looked up, or RTN_UNSPEC */
};

/* There is room for all that follows: 5 messages of less than 80 bytes. */
static struct nlmsghdr *message_add(struct packet *p, enum request which,
				    uint16_t type, uint16_t flags,
				    const void *body, uint32_t n)
{
	struct nlmsghdr *m = (struct nlmsghdr *)(void *)(p->bytes + p->len);

	*m = (struct nlmsghdr){ .nlmsg_len = NLMSG_LENGTH(n),
				.nlmsg_type = type,
				.nlmsg_flags = NLM_F_REQUEST | flags,
				.nlmsg_seq = which };
	memcpy(NLMSG_DATA(m), body, n);
	p->len += NLMSG_ALIGN(m->nlmsg_len);
	return m;
}

/* Add to the last message.  What it holds so far is a multiple of four. */
static void attribute_add(struct packet *p, struct nlmsghdr *m, uint16_t type,
			  const void *value, uint16_t n)
{
	struct rtattr *a = (struct rtattr *)(void *)(p->bytes + p->len);

	a->rta_type = type;
	a->rta_len = (uint16_t)RTA_LENGTH(n);
	memcpy(RTA_DATA(a), value, n);
	p->len += RTA_ALIGN(a->rta_len);
	m->nlmsg_len += RTA_ALIGN(a->rta_len);
}

static void address_add(struct packet *p)
{
	const struct ifaddrmsg body = { .ifa_family = AF_INET,
					.ifa_prefixlen = 32,
					.ifa_scope = RT_SCOPE_HOST,
					.ifa_index = LOOPBACK };
	struct nlmsghdr *m = message_add(p, ADDRESS, RTM_NEWADDR,
					 NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL,
					 &body, sizeof body);

	attribute_add(p, m, IFA_LOCAL, own, sizeof own);
}

/* A metric of the route is an attribute inside an attribute. */
static void congestion_add(struct packet *p, struct nlmsghdr *m)
{
	struct {
		struct rtattr head;
		char name[NLMSG_ALIGN(sizeof EGRESS_CONGESTION)];
	} metric = { .head = { .rta_len = RTA_LENGTH(sizeof EGRESS_CONGESTION),
			       .rta_type = RTAX_CC_ALGO },
		     .name = EGRESS_CONGESTION };

	attribute_add(p, m, RTA_METRICS, &metric, sizeof metric);
}

static void route_add(struct packet *p, enum request which, uint8_t family)
{
	const struct rtmsg body = { .rtm_family = family,
				    .rtm_table = RT_TABLE_LOCAL,
				    .rtm_protocol = RTPROT_BOOT,
				    .rtm_scope = RT_SCOPE_HOST,
				    .rtm_type = RTN_LOCAL };
	struct nlmsghdr *m = message_add(p, which, RTM_NEWROUTE,
					 NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL,
					 &body, sizeof body);
	const uint32_t out = LOOPBACK;

	attribute_add(p, m, RTA_OIF, &out, sizeof out);
	congestion_add(p, m);
	if (family == AF_INET)
		attribute_add(p, m, RTA_PREFSRC, own, sizeof own);
}

static void look_add(struct packet *p, enum request which, uint8_t family,
		     const uint8_t *address, uint16_t n)
{
	const struct rtmsg body = { .rtm_family = family,
				    .rtm_dst_len = (uint8_t)(n * 8) };
	struct nlmsghdr *m =
		message_add(p, which, RTM_GETROUTE, 0, &body, sizeof body);

	attribute_add(p, m, RTA_DST, address, n);
}

static void answer_take(const struct nlmsghdr *m, long len,
			struct answer answers[])
{
	const struct nlmsgerr *e = NLMSG_DATA(m);
	const struct rtmsg *route = NLMSG_DATA(m);

	if (len < (long)NLMSG_LENGTH(sizeof *route) || m->nlmsg_seq >= REQUESTS)
		return;
	if (m->nlmsg_type == RTM_NEWROUTE)
		answers[m->nlmsg_seq] = (struct answer){ 0, route->rtm_type };
	else if (m->nlmsg_type == NLMSG_ERROR &&
		 len >= (long)NLMSG_LENGTH(sizeof e->error))
		answers[m->nlmsg_seq].error = e->error;
}

/* When the kernel has taken the packet it has answered all of it, without
 * delay.  There is one answer a packet; a request without one keeps its
 * error. */
static long requests_run(struct init *in, struct answer answers[REQUESTS])
{
	struct packet p = { 0 };
	owned_sys_fd int fd = (int)sys3(&in->k, SYS_socket, AF_NETLINK,
					SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	/* A kernel answers for a family that does not exist as one without IPv6
	 * answers for IPv6. */
	uint8_t six = init_drops(in, DROP_IPV6) ? UINT8_MAX : AF_INET6;
	long r = fd;

	address_add(&p);
	route_add(&p, ROUTE4, AF_INET);
	route_add(&p, ROUTE6, six);
	look_add(&p, LOOK4, AF_INET, any4, sizeof any4);
	look_add(&p, LOOK6, six, any6, sizeof any6);
	if (r >= 0)
		r = sys_call(&in->k, SYS_sendto, fd, sys_arg(p.bytes), p.len, 0,
			     0, 0);
	for (int i = 0; i < REQUESTS; i++)
		answers[i] = (struct answer){ -ENODATA, RTN_UNSPEC };
	for (int i = 0; r >= 0 && i < REQUESTS; i++) {
		r = sys_call(&in->k, SYS_recvfrom, fd, sys_arg(p.bytes),
			     sizeof p.bytes, MSG_DONTWAIT, 0, 0);
		if (r >= (long)sizeof(struct nlmsghdr))
			answer_take((void *)p.bytes, r, answers);
	}
	return r < 0 ? r : 0;
}

/* A kernel without IPv6, or with IPv6 turned off on the loopback, has no way
 * out by IPv6 either. */
static bool lacks_ipv6(int error)
{
	return error == -EOPNOTSUPP || error == -EAFNOSUPPORT ||
	       error == -EACCES || error == -ENODEV;
}

/* Returns 0 when every address was found to be local. */
static int routes_judge(const struct answer a[REQUESTS])
{
	if (a[ADDRESS].error < 0)
		return a[ADDRESS].error;
	if (a[ROUTE4].error < 0)
		return a[ROUTE4].error;
	if (a[LOOK4].error < 0 || a[LOOK4].type != RTN_LOCAL)
		return -ENETUNREACH;
	if (a[ROUTE6].error < 0)
		return lacks_ipv6(a[ROUTE6].error) && a[LOOK6].error < 0
			       ? 0
			       : a[ROUTE6].error;
	return a[LOOK6].error == 0 && a[LOOK6].type == RTN_LOCAL ? 0
								 : -ENETUNREACH;
}

static int routes_make(struct init *in)
{
	struct answer answers[REQUESTS];
	long r = requests_run(in, answers);

	if (r == 0)
		r = routes_judge(answers);
	return r == 0 ? 0
		      : init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				  "routing every address to the relay", NULL);
}

static void fds_close(int fds[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		sys_close(fds[i]);
}

/* The sockets are made, handed out, and closed before init counts descriptors,
 * so that only the relay has them. */
static int sockets_hand_out(struct init *in)
{
	const struct egress_socket *all = image_at(in, in->im->network);
	int fds[EGRESS_SOCKETS_MAX];
	size_t n = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < in->im->network.len; i++) {
		long fd = socket_make(in, &all[i]);

		if (fd == -EAFNOSUPPORT)
			continue;
		if (fd < 0) {
			r = init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-fd,
				      "the sockets of the relay", NULL);
			continue;
		}
		fds[n++] = (int)fd;
		in->out.network_made[i / NETWORK_WORD_BITS] |=
			UINT64_C(1) << i % NETWORK_WORD_BITS;
	}
	if (r == 0)
		r = report_network(in, fds, n);
	fds_close(fds, n);
	return r;
}

/* A run that cannot reach what it names is of no use to anybody, so even a
 * partial run needs all of this. */
int network_scope(struct init *in)
{
	int r;

	in->out.applied &= ~WALL_BIT(WALL_NETWORK);
	if (!(in->begin.clone_flags & CLONE_NEWNET) ||
	    in->im->network.len > EGRESS_SOCKETS_MAX)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, EINVAL,
				 "scoped egress without a network of its own",
				 NULL);
	r = routes_make(in);
	if (r == 0)
		r = sockets_hand_out(in);
	if (r == 0)
		init_applied(in, WALL_NETWORK);
	return r;
}
