/* wall.h -- the names of what can be enforced: the keys of "enforced". */
#ifndef CUPEL_PLAN_WALL_H
#define CUPEL_PLAN_WALL_H

#include <stdint.h>

/* Each wall, and its key in "enforced": in the order of cupel-result(5), "ENFORCED".
 * The schemas of results and plans have exactly these. */
/* clang-format off */
#define WALLS(ROW) \
	ROW(USERNS, "userns") \
	ROW(MOUNTNS, "mountns") \
	ROW(PIDNS, "pidns") \
	ROW(NETNS, "netns") \
	ROW(IPCNS, "ipcns") \
	ROW(UTSNS, "utsns") \
	ROW(CGROUPNS, "cgroupns") \
	ROW(ROOT_READONLY, "root_readonly") \
	ROW(REPO_READONLY, "repo_readonly") \
	ROW(REPO_OVERLAY, "repo_overlay") \
	ROW(REPO_OBJECTS, "repo_objects") \
	ROW(SCRATCH_SIZE, "scratch_size") \
	ROW(SCRATCH_INODES, "scratch_inodes") \
	ROW(PROC_PRIVATE, "proc_private") \
	ROW(DEVICES, "devices") \
	ROW(HOST_UID, "host_uid") \
	ROW(CAPABILITIES, "capabilities") \
	ROW(SECUREBITS, "securebits") \
	ROW(NO_NEW_PRIVS, "no_new_privs") \
	ROW(SUPPLEMENTARY_GROUPS, "supplementary_groups") \
	ROW(NESTED_USERNS, "nested_userns") \
	ROW(DESCRIPTORS, "descriptors") \
	ROW(SESSION, "session") \
	ROW(SECCOMP, "seccomp") \
	ROW(VIOLATION_REPORT, "violation_report") \
	ROW(LANDLOCK, "landlock") \
	ROW(LANDLOCK_SCOPE, "landlock_scope") \
	ROW(RLIMIT_CPU, "rlimit_cpu") \
	ROW(RLIMIT_AS, "rlimit_as") \
	ROW(RLIMIT_DATA, "rlimit_data") \
	ROW(RLIMIT_NOFILE, "rlimit_nofile") \
	ROW(RLIMIT_FSIZE, "rlimit_fsize") \
	ROW(RLIMIT_NPROC, "rlimit_nproc") \
	ROW(RLIMIT_CORE, "rlimit_core") \
	ROW(MEMORY_TOTAL, "memory_total") \
	ROW(CPU_TREE, "cpu_tree") \
	ROW(PIDS, "pids") \
	ROW(SWAP, "swap") \
	ROW(WALL_TIME, "wall_time") \
	ROW(OUTPUT_STDOUT, "output_stdout") \
	ROW(OUTPUT_STDERR, "output_stderr") \
	ROW(NETWORK, "network") \
	ROW(ENV, "env") \
	ROW(TRACE, "trace")
/* clang-format on */

#define WALL_OF_ROW(name, key) WALL_##name,
enum wall { WALLS(WALL_OF_ROW) WALL_MAX_ };
#undef WALL_OF_ROW

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
