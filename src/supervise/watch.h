/* watch.h -- the watchdog over what no limit of a single process can hold.
 *
 * Memory: PSS, page tables and swap of the vessel's processes, the bytes of its
 * tmpfs, of its System V segments and in the queues of its sockets.  CPU time:
 * what live processes used, what they reaped, and what the relay and the tracer
 * used for them (run_note_helpers).  Both are read at intervals
 * that shrink with the room that is left; a run that ends before the first look
 * costs nothing.
 *
 * The expensive figure (PSS walks page tables) is read only when a cheap one
 * that cannot be smaller passes the limit: resident sizes, the most page tables
 * that the address space in use can have, all swap that the host uses. */
#ifndef CUPEL_SUPERVISE_WATCH_H
#define CUPEL_SUPERVISE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/locks.h"
#include "supervise/outcome.h"
#include "supervise/sockets.h"

struct cgroup;
struct plan_watch;

/* One look at the vessel. */
struct reading {
	uint64_t cpu_us;     /* own and reaped, of all live processes */
	uint64_t largest_us; /* own time of the process that used most */
	uint64_t rss_bytes, vsize_bytes;
	uint64_t threads;
	uint64_t tmpfs_bytes, shm_bytes, socket_bytes;
	uint64_t dear_bytes; /* page tables and swap */
	/* Of memory that is in no file of a disk: the largest share of one
	 * process, and the sum for the processes for which there was no
	 * time. */
	uint64_t largest_bytes, unread_bytes;
	uint64_t read_bytes; /* PSS of the others */
	uint64_t files_most; /* open in one process; 0 before Linux 6.2 */
	unsigned full;       /* of met_full(): the one tmpfs */
	uint32_t processes;
};

/* PSS of the processes that were read, up to the last one; 0: none yet.  Where
 * page tables are large, a round takes more than one look. */
struct watch_round {
	uint32_t last_pid, len;
	bool is_again; /* the round before it took long and found too much */
	struct watch_read {
		uint32_t pid, kib;
	} * read; /* owned; NULL until PSS is first read */
};

/* Descriptors are borrowed; -1 when there is none. */
struct watch {
	int proc_fd, tmpfs_fd, shm_fd;
	int cgroup_fd; /* its cpu.stat has all of the CPU time */
	/* The cgroup in which the kernel kills one process, and we the others;
	 * NULL = none.  Borrowed. */
	const struct cgroup *oom;
	bool is_offered;    /* init hands over proc_fd when asked */
	uint64_t mem_bytes; /* SPEC_UNLIMITED = not watched */
	/* For sockets alone, when the kernel limits the rest: cgroups of
	 * version 1 do not count TCP and UDP. */
	uint64_t queue_bytes;
	uint64_t cpu_us;       /* the same */
	uint64_t grace_us;     /* time allowed for RLIMIT_CPU's own signal */
	uint64_t floor_ns;     /* shortest interval */
	struct met_limits met; /* only noted */
	unsigned cpus;
	unsigned own;     /* processes of ours: init, the filter's keeper */
	uint64_t next_ns; /* time of the next look; UINT64_MAX = none */
	uint64_t cost_ns; /* duration of the last look */
	uint64_t dear_at; /* the bound when PSS was last read */
	struct watch_round round;
	struct sockets sockets; /* fd borrowed */
	bool has_memory;        /* memory is limited, by us or by the kernel */
	struct locks locks;
};

/* watch_init -- set what to watch, from the plan, with these descriptors. */
void watch_init(struct watch *w, const struct plan_watch *plan, int proc_fd,
		int tmpfs_fd, int shm_fd);

/* watch_done -- free what the looks used.  Calling it again does nothing. */
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

/* watch_least -- the least memory that the processes have: a page that was not
 * read is at most shared by all, and the largest process has what it has.
 * Pure. */
uint64_t watch_least(const struct reading *r);

/* watch_others -- memory that belongs to no process's address space.  Pure. */
uint64_t watch_others(const struct reading *r);

/* watch_bound -- an upper bound of the memory figure, from cheap numbers.
 * Pure.  @swap_bytes	in use on the whole host */
uint64_t watch_bound(const struct reading *r, uint64_t swap_bytes);

/* watch_is_over_cpu -- whether to kill the tree for CPU time.  Pure.  A single
 * process over the limit is first left to RLIMIT_CPU, for a grace. */
bool watch_is_over_cpu(const struct watch *w, const struct reading *r);

#define TOUCH_BYTES_MS (8ULL << 20) /* one processor, huge pages, zeroing */

/* watch_limit -- the limit of memory, or of sockets alone, if that is smaller.
 * Pure. */
uint64_t watch_limit(const struct watch *w);

/* watch_interval -- nanoseconds to the next look, so that what can be touched
 * or burned until then fits into what is left.  Pure. */
uint64_t watch_interval(const struct watch *w, const struct reading *r,
			uint64_t mem_now);

/* watch_overshoot -- bytes that can be touched within one shortest interval on
 * all processors: the most that can pass the limit unseen. */
uint64_t watch_overshoot(const struct watch *w);

#endif
