/* recorder.c -- see recorder.h. */
#include "relay/recorder.h"

#include <errno.h>
#include <linux/if_packet.h>
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

int recorder_add(struct relay *r, int fd)
{
	struct watch w = { .kind = WATCH_RECORDER };
	int e;

	if (r->recorder_fd >= 0)
		return -EEXIST;
	e = watch_add(r, fd, w, EPOLLIN);
	if (e < 0)
		return e;
	r->recorder_fd = fd;
	return 0;
}

/* Whether it is the relay's own business, or the vessel's alone. */
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

void recorder_run(struct relay *r, struct watch w, uint32_t events)
{
	uint8_t bytes[PACKET_BYTES];
	struct packet p;

	(void)w;
	(void)events;
	for (int i = 0; i < ROUNDS_MAX; i++) {
		struct sockaddr_ll from = { 0 };
		socklen_t len = sizeof from;
		ssize_t n =
			recvfrom(r->recorder_fd, bytes, sizeof bytes,
				 MSG_DONTWAIT, (struct sockaddr *)&from, &len);

		if (n < 0)
			return;
		if (from.sll_pkttype != PACKET_OUTGOING &&
		    packet_read(bytes, (size_t)n, &p) && !is_ordinary(r, &p))
			attempt_note(r, &p);
	}
}

uint32_t recorder_lost(struct relay *r)
{
	struct tpacket_stats s = { 0 };
	socklen_t len = sizeof s;

	if (r->recorder_fd < 0 || getsockopt(r->recorder_fd, SOL_PACKET,
					     PACKET_STATISTICS, &s, &len) < 0)
		return 0;
	return s.tp_drops;
}
