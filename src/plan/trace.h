/* trace.h -- what of a run is told: plain data. */
#ifndef CUPEL_PLAN_TRACE_H
#define CUPEL_PLAN_TRACE_H

#include <stdbool.h>

/* Nothing is traced where both are false: then there is no tracer. */
struct trace_plan {
	bool exec;    /* every execve and execveat */
	bool connect; /* every connect */
};

#endif
