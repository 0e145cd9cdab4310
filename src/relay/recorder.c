/* recorder.c -- see recorder.h.
 *
 * Raw sockets, and not a packet socket, which the kernel closes only after an
 * RCU grace period: the relay would take 10 ms to die (docs/egress.md). */
#include "relay/recorder.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "relay/address.h"
#include "relay/control.h"
#include "relay/packet.h"
#include "relay/relay.h"

#define ROUNDS_MAX 256 /* packets at once */
#define DNS_PORT   53
#define ROOM_BYTES (1 << 20) /* of packets that wait */

static int option_read(int fd, int option)
{
	int value = -1;
	socklen_t len = sizeof value;

	return getsockopt(fd, SOL_SOCKET, option, &value, &len) < 0 ? -1
								    : value;
}

int recorder_add(struct relay *r, int fd)
{
	struct recorders *rs = &r->recorders;
	struct watch w = { .kind = WATCH_RECORDER, .index = (uint16_t)rs->len };
	struct recorder item = {
		.fd = fd,
		.family = (uint16_t)option_read(fd, SO_DOMAIN),
		.protocol = (uint16_t)option_read(fd, SO_PROTOCOL),
	};
	int on = 1, room = ROOM_BYTES, e;

	if (item.protocol != IPPROTO_TCP && item.protocol != IPPROTO_UDP)
		return -EINVAL;
	if (rs->len == RECORDERS_MAX)
		return -EEXIST;
	/* What it receives begins after the IPv6 head, which had the
	 * address. */
	if (item.family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on) < 0)
		return -errno;
	/* Ask for as much buffer as the system gives. */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
	e = watch_add(r, fd, w, EPOLLIN);
	if (e < 0)
		return e;
	rs->items[rs->len++] = item;
	return 0;
}

/* Whether the packet is the relay's own traffic or stays within the vessel. */
static bool is_ordinary(const struct relay *r, const struct packet *p)
{
	if (address_is_vessel(&p->to))
		return true;
	return p->protocol == IPPROTO_TCP
		       ? p->port == DNS_PORT || listener_has(r, &p->to, p->port)
		       : p->port == DNS_PORT;
}

static void attempt_note(struct relay *r, const struct packet *p)
{
	struct relay_record what = { .kind = RELAY_ATTEMPT,
				     .verdict = RELAY_NO_RULE,
				     .protocol = p->protocol,
				     .port = p->port,
				     .count = 1,
				     .address = p->to };
	int name = names_find_address(&r->names, &p->to);

	if (name > 0)
		memcpy(what.name, r->names.items[name].text, sizeof what.name);
	control_note(r, &what);
}

/* Room for the control message that says where an IPv6 packet was going. */
union room {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
};

static bool to_read(struct msghdr *m, struct relay_address *ret)
{
	struct in6_pktinfo info;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
	     c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level != IPPROTO_IPV6 ||
		    c->cmsg_type != IPV6_PKTINFO)
			continue;
		memcpy(&info, CMSG_DATA(c), sizeof info);
		ret->family = AF_INET6;
		memcpy(ret->bytes, &info.ipi6_addr, sizeof ret->bytes);
		return true;
	}
	return false;
}

/* Read one packet; false if none waits. */
static bool is_taken(struct relay *r, const struct recorder *item)
{
	uint8_t bytes[PACKET_BYTES];
	union room room;
	struct iovec part = { bytes, sizeof bytes };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &room,
			    .msg_controllen = sizeof room };
	struct packet p = { .protocol = item->protocol };
	ssize_t n = recvmsg(item->fd, &m, MSG_DONTWAIT);

	if (n < 0)
		return false;
	if (item->family == AF_INET6 && !to_read(&m, &p.to))
		return true;
	if (packet_read(bytes, (size_t)n, &p) && !is_ordinary(r, &p))
		attempt_note(r, &p);
	return true;
}

void recorder_run(struct relay *r, struct watch w, uint32_t events)
{
	(void)events;
	if (w.index >= r->recorders.len)
		return;
	for (int i = 0; i < ROUNDS_MAX; i++)
		if (!is_taken(r, &r->recorders.items[w.index]))
			return;
}

uint32_t recorder_lost(struct relay *r)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < r->recorders.len; i++) {
		uint32_t info[SK_MEMINFO_VARS] = { 0 };
		socklen_t len = sizeof info;

		if (getsockopt(r->recorders.items[i].fd, SOL_SOCKET, SO_MEMINFO,
			       info, &len) == 0)
			lost += info[SK_MEMINFO_DROPS];
	}
	return lost > UINT32_MAX ? UINT32_MAX : (uint32_t)lost;
}
