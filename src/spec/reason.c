/* reason.c -- see reason.h. */
#include "spec/reason.h"

#include <stddef.h>

#include "base/error.h"

static const char *const names[] = {
	[REASON_NONE] = NULL,
	[REASON_EXEC_NOT_FOUND] = "exec_not_found",
	[REASON_EXEC_FAILED] = "exec_failed",
	[REASON_WALL_TIME] = "wall_time",
	[REASON_CPU_TIME] = "cpu_time",
	[REASON_CPU_TREE] = "cpu_tree",
	[REASON_MEMORY_TREE] = "memory_tree",
	[REASON_OUTPUT_STDOUT] = "output_stdout",
	[REASON_OUTPUT_STDERR] = "output_stderr",
	[REASON_FILE_SIZE] = "file_size",
	[REASON_FORBIDDEN_SYSCALL] = "forbidden_syscall",
	[REASON_CANCELLED] = "cancelled",
	[REASON_SIGNAL] = "signal",
	[REASON_USAGE] = "usage",
	[REASON_SOURCE_REFUSED] = "source_refused",
	[REASON_ENFORCEMENT_MISSING] = "enforcement_missing",
	[REASON_USERNS_REFUSED] = "userns_refused",
	[REASON_IDMAP_REFUSED] = "idmap_refused",
	[REASON_MOUNT_REFUSED] = "mount_refused",
	[REASON_PRIVILEGE_REFUSED] = "privilege_refused",
	[REASON_LIMIT_REFUSED] = "limit_refused",
	[REASON_LANDLOCK_REFUSED] = "landlock_refused",
	[REASON_SECCOMP_REFUSED] = "seccomp_refused",
	[REASON_BUSY] = "busy",
	[REASON_INTERNAL] = "internal",
	[REASON_PARTIAL] = "PARTIAL_ENFORCEMENT",
};
_Static_assert(sizeof names / sizeof *names == REASON_MAX_,
	       "a name for every reason");

/* By stage, when the caller or the host is the cause. */
static const enum reason of_stage[] = {
	[CUPEL_STAGE_NONE] = REASON_INTERNAL,
	[CUPEL_STAGE_SPEC] = REASON_USAGE,
	[CUPEL_STAGE_PLAN] = REASON_ENFORCEMENT_MISSING,
	[CUPEL_STAGE_SOURCE] = REASON_SOURCE_REFUSED,
	[CUPEL_STAGE_NAMESPACE] = REASON_USERNS_REFUSED,
	[CUPEL_STAGE_IDMAP] = REASON_IDMAP_REFUSED,
	[CUPEL_STAGE_MOUNT] = REASON_MOUNT_REFUSED,
	[CUPEL_STAGE_PRIVILEGE] = REASON_PRIVILEGE_REFUSED,
	[CUPEL_STAGE_LIMIT] = REASON_LIMIT_REFUSED,
	[CUPEL_STAGE_LANDLOCK] = REASON_LANDLOCK_REFUSED,
	[CUPEL_STAGE_SECCOMP] = REASON_SECCOMP_REFUSED,
	[CUPEL_STAGE_EXEC] = REASON_INTERNAL,
	[CUPEL_STAGE_SUPERVISE] = REASON_INTERNAL,
	[CUPEL_STAGE_RESULT] = REASON_INTERNAL,
	[CUPEL_STAGE_BOUNDARY] = REASON_INTERNAL,
	[CUPEL_STAGE_JOB] = REASON_INTERNAL,
};
_Static_assert(sizeof of_stage / sizeof *of_stage == CUPEL_STAGE_MAX_,
	       "a reason for every stage");

const char *reason_name(enum reason r)
{
	return (unsigned)r < REASON_MAX_ ? names[r] : NULL;
}

enum reason reason_of_error(const struct cupel_error *err)
{
	if (err->cause == CUPEL_CAUSE_BUSY)
		return REASON_BUSY;
	if (err->cause == CUPEL_CAUSE_BUG ||
	    (unsigned)err->stage >= CUPEL_STAGE_MAX_)
		return REASON_INTERNAL;
	if (err->cause == CUPEL_CAUSE_CALLER && err->stage == CUPEL_STAGE_PLAN)
		return REASON_USAGE;
	return of_stage[err->stage];
}
