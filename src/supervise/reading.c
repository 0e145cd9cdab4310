/* reading.c -- the sums and comparisons of one look of the watchdog, nothing
 * else. */
#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/watch.h"

#define THREAD_BYTES  (24ULL << 10) /* a kernel stack and its task_struct */
#define CEILING_MS    100
#define NEAR_MS       20 /* when half of the allowed processes exist */
#define COST_SHARE    20 /* looking may take one part in 20 of the time */
#define PRESSED_SHARE 2  /* or one in 3, if memory could run out sooner */

uint64_t watch_least(const struct reading *r)
{
	uint64_t n = r->processes > 0 ? r->processes : 1;
	uint64_t least = r->read_bytes + r->unread_bytes / n;

	return r->dear_bytes +
	       (least > r->largest_bytes ? least : r->largest_bytes);
}

uint64_t watch_others(const struct reading *r)
{
	return r->tmpfs_bytes + r->shm_bytes + r->socket_bytes +
	       r->threads * THREAD_BYTES;
}

uint64_t watch_bound(const struct reading *r, uint64_t swap_bytes)
{
	/* One table of 4 KiB maps 2 MiB, one of those 1 GiB.  The kernel
	 * counts resident pages in batches, hence the constant. */
	enum { SPAN = 512, SLACK_BYTES = 1 << 20 };

	return r->rss_bytes + r->vsize_bytes / SPAN +
	       r->vsize_bytes / SPAN / SPAN +
	       (uint64_t)r->processes * SLACK_BYTES + watch_others(r) +
	       swap_bytes;
}

bool watch_is_over_cpu(const struct watch *w, const struct reading *r)
{
	if (w->cpu_us == SPEC_UNLIMITED || r->cpu_us < w->cpu_us)
		return false;
	return r->largest_us < w->cpu_us ||
	       r->cpu_us - w->cpu_us >= w->grace_us;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t watch_limit(const struct watch *w)
{
	return smaller(w->mem_bytes, w->queue_bytes);
}

uint64_t watch_interval(const struct watch *w, const struct reading *r,
			uint64_t mem_now)
{
	const uint64_t ceiling = CEILING_MS * NS_PER_MS;
	uint64_t hands = smaller(w->cpus, r->threads > 0 ? r->threads : 1);
	uint64_t ns = ceiling;
	uint64_t limit = watch_limit(w);
	uint64_t left, share;

	/* If no socket counts, there is no hurry. */
	if (limit != SPEC_UNLIMITED &&
	    (w->mem_bytes != SPEC_UNLIMITED || mem_now > 0)) {
		left = limit > mem_now ? limit - mem_now : 0;
		left = smaller(left, 1ULL << 40);
		ns = smaller(ns, left * NS_PER_MS / (hands * TOUCH_BYTES_MS));
	}
	if (w->cpu_us != SPEC_UNLIMITED) {
		left = w->cpu_us > r->cpu_us ? w->cpu_us - r->cpu_us : 0;
		ns = smaller(ns, smaller(left, UINT32_MAX) * 1000 / hands);
	}
	/* A limit of processes may be reached only for a moment. */
	if (w->met.pids != SPEC_UNLIMITED && r->threads >= w->met.pids / 2)
		ns = smaller(ns, NEAR_MS * NS_PER_MS);
	if (w->round.last_pid != 0)
		ns = 0; /* the rest has yet to be read */
	share = ns < w->cost_ns * COST_SHARE && limit != SPEC_UNLIMITED &&
				mem_now > limit / 2
			? PRESSED_SHARE
			: COST_SHARE;
	if (ns < w->floor_ns)
		ns = w->floor_ns;
	if (ns < w->cost_ns * share)
		ns = smaller(w->cost_ns * share, ceiling);
	return ns;
}
