/* link.h -- the connection to the server.  It is made here, and messages are
 * stored here, each once. */
#ifndef CUPEL_WORKER_LINK_H
#define CUPEL_WORKER_LINK_H

#include <nats/nats.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cupel_error;
struct worker_metrics;

/* How long the server may take to answer one request of ours. */
#define WORKER_REPLY_MS 5000

struct worker_address {
	const char *url;    /* nats://[USER:PASSWORD@]HOST[:PORT], tls:// */
	const char *creds;  /* file of a user's JWT and seed, or NULL */
	const char *tls_ca; /* authorities' certificates, or NULL */
	const char *stream; /* the names of all streams begin with it */
};

struct worker_link {
	natsConnection *nc;
	jsCtx *js;
	const char *stream;
	char shown[256]; /* the URL, without user and password */
};

/* How storing a message ended. */
enum worker_stored {
	WORKER_STORED = 0,
	WORKER_STORED_BEFORE = 1, /* the subject has one, or the server has seen
				   * the message's id */
	WORKER_STORE_LATER = 2,   /* it did not confirm; try again */
	WORKER_STORE_NEVER = 3,   /* too large for this server */
};

struct worker_message {
	const char *subject;
	const char *id; /* for deduplication */
	const char *bytes;
	size_t len;
	bool is_only;            /* the subject has at most this one */
	unsigned failures, lost; /* headers for the next worker; 0: none */
};

/* The header that says how often a request failed by itself. */
#define WORKER_FAILURES_HEADER "Cupel-Failures"
/* The header that says how often it was delivered without an end, before this
 * message replaced an earlier one. */
#define WORKER_LOST_HEADER "Cupel-Lost"

/* worker_link_open -- connect once.  A connection that is lost later is made
 * again in the background, however often.
 *
 * @metrics	a thread of libnats counts here what is lost and what is not
 *		permitted, so it has to live until nats_Close()
 * @ret		worker_link_close() ends it, on failure too
 * Returns 0 or -errno with *err: the cause is caller for a wrong address or
 * file, and host if the server does not answer. */
int worker_link_open(const struct worker_address *a,
		     struct worker_metrics *metrics, struct worker_link *ret,
		     struct cupel_error *err);
void worker_link_close(struct worker_link *l);

/* worker_link_why -- the connection's last error, in the words of libnats. */
const char *worker_link_why(const struct worker_link *l);

/* worker_link_store -- publish a message, and wait until the server has stored
 * it.
 *
 * @why		receives the reason of WORKER_STORE_LATER and _NEVER */
enum worker_stored worker_link_store(struct worker_link *l,
				     const struct worker_message *m,
				     struct buf *why);

/* worker_link_find -- ask for the stored answer of that subject.
 * Returns 1 with *ret, 0 if there is no such answer, or -EAGAIN if the server
 * did not reply. */
int worker_link_find(struct worker_link *l, const char *subject, natsMsg **ret);

#endif
