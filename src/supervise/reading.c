/* reading.c -- the sums and comparisons of one look of the watchdog, nothing
 * else. */
#include "plan/plan.h"
#include "supervise/watch.h"

#define THREAD_BYTES (24ULL << 10) /* a kernel stack and its task_struct */

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
