/* stops.h -- the calls that a trace stops.  The filter is built from this
 * table, and the tracer recognises the calls by it.
 *
 * The data of SECCOMP_RET_TRACE cannot be relied on: when several filters give
 * that answer, the kernel passes on the data of the newest, and a command may
 * load filters of its own. */
#ifndef CUPEL_TRACER_STOPS_H
#define CUPEL_TRACER_STOPS_H

#include <linux/sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "tracer/protocol.h"

struct tracer_stop {
	uint32_t number;
	enum tracer_call what;
	uint32_t traced; /* of TRACER_EXECS, TRACER_CONNECTS; 0: always */
	/* Conditions on the low half of the first argument: at least one of the
	 * first bits is set (if there are any), and none of the second. */
	uint32_t has, lacks;
};

static const struct tracer_stop tracer_stops[] = {
	/* A process that we do not follow has no tracer and would get ENOSYS
	 * from all these calls; a tracer of the command's own would let them go
	 * on. */
	{ SYS_ptrace, TRACER_PTRACE, 0, 0, 0 },
	{ SYS_execve, TRACER_EXEC, TRACER_EXECS, 0, 0 },
	{ SYS_execveat, TRACER_EXEC_AT, TRACER_EXECS, 0, 0 },
	{ SYS_connect, TRACER_CONNECT, TRACER_CONNECTS, 0, 0 },
	/* A process that shares descriptors with another may change them during
	 * the other's call.  For threads of one process we know that
	 * already. */
	{ SYS_clone, TRACER_SHARE, TRACER_CONNECTS, CLONE_FILES, CLONE_THREAD },
};

#define TRACER_STOPS (sizeof tracer_stops / sizeof *tracer_stops)

static inline int is_traced(const struct tracer_stop *stop, uint32_t traced)
{
	return stop->traced == 0 || (stop->traced & traced) != 0;
}

/* stop_find -- find which call it is; TRACER_NONE for one that a trace does
 * not stop.
 *
 * @traced	what is traced, not 0
 * @first	its first argument */
static inline enum tracer_call stop_find(uint32_t traced, uint32_t number,
					 uint32_t first)
{
	for (size_t i = 0; i < TRACER_STOPS; i++) {
		const struct tracer_stop *stop = &tracer_stops[i];

		if (stop->number == number && is_traced(stop, traced) &&
		    (stop->has == 0 || (first & stop->has) != 0) &&
		    (first & stop->lacks) == 0)
			return stop->what;
	}
	return TRACER_NONE;
}

#endif
