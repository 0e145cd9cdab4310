/* trace.h -- what is traced of a run: plain data. */
#ifndef CUPEL_PLAN_TRACE_H
#define CUPEL_PLAN_TRACE_H

#include <stdbool.h>

struct build;
struct cupel_error;

/* Where both are false nothing is traced, and there is no tracer. */
struct trace_plan {
	bool exec;    /* every execve and execveat */
	bool connect; /* every connect */
};

/* build_trace -- fill plan->trace.  Returns 0, or -errno where a trace was
 * asked for that cannot be had.  If the run may be partial, it returns 0 and
 * nothing is traced. */
int build_trace(struct build *b, struct cupel_error *err);

#endif
