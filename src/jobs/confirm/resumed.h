/* resumed.h -- the flags that the log had a record of, once more: what their
 * records say is counted, and shown with those of this run. */
#ifndef CUPEL_JOBS_CONFIRM_RESUMED_H
#define CUPEL_JOBS_CONFIRM_RESUMED_H

#include "jobs/confirm/resume.h"
#include "jobs/confirm/sarif_out.h"
#include "jobs/confirm/verdict.h"

/* resumed_take -- after resume_mark(), from the same log.
 *
 * @ret_of	one more for each record's status; flags of rules that stand for
 *		no class do not count
 * @sarif	gets a result for each of those that count
 * Returns 0 or -errno, *err filled. */
int resumed_take(const struct resume_from *from, const struct flags *f,
		 size_t ret_of[CONFIRM_STATUS_MAX_], struct sarif_out *sarif,
		 struct cupel_error *err);

#endif
