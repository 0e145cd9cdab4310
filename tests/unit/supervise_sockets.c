/* How the kernel's list of sockets is read, and the list itself. */
#include "supervise/sockets.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "supervise/clock.h"
#include "tap.h"

#define SHARE  212992U
#define OWN    2048U /* counted for each socket */
#define LISTEN 10

struct packet {
	_Alignas(8) char bytes[1024];
	size_t len;
};

static void put(struct packet *p, const void *bytes, size_t len)
{
	memcpy(p->bytes + p->len, bytes, len);
	p->len += NLMSG_ALIGN(len);
}

static void put_words(struct packet *p, int type, const uint32_t *words,
		      size_t n)
{
	struct nlattr a = { .nla_len = (uint16_t)(sizeof a + 4 * n),
			    .nla_type = (uint16_t)type };

	put(p, &a, sizeof a);
	put(p, words, 4 * n);
}

/* One socket of AF_UNIX; what it has sent that is unread, and what is in its
 * queue. */
static struct packet a_socket(int type, int state, uint32_t sent,
			      uint32_t unread)
{
	struct packet p = { .len = sizeof(struct nlmsghdr) };
	struct unix_diag_msg u = { .udiag_family = AF_UNIX,
				   .udiag_type = (uint8_t)type,
				   .udiag_state = (uint8_t)state };
	uint32_t queue[2] = { unread, 0 };
	uint32_t memory[9] = { [SK_MEMINFO_SNDBUF] = SHARE,
			       [SK_MEMINFO_RCVBUF] = SHARE,
			       [SK_MEMINFO_WMEM_ALLOC] = sent };

	put(&p, &u, sizeof u);
	put_words(&p, UNIX_DIAG_RQLEN, queue, 2);
	put_words(&p, UNIX_DIAG_MEMINFO, memory, 9);
	return p;
}

static uint64_t sum_of(struct packet *p)
{
	struct nlmsghdr h = { .nlmsg_len = (uint32_t)p->len,
			      .nlmsg_type = SOCK_DIAG_BY_FAMILY };
	bool ends = true;
	uint64_t sum;

	memcpy(p->bytes, &h, sizeof h);
	sum = sockets_sum(p->bytes, p->len, &ends);
	ok(!ends);
	return sum;
}

static void counts_what_was_sent_for_its_sender(void)
{
	struct packet p = a_socket(SOCK_STREAM, 1, 5000, 0);

	ok_int(sum_of(&p), OWN + 5000);
	p = a_socket(SOCK_STREAM, 1, 0, 4000);
	put_words(&p, UNIX_DIAG_PEER, (uint32_t[]){ 77 }, 1);
	ok_int(sum_of(&p), OWN);
}

static void counts_the_share_of_a_sender_that_is_gone(void)
{
	const uint32_t gone = 0;
	struct packet p = a_socket(SOCK_STREAM, 1, 0, 10);

	put_words(&p, UNIX_DIAG_PEER, &gone, 1);
	ok_int(sum_of(&p), OWN + 7680);
	p = a_socket(SOCK_SEQPACKET, 1, 0, 10000);
	ok_int(sum_of(&p), OWN + SHARE);
	p = a_socket(SOCK_STREAM, 1, 0, 1000000); /* another policy's buffer */
	ok_int(sum_of(&p), OWN + 2000000);
	p = a_socket(SOCK_DGRAM, 1, 0, 1);
	put_words(&p, UNIX_DIAG_PEER, &gone, 1);
	ok_int(sum_of(&p), OWN + SHARE);
	p = a_socket(SOCK_DGRAM, 7, 0, 1); /* anybody may send to it */
	ok_int(sum_of(&p), OWN + 11 * SHARE);
	p = a_socket(SOCK_DGRAM, 7, 0, 0);
	ok_int(sum_of(&p), OWN);
}

static void counts_connections_that_nobody_accepted(void)
{
	struct packet p = a_socket(SOCK_STREAM, LISTEN, 0, 3);

	put_words(&p, UNIX_DIAG_ICONS, (uint32_t[]){ 0, 9, 0 }, 3);
	ok_int(sum_of(&p), OWN + 2 * SHARE);
}

static void counts_both_queues_of_tcp(void)
{
	struct packet p = { .len = sizeof(struct nlmsghdr) };
	struct inet_diag_msg m = { .idiag_family = AF_INET6 };
	uint32_t memory[9] = { [SK_MEMINFO_RMEM_ALLOC] = 100,
			       [SK_MEMINFO_WMEM_ALLOC] = 20,
			       [SK_MEMINFO_WMEM_QUEUED] = 3000,
			       [SK_MEMINFO_OPTMEM] = 4,
			       [SK_MEMINFO_BACKLOG] = 50 };

	put(&p, &m, sizeof m);
	put_words(&p, INET_DIAG_SKMEMINFO, memory, 9);
	ok_int(sum_of(&p), OWN + 3154);
}

static void stops_at_the_end_and_at_what_is_cut(void)
{
	struct packet p = a_socket(SOCK_STREAM, 1, 5000, 0);
	struct nlmsghdr done = { .nlmsg_len = sizeof done,
				 .nlmsg_type = NLMSG_DONE };
	bool ends = false;

	(void)sum_of(&p);
	for (size_t n = 0; n < p.len; n++)
		ok(sockets_sum(p.bytes, n, &ends) == 0 && !ends);
	put(&p, &done, sizeof done);
	ok_int(sockets_sum(p.bytes, p.len, &ends), OWN + 5000);
	ok(ends);
}

static void tells_whether_tcp_or_udp_is_in_use(void)
{
	ok(!sockets_has_inet(
		"sockets: used 9\nTCP: inuse 0 orphan 0 tw 0 alloc "
		"7 mem 5\nUDP: inuse 0 mem 4\n"));
	ok(sockets_has_inet("TCP: inuse 1 orphan 0\n"));
	ok(sockets_has_inet("TCP: inuse 0 orphan 0\nUDP: inuse 12 mem 0\n"));
	ok(sockets_has_inet("TCP6: inuse 2\nUDP6: inuse 0\n"));
	ok(!sockets_has_inet(""));
}

static void sees_a_full_queue_of_its_own(void)
{
	static char text[65536];
	struct sockets s = { 0 };
	uint64_t far = clock_now_ns() + 5 * NS_PER_S;
	uint64_t before, after;
	char byte = 0;
	int pair[2];

	/* The lists have the sockets of every process in the network namespace, so
	 * use one that no other process is in. */
	ok(unshare(CLONE_NEWNET) == 0 ||
	   unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0);
	s.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	ok(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
	before = sockets_read(&s, false, far, text, sizeof text);
	while (write(pair[0], &byte, 1) == 1)
		;
	after = sockets_read(&s, false, far, text, sizeof text);
	ok(before > 0 && after >= before + 100000);
	ok(!s.is_asked && s.kind == 0);
	/* A list that takes more than one read is continued. */
	(void)sockets_read(&s, true, 0, text, sizeof text);
	ok(s.is_asked);
	(void)sockets_read(&s, true, far, text, sizeof text);
	ok(!s.is_asked && s.kind == 0);
	(void)close(s.fd);
	s.fd = -1;
	ok_int(sockets_read(&s, false, far, text, sizeof text), 0);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(counts_what_was_sent_for_its_sender),
		CASE(counts_the_share_of_a_sender_that_is_gone),
		CASE(counts_connections_that_nobody_accepted),
		CASE(counts_both_queues_of_tcp),
		CASE(stops_at_the_end_and_at_what_is_cut),
		CASE(tells_whether_tcp_or_udp_is_in_use),
		CASE(sees_a_full_queue_of_its_own), TAP_END });
}
