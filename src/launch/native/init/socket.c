/* socket.c -- the sockets of scoped egress, as the plan lists them.
 *
 * They belong to the relay: the command can neither have nor close them.
 * Nobody reads from them here. */
#include <assert.h>
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"

#define BACKLOG 4096 /* the kernel's own bound is lower (names.c) */

/* --- the recorders -------------------------------------------------------- */

/* What begins a connection or carries a datagram, to anywhere but the loopback
 * proper and a resolver.  A program is a head, which loads the offset of the
 * transport header into X, and a tail, which looks at that header.  The bytes
 * of a raw socket begin with the IP header, those of an IPv6 one after it. */
#define LOAD(size, at)     BPF_STMT(BPF_LD | (size) | BPF_ABS, at)
#define LOADX(size, at)    BPF_STMT(BPF_LD | (size) | BPF_IND, at)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define TAKE               BPF_STMT(BPF_RET | BPF_K, TAKEN)
#define LEAVE              BPF_STMT(BPF_RET | BPF_K, 0)

#define PORT_DNS  53
#define TCP_FLAGS 13
#define TCP_SYN   0x02
#define TCP_ACK   0x10
#define V6_TO     ((uint32_t)SKF_NET_OFF + 24) /* the destination */
#define TAKEN     128 /* bytes of a packet: more than its headers have */

static const struct sock_filter head4[] = {
	LOAD(BPF_B, 16), /* of the destination */
	IS(127, 0, 1),
	LEAVE,
	BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
};

static const struct sock_filter head6[] = {
	LOAD(BPF_W, V6_TO), /* word by word: all but ::1 */
	IS(0, 0, 7),
	LOAD(BPF_W, V6_TO + 4),
	IS(0, 0, 5),
	LOAD(BPF_W, V6_TO + 8),
	IS(0, 0, 3),
	LOAD(BPF_W, V6_TO + 12),
	IS(1, 0, 1),
	LEAVE,
	BPF_STMT(BPF_LDX | BPF_W | BPF_IMM, 0),
};

static const struct sock_filter tail_tcp[] = {
	LOADX(BPF_B, TCP_FLAGS),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, TCP_SYN | TCP_ACK),
	IS(TCP_SYN, 0, 1),
	TAKE,
	LEAVE,
};

static const struct sock_filter tail_udp[] = {
	LOADX(BPF_H, 2), /* the destination port */
	IS(PORT_DNS, 1, 0),
	TAKE,
	LEAVE,
};

#define INSNS(of) (sizeof(of) / sizeof *(of))
#define INSNS_MAX (INSNS(head6) + INSNS(tail_tcp))
static_assert(INSNS(head4) <= INSNS(head6) &&
		      INSNS(tail_udp) <= INSNS(tail_tcp),
	      "there is room for each");

static long option_set(struct init *in, int fd, int level, int name, int value)
{
	return sys5(&in->k, SYS_setsockopt, fd, level, name, &value,
		    sizeof value);
}

/* Done before anything can run here that sends, so that the filter sees every
 * packet that comes in. */
static long recorder_fill(struct init *in, int fd, uint16_t family, bool is_tcp)
{
	struct sock_filter insns[INSNS_MAX];
	size_t head = family == AF_INET ? INSNS(head4) : INSNS(head6);
	size_t tail = is_tcp ? INSNS(tail_tcp) : INSNS(tail_udp);
	const struct sock_fprog filter = { .len = (uint16_t)(head + tail),
					   .filter = insns };

	memcpy(insns, family == AF_INET ? head4 : head6, head * sizeof *insns);
	memcpy(insns + head, is_tcp ? tail_tcp : tail_udp,
	       tail * sizeof *insns);
	return sys5(&in->k, SYS_setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER,
		    &filter, sizeof filter);
}

/* --- all of them ---------------------------------------------------------- */

static const struct {
	int type, protocol;
	bool is_bound, listens;
} kinds[] = {
	[RELAY_SOCKET_TCP] = { SOCK_STREAM, 0, true, true },
	[RELAY_SOCKET_DNS_UDP] = { SOCK_DGRAM, 0, true, false },
	[RELAY_SOCKET_DNS_TCP] = { SOCK_STREAM, 0, true, true },
	[RELAY_SOCKET_RECORDER_TCP] = { SOCK_RAW, IPPROTO_TCP, false, false },
	[RELAY_SOCKET_RECORDER_UDP] = { SOCK_RAW, IPPROTO_UDP, false, false },
	[RELAY_SOCKET_POOL] = { SOCK_STREAM, 0, false, false },
};
static_assert(sizeof kinds / sizeof *kinds == RELAY_SOCKET_MAX_,
	      "a row for every kind of socket");

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static bool is_everywhere(const struct relay_address *a)
{
	static const uint8_t zero[16];

	return memcmp(a->bytes, zero, sizeof zero) == 0;
}

static size_t address_fill(const struct relay_address *a, uint16_t family,
			   union address *ret)
{
	uint16_t port = __builtin_bswap16(a->port);

	*ret = (union address){ .any.sa_family = family };
	if (family == AF_INET) {
		ret->v4.sin_port = port;
		memcpy(&ret->v4.sin_addr, a->bytes, sizeof ret->v4.sin_addr);
		return sizeof ret->v4;
	}
	ret->v6.sin6_port = port;
	memcpy(&ret->v6.sin6_addr, a->bytes, sizeof ret->v6.sin6_addr);
	return sizeof ret->v6;
}

/* For an IPv4 address a local route is enough to bind to it, for an IPv6
 * address it is not. */
static long socket_bind(struct init *in, int fd, const struct egress_socket *s,
			uint16_t family)
{
	union address at;
	size_t n = address_fill(&s->at, family, &at);
	long r = option_set(in, fd, SOL_SOCKET, SO_REUSEADDR, 1);

	if (r == 0 && family == AF_INET6)
		r = option_set(in, fd, IPPROTO_IPV6, IPV6_V6ONLY,
			       !is_everywhere(&s->at));
	if (r == 0 && family == AF_INET6)
		r = option_set(in, fd, IPPROTO_IPV6, IPV6_FREEBIND, 1);
	if (r == 0)
		r = sys3(&in->k, SYS_bind, fd, &at, n);
	if (r == 0 && kinds[s->socket.kind].listens)
		r = sys2(&in->k, SYS_listen, fd, BACKLOG);
	return r;
}

static long socket_fill(struct init *in, int fd, const struct egress_socket *s,
			uint16_t family)
{
	switch (s->socket.kind) {
	case RELAY_SOCKET_RECORDER_TCP:
	case RELAY_SOCKET_RECORDER_UDP:
		return recorder_fill(in, fd, family,
				     s->socket.kind ==
					     RELAY_SOCKET_RECORDER_TCP);
	case RELAY_SOCKET_POOL:
		return 0;
	default:
		return socket_bind(in, fd, s, family);
	}
}

static long socket_open(struct init *in, uint16_t family, unsigned kind)
{
	if (family == AF_INET6 && init_drops(in, DROP_IPV6))
		return -EAFNOSUPPORT;
	return sys3(&in->k, SYS_socket, family,
		    kinds[kind].type | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    kinds[kind].protocol);
}

/* What is accepted has the listener's congestion control.  Where it cannot be
 * had only speed is lost. */
static void congestion_put(struct init *in, int fd)
{
	(void)sys5(&in->k, SYS_setsockopt, fd, IPPROTO_TCP, TCP_CONGESTION,
		   EGRESS_CONGESTION, sizeof EGRESS_CONGESTION);
}

long socket_make(struct init *in, const struct egress_socket *s)
{
	unsigned kind = s->socket.kind;
	uint16_t family = s->at.family;
	owned_sys_fd int fd = -1;
	long r;

	if (kind == 0 || kind >= RELAY_SOCKET_MAX_ ||
	    (family != AF_INET && family != AF_INET6))
		return -EINVAL;
	r = socket_open(in, family, kind);
	/* What is bound to every address is bound so without IPv6, too. */
	if (r == -EAFNOSUPPORT && family == AF_INET6 && kinds[kind].is_bound &&
	    is_everywhere(&s->at)) {
		family = AF_INET;
		r = socket_open(in, family, kind);
	}
	if (r < 0)
		return r;
	fd = (int)r;
	if (kinds[kind].type == SOCK_STREAM)
		congestion_put(in, fd);
	r = socket_fill(in, fd, s, family);
	return r < 0 ? r : sys_take_fd(&fd);
}
