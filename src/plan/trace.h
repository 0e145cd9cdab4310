/* trace.h -- what of a run is told: plain data. */
#ifndef CUPEL_PLAN_TRACE_H
#define CUPEL_PLAN_TRACE_H

#include <stdbool.h>

struct build;
struct cupel_error;

/* Nothing is traced where both are false: then there is no tracer. */
struct trace_plan {
	bool exec;    /* every execve and execveat */
	bool connect; /* every connect */
};

/* build_trace -- plan->trace.  Returns 0, or -errno where a trace was asked for
 * that cannot be had, unless the request may be held in part: then there is
 * none. */
int build_trace(struct build *b, struct cupel_error *err);

#endif
