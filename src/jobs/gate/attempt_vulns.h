/* attempt_vulns.h -- what is known of the packages of the tree. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_VULNS_H
#define CUPEL_JOBS_GATE_ATTEMPT_VULNS_H

#include "jobs/gate/attempt_run.h"

/* attempt_vulns_read -- a->vulns: {source, database, problem, items}, of the
 * report that the signal cve_delta names, or of the request's OSV records.  It is
 * left alone where the gate has no such signal.
 *
 * It becomes the evidence "vulnerabilities.json" of a, too.
 *
 * @context	gathered, or NULL
 * Returns 0 or -ENOMEM. */
int attempt_vulns_read(const struct gate_attempt_request *req,
		       const struct json_value *context, struct gate_attempt *a,
		       struct cupel_error *err);

#endif
