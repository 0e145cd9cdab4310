/* connection_private.h -- between the files of a connection. */
#ifndef CUPEL_RELAY_CONNECTION_PRIVATE_H
#define CUPEL_RELAY_CONNECTION_PRIVATE_H

#include "relay/connection.h"

/* connection_watch -- the name of one of its sockets in the loop. */
struct watch connection_watch(const struct relay *r, const struct connection *c,
			      enum watch_kind kind);

/* connection_note -- enter the destination into the book with a verdict, as 0
 * or 1 connections. */
void connection_note(struct relay *r, const struct connection *c,
		     enum relay_verdict verdict, uint32_t count);

/* connection_refuse -- note the verdict and reset it. */
void connection_refuse(struct relay *r, struct connection *c,
		       enum relay_verdict verdict);

/* connection_reset -- pass a reset on to the other side and free the
 * connection. */
void connection_reset(struct relay *r, struct connection *c);

/* connection_close -- both sides have ended; free the connection. */
void connection_close(struct relay *r, struct connection *c);

/* hello_start -- wait for a ClientHello.  Afterwards dial_name is called, and
 * the bytes that were read are the first that are sent out. */
void hello_start(struct relay *r, struct connection *c);

/* hello_run -- read more of it, or its end. */
void hello_run(struct relay *r, struct connection *c, uint32_t events);

/* dial_name -- resolve its name and connect. */
void dial_name(struct relay *r, struct connection *c);

/* dial_start -- connect to one of its candidates, or to asked.
 *
 * Each address is judged again at the moment of the connect, whatever was
 * decided when the name was resolved. */
void dial_start(struct relay *r, struct connection *c);

/* dial_known -- go on after resolver_ask answered for its name. */
void dial_known(struct relay *r, struct connection *c);

/* dial_run -- handle the outcome of attempt 0 or 1. */
void dial_run(struct relay *r, struct connection *c, int attempt);

/* dial_next -- the address is slow, so try another one beside it. */
void dial_next(struct relay *r, struct connection *c);

/* dial_is_own -- whether the address is one of this host's.  It is when the
 * kernel would send a datagram to it from the same address. */
bool dial_is_own(const struct relay_address *a);

/* way_end -- end one direction. */
void way_end(struct relay *r, struct way *w);

/* copy_start -- begin to copy; outside[0] is connected. */
void copy_start(struct relay *r, struct connection *c);

/* copy_resume -- the time of a pause is over. */
void copy_resume(struct relay *r, struct connection *c);

/* copy_run -- pass on all that can be passed on now. */
void copy_run(struct relay *r, struct connection *c, enum watch_kind from,
	      uint32_t events);

#endif
