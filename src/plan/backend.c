/* backend.c -- see backend.h: the rows. */
#include "plan/backend.h"

#include <assert.h>
#include <linux/sched.h>

#include "plan/plan.h"

#define BIT(w)    WALL_BIT(WALL_##w)
#define WALLS_ALL (WALL_BIT(WALL_MAX_) - 1)

/* Walls that no run without namespaces has; each run says that they are
 * missing. */
#define NEVER_WITHOUT_NAMESPACES                                               \
	(BIT(USERNS) | BIT(MOUNTNS) | BIT(PIDNS) | BIT(NETNS) | BIT(IPCNS) |   \
	 BIT(UTSNS) | BIT(CGROUPNS) | BIT(PROC_PRIVATE) | BIT(DEVICES) |       \
	 BIT(SCRATCH_SIZE) | BIT(SCRATCH_INODES) | BIT(MEMORY_TOTAL))

/* Walls that it does not have either; it says so only where they were asked
 * for.  A fifo of the repository is the host's own: neither a filter nor a rule
 * tells it from a file, and who may read the one may read the other.  When an
 * init is not dumpable, nobody in the same user namespace can look at its
 * child. */
#define NOT_WITHOUT_NAMESPACES                                                 \
	(BIT(REPO_OVERLAY) | BIT(REPO_OBJECTS) | BIT(CPU_TREE) | BIT(SWAP) |   \
	 BIT(TRACE))

/* Walls that only rules for files can hold. */
#define READ_ONLY_BY_RULES (BIT(ROOT_READONLY) | BIT(REPO_READONLY))

#define LANDLOCK_NEVER NEVER_WITHOUT_NAMESPACES
#define LANDLOCK_HAS   (WALLS_ALL & ~LANDLOCK_NEVER & ~NOT_WITHOUT_NAMESPACES)
#define RLIMITS_NEVER  (LANDLOCK_NEVER | READ_ONLY_BY_RULES)
#define RLIMITS_HAS    (LANDLOCK_HAS & ~READ_ONLY_BY_RULES & ~BIT(LANDLOCK))

static const struct backend rows[] = {
	[BACKEND_NAMESPACES] = {
		.which = BACKEND_NAMESPACES,
		.name = "namespaces",
		.isolation_class = "shared_kernel",
		.has = WALLS_ALL,
		.clone_flags = PLAN_NAMESPACES,
		.has_cgroup = true,
		.lesser = BACKEND_LANDLOCK,
	},
	[BACKEND_LANDLOCK] = {
		.which = BACKEND_LANDLOCK,
		.name = "landlock",
		.isolation_class = "shared_kernel",
		.has = LANDLOCK_HAS,
		.never = LANDLOCK_NEVER,
		.needs = BIT(LANDLOCK),
		.lesser = BACKEND_RLIMITS,
	},
	[BACKEND_RLIMITS] = {
		.which = BACKEND_RLIMITS,
		.name = "rlimits",
		.isolation_class = "shared_kernel",
		.has = RLIMITS_HAS,
		.never = RLIMITS_NEVER,
		.lesser = BACKEND_AUTO,
	},
};
static_assert(sizeof rows / sizeof *rows == BACKEND_MAX_,
	      "a row for every backend");
static_assert(BACKEND_AUTO == 0, "the only number that has no row");
static_assert((LANDLOCK_HAS & LANDLOCK_NEVER) == 0 &&
		      (RLIMITS_HAS & RLIMITS_NEVER) == 0,
	      "no wall both stands and never does");
static_assert((LANDLOCK_HAS & BIT(LANDLOCK)) != 0,
	      "what a backend needs it has");

const struct backend *backend_of(enum spec_backend which)
{
	if (which == BACKEND_AUTO || which >= BACKEND_MAX_)
		which = BACKEND_NAMESPACES;
	return &rows[which];
}
