/* trace.c -- makes the trace id: given, inherited, or random. */
#include "service/trace.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "spec/spec.h"

void trace_id_make(const char *given, char ret[TRACE_ID_BYTES])
{
	const char *parent = getenv("TRACEPARENT");
	uint64_t r[2];

	if (given != NULL) {
		(void)snprintf(ret, TRACE_ID_BYTES, "%s", given);
		return;
	}
	if (parent != NULL && spec_read_traceparent(parent, ret) == 0)
		return;
	/* All zeros is not a trace id, but too unlikely to care about. */
	if (getrandom(r, sizeof r, 0) != sizeof r) {
		struct timespec t;

		(void)clock_gettime(CLOCK_MONOTONIC, &t);
		r[0] = (uint64_t)t.tv_sec;
		r[1] = (uint64_t)t.tv_nsec;
	}
	(void)snprintf(ret, TRACE_ID_BYTES, "%016llx%016llx",
		       (unsigned long long)r[0], (unsigned long long)r[1]);
}
