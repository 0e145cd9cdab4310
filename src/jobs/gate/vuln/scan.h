/* scan.h -- reads the reports of scanners. */
#ifndef CUPEL_JOBS_GATE_VULN_SCAN_H
#define CUPEL_JOBS_GATE_VULN_SCAN_H

#include <stdint.h>

#include "jobs/gate/vuln/vulns.h"

/* A report may be as long as an artifact that is kept. */
#define SCAN_BYTES ((size_t)32 << 20)

struct scan_format {
	const char *name;
	/* The exit status, besides 0, of the tool when it found something. */
	uint64_t found_rc;
	/* Returns false if the value is no such report. */
	bool (*read)(const struct json_value *root, struct vulns *ret);
};

/* scan_format_find -- the row of that name, or NULL. */
const struct scan_format *scan_format_find(const char *name);

/* scan_read -- add what a report says; hostile bytes.  If it cannot be read
 * strictly to its end, the problem of ret becomes report_unreadable.
 * Returns 0 or -ENOMEM. */
int scan_read(const struct scan_format *f, const char *bytes, size_t n,
	      struct vulns *ret);

/* The functions of rows that are in files of their own. */
bool scan_cyclonedx_read(const struct json_value *root, struct vulns *ret);
bool scan_npm_audit_read(const struct json_value *root, struct vulns *ret);

#endif
