/* schedule.h -- the probes of a gather, several at once. */
#ifndef CUPEL_JOBS_GATHER_SCHEDULE_H
#define CUPEL_JOBS_GATHER_SCHEDULE_H

#include "jobs/gather/task.h"

#define SCHEDULE_JOBS_MAX 64U

/* schedule_run -- run every probe of b->selection, each behind those that it
 * requires; b->results are filled.
 *
 * The failure of one stops no other.
 *
 * @jobs	vessels at once, 1 to SCHEDULE_JOBS_MAX
 * @stop_fd	readable: kill what runs and give up; -1 = never
 * Returns 0; -EINTR when it was stopped; -errno for our own failure.  No vessel
 * lives then. */
int schedule_run(struct bench *b, unsigned jobs, int stop_fd,
		 struct cupel_error *err);

#endif
