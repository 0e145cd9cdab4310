/* clock.h -- the one clock: CLOCK_MONOTONIC in nanoseconds. */
#ifndef CUPEL_SUPERVISE_CLOCK_H
#define CUPEL_SUPERVISE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL

static inline uint64_t clock_now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* now + ms, or UINT64_MAX (never) when the sum does not fit. */
static inline uint64_t clock_after_ms(uint64_t now_ns, uint64_t ms)
{
	if (ms > (UINT64_MAX - now_ns) / NS_PER_MS)
		return UINT64_MAX;
	return now_ns + ms * NS_PER_MS;
}

#endif
