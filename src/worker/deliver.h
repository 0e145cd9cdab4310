/* deliver.h -- one delivery of a request: taken from the server, done, and
 * answered to it. */
#ifndef CUPEL_WORKER_DELIVER_H
#define CUPEL_WORKER_DELIVER_H

#include <nats/nats.h>
#include <pthread.h>
#include <stdbool.h>

#include "worker/metrics.h"

struct schema_set;
struct worker;

struct worker_slot {
	struct worker *w;
	unsigned number;
	int gone_fd;
	pthread_t thread;
	bool is_running, complained;
	natsSubscription *sub;
	struct schema_set *answers; /* their schema */
};

/* worker_deliver -- do what the message asks for; store the answer and then
 * acknowledge it, or give it back.  Returns what became of it. */
enum worker_end worker_deliver(struct worker_slot *s, natsMsg *msg);

#endif
