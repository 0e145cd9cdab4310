/* attempt_vulns.h -- the known vulnerabilities of the tree's packages. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_VULNS_H
#define CUPEL_JOBS_GATE_ATTEMPT_VULNS_H

#include "jobs/gate/attempt_run.h"

/* attempt_vulns_read -- set a->vulns: {source, database, problem, items}, from
 * the report that the signal cve_delta names, or from the request's OSV
 * records.  It is left alone if the gate has no such signal.
 *
 * It also becomes the evidence "vulnerabilities.json" of a.
 *
 * @context	gathered, or NULL
 * Returns 0 or -ENOMEM. */
int attempt_vulns_read(const struct gate_attempt_request *req,
		       const struct json_value *context, struct gate_attempt *a,
		       struct cupel_error *err);

#endif
