/* reason.h -- the closed list of codes in "reason" of a result. */
#ifndef CUPEL_SPEC_REASON_H
#define CUPEL_SPEC_REASON_H

struct cupel_error;

/* The cases that a caller would tell apart.  The schema has the same list. */
enum reason {
	REASON_NONE, /* null: OK, FAILED */

	/* FAILED, started false */
	REASON_EXEC_NOT_FOUND,
	REASON_EXEC_FAILED,

	/* a limit, by the status that it gives */
	REASON_WALL_TIME,
	REASON_CPU_TIME, /* of one process: RLIMIT_CPU */
	REASON_CPU_TREE,
	REASON_MEMORY_TREE, /* the watchdog, or the cgroup */
	REASON_OUTPUT_STDOUT,
	REASON_OUTPUT_STDERR,
	REASON_FILE_SIZE,
	REASON_FORBIDDEN_SYSCALL,

	/* an end by a signal */
	REASON_CANCELLED, /* the caller's signal, or cupel_run_cancel */
	REASON_SIGNAL,    /* any other; "signal" has the number */

	/* INTERNAL_ERROR: cause caller */
	REASON_USAGE,
	REASON_SOURCE_REFUSED, /* a path of the host cannot be shown */

	/* INTERNAL_ERROR: cause host, by what the host refused */
	REASON_ENFORCEMENT_MISSING, /* known before anything was started */
	REASON_USERNS_REFUSED,
	REASON_IDMAP_REFUSED,
	REASON_MOUNT_REFUSED,
	REASON_PRIVILEGE_REFUSED,
	REASON_LIMIT_REFUSED,
	REASON_LANDLOCK_REFUSED,
	REASON_SECCOMP_REFUSED,

	REASON_BUSY,     /* INTERNAL_ERROR, cause busy: try again later */
	REASON_INTERNAL, /* INTERNAL_ERROR, cause bug, or none of the above */

	REASON_PARTIAL, /* "PARTIAL_ENFORCEMENT" without another reason */
	REASON_MAX_
};

/* reason_name -- the code, or NULL for REASON_NONE and for values out of
 * range. */
const char *reason_name(enum reason r);

/* reason_of_error -- the code of a run that ended with INTERNAL_ERROR. */
enum reason reason_of_error(const struct cupel_error *err);

#endif
