/* report.h -- writes a probe's output and its entry in the run record, as
 * JSON. */
#ifndef CUPEL_JOBS_PROBE_REPORT_H
#define CUPEL_JOBS_PROBE_REPORT_H

#include "jobs/probe/answer.h"
#include "jobs/probe/inputs.h"
#include "jobs/probe/model.h"

struct arena;
struct jsonw;

struct probe_outcome {
	const struct probe_inputs *inputs; /* its probe too */
	const struct answer *answer;       /* valid, or NULL */
	const char *failure; /* code when there is no answer, else NULL */
	const char *why;     /* a sentence with it, printable or not */
	const char *weak;    /* name of a required probe that failed, or NULL */
	const char *const *roots; /* taken out of what is added; may be NULL */
};

/* output_build -- {probe, version, ..., slice}: the probe's own words with what
 * the trusted side knows added: skipped inputs, failure, confidence.
 *
 * @arena	receives what is new; the answer's values are shared
 * Returns whether there was memory. */
bool output_build(const struct probe_outcome *o, struct arena *arena,
		  struct json_value *ret);

/* record_write -- one probe's entry of a run record: {name,
 * version, sandbox_pid, exit_status, status, cache_hit, wall_ms, rss_peak_kb,
 * declared_inputs, stdout_bytes, errors, warnings}. */
void record_write(const struct gather_probe *p, struct jsonw *w);

#endif
