/* wall.h -- the names of what can be enforced: the keys of "enforced". */
#ifndef CUPEL_PLAN_WALL_H
#define CUPEL_PLAN_WALL_H

#include <stdint.h>

/* In the order of cupel-result(5), "ENFORCED"; the JSON has exactly these. */
enum wall {
	WALL_USERNS,
	WALL_MOUNTNS,
	WALL_PIDNS,
	WALL_NETNS,
	WALL_IPCNS,
	WALL_UTSNS,
	WALL_CGROUPNS,
	WALL_ROOT_READONLY,
	WALL_REPO_READONLY,
	WALL_REPO_OVERLAY,
	WALL_REPO_OBJECTS,
	WALL_SCRATCH_SIZE,
	WALL_SCRATCH_INODES,
	WALL_PROC_PRIVATE,
	WALL_DEVICES,
	WALL_HOST_UID,
	WALL_CAPABILITIES,
	WALL_SECUREBITS,
	WALL_NO_NEW_PRIVS,
	WALL_SUPPLEMENTARY_GROUPS,
	WALL_NESTED_USERNS,
	WALL_DESCRIPTORS,
	WALL_SESSION,
	WALL_SECCOMP,
	WALL_VIOLATION_REPORT,
	WALL_LANDLOCK,
	WALL_LANDLOCK_SCOPE,
	WALL_RLIMIT_CPU,
	WALL_RLIMIT_AS,
	WALL_RLIMIT_DATA,
	WALL_RLIMIT_NOFILE,
	WALL_RLIMIT_FSIZE,
	WALL_RLIMIT_NPROC,
	WALL_RLIMIT_CORE,
	WALL_MEMORY_TOTAL,
	WALL_CPU_TREE,
	WALL_PIDS,
	WALL_SWAP,
	WALL_WALL_TIME,
	WALL_OUTPUT_STDOUT,
	WALL_OUTPUT_STDERR,
	WALL_NETWORK,
	WALL_ENV,
	WALL_TRACE,
	WALL_MAX_
};

/* A set of walls: bit n is wall n. */
typedef uint64_t wall_set;
#define WALL_BIT(w) ((wall_set)1 << (w))

_Static_assert(WALL_MAX_ <= 64, "a wall_set is one word");

/* Walls that the supervisor raises, and facts that it reports without their
 * being walls (result/status.h): init could have none of them in place before
 * the command runs. */
#define WALLS_OF_SUPERVISOR                                                    \
	(WALL_BIT(WALL_WALL_TIME) | WALL_BIT(WALL_OUTPUT_STDOUT) |             \
	 WALL_BIT(WALL_OUTPUT_STDERR) | WALL_BIT(WALL_MEMORY_TOTAL) |          \
	 WALL_BIT(WALL_CPU_TREE) | WALL_BIT(WALL_VIOLATION_REPORT))

/* Watched but not held, unless a cgroup holds them: the figure that is checked
 * is a lower bound or an estimate, and "enforced" says so.  They count neither
 * as in force nor as missing (docs/vessel.md and docs/memory.md). */
#define WALLS_SAMPLED (WALL_BIT(WALL_CPU_TREE) | WALL_BIT(WALL_MEMORY_TOTAL))

/* wall_name -- the JSON key; "?" out of range. */
const char *wall_name(enum wall w);

#endif
