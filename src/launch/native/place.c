/* place.c -- see place.h.  Both the library and the freestanding init use
 * it. */
#include "launch/native/place.h"

#include <string.h>

static unsigned cpus_count(const struct cpus *c)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < c->len; i++)
		for (unsigned bits = c->mask[i]; bits != 0; bits &= bits - 1)
			n++;
	return n;
}

static long mask_read(struct sys *k, long pid, uint8_t mask[CPUS_BYTES])
{
	return sys3(k, SYS_sched_getaffinity, pid, CPUS_BYTES, mask);
}

static long mask_set(struct sys *k, long pid, const struct cpus *c)
{
	return sys3(k, SYS_sched_setaffinity, pid, c->len, c->mask);
}

/* The processor that we are on; CPUS_BYTES * 8 when that cannot be found
 * out. */
static unsigned cpu_now(struct sys *k)
{
	unsigned cpu = 0;

	return sys3(k, SYS_getcpu, &cpu, 0, 0) == 0 ? cpu : CPUS_BYTES * 8;
}

void place_read(struct sys *k, struct cpus *ret)
{
	long r = mask_read(k, 0, ret->mask);

	ret->len = r > 0 && r <= CPUS_BYTES ? (uint32_t)r : 0;
	if (cpus_count(ret) < 2)
		ret->len = 0;
}

void place_off(struct sys *k, const struct cpus *c, long pid)
{
	struct cpus others = *c;
	unsigned here = c->len > 0 ? cpu_now(k) : 0;

	if (here / 8 >= c->len)
		return;
	others.mask[here / 8] &= (uint8_t) ~(1U << here % 8);
	(void)mask_set(k, pid, &others);
}

void place_here(struct sys *k, const struct cpus *c, long pid)
{
	struct cpus to = *c;
	unsigned here = c->len > 0 ? cpu_now(k) : 0;

	if (here / 8 >= c->len)
		return;
	if (cpus_count(c) == 2) {
		memset(to.mask, 0, sizeof to.mask);
		to.mask[here / 8] = (uint8_t)(1U << here % 8);
	}
	(void)mask_set(k, pid, &to);
}

/* If this is refused, the process may never have been moved either. */
long place_back(struct sys *k, const struct cpus *c, long pid)
{
	uint8_t now[CPUS_BYTES];
	long r = c->len > 0 ? mask_set(k, pid, c) : 0;

	if (r == 0)
		return 0;
	return mask_read(k, pid, now) == (long)c->len &&
			       memcmp(now, c->mask, c->len) == 0
		       ? 0
		       : r;
}
