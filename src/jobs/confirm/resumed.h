/* resumed.h -- the flags that the log already has a record of: their records
 * are counted, and shown with those of this run. */
#ifndef CUPEL_JOBS_CONFIRM_RESUMED_H
#define CUPEL_JOBS_CONFIRM_RESUMED_H

#include "jobs/confirm/resume.h"
#include "jobs/confirm/sarif_out.h"
#include "jobs/confirm/verdict.h"

/* resumed_take -- read the records that resume_mark() found, from the same log.
 *
 * @ret_of	by status; each record adds one, except those of flags whose
 *		rules stand for no class
 * @sarif	gets a result for each record that is counted
 * Returns 0 or -errno, *err filled. */
int resumed_take(const struct resume_from *from, const struct flags *f,
		 size_t ret_of[CONFIRM_STATUS_MAX_], struct sarif_out *sarif,
		 struct cupel_error *err);

#endif
