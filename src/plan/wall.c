/* wall.c -- see wall.h. */
#include "plan/wall.h"

static const char *const names[] = {
	[WALL_USERNS] = "userns",
	[WALL_MOUNTNS] = "mountns",
	[WALL_PIDNS] = "pidns",
	[WALL_NETNS] = "netns",
	[WALL_IPCNS] = "ipcns",
	[WALL_UTSNS] = "utsns",
	[WALL_CGROUPNS] = "cgroupns",
	[WALL_ROOT_READONLY] = "root_readonly",
	[WALL_REPO_READONLY] = "repo_readonly",
	[WALL_REPO_OVERLAY] = "repo_overlay",
	[WALL_REPO_OBJECTS] = "repo_objects",
	[WALL_SCRATCH_SIZE] = "scratch_size",
	[WALL_SCRATCH_INODES] = "scratch_inodes",
	[WALL_PROC_PRIVATE] = "proc_private",
	[WALL_DEVICES] = "devices",
	[WALL_HOST_UID] = "host_uid",
	[WALL_CAPABILITIES] = "capabilities",
	[WALL_SECUREBITS] = "securebits",
	[WALL_NO_NEW_PRIVS] = "no_new_privs",
	[WALL_SUPPLEMENTARY_GROUPS] = "supplementary_groups",
	[WALL_NESTED_USERNS] = "nested_userns",
	[WALL_DESCRIPTORS] = "descriptors",
	[WALL_SESSION] = "session",
	[WALL_SECCOMP] = "seccomp",
	[WALL_VIOLATION_REPORT] = "violation_report",
	[WALL_LANDLOCK] = "landlock",
	[WALL_LANDLOCK_SCOPE] = "landlock_scope",
	[WALL_RLIMIT_CPU] = "rlimit_cpu",
	[WALL_RLIMIT_AS] = "rlimit_as",
	[WALL_RLIMIT_DATA] = "rlimit_data",
	[WALL_RLIMIT_NOFILE] = "rlimit_nofile",
	[WALL_RLIMIT_FSIZE] = "rlimit_fsize",
	[WALL_RLIMIT_NPROC] = "rlimit_nproc",
	[WALL_RLIMIT_CORE] = "rlimit_core",
	[WALL_MEMORY_TOTAL] = "memory_total",
	[WALL_CPU_TREE] = "cpu_tree",
	[WALL_PIDS] = "pids",
	[WALL_SWAP] = "swap",
	[WALL_WALL_TIME] = "wall_time",
	[WALL_OUTPUT_STDOUT] = "output_stdout",
	[WALL_OUTPUT_STDERR] = "output_stderr",
	[WALL_NETWORK] = "network",
	[WALL_ENV] = "env",
	[WALL_TRACE] = "trace",
};
_Static_assert(sizeof names / sizeof *names == WALL_MAX_,
	       "a name for every wall");

const char *wall_name(enum wall w)
{
	return (unsigned)w < WALL_MAX_ ? names[w] : "?";
}
