/* relay.h -- the relay: the only way from a vessel to the network.
 *
 * Room: relay.  A program of its own, cupel-relay, outside the vessel, one for
 * each run with scoped egress.  All its memory is one struct relay and the
 * buffers for ClientHellos.  Both are mapped before it is confined; afterwards
 * it can get no more.
 *
 * Must:     be confined before it reads a byte from inside (wall.h)
 *           judge exactly the address that it connects to, at every connection
 *           refuse what it has no room for, and count it
 *           end with its supervisor
 * Must not: know the plan; parse anything but DNS messages and a ClientHello
 *           open a file; keep a connection waiting for another one
 * */
#ifndef CUPEL_RELAY_RELAY_H
#define CUPEL_RELAY_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/book.h"
#include "relay/connection.h"
#include "relay/listener.h"
#include "relay/name.h"
#include "relay/recorder.h"
#include "relay/resolver.h"
#include "relay/rule.h"
#include "relay/stub.h"

/* The buffer for copying.  All connections share it; nothing is kept in it. */
#define RELAY_BUFFER_BYTES 131072

struct relay {
	int epoll_fd;
	bool is_ending;
	uint64_t now_ns;  /* the time of this round of the loop */
	uint64_t next_ns; /* the earliest time at which something is due */
	uint64_t turns;   /* of the loop, for tests */
	struct policy policy;
	struct book book;
	struct names names;
	struct resolver resolver;
	struct stub stub;
	struct listeners listeners;
	struct recorders recorders;
	struct connections connections;
	uint8_t buffer[RELAY_BUFFER_BYTES];
};

/* relay_note_due -- wake the loop at that time, because something is due
 * then. */
static inline void relay_note_due(struct relay *r, uint64_t at_ns)
{
	if (at_ns < r->next_ns)
		r->next_ns = at_ns;
}

/* relay_in_ms -- the time that many milliseconds from now. */
static inline uint64_t relay_in_ms(const struct relay *r, uint32_t ms)
{
	return r->now_ns + (uint64_t)ms * 1000000;
}

#endif
