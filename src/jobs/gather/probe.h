/* probe.h -- one probe over one repository. */
#ifndef CUPEL_JOBS_GATHER_PROBE_H
#define CUPEL_JOBS_GATHER_PROBE_H

#include <stddef.h>

#include "base/buf.h"

struct cupel_error;
struct probe;

/* cupel-probe(1), "EXIT STATUS". */
enum probe_exit {
	PROBE_DONE = 0,
	PROBE_USAGE = 2,
	PROBE_HOST = 3,   /* this host cannot sandbox */
	PROBE_SCHEMA = 4, /* what came back is not what the schema says */
	PROBE_INTERNAL = 5,
};

struct probe_request {
	const char *name;
	const char *repo;           /* host directory */
	const struct probe *others; /* of manifests; borrowed */
	size_t others_len;
	/* Executed instead of cupel-parse, for tests; NULL = the real one. */
	const void *program;
	size_t program_len;
};

struct probe_report {
	enum probe_exit exit;
	struct buf output; /* cupel-probes(5): one JSON object, no newline */
	struct buf record; /* of this run, one JSON object */
};

/* probe_run -- read the inputs, run the probe in its vessel (and before it those
 * that it requires), check the answer.
 *
 * @ret		zeroed by the caller; probe_report_done() frees it, on failure
 *		too.  exit is always set; output is set whenever the probe was
 *		tried, and says in errors what went wrong.
 * Returns 0, or -errno with *err filled when there is no output. */
int probe_run(const struct probe_request *req, struct probe_report *ret,
	      struct cupel_error *err);
void probe_report_done(struct probe_report *r);

#endif
