/* can_run.h -- checks once, before the flags, for what no run could have. */
#ifndef CUPEL_JOBS_CONFIRM_CAN_RUN_H
#define CUPEL_JOBS_CONFIRM_CAN_RUN_H

#include "jobs/confirm/flag.h"

struct confirm_request;
struct cupel_error;

/* flags_can_run -- whether the runners of these flags can have the caps and the
 * views of the request.  A host that cannot run anything at all is not reported
 * here but in the records.  Returns 0, or -errno with *err naming the
 * option. */
int flags_can_run(const struct confirm_request *req, const struct flags *f,
		  struct cupel_error *err);

#endif
