/* resolver.h -- resolves names outside, through the host's name servers.
 *
 * One question for each name and kind of address at once; each has a random id
 * and a socket of its own.  The kernel chooses its port, and it is connected,
 * so that nobody else can answer (RFC 5452, section 9.2). */
#ifndef CUPEL_RELAY_RESOLVER_H
#define CUPEL_RELAY_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/dns.h"
#include "relay/name.h"
#include "relay/watch.h"

#define RESOLVER_QUERIES_MAX 64 /* at once; further questions wait */
#define RESOLVER_STREAMS_MAX 8  /* of those over TCP */

struct query {
	bool is_open, is_tcp;
	uint16_t turn, name, id, type;
	uint8_t tries, stream;
	int fd;
	uint64_t ends_ns;
};

/* The question that is sent over TCP, and the answer as far as it has come. */
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

/* resolver_ask -- make sure that the name gets resolved, and return what is
 * known now.  When NAME_ASKED is returned, stub_note_name and
 * connection_note_name are called for it later. */
enum name_state resolver_ask(struct relay *r, uint16_t name);

/* resolver_run -- handle an event on a query's socket. */
void resolver_run(struct relay *r, struct watch w, uint32_t events);

/* resolver_run_due -- go on with questions that nobody answered in time. */
void resolver_run_due(struct relay *r);

#endif
