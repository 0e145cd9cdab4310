/* met.h -- limits that the command notices only as an error number.
 *
 * At the limit of processes fork(2) fails with EAGAIN, at that of open files
 * open(2) with EMFILE, in a full scratch write(2) with ENOSPC; the run goes on.
 * Whether such a limit was met is observed from outside: at each look of the
 * watchdog, at the command's end, and in what the kernel counts for a cgroup.
 * A look is a sample: a limit that was met only between two looks is not seen.
 * Nothing is read that a process inside can write. */
#ifndef CUPEL_SUPERVISE_MET_H
#define CUPEL_SUPERVISE_MET_H

#include <stdbool.h>
#include <stdint.h>

struct outcome;
struct plan;
struct reading;

enum met {
	MET_PIDS,
	MET_NOFILE,
	MET_SCRATCH_BYTES,
	MET_SCRATCH_INODES,
	MET_MAX_
};
#define MET_BIT(m) (1U << (m))

/* What a look is compared with; SPEC_UNLIMITED = no limit. */
struct met_limits {
	uint64_t pids; /* of all processes in the vessel, including ours */
	uint64_t nofile;
	bool has_bytes, has_inodes; /* whether the scratch has a limit */
};

/* What was found during the run. */
struct limits_met {
	uint32_t looks;        /* in all */
	uint32_t at[MET_MAX_]; /* looks that found the limit reached */
	unsigned at_end;       /* MET_BIT(): reached at the command's end */
	/* From a cgroup: the most processes at once, according to the kernel,
	 * and how many it refused because of this cgroup's limit; 0 = not
	 * reported. */
	bool has_pids_peak;
	uint64_t pids_refused;
};

/* met_value -- the limit itself, from the plan.  Pure. */
uint64_t met_value(const struct plan *plan, enum met m);

/* met_limits_of -- the limits of the plan.  Pure.
 * @own		processes of ours in the vessel.  If the command alone reaches a
 *		limit, that says nothing about it; the result then has none. */
struct met_limits met_limits_of(const struct plan *plan, unsigned own);

/* met_full -- MET_BIT() of what a file system has run out of, from the numbers
 * that statfs(2) reports.  One without a limit has 0 of each.  Pure. */
unsigned met_full(uint64_t blocks, uint64_t free_blocks, uint64_t files,
		  uint64_t free_files);

/* met_note_look -- count one look.  Pure. */
void met_note_look(struct limits_met *met, const struct met_limits *limits,
		   const struct reading *r);

/* met_note_end -- call it when init has reported the command's end:
 * o->processes_killed others were still alive, and full says what the scratch
 * had run out of.  Pure. */
void met_note_end(struct outcome *o, const struct met_limits *limits,
		  unsigned own, unsigned full);

#endif
