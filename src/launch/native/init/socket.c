/* socket.c -- the sockets of scoped egress, as the plan lists them.
 *
 * They are the relay's: the command can neither have nor close them.  Nobody
 * reads from them here. */
#include <assert.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"

#define LOOPBACK 1
#define BACKLOG  4096 /* the kernel's own bound is lower (names.c) */

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

/* --- the recorder ----------------------------------------------------------- */

/* What begins a connection or carries a datagram, to anywhere but the loopback
 * proper and a resolver.  Of a packet socket of the kind SOCK_DGRAM the bytes
 * begin with the IP header; a fragment behind the first begins nothing. */
enum place {
	V4 = 3,
	V6 = 10,
	FAR = 18, /* not ::1 */
	PROTOCOL = 20,
	TCP = 22,
	UDP = 25,
	TAKE = 27,
	LEAVE = 28
};

#define LOAD(size, at)  BPF_STMT(BPF_LD | (size) | BPF_ABS, at)
#define LOADX(size, at) BPF_STMT(BPF_LD | (size) | BPF_IND, at)
/* Instruction `at`, with the instructions that it jumps to. */
#define TEST(op, at, k, yes, no)                                               \
	[at] = BPF_JUMP(BPF_JMP | (op) | BPF_K, k, (yes) - (at)-1,             \
			(no) - (at)-1)

#define PORT_DNS  53
#define TCP_FLAGS 13
#define TCP_SYN   0x02
#define TCP_ACK   0x10
#define TAKEN     128 /* bytes of a packet: more than its headers have */

static const struct sock_filter recorder_filter[] = {
	LOAD(BPF_H, (uint32_t)(SKF_AD_OFF + SKF_AD_PROTOCOL)),
	TEST(BPF_JEQ, 1, ETH_P_IP, V4, 2),
	TEST(BPF_JEQ, 2, ETH_P_IPV6, V6, LEAVE),

	[V4] = LOAD(BPF_B, 16), /* of the destination */
	TEST(BPF_JEQ, 4, 127, LEAVE, 5),
	[5] = LOAD(BPF_H, 6), /* which fragment */
	TEST(BPF_JSET, 6, 0x1fff, LEAVE, 7),
	[7] = BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
	LOAD(BPF_B, 9), /* protocol */
	BPF_STMT(BPF_JMP | BPF_JA, PROTOCOL - 10),

	[V6] = LOAD(BPF_W, 24), /* destination, word by word */
	TEST(BPF_JEQ, 11, 0, 12, FAR),
	[12] = LOAD(BPF_W, 28),
	TEST(BPF_JEQ, 13, 0, 14, FAR),
	[14] = LOAD(BPF_W, 32),
	TEST(BPF_JEQ, 15, 0, 16, FAR),
	[16] = LOAD(BPF_W, 36),
	TEST(BPF_JEQ, 17, 1, LEAVE, FAR),
	[FAR] = BPF_STMT(BPF_LDX | BPF_W | BPF_IMM, 40),
	LOAD(BPF_B, 6), /* next header */

	TEST(BPF_JEQ, PROTOCOL, IPPROTO_TCP, TCP, PROTOCOL + 1),
	TEST(BPF_JEQ, PROTOCOL + 1, IPPROTO_UDP, UDP, LEAVE),
	[TCP] = LOADX(BPF_B, TCP_FLAGS),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, TCP_SYN | TCP_ACK),
	TEST(BPF_JEQ, TCP + 2, TCP_SYN, TAKE, LEAVE),
	[UDP] = LOADX(BPF_H, 2), /* to which port */
	TEST(BPF_JEQ, UDP + 1, PORT_DNS, LEAVE, TAKE),

	[TAKE] = BPF_STMT(BPF_RET | BPF_K, TAKEN),
	[LEAVE] = BPF_STMT(BPF_RET | BPF_K, 0),
};
static_assert(sizeof recorder_filter / sizeof *recorder_filter == LEAVE + 1,
	      "no instruction behind the last");

static long option_set(struct init *in, int fd, int level, int name, int value)
{
	return sys5(&in->k, SYS_setsockopt, fd, level, name, &value,
		    sizeof value);
}

/* With protocol 0 it receives nothing until it is bound: not a packet comes in
 * that the filter has not seen. */
static long recorder_fill(struct init *in, int fd)
{
	const struct sock_fprog filter = {
		.len = sizeof recorder_filter / sizeof *recorder_filter,
		.filter = (struct sock_filter *)recorder_filter,
	};
	const struct sockaddr_ll at = { .sll_family = AF_PACKET,
					.sll_protocol =
						__builtin_bswap16(ETH_P_ALL),
					.sll_ifindex = LOOPBACK };
	long r = sys5(&in->k, SYS_setsockopt, fd, SOL_SOCKET, SO_ATTACH_FILTER,
		      &filter, sizeof filter);

	/* On lo each packet goes out and comes in again. */
	if (r == 0)
		r = option_set(in, fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
	if (r == 0)
		r = sys3(&in->k, SYS_bind, fd, &at, sizeof at);
	return r;
}

/* --- all of them -------------------------------------------------------------- */

static const struct {
	uint8_t family; /* 0 = that of the address */
	int type;
	bool listens;
} kinds[] = {
	[RELAY_SOCKET_TCP] = { 0, SOCK_STREAM, true },
	[RELAY_SOCKET_DNS_UDP] = { 0, SOCK_DGRAM, false },
	[RELAY_SOCKET_DNS_TCP] = { 0, SOCK_STREAM, true },
	[RELAY_SOCKET_RECORDER] = { AF_PACKET, SOCK_DGRAM, false },
	[RELAY_SOCKET_POOL] = { AF_INET, SOCK_STREAM, false },
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

/* That an IPv6 address is local by a route is not enough to be bound to; of an
 * IPv4 one it is. */
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
	case RELAY_SOCKET_RECORDER:
		return recorder_fill(in, fd);
	case RELAY_SOCKET_POOL:
		return 0;
	default:
		return socket_bind(in, fd, s, family);
	}
}

static long socket_open(struct init *in, uint16_t family, int type)
{
	return sys3(&in->k, SYS_socket, family,
		    type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

long socket_make(struct init *in, const struct egress_socket *s)
{
	uint16_t family = s->at.family;
	owned_sys_fd int fd = -1;
	long r;

	if (s->socket.kind == 0 || s->socket.kind >= RELAY_SOCKET_MAX_)
		return -EINVAL;
	if (kinds[s->socket.kind].family != 0)
		family = kinds[s->socket.kind].family;
	r = socket_open(in, family, kinds[s->socket.kind].type);
	/* What listens everywhere does so without IPv6, too. */
	if (r == -EAFNOSUPPORT && family == AF_INET6 && is_everywhere(&s->at)) {
		family = AF_INET;
		r = socket_open(in, family, kinds[s->socket.kind].type);
	}
	if (r < 0)
		return r;
	fd = (int)r;
	r = socket_fill(in, fd, s, family);
	return r < 0 ? r : sys_take_fd(&fd);
}
