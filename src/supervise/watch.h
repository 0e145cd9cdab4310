/* watch.h -- the watchdog over what no single process's limit can hold.
 *
 * Memory: PSS, page tables and swap of the vessel's processes, the bytes of
 * its tmpfs and of its System V segments.  CPU time: what live processes used
 * and what they reaped.  Both are read at intervals that shrink with the room
 * that is left; a run that ends before the first costs nothing.
 *
 * The dear figure (PSS walks page tables) is read only when a cheap one that
 * cannot be smaller passes the limit: resident sizes, page tables at their
 * most for the address space in use, all swap that the host uses at all.
 */
#ifndef CUPEL_SUPERVISE_WATCH_H
#define CUPEL_SUPERVISE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/outcome.h"

struct plan_watch;

/* One look at the vessel. */
struct reading {
	uint64_t cpu_us;     /* own and reaped, all live processes */
	uint64_t largest_us; /* own time of the one that used most */
	uint64_t rss_bytes, vsize_bytes;
	uint64_t threads;
	uint64_t tmpfs_bytes, shm_bytes;
	uint64_t dear_bytes; /* PSS, page tables, swap; 0 = not read */
	uint32_t processes;
};

/* Descriptors are borrowed; -1 where there is none. */
struct watch {
	int proc_fd, tmpfs_fd, shm_fd;
	int cgroup_fd;      /* whose cpu.stat has all of the CPU time */
	bool is_offered;    /* proc_fd can be had by asking */
	uint64_t mem_bytes; /* SPEC_UNLIMITED = not watched */
	uint64_t cpu_us;    /* the same */
	uint64_t grace_us;  /* how long RLIMIT_CPU's own signal may take */
	uint64_t floor_ns;  /* shortest interval */
	unsigned cpus;
	unsigned own;     /* processes of ours: init, the filter's keeper */
	uint64_t next_ns; /* of the next look; UINT64_MAX = none */
	uint64_t cost_ns; /* what the last look took */
	uint64_t dear_at; /* the bound when PSS was last read */
};

/* watch_init -- what to hold, from the plan, with these descriptors. */
void watch_init(struct watch *w, const struct plan_watch *plan, int proc_fd,
		int tmpfs_fd, int shm_fd);

/* watch_start -- arrange the first look.
 * @now_ns	CLOCK_MONOTONIC, as everywhere here */
void watch_start(struct watch *w, uint64_t now_ns);

/* watch_run -- look once, note the peaks, arrange the next look.
 *
 * @text	room bytes of scratch memory
 * Returns KILL_NONE, KILL_MEMORY or KILL_CPU. */
enum kill_cause watch_run(struct watch *w, struct outcome *o, char *text,
			  size_t room);

/* watch_bound -- an upper bound of the memory figure, from cheap numbers.
 * Pure.  @swap_bytes	in use on the whole host */
uint64_t watch_bound(const struct reading *r, uint64_t swap_bytes);

/* watch_is_over_cpu -- whether the tree is to be killed for CPU time.  Pure.
 * A single process over the limit is RLIMIT_CPU's first, for a grace. */
bool watch_is_over_cpu(const struct watch *w, const struct reading *r);

/* watch_interval -- nanoseconds to the next look, so that what can be touched
 * or burned until then fits in what is left.  Pure. */
uint64_t watch_interval(const struct watch *w, const struct reading *r,
			uint64_t mem_now);

/* watch_overshoot -- bytes that can be touched within one shortest interval
 * on all processors: the most that can pass the limit unseen. */
uint64_t watch_overshoot(const struct watch *w);

#endif
