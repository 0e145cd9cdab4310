/* metrics.h -- counts what a worker does, for Prometheus. */
#ifndef CUPEL_WORKER_METRICS_H
#define CUPEL_WORKER_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

struct buf;
struct cupel_error;

enum worker_kind {
	WORKER_RUN,
	WORKER_GATHER,
	WORKER_CONFIRM,
	WORKER_GATE,
	WORKER_KIND_NONE, /* of a request that cannot be read */
	WORKER_KIND_MAX_
};

/* How a delivery ended. */
enum worker_end {
	WORKER_DONE,       /* it has a result */
	WORKER_REFUSED,    /* it asks for what nobody may ask for */
	WORKER_FAILED,     /* it failed by itself, once more or for good */
	WORKER_GIVEN_BACK, /* the fault is this worker's */
	WORKER_STOPPED,    /* the worker ends before the request did */
	WORKER_END_MAX_
};

#define WORKER_BUCKETS 10

/* The slots count, and the main thread writes the file.  Zero is valid. */
struct worker_metrics {
	_Atomic uint64_t ends[WORKER_KIND_MAX_][WORKER_END_MAX_];
	_Atomic uint64_t delivered, redelivered, repeated, unconfirmed;
	_Atomic uint64_t disconnects, reconnects, not_permitted;
	_Atomic uint64_t running, connected;
	_Atomic uint64_t buckets[WORKER_KIND_MAX_][WORKER_BUCKETS];
	_Atomic uint64_t sum_ms[WORKER_KIND_MAX_];
};

/* worker_kind_name, worker_end_name -- the word of schemas and metrics. */
const char *worker_kind_name(enum worker_kind kind);
const char *worker_end_name(enum worker_end end);

/* worker_metrics_note -- a delivery ended after ms. */
void worker_metrics_note(struct worker_metrics *m, enum worker_kind kind,
			 enum worker_end end, uint64_t ms);

/* worker_metrics_write -- write all of it in the text format of Prometheus. */
void worker_metrics_write(struct worker_metrics *m, struct buf *out);

/* worker_metrics_put -- write the same to a file, which rename(2) replaces as a
 * whole.
 * Returns 0 or -errno with *err. */
int worker_metrics_put(struct worker_metrics *m, const char *path,
		       struct cupel_error *err);

#endif
