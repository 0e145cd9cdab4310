/* sockets.c -- reads what the queues of a vessel's sockets hold. */
#include "supervise/sockets.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "supervise/clock.h"

#define HEAD_BYTES   sizeof(struct nlattr) /* NLA_HDRLEN, without a sign */
#define STATES_ALL   0xffffffffU
#define STATE_LISTEN 10   /* TCP_LISTEN, also used by AF_UNIX */
#define SOCKET_BYTES 2048 /* the socket, its inode and its open file */
#define SMALL_BYTES  768  /* what a message of one byte occupies */
#define QUEUE_LEN    11   /* net.unix.max_dgram_qlen, and one more */

static const struct {
	uint8_t family, protocol;
} kinds[] = {
	{ AF_UNIX, 0 },
	{ AF_INET, IPPROTO_TCP },
	{ AF_INET6, IPPROTO_TCP },
	{ AF_INET, IPPROTO_UDP },
	{ AF_INET6, IPPROTO_UDP },
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* --- one packet ------------------------------------------------------------- */

struct found {
	const uint32_t *memory; /* SK_MEMINFO_* of linux/sock_diag.h, or NULL */
	const uint32_t *peer, *queue;
	const uint32_t *waiting; /* peers of connections not yet accepted */
	size_t waiting_len;
};

static const uint32_t *words_of(const struct nlattr *a, size_t least)
{
	return a->nla_len >= HEAD_BYTES + least * sizeof(uint32_t)
		       ? (const void *)((const char *)a + HEAD_BYTES)
		       : NULL;
}

static void find_attributes(const char *at, size_t len, uint8_t family,
			    struct found *ret)
{
	bool is_unix = family == AF_UNIX;
	int memory = is_unix ? UNIX_DIAG_MEMINFO : INET_DIAG_SKMEMINFO;

	*ret = (struct found){ 0 };
	while (len >= HEAD_BYTES) {
		const struct nlattr *a = (const void *)at;
		size_t step = (size_t)NLA_ALIGN(a->nla_len);

		if (a->nla_len < HEAD_BYTES || a->nla_len > len)
			return;
		if (a->nla_type == memory)
			ret->memory = words_of(a, SK_MEMINFO_BACKLOG + 1);
		else if (is_unix && a->nla_type == UNIX_DIAG_PEER)
			ret->peer = words_of(a, 1);
		else if (is_unix && a->nla_type == UNIX_DIAG_RQLEN)
			ret->queue = words_of(a, 2);
		else if (is_unix && a->nla_type == UNIX_DIAG_ICONS) {
			ret->waiting = words_of(a, 0);
			ret->waiting_len =
				(a->nla_len - HEAD_BYTES) / sizeof(uint32_t);
		}
		if (step >= len)
			return;
		at += step;
		len -= step;
	}
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t of_memory(const uint32_t *m)
{
	return (uint64_t)m[SK_MEMINFO_RMEM_ALLOC] +
	       larger(m[SK_MEMINFO_WMEM_ALLOC], m[SK_MEMINFO_WMEM_QUEUED]) +
	       m[SK_MEMINFO_OPTMEM] + m[SK_MEMINFO_BACKLOG];
}

/* Unread data count for the sender as long as it has a descriptor.  For a
 * sender without one the kernel reports only the bytes and not the memory that
 * holds them: at most one send buffer for each possible sender. */
static uint64_t of_the_gone(const struct unix_diag_msg *u,
			    const struct found *f)
{
	uint64_t share = f->memory[SK_MEMINFO_SNDBUF];
	uint64_t unread = f->queue != NULL ? f->queue[0] : 0;
	uint64_t sum = 0;

	if (u->udiag_state == STATE_LISTEN) {
		for (size_t i = 0; i < f->waiting_len; i++)
			sum += f->waiting[i] == 0 ? share : 0;
		return sum;
	}
	if (unread == 0 || (f->peer != NULL && *f->peer != 0))
		return 0;
	if (u->udiag_type ==
	    SOCK_DGRAM) /* only the bytes of the first message */
		return f->peer != NULL ? share : QUEUE_LEN * share;
	return larger(2 * unread, unread * SMALL_BYTES < share
					  ? unread * SMALL_BYTES
					  : share);
}

static uint64_t sum_message(const struct nlmsghdr *h)
{
	const uint8_t *family = NLMSG_DATA(h);
	size_t len = NLMSG_PAYLOAD(h, 0);
	size_t head = len > 0 && *family == AF_UNIX
			      ? sizeof(struct unix_diag_msg)
			      : sizeof(struct inet_diag_msg);
	struct found f;

	if (len <= head)
		return 0;
	find_attributes((const char *)family + head, len - head, *family, &f);
	if (f.memory == NULL)
		return 0;
	return SOCKET_BYTES + of_memory(f.memory) +
	       (*family == AF_UNIX ? of_the_gone((const void *)family, &f) : 0);
}

uint64_t sockets_sum(const char *packet, size_t len, bool *ret_ends)
{
	const struct nlmsghdr *h = (const void *)packet;
	uint64_t sum = 0;

	*ret_ends = false;
	while (len >= sizeof *h) {
		size_t step = NLMSG_ALIGN(h->nlmsg_len);

		if (h->nlmsg_len < sizeof *h || h->nlmsg_len > len)
			break;
		if (h->nlmsg_type == NLMSG_DONE ||
		    h->nlmsg_type == NLMSG_ERROR) {
			*ret_ends = true;
			return sum;
		}
		if (h->nlmsg_type == SOCK_DIAG_BY_FAMILY)
			sum += sum_message(h);
		if (step >= len)
			break;
		h = (const void *)((const char *)h + step);
		len -= step;
	}
	return sum;
}

/* --- asking ----------------------------------------------------------------- */

static bool list_ask(const struct sockets *s)
{
	struct {
		struct nlmsghdr head;
		union {
			struct unix_diag_req local;
			struct inet_diag_req_v2 inet;
		} of;
	} q = { .head = { .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP } };
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	uint8_t family = kinds[s->kind].family;

	if (family == AF_UNIX) {
		q.of.local = (struct unix_diag_req){
			.sdiag_family = AF_UNIX,
			.udiag_states = STATES_ALL,
			.udiag_show = UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN |
				      UDIAG_SHOW_MEMINFO | UDIAG_SHOW_ICONS,
		};
		q.head.nlmsg_len = NLMSG_LENGTH(sizeof q.of.local);
	} else {
		q.of.inet = (struct inet_diag_req_v2){
			.sdiag_family = family,
			.sdiag_protocol = kinds[s->kind].protocol,
			.idiag_ext = 1 << (INET_DIAG_SKMEMINFO - 1),
			.idiag_states = STATES_ALL,
		};
		q.head.nlmsg_len = NLMSG_LENGTH(sizeof q.of.inet);
	}
	return sendto(s->fd, &q, q.head.nlmsg_len, MSG_DONTWAIT,
		      (struct sockaddr *)&kernel, sizeof kernel) > 0;
}

/* Read one packet of the answer.  A packet that does not come from the kernel
 * is ignored. */
static void list_take(struct sockets *s, char *text, size_t room)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_len = sizeof from;
	ssize_t n = recvfrom(s->fd, text, room, MSG_DONTWAIT,
			     (struct sockaddr *)&from, &from_len);
	bool ends = true;

	if (n > 0 && from.nl_pid != 0)
		return;
	if (n > 0)
		s->part_bytes += sockets_sum(text, (size_t)n, &ends);
	if (ends) {
		s->is_asked = false;
		s->kind++;
	}
}

uint64_t sockets_read(struct sockets *s, bool has_inet, uint64_t deadline_ns,
		      char *text, size_t room)
{
	if (s->fd < 0)
		return 0;
	s->has_inet |= has_inet;
	do {
		if (s->is_asked)
			list_take(s, text, room);
		else if (s->kind >= (s->has_inet ? KINDS : 1)) {
			s->whole_bytes = s->part_bytes;
			s->part_bytes = s->kind = 0;
			s->has_inet = false;
			break;
		} else if (list_ask(s))
			s->is_asked = true;
		else
			s->kind++; /* this kernel has no such list */
	} while (clock_now_ns() < deadline_ns);
	return larger(s->whole_bytes, s->part_bytes);
}

bool sockets_has_inet(const char *text)
{
	static const char *const keys[] = { "TCP: inuse ", "UDP: inuse ",
					    "TCP6: inuse ", "UDP6: inuse " };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *p = strstr(text, keys[i]);

		if (p != NULL && p[strlen(keys[i])] != '0')
			return true;
	}
	return false;
}
