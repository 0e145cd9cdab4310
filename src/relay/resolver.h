/* resolver.h -- names are asked for outside, from the host's name servers.
 *
 * One question for each name and kind of address at once; each from a socket of
 * its own, so that its port is the kernel's choice, with an id at random, and
 * connected, so that others cannot answer (RFC 5452, section 9.2). */
#ifndef CUPEL_RELAY_RESOLVER_H
#define CUPEL_RELAY_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/dns.h"
#include "relay/name.h"
#include "relay/watch.h"

#define RESOLVER_QUERIES_MAX 64 /* at once; what is more waits */
#define RESOLVER_STREAMS_MAX 8  /* of those over TCP */

struct query {
	bool is_open, is_tcp;
	uint16_t turn, name, id, type;
	uint8_t tries, stream;
	int fd;
	uint64_t ends_ns;
};

/* What is sent and what has come of a question over TCP. */
struct query_stream {
	bool is_taken;
	size_t sent, got;
	uint8_t bytes[2 + DNS_TCP_BYTES];
};

struct resolver {
	uint16_t turn;
	struct query queries[RESOLVER_QUERIES_MAX];
	struct query_stream streams[RESOLVER_STREAMS_MAX];
};

/* resolver_ask -- see to it that the name is known, and say what is known now.
 * When NAME_ASKED is returned, stub_note_name and connection_note_name are
 * called for it later. */
enum name_state resolver_ask(struct relay *r, uint16_t name);

/* resolver_run -- a query's socket has something to say. */
void resolver_run(struct relay *r, struct watch w, uint32_t events);

/* resolver_run_due -- what nobody answered in time. */
void resolver_run_due(struct relay *r);

#endif
