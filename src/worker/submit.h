/* submit.h -- what cupel submit has sent, and what it waits for. */
#ifndef CUPEL_WORKER_SUBMIT_H
#define CUPEL_WORKER_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "jobs/batch/lines.h"
#include "worker/link.h"
#include "worker/metrics.h"
#include "worker/pending.h"

struct schema_set;

struct worker_submit {
	struct worker_link link;
	struct worker_metrics
		metrics;       /* how often the connection was made again */
	uint64_t reconnects;   /* how often that was seen */
	natsSubscription *sub; /* hints that an answer is there */
	struct schema_set *answers;
	struct worker_pending pending;
	struct batch_lines lines;
	bool waits;
	uint64_t end_ms; /* UINT64_MAX: never */
	uint64_t sweep_ms;
	uint64_t sent, answered, wrong, bad;
	int status; /* not 0: an exit status, stop */
};

/* worker_submit_is_late -- whether the time of --timeout is over. */
bool worker_submit_is_late(const struct worker_submit *s);

/* worker_submit_find -- print the awaited answer if it is stored.  Only what is
 * stored counts, not what is published.  Returns whether it was stored. */
bool worker_submit_find(struct worker_submit *s, struct worker_awaited *a);

/* worker_submit_hear -- wait at most ms until an answer is published, and take
 * all that were. */
void worker_submit_hear(struct worker_submit *s, int ms);

/* worker_submit_sweep -- ask for some of the awaited answers, once a second. */
void worker_submit_sweep(struct worker_submit *s);

#endif
