/* connection_private.h -- between the files of a connection. */
#ifndef CUPEL_RELAY_CONNECTION_PRIVATE_H
#define CUPEL_RELAY_CONNECTION_PRIVATE_H

#include "relay/connection.h"

/* connection_watch -- the name of one of its sockets in the loop. */
struct watch connection_watch(const struct relay *r, const struct connection *c,
			      enum watch_kind kind);

/* connection_note -- count to the book: what it was asked for, with a verdict,
 * and so many connections, 0 or 1. */
void connection_note(struct relay *r, const struct connection *c,
		     enum relay_verdict verdict, uint32_t count);

/* connection_refuse -- note the verdict and reset it. */
void connection_refuse(struct relay *r, struct connection *c,
		       enum relay_verdict verdict);

/* connection_reset -- pass a reset on to whoever did not make it; over. */
void connection_reset(struct relay *r, struct connection *c);

/* connection_close -- both have ended; over. */
void connection_close(struct relay *r, struct connection *c);

/* hello_start -- wait for a ClientHello; dial_name follows, and what was read is
 * what its way out begins with. */
void hello_start(struct relay *r, struct connection *c);

/* hello_run -- more of it has come, or its end. */
void hello_run(struct relay *r, struct connection *c, uint32_t events);

/* dial_name -- resolve its name and connect. */
void dial_name(struct relay *r, struct connection *c);

/* dial_start -- connect to one of its candidates, or to asked.
 *
 * Each address is judged at the moment that it is connected to, whatever was
 * thought of it when the name was asked for. */
void dial_start(struct relay *r, struct connection *c);

/* dial_known -- resolver_ask has said something of its name. */
void dial_known(struct relay *r, struct connection *c);

/* dial_run -- an attempt (0 or 1) came to something. */
void dial_run(struct relay *r, struct connection *c, int attempt);

/* dial_next -- the address tried is slow: try another beside it. */
void dial_next(struct relay *r, struct connection *c);

/* dial_is_own -- whether the kernel says that the address is this host's: where
 * a datagram to it would come from it. */
bool dial_is_own(const struct relay_address *a);

/* way_end -- nothing more goes that way. */
void way_end(struct relay *r, struct way *w);

/* copy_start -- outside[0] is connected. */
void copy_start(struct relay *r, struct connection *c);

/* copy_run -- pass on what can be. */
void copy_run(struct relay *r, struct connection *c, enum watch_kind from,
	      uint32_t events);

#endif
