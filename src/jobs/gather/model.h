/* model.h -- what a gather knows: its probes, their inputs, their answers and
 * their cost.
 *
 * Room: jobs/gather.
 *
 * Must:     hand a probe its declared inputs and nothing else; believe nothing
 *           that came back before the boundary has passed it
 *           keep the previous output whole, whatever happens
 * Must not: parse what a repository holds; put a time, a pid or a host path
 *           into the context (they belong to the run record)
 * */
#ifndef CUPEL_JOBS_GATHER_MODEL_H
#define CUPEL_JOBS_GATHER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blake3.h"
#include "jobs/probe/model.h"

/* One gather.  Zero is valid: nothing was done. */
struct gather_run {
	const char *repo; /* host path as the caller gave it */
	/* repo of the context: hash over the inputs of all probes, each once
	 * and sorted, and how many files and bytes they are */
	char digest[BLAKE3_TEXT_BYTES];
	uint64_t files, bytes;
	bool has_modules;            /* there is a directory node_modules */
	struct gather_probe *probes; /* sorted by name */
	size_t probes_len;
	int64_t started_ms; /* CLOCK_REALTIME, since 1970 */
	uint64_t wall_ms;   /* everything up to the writing of the output */
	/* The context as it will be published beside the record. */
	const char *context_name; /* "repo-context.yaml" or ".json" */
	char context_hash[BLAKE3_TEXT_BYTES];
	bool is_invalid; /* it did not fit its schema: NAME.invalid */
};

/* What --events tells; the words are event_name()'s. */
enum gather_event {
	EVENT_PROBE_START,
	EVENT_PROBE_SUCCESS,
	EVENT_PROBE_FAILURE,
	EVENT_PROBE_TIMEOUT,
	EVENT_PROBE_CACHE_HIT,
	EVENT_PROBE_SKIP, /* an input was passed over */
	EVENT_SANDBOX_START,
	EVENT_SANDBOX_EXIT,
	EVENT_SANDBOX_RLIMIT_EXCEEDED,
	EVENT_CACHE_HIT,
	EVENT_CACHE_MISS,
	EVENT_CACHE_PUT,
	EVENT_CACHE_BLOB_INVALID,
	EVENT_CACHE_BLOB_POISONED,
	EVENT_CACHE_SYMLINK_SKIPPED,
	EVENT_CACHE_SIZE_CAP_EXCEEDED,
	EVENT_CACHE_AGGREGATE_CAP_EXCEEDED,
	EVENT_SANITIZER_PATH_SCRUBBED,
	EVENT_SANITIZER_FIELD_NAME_REFUSED,
	EVENT_SANITIZER_SIZE_CAP_EXCEEDED,
	EVENT_SANITIZER_DEPTH_CAP_EXCEEDED,
	EVENT_SCHEMA_VALIDATION_PASSED,
	EVENT_SCHEMA_VALIDATION_FAILED,
	EVENT_MAX_
};

/* The details of an event; zero leaves a key out. */
struct event_details {
	const char *code;    /* of a failure or a skip */
	const char *name;    /* of an input: bytes */
	const char *message; /* printable or not, it is escaped */
	const char *status;  /* of a run */
	uint64_t wall_ms, bytes, count;
};

#endif
