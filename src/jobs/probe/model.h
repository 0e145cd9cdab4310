/* model.h -- what is known of a probe: its inputs, its answer and its cost.
 *
 * Room: jobs/probe.  One probe: its row, its inputs, its vessel, its answer.
 *
 * Must:     hand a probe its declared inputs and nothing else; believe nothing
 *           that came back before the boundary has passed it
 * Must not: parse what a repository holds; know of the gather that it is in
 * */
#ifndef CUPEL_JOBS_PROBE_MODEL_H
#define CUPEL_JOBS_PROBE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blake3.h"
#include "boundary/json.h"
#include "jobs/probe/catalogue.h"

/* One entry of declared_inputs: a file that was read, or all the names that
 * fit a rule of names only. */
struct gather_input {
	const char *name; /* relative path as bytes (shown by name_write), or
			   * the rule's pattern when is_names */
	char hash[BLAKE3_TEXT_BYTES]; /* of the bytes, or of the sorted names,
				       * each with a NUL behind it */
	uint64_t size;                /* of what was hashed */
	bool is_names;
	bool is_hashed; /* PROBE_HASHED: the probe is not given its bytes */
	uint64_t names; /* how many, when is_names */
};

/* One finished probe.  All pointers are the run's. */
struct gather_probe {
	const struct probe *probe; /* name, version, schema_version, ... */

	/* Its whole output (cupel-probes(5)): checked, sanitized, with the
	 * notes of the trusted side.  Its errors and warnings say what was
	 * skipped and why the probe failed.  A probe that failed has slice null
	 * and confidence "low". */
	const struct json_value *tree;

	bool cache_hit;      /* no vessel was started; the costs below are 0 */
	int exit_status;     /* of the command inside, 0 to 255 */
	const char *status;  /* cupel_status_name(): "OK", "TIMEOUT", ... */
	const char *failure; /* an error's code, or NULL when it answered */
	uint64_t wall_ms, rss_peak_kb, stdout_bytes;

	const struct gather_input *inputs; /* sorted by the bytes of name */
	size_t inputs_len;
	uint64_t inputs_bytes; /* of the files */
};

#endif
