/* met.c -- see met.h. */
#include "supervise/met.h"

#include <sys/resource.h>

#include "plan/plan.h"
#include "supervise/outcome.h"
#include "supervise/watch.h"

static uint64_t soft_limit(const struct plan *plan, int resource)
{
	uint64_t least = SPEC_UNLIMITED;

	for (size_t i = 0; i < plan->limits_len; i++)
		if (plan->limits[i].resource == resource &&
		    plan->limits[i].soft < least)
			least = plan->limits[i].soft;
	return least;
}

/* A cgroup has the same limit plus room for our own processes. */
static uint64_t pids_limit(const struct plan *plan)
{
	uint64_t inside = soft_limit(plan, RLIMIT_NPROC);
	uint64_t beside = plan->cgroup.pids;

	if (plan->cgroup.kind == CGROUP_NONE || beside == SPEC_UNLIMITED ||
	    beside - CGROUP_OWN_PIDS >= inside)
		return inside;
	return beside - CGROUP_OWN_PIDS;
}

uint64_t met_value(const struct plan *plan, enum met m)
{
	switch (m) {
	case MET_PIDS:
		return pids_limit(plan);
	case MET_NOFILE:
		return soft_limit(plan, RLIMIT_NOFILE);
	case MET_SCRATCH_BYTES:
		return plan->scratch_bytes;
	default:
		return plan->scratch_inodes;
	}
}

struct met_limits met_limits_of(const struct plan *plan, unsigned own)
{
	struct met_limits limits = {
		.pids = met_value(plan, MET_PIDS),
		.nofile = met_value(plan, MET_NOFILE),
		.has_bytes = plan->scratch_bytes != 0,
		.has_inodes = plan->scratch_inodes != 0,
	};

	if (limits.pids <= own + 1)
		limits.pids = SPEC_UNLIMITED;
	return limits;
}

unsigned met_full(uint64_t blocks, uint64_t free_blocks, uint64_t files,
		  uint64_t free_files)
{
	unsigned full = 0;

	if (blocks != 0 && free_blocks == 0)
		full |= MET_BIT(MET_SCRATCH_BYTES);
	if (files != 0 && free_files == 0)
		full |= MET_BIT(MET_SCRATCH_INODES);
	return full;
}

static unsigned full_of_limits(const struct met_limits *limits, unsigned full)
{
	if (!limits->has_bytes)
		full &= ~MET_BIT(MET_SCRATCH_BYTES);
	if (!limits->has_inodes)
		full &= ~MET_BIT(MET_SCRATCH_INODES);
	return full;
}

void met_note_look(struct limits_met *met, const struct met_limits *limits,
		   const struct reading *r)
{
	unsigned found = full_of_limits(limits, r->full);

	if (r->threads >= limits->pids)
		found |= MET_BIT(MET_PIDS);
	if (r->files_most != 0 && r->files_most >= limits->nofile)
		found |= MET_BIT(MET_NOFILE);
	met->looks++;
	for (int i = 0; i < MET_MAX_; i++)
		met->at[i] += (found & MET_BIT(i)) != 0;
}

void met_note_end(struct outcome *o, const struct met_limits *limits,
		  unsigned own, unsigned full)
{
	o->met.at_end |= full_of_limits(limits, full);
	/* the command is one more */
	if ((uint64_t)o->processes_killed + own + 1 >= limits->pids)
		o->met.at_end |= MET_BIT(MET_PIDS);
}
