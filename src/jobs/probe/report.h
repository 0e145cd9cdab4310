/* report.h -- what a probe said and what its vessel did, as JSON. */
#ifndef CUPEL_JOBS_PROBE_REPORT_H
#define CUPEL_JOBS_PROBE_REPORT_H

#include "jobs/probe/catalogue.h"
#include "jobs/probe/inputs.h"
#include "jobs/vessel.h"

struct buf;

struct probe_outcome {
	const struct probe *probe;
	const struct probe_inputs *inputs;
	const struct vessel_result *run;
	const struct json_value *answer; /* checked payload, or NULL */
	const char *failure; /* code when there is no answer, else NULL */
	const char *why;     /* a sentence with it, printable or not */
	uint64_t markers;    /* strings with a prompt injection */
};

/* output_write -- {probe, version, ..., slice}: the probe's own words with what
 * the trusted side knows added: skipped inputs, failure, confidence. */
void output_write(const struct probe_outcome *o, struct buf *out);

/* record_write -- {name, version, exit_status, declared_inputs, ...}. */
void record_write(const struct probe_outcome *o, struct buf *out);

#endif
