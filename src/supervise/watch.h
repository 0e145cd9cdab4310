/* watch.h -- the watchdog over what no single process's limit can hold.
 *
 * Memory: PSS, page tables and swap of the vessel's processes, the bytes of
 * its tmpfs, of its System V segments and in the queues of its sockets.  CPU time: what live processes used
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
#include "supervise/sockets.h"

struct cgroup;
struct plan_watch;

/* One look at the vessel. */
struct reading {
	uint64_t cpu_us;     /* own and reaped, all live processes */
	uint64_t largest_us; /* own time of the one that used most */
	uint64_t rss_bytes, vsize_bytes;
	uint64_t threads;
	uint64_t tmpfs_bytes, shm_bytes, socket_bytes;
	uint64_t dear_bytes; /* page tables and swap */
	/* Of what is in no file of a disk: the most that one process has, and
	 * what those have together for which there was no time. */
	uint64_t largest_bytes, unread_bytes;
	uint64_t read_bytes; /* PSS of the others */
	uint64_t files_most; /* open in one process; 0 before Linux 6.2 */
	unsigned full;       /* of met_full(): the one tmpfs */
	uint32_t processes;
};

/* PSS of the processes that were read, up to the last; none yet when that is 0.
 * It takes more than one look where page tables are large. */
struct watch_round {
	uint32_t last_pid, len;
	bool is_again; /* the one before it took long and found too much */
	struct watch_read {
		uint32_t pid, kib;
	} * read; /* owned; NULL until PSS is first read */
};

/* Descriptors are borrowed; -1 where there is none. */
struct watch {
	int proc_fd, tmpfs_fd, shm_fd;
	int cgroup_fd; /* whose cpu.stat has all of the CPU time */
	/* Where the kernel kills one process, and we the others; NULL = nowhere.
	 * Borrowed. */
	const struct cgroup *oom;
	bool is_offered;    /* proc_fd can be had by asking */
	uint64_t mem_bytes; /* SPEC_UNLIMITED = not watched */
	/* Of sockets alone, where the kernel holds the rest: cgroups of version 1
	 * do not count TCP and UDP. */
	uint64_t queue_bytes;
	uint64_t cpu_us;       /* the same */
	uint64_t grace_us;     /* how long RLIMIT_CPU's own signal may take */
	uint64_t floor_ns;     /* shortest interval */
	struct met_limits met; /* only noted */
	unsigned cpus;
	unsigned own;     /* processes of ours: init, the filter's keeper */
	uint64_t next_ns; /* of the next look; UINT64_MAX = none */
	uint64_t cost_ns; /* what the last look took */
	uint64_t dear_at; /* the bound when PSS was last read */
	struct watch_round round;
	struct sockets sockets; /* fd borrowed */
};

/* watch_init -- what to hold, from the plan, with these descriptors. */
void watch_init(struct watch *w, const struct plan_watch *plan, int proc_fd,
		int tmpfs_fd, int shm_fd);

/* watch_done -- free what the looks used.  Twice is once. */
void watch_done(struct watch *w);

/* watch_start -- arrange the first look.
 * @now_ns	CLOCK_MONOTONIC, as everywhere here */
void watch_start(struct watch *w, uint64_t now_ns);

/* watch_run -- look once, note the peaks, arrange the next look.
 *
 * @text	room bytes of scratch memory
 * Returns KILL_NONE, KILL_MEMORY or KILL_CPU. */
enum kill_cause watch_run(struct watch *w, struct outcome *o, char *text,
			  size_t room);

/* watch_least -- what the processes have at least: a page that was not read is at most shared by all, and the largest
 * process has what it has.  Pure. */
uint64_t watch_least(const struct reading *r);

/* watch_others -- what belongs to no process's address space.  Pure. */
uint64_t watch_others(const struct reading *r);

/* watch_bound -- an upper bound of the memory figure, from cheap numbers.
 * Pure.  @swap_bytes	in use on the whole host */
uint64_t watch_bound(const struct reading *r, uint64_t swap_bytes);

/* watch_is_over_cpu -- whether the tree is to be killed for CPU time.  Pure.
 * A single process over the limit is RLIMIT_CPU's first, for a grace. */
bool watch_is_over_cpu(const struct watch *w, const struct reading *r);

#define TOUCH_BYTES_MS (8ULL << 20) /* one processor, huge pages, zeroing */

/* watch_limit -- of memory, or of sockets alone, the smaller one.  Pure. */
uint64_t watch_limit(const struct watch *w);

/* watch_interval -- nanoseconds to the next look, so that what can be touched
 * or burned until then fits in what is left.  Pure. */
uint64_t watch_interval(const struct watch *w, const struct reading *r,
			uint64_t mem_now);

/* watch_overshoot -- bytes that can be touched within one shortest interval
 * on all processors: the most that can pass the limit unseen. */
uint64_t watch_overshoot(const struct watch *w);

#endif
