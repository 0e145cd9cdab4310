/* sarif_result.h -- one record of the log as a result of SARIF 2.1.0.  Pure.
 *
 * Source: OASIS, Static Analysis Results Interchange Format 2.1.0; the numbers
 * in sarif_*.c are its sections. */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_RESULT_H
#define CUPEL_JOBS_CONFIRM_SARIF_RESULT_H

#include "base/buf.h"
#include "boundary/json.h"

/* Of a value of a witness or of a traceback; a longer one is cut. */
#define SARIF_VALUE_BYTES 1000U
#define SARIF_STATE_MAX   64U /* arguments that a code flow shows */

struct sarif_fact {
	const struct json_value *record; /* a line of the log */
	const char *file;                /* by source_name() */
	const struct buf *source;        /* its bytes; empty: not available */
};

/* sarif_result_write -- append it to out, without comma or newline.
 *
 * kind and level (3.27.9, 3.27.10): a confirmed bug is "fail" and "error";
 * no-bug-found is "pass", a timeout "review", all else "open", each of them of
 * level "none", because they are no findings.
 *
 * Text from inside may look like anything, so messages contain none of it.
 * Where a value is shown, controls, marks of direction, and the characters of
 * which SARIF makes links and placeholders (3.11.5, 3.11.6) are escaped.
 * Returns 0, or -EINVAL: it is no record of ours. */
int sarif_result_write(const struct sarif_fact *f, struct buf *out);

#endif
