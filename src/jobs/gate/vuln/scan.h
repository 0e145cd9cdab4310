/* scan.h -- the reports of scanners. */
#ifndef CUPEL_JOBS_GATE_VULN_SCAN_H
#define CUPEL_JOBS_GATE_VULN_SCAN_H

#include <stdint.h>

#include "jobs/gate/vuln/vulns.h"

/* A report is as long as an artifact that is kept. */
#define SCAN_BYTES ((size_t)32 << 20)

struct scan_format {
	const char *name;
	/* With which the tool ends, besides 0, when it found something. */
	uint64_t found_rc;
	/* Returns false: the value is no such report. */
	bool (*read)(const struct json_value *root, struct vulns *ret);
};

/* scan_format_find -- the row of that name, or NULL. */
const struct scan_format *scan_format_find(const char *name);

/* scan_read -- add what a report tells; hostile bytes.  One that cannot be read
 * to its end, strictly, makes the problem report_unreadable of ret.
 * Returns 0 or -ENOMEM. */
int scan_read(const struct scan_format *f, const char *bytes, size_t n,
	      struct vulns *ret);

/* The rows' functions that stand in files of their own. */
bool scan_cyclonedx_read(const struct json_value *root, struct vulns *ret);
bool scan_npm_audit_read(const struct json_value *root, struct vulns *ret);

#endif
