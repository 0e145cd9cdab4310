/* connection.h -- a connection: inside, outside, and the way from one to the
 * other.
 *
 *	HELLO	  it waits for the server's name, which must be that of the rule
 *	NAME	  the name is being resolved
 *	CONNECT	  address after address is tried, two at a time
 *	COPY	  bytes go both ways
 *
 * In every phase a reset on one side is a reset on the other.  A ClientHello
 * that is judged is kept here until it has been sent: in the kernel's buffer
 * there may be pages that the vessel still writes to.  Nothing else is kept
 * here.  Other bytes stay in the kernel's buffer, or in a pipe for a long
 * stream, until they can be passed on, so a slow reader slows down its own
 * writer. */
#ifndef CUPEL_RELAY_CONNECTION_H
#define CUPEL_RELAY_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/dns.h"
#include "relay/hello.h"
#include "relay/protocol.h"
#include "relay/watch.h"

enum connection_phase {
	PHASE_FREE,
	PHASE_HELLO,
	PHASE_NAME,
	PHASE_CONNECT,
	PHASE_COPY,
};

/* One direction of a copy. */
struct way {
	bool is_blocked; /* the receiver accepts no more for now */
	bool is_ended;   /* the end was read and passed on */
	bool is_outward; /* from the vessel */
	bool is_long;    /* it has had a look at its send buffer */
	bool has_pipe;
	int pipe[2];         /* with has_pipe: to read from, to write to */
	size_t held;         /* bytes in it */
	const uint8_t *kept; /* judged bytes, sent before all others */
	size_t kept_len;
	uint64_t bytes;
};

/* At most so many streams use a pipe at once; the others are copied.  A pipe
 * holds at most 2 MiB of kernel memory. */
#define PIPES_MAX 16

struct connection {
	uint8_t phase;
	bool is_refused; /* a range refused an address of the name */
	uint16_t turn, name, port;
	int inside, outside[2];
	int error;                 /* of the address that was tried last */
	uint64_t ends_ns, next_ns; /* the phase; the next address or look */
	unsigned idle; /* events in turn that led to nothing, in COPY */
	size_t have;   /* of the ClientHello, in its memory */
	struct relay_address asked;    /* as the vessel did */
	struct relay_address tried[2]; /* of outside[] */
	size_t candidates_len, candidate;
	struct relay_address candidates[DNS_ADDRESSES_MAX];
	struct way out, in;
};

struct connections {
	size_t max, live, high; /* allowed, now, one more than any place used */
	size_t free_len;
	size_t pipes;                         /* open */
	uint8_t (*hellos)[HELLO_BYTES_MAX];   /* memory of each place */
	uint16_t free[RELAY_CONNECTIONS_MAX]; /* the last one is taken first */
	struct connection items[RELAY_CONNECTIONS_MAX];
};

/* connection_init -- prepare for that many connections at once, at most
 * RELAY_CONNECTIONS_MAX; each gets its part of hellos. */
void connection_init(struct connections *cs, size_t max,
		     uint8_t (*hellos)[HELLO_BYTES_MAX]);

/* connection_open -- serve an accepted socket.  Takes fd. */
void connection_open(struct relay *r, int fd);

/* connection_note_name -- resolver_ask was answered. */
void connection_note_name(struct relay *r, uint16_t name);

/* connection_run -- handle an event on one of its sockets. */
void connection_run(struct relay *r, struct watch w, uint32_t events);

/* connection_run_due -- end what took too long. */
void connection_run_due(struct relay *r);

/* connection_end_all -- the vessel is gone, so note the outcome of each
 * connection. */
void connection_end_all(struct relay *r);

#endif
