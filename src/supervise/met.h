/* met.h -- limits that the command is told of by an error number alone.
 *
 * At its limit of processes fork(2) says EAGAIN, at that of open files open(2)
 * says EMFILE, in a full scratch write(2) says ENOSPC; the run goes on.  Whether
 * such a limit was met is looked at from outside: at each look of the watchdog, at
 * the command's end, and in what the kernel counts of a cgroup.  A look is a
 * sample: what was met and left between two is not seen.  Nothing is read that a
 * process inside can write.
 */
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

/* What a look is held against; SPEC_UNLIMITED = nothing to say. */
struct met_limits {
	uint64_t pids; /* of all in the vessel, ours among them */
	uint64_t nofile;
	bool has_bytes, has_inodes; /* whether the scratch is bounded */
};

/* What was found, of the run. */
struct limits_met {
	uint32_t looks;        /* in all */
	uint32_t at[MET_MAX_]; /* looks that found it at its limit */
	unsigned at_end;       /* MET_BIT(): it was at the command's end */
	/* Of a cgroup: as many processes were there at once, says the kernel,
	 * and how many it refused for this cgroup's limit; 0 = not told. */
	bool has_pids_peak;
	uint64_t pids_refused;
};

/* met_value -- the limit itself, as the plan has it.  Pure. */
uint64_t met_value(const struct plan *plan, enum met m);

/* met_limits_of -- from the plan.  Pure.
 * @own		processes of ours in the vessel.  A limit that the command alone
 *		reaches says nothing of it: the result then has no limit. */
struct met_limits met_limits_of(const struct plan *plan, unsigned own);

/* met_full -- MET_BIT() of what a file system has none left of, from the numbers
 * that statfs(2) has of it; one that is not bounded has 0 of each.  Pure. */
unsigned met_full(uint64_t blocks, uint64_t free_blocks, uint64_t files,
		  uint64_t free_files);

/* met_note_look -- count one look.  Pure. */
void met_note_look(struct limits_met *met, const struct met_limits *limits,
		   const struct reading *r);

/* met_note_end -- when init has told of the command's end: o->processes_killed
 * lived on beside it, and full was the scratch.  Pure. */
void met_note_end(struct outcome *o, const struct met_limits *limits,
		  unsigned own, unsigned full);

#endif
