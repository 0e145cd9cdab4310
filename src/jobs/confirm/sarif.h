/* sarif.h -- reads the results of a SARIF 2.1.0 log as flags.
 *
 * Source: OASIS, Static Analysis Results Interchange Format 2.1.0; the numbers
 * in sarif*.c are its sections. */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_H
#define CUPEL_JOBS_CONFIRM_SARIF_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

/* The memory that the values of a text of FLAGS_BYTES may need. */
#define SARIF_MEMORY ((size_t)768 << 20)

/* sarif_is_log -- whether v looks like one: an object with runs. */
bool sarif_is_log(const struct json_value *v);

/* sarif_read -- append every result that is a finding.
 *
 * Results that say themselves that they are no finding are left out and
 * counted: those that are suppressed, of kind pass or notApplicable, or of
 * baselineState absent.  A result that names no place becomes a fault.  Results
 * are numbered from 1 over all runs.
 *
 * @log		its strings are copied
 * @repo	absolute path of the repository, for results with file: URIs
 * @rules	outlive ret
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0; -ENOMEM: no memory, or over FLAGS_MEMORY; -EINVAL: runs, or a
 * run, is not what it should be, *why (static) says what was expected. */
int sarif_read(const struct json_value *log, const char *repo,
	       const struct rules *rules, struct flags *ret, const char **why);

#endif
