/* record.h -- one line of run-log.jsonl. */
#ifndef CUPEL_JOBS_CONFIRM_RECORD_H
#define CUPEL_JOBS_CONFIRM_RECORD_H

#include "jobs/confirm/runner.h"
#include "jobs/confirm/verdict.h"

struct record_facts {
	int64_t ts_ms; /* CLOCK_REALTIME, when the record is made */
	const struct flag *flag;
	const struct runner *runner;      /* or NULL: none for the file */
	const struct json_value *witness; /* or NULL */
	/* The preconditions on its arguments, for a confirmed bug; or NULL. */
	const struct json_value *preconditions;
	/* With it in the place of the witness, the function returned: the two
	 * differ in the flag's argument alone.  NULL = the flag names none. */
	const struct json_value *control;
	bool is_shrunk;       /* smaller than the one that was built */
	unsigned shrink_runs; /* smaller ones that were tried */
	size_t tried, built;  /* witnesses */
	size_t explored; /* of those tried, without a vessel of their own */
	const char *explore_failed; /* why exploring failed; "" = it did not */
	const char *file_blake3;    /* or NULL */
	const struct verdict *verdict;
};

/* record_build -- append the line, newline included, to out.  Pure. */
void record_build(const struct record_facts *f, struct buf *out);

#endif
