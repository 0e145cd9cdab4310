/* pending.h -- the requests whose answers are awaited. */
#ifndef CUPEL_WORKER_PENDING_H
#define CUPEL_WORKER_PENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "worker/request.h"

/* At most this many requests, and this many bytes of them, wait for an
 * answer. */
#define WORKER_PENDING_MAX   4096U
#define WORKER_PENDING_BYTES ((size_t)64 << 20)

struct worker_awaited {
	char key[WORKER_KEY_BYTES]; /* "": free */
	char hash[BLAKE3_TEXT_BYTES];
	enum worker_kind kind;
	char *bytes; /* of the request, to store it again; owned */
	size_t n;
};

struct worker_pending {
	struct worker_awaited *places;
	size_t len;   /* in use */
	size_t bytes; /* of all that are awaited */
	size_t at;    /* where a sweep goes on */
};

/* worker_pending_is_full -- whether an answer has to come before another
 * request is added. */
bool worker_pending_is_full(const struct worker_pending *p);

/* worker_pending_find -- the one with that key, or NULL. */
struct worker_awaited *worker_pending_find(const struct worker_pending *p,
					   const char *key);

/* worker_pending_next -- the next one, beginning again after the last; NULL:
 * none is awaited. */
struct worker_awaited *worker_pending_next(struct worker_pending *p);

void worker_pending_drop(struct worker_pending *p, struct worker_awaited *a);
void worker_pending_done(struct worker_pending *p);

/* worker_pending_await -- add it.  Returns false with *why set if it cannot be
 * awaited, and false without *why if an equal one is already awaited. */
bool worker_pending_await(struct worker_pending *p,
			  const struct worker_request *q, const char *bytes,
			  size_t n, struct worker_why *why);

#endif
