/* walls.c -- which walls stand: those that init read back, and those of this
 * room and the run's cgroup. */
#include "plan/plan.h"
#include "supervise/run.h"

/* The walls that this room itself provides. */
#define OWN_WALLS                                                              \
	(WALL_BIT(WALL_WALL_TIME) | WALL_BIT(WALL_OUTPUT_STDOUT) |             \
	 WALL_BIT(WALL_OUTPUT_STDERR))

/* Sampling is not a wall, because it sees too little: of CPU time not that of
 * children that nobody waits for, of memory not all that the kernel holds.  So
 * it never counts as applied, and it counts as missing only if not even
 * sampling is done.  The report of violations is no wall, either: without it
 * they still kill, but without naming the call. */
wall_set run_missing_walls(const struct run *r)
{
	return r->plan->requested & ~r->plan->missing & ~r->out.applied &
	       ~((WALLS_SAMPLED & ~r->out.missing) |
		 WALL_BIT(WALL_VIOLATION_REPORT));
}

/* The kernel enforces the memory limit of a cgroup.  Without a cgroup the
 * memory is sampled through the vessel's /proc; without that there is
 * nothing. */
static void note_memory(struct run *r, const struct record *rec)
{
	wall_set memory = WALL_BIT(WALL_MEMORY_TOTAL) & r->plan->requested &
			  ~r->plan->missing;

	if (r->child.cgroup.held & CGROUP_MEMORY)
		r->out.applied |= memory;
	else if (r->plan->watch.mem_bytes == SPEC_UNLIMITED ||
		 (r->proc_fd < 0 && (rec->offers & CARRY_PROC) == 0))
		r->out.missing |= memory;
}

/* The CPU time of a cgroup is that of the whole tree, whoever waited for whom.
 * What is read is then not a lower bound (docs/memory.md). */
static void note_cpu(struct run *r)
{
	const struct plan_cgroup *c = &r->plan->cgroup;
	wall_set cpu = WALL_BIT(WALL_CPU_TREE);

	if (c->cpu_milli != SPEC_UNLIMITED && c->kind != CGROUP_NONE &&
	    (r->child.cgroup.held & CGROUP_CPU) == 0)
		r->out.missing |= cpu;
	if (r->child.cgroup.dir_fd >= 0 && !r->child.cgroup.is_v1 &&
	    ((r->plan->missing | r->out.missing) & cpu) == 0)
		r->out.applied |= cpu & r->plan->requested;
}

/* Without a PID namespace only init ends the run.  A command that can kill init
 * outlives the walls that end with it. */
static wall_set walls_unheld(const struct run *r)
{
	bool is_scoped = (r->out.applied & WALL_BIT(WALL_LANDLOCK_SCOPE)) != 0;

	return is_scoped ? 0 : r->plan->on_init;
}

void run_note_walls(struct run *r, const struct record *rec)
{
	unsigned held = r->child.cgroup.held;
	wall_set own = OWN_WALLS;
	wall_set report = WALL_BIT(WALL_VIOLATION_REPORT);

	if (held & CGROUP_PIDS)
		own |= WALL_BIT(WALL_PIDS);
	r->out.applied = rec->applied | (r->plan->requested & own);
	/* Version 1 has one limit for memory and swap together. */
	if ((held & CGROUP_MEMORY) && !r->child.cgroup.is_v1)
		r->out.applied |= WALL_BIT(WALL_SWAP);
	r->out.refused = rec->refused;
	if (rec->seccomp_errno != 0)
		r->out.applied &= ~report;
	/* A wall that the plan knows to be incomplete does not count. */
	r->out.applied &= ~(WALLS_SAMPLED | r->plan->missing | walls_unheld(r));
	note_cpu(r);
	note_memory(r, rec);
	r->out.unmapped = r->child.unmapped;
	if (r->out.unmapped != 0)
		r->out.applied &= ~(WALL_BIT(WALL_REPO_OBJECTS) |
				    WALL_BIT(WALL_REPO_OVERLAY));
	r->out.objects_by_filter = rec->objects_by_filter != 0;
	r->out.listener_errno = rec->seccomp_errno;
}
