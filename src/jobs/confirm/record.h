/* record.h -- one line of run-log.jsonl. */
#ifndef CUPEL_JOBS_CONFIRM_RECORD_H
#define CUPEL_JOBS_CONFIRM_RECORD_H

#include "jobs/confirm/verdict.h"

/* The caps of the Python runner, CONTRACT 2, literal; one table feeds the spec
 * of every run and the record. */
struct confirm_cap {
	const char *option; /* of cupel-run(1) */
	const char *value;
	const char *key; /* of the record's caps */
	uint64_t number;
};
extern const struct confirm_cap confirm_caps[];
extern const size_t confirm_caps_len;
#define CONFIRM_ALARM_S 10 /* in the process, for the traceback */

struct record_facts {
	int64_t ts_ms; /* CLOCK_REALTIME, when the record is made */
	const struct flag *flag;
	const struct json_value *witness; /* or NULL */
	size_t tried, built;              /* witnesses */
	const char *file_blake3;          /* or NULL */
	const struct verdict *verdict;
};

/* record_build -- the line, newline included, into out.  Pure. */
void record_build(const struct record_facts *f, struct buf *out);

#endif
