/* stub_socket.c -- questions by datagram and over TCP. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/relay.h"
#include "relay/stub_private.h"

#define ROUNDS_MAX 64    /* datagrams at once */
#define PEER_MS    10000 /* for a question over TCP */
#define PAUSE_MS   100

/* Room for the control message that says which address was asked. */
union asked {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
};

/* The address that was asked.  Clients accept an answer only from that
 * address. */
static void asked_read(struct msghdr *m, struct relay_address *ret)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	struct in6_pktinfo v6;
	struct in_pktinfo v4;

	memset(ret, 0, sizeof *ret);
	for (; c != NULL; c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level == IPPROTO_IPV6 &&
		    c->cmsg_type == IPV6_PKTINFO) {
			memcpy(&v6, CMSG_DATA(c), sizeof v6);
			ret->family = AF_INET6;
			memcpy(ret->bytes, &v6.ipi6_addr, 16);
		} else if (c->cmsg_level == IPPROTO_IP &&
			   c->cmsg_type == IP_PKTINFO) {
			memcpy(&v4, CMSG_DATA(c), sizeof v4);
			ret->family = AF_INET;
			memcpy(ret->bytes, &v4.ipi_addr, 4);
		}
	}
}

/* The same for an answer; returns its length. */
static size_t asked_write(const struct relay_address *a, struct cmsghdr *c)
{
	struct in6_pktinfo v6 = { 0 };
	struct in_pktinfo v4 = { 0 };

	if (a->family == AF_INET6) {
		memcpy(&v6.ipi6_addr, a->bytes, 16);
		*c = (struct cmsghdr){ .cmsg_level = IPPROTO_IPV6,
				       .cmsg_type = IPV6_PKTINFO,
				       .cmsg_len = CMSG_LEN(sizeof v6) };
		memcpy(CMSG_DATA(c), &v6, sizeof v6);
		return CMSG_SPACE(sizeof v6);
	}
	memcpy(&v4.ipi_spec_dst, a->bytes, 4);
	*c = (struct cmsghdr){ .cmsg_level = IPPROTO_IP,
			       .cmsg_type = IP_PKTINFO,
			       .cmsg_len = CMSG_LEN(sizeof v4) };
	memcpy(CMSG_DATA(c), &v4, sizeof v4);
	return CMSG_SPACE(sizeof v4);
}

void datagram_answer(struct relay *r, const struct stub_way *way,
		     const uint8_t *bytes, size_t len)
{
	union asked room = { 0 };
	struct sockaddr_in6 to = way->to;
	struct iovec part = { (void *)(uintptr_t)bytes, len };
	struct msghdr m = { .msg_name = &to,
			    .msg_namelen = way->to_len,
			    .msg_iov = &part,
			    .msg_iovlen = 1 };

	if (way->from.family != 0) {
		m.msg_control = &room;
		m.msg_controllen = asked_write(&way->from, &room.align);
	}
	(void)sendmsg(r->stub.sockets[way->index].fd, &m,
		      MSG_NOSIGNAL | MSG_DONTWAIT);
}

void stub_run(struct relay *r, struct watch w, uint32_t events)
{
	uint8_t bytes[4096]; /* a question has 300 at most */

	(void)events;
	if (w.index >= r->stub.sockets_len)
		return;
	for (int i = 0; i < ROUNDS_MAX; i++) {
		struct stub_way way = { .index = w.index };
		union asked room;
		struct iovec part = { bytes, sizeof bytes };
		struct msghdr m = { .msg_name = &way.to,
				    .msg_namelen = sizeof way.to,
				    .msg_iov = &part,
				    .msg_iovlen = 1,
				    .msg_control = &room,
				    .msg_controllen = sizeof room };
		ssize_t n =
			recvmsg(r->stub.sockets[w.index].fd, &m, MSG_DONTWAIT);

		if (n < 0)
			return;
		way.to_len = m.msg_namelen;
		asked_read(&m, &way.from);
		stub_ask(r, bytes, (size_t)n, &way);
	}
}

static struct watch watch_of(const struct relay *r, const struct stub_peer *p)
{
	return (struct watch){ .kind = WATCH_DNS_PEER,
			       .turn = p->turn,
			       .index = (uint16_t)(p - r->stub.peers) };
}

static void peer_close(struct stub_peer *p)
{
	(void)close(p->fd);
	p->is_used = false;
	p->turn++;
}

static void peer_open(struct relay *r, int fd)
{
	for (size_t i = 0; i < STUB_PEERS_MAX; i++) {
		struct stub_peer *p = &r->stub.peers[i];

		if (p->is_used)
			continue;
		p->fd = fd;
		p->have = 0;
		p->ends_ns = relay_in_ms(r, PEER_MS);
		p->is_used = true;
		relay_note_due(r, p->ends_ns);
		if (watch_add(r, fd, watch_of(r, p), EPOLLIN) < 0)
			peer_close(p);
		return;
	}
	(void)close(fd); /* there are datagrams */
}

void stub_run_listener(struct relay *r, struct watch w, uint32_t events)
{
	(void)events;
	if (w.index >= r->stub.sockets_len)
		return;
	for (int i = 0; i < ROUNDS_MAX; i++) {
		int fd = accept4(r->stub.sockets[w.index].fd, NULL, NULL,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0 && errno != EAGAIN) {
			/* There is no descriptor or memory, so do not try again
			 * at once. */
			watch_put(r, r->stub.sockets[w.index].fd, w, 0);
			relay_note_due(r, relay_in_ms(r, PAUSE_MS));
		}
		if (fd < 0)
			return;
		peer_open(r, fd);
	}
}

void stream_answer(struct relay *r, const struct stub_way *way,
		   const uint8_t *bytes, size_t len)
{
	struct stub_peer *p = &r->stub.peers[way->index];
	uint8_t head[2] = { (uint8_t)(len >> 8), (uint8_t)len };
	struct iovec parts[2] = { { head, sizeof head },
				  { (void *)(uintptr_t)bytes, len } };
	struct msghdr m = { .msg_iov = parts, .msg_iovlen = 2 };

	if (!p->is_used || p->turn != way->turn)
		return;
	if (sendmsg(p->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) !=
	    (ssize_t)(len + sizeof head))
		peer_close(p);
}

/* Take one complete question from the buffer; false while there is none. */
static bool is_asked(struct relay *r, struct stub_peer *p)
{
	struct stub_way way = { .is_tcp = true,
				.index = (uint16_t)(p - r->stub.peers),
				.turn = p->turn };
	size_t len = p->have < 2 ? 0 : (size_t)p->bytes[0] << 8 | p->bytes[1];
	uint8_t bytes[DNS_UDP_BYTES];

	if (p->have < 2 || (len <= DNS_UDP_BYTES && p->have < 2 + len))
		return false;
	if (len > DNS_UDP_BYTES) {
		peer_close(p);
		return false;
	}
	memcpy(bytes, p->bytes + 2, len);
	p->have -= 2 + len;
	memmove(p->bytes, p->bytes + 2 + len, p->have);
	p->ends_ns = relay_in_ms(r, PEER_MS);
	stub_ask(r, bytes, len, &way);
	return p->is_used && p->turn == way.turn;
}

void stub_run_peer(struct relay *r, struct watch w, uint32_t events)
{
	struct stub_peer *p;
	ssize_t n;

	(void)events;
	if (w.index >= STUB_PEERS_MAX)
		return;
	p = &r->stub.peers[w.index];
	if (!p->is_used || p->turn != w.turn)
		return;
	n = recv(p->fd, p->bytes + p->have, sizeof p->bytes - p->have, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		peer_close(p);
		return;
	}
	p->have += (size_t)n;
	while (is_asked(r, p))
		;
}

void stub_run_due(struct relay *r)
{
	for (size_t i = 0; i < r->stub.sockets_len; i++)
		if (r->stub.sockets[i].is_tcp)
			watch_put(r, r->stub.sockets[i].fd,
				  (struct watch){ .kind = WATCH_DNS_LISTENER,
						  .index = (uint16_t)i },
				  EPOLLIN);
	for (size_t i = 0; i < STUB_PEERS_MAX; i++) {
		struct stub_peer *p = &r->stub.peers[i];

		if (p->is_used && p->ends_ns <= r->now_ns)
			peer_close(p);
		else if (p->is_used)
			relay_note_due(r, p->ends_ns);
	}
}
