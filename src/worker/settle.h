/* settle.h -- the end of a delivery: its outcome is stored and then the request
 * is acknowledged, or the request is put back. */
#ifndef CUPEL_WORKER_SETTLE_H
#define CUPEL_WORKER_SETTLE_H

#include "base/buf.h"
#include "worker/deliver.h"
#include "worker/pulse.h"
#include "worker/request.h"

struct worker_delivery {
	struct worker_slot *slot;
	struct worker *w;
	natsMsg *msg;
	struct worker_pulse pulse;
	struct worker_request q;
	struct worker_why why;
	struct buf result;
	unsigned failures; /* by itself, before this delivery */
	unsigned lost;     /* deliveries without an end, before this one */
	uint64_t seq;      /* of the message in its stream */
	uint64_t began_ms;
};

/* worker_settle -- store the outcome.
 *
 * @end		how doing it ended; the result or d->why is set
 * Returns how the delivery ended: with this end, or with another if an answer
 * could not be stored. */
enum worker_end worker_settle(struct worker_delivery *d, enum worker_end end);

#endif
