/* settings.h -- the streams and the consumer, each with its settings: one
 * table. */
#ifndef CUPEL_WORKER_SETTINGS_H
#define CUPEL_WORKER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct cupel_error;
struct worker_link;

#define WORKER_CONSUMER      "workers"
#define WORKER_SUBJECT_BYTES 128

enum worker_stream {
	WORKER_REQUESTS, /* NAME.requests.KIND; each is kept until it is answered */
	WORKER_ANSWERS,     /* NAME.answers.KEY; at most one for each key */
	WORKER_FAILED_ONES, /* NAME.failed.KEY; with the reason */
	WORKER_STREAM_MAX_
};

/* worker_settings_hold -- make what is absent, and compare what is there with
 * the table.  What is there is never changed.
 *
 * @ack_wait_ms	0: leave the consumer out (cupel submit)
 * @makes	false: what is absent is only counted
 * Returns how many are absent, or -errno with *err: the cause is caller if a
 * setting differs. */
int worker_settings_hold(struct worker_link *l, uint64_t ack_wait_ms,
			 bool makes, struct cupel_error *err);

/* worker_stream_name -- "NAME-requests". */
void worker_stream_name(const struct worker_link *l, enum worker_stream s,
			char ret[WORKER_SUBJECT_BYTES]);

/* worker_subject -- "NAME.requests.LAST". */
void worker_subject(const struct worker_link *l, enum worker_stream s,
		    const char *last, char ret[WORKER_SUBJECT_BYTES]);

#endif
