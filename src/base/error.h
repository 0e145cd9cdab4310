/* error.h -- one error value for the parent, the child and the JSON result.
 *
 * The return value decides; the struct explains.  Every function that can
 * fail returns 0 or a negative errno and takes `struct cupel_error *err` last:
 *
 *   success	returns 0, leaves *err alone, sets every out parameter.
 *   failure	returns -errno, fills *err, leaves every out parameter alone.
 *   expected	a positive value named in that function's header comment.
 *		The direct caller handles it; it is never passed further up.
 *
 * The struct holds no pointers and fits in PIPE_BUF, so a child between
 * clone(2) and execve(2) can fill it without malloc(3) and send it up in one
 * write(2).  It is declared in cupel.h, the public header, because callers of
 * the library read it too.
 */
#ifndef CUPEL_BASE_ERROR_H
#define CUPEL_BASE_ERROR_H

#include <stddef.h>

/* Which room failed.  Printed as "stage" in the result JSON; append only. */
enum cupel_stage {
	CUPEL_STAGE_NONE = 0,
	CUPEL_STAGE_SPEC,
	CUPEL_STAGE_PLAN,
	CUPEL_STAGE_SOURCE, /* opening what the plan names on the host */
	CUPEL_STAGE_NAMESPACE,
	CUPEL_STAGE_IDMAP,
	CUPEL_STAGE_MOUNT,
	CUPEL_STAGE_PRIVILEGE, /* ids, capabilities, securebits */
	CUPEL_STAGE_LIMIT,
	CUPEL_STAGE_LANDLOCK,
	CUPEL_STAGE_SECCOMP,
	CUPEL_STAGE_EXEC,
	CUPEL_STAGE_SUPERVISE,
	CUPEL_STAGE_RESULT,
	CUPEL_STAGE_BOUNDARY,
	CUPEL_STAGE_JOB,
	CUPEL_STAGE_MAX_
};

/* Whose fault, hence what a retry can do.  "cause" in the result JSON. */
enum cupel_cause {
	CUPEL_CAUSE_NONE = 0,
	CUPEL_CAUSE_CALLER, /* the request is wrong; never retry */
	CUPEL_CAUSE_HOST,   /* kernel or host lacks it; retry elsewhere */
	CUPEL_CAUSE_BUSY,   /* out of a resource; retry later */
	CUPEL_CAUSE_BUG,    /* our invariant broke; report it */
	CUPEL_CAUSE_MAX_
};

#define CUPEL_ERROR_WHAT 480

struct cupel_error {
	enum cupel_stage stage;
	enum cupel_cause cause;
	int sys;                     /* errno where it failed, 0 if none */
	char what[CUPEL_ERROR_WHAT]; /* NUL-terminated UTF-8, one line */
};

/* Fill *err and return -sys (or -EINVAL if sys is 0), for `return cupel_fail(`.
 * A message longer than what[] is cut; control bytes and invalid UTF-8 in the
 * finished message become '?', so it can always be printed.
 * Uses vsnprintf: not for the child, which uses cupel_fail_lit(). */
int cupel_fail(struct cupel_error *err, enum cupel_stage stage,
	       enum cupel_cause cause, int sys, const char *fmt, ...)
	__attribute__((format(printf, 5, 6), nonnull(1, 5)));

/* As cupel_fail(), but copies a literal: no stdio, no malloc, no locale. */
int cupel_fail_lit(struct cupel_error *err, enum cupel_stage stage,
		   enum cupel_cause cause, int sys, const char *what)
	__attribute__((nonnull(1, 5)));

/* The cause that an errno from the kernel speaks of: EAGAIN, ENOMEM, EMFILE,
 * ENFILE, ENOSPC and EDQUOT are BUSY, everything else HOST. */
enum cupel_cause cupel_cause_of(int sys);

/* Lower-case JSON name of a stage or cause; "?" if out of range. */
const char *cupel_stage_name(enum cupel_stage stage);
const char *cupel_cause_name(enum cupel_cause cause);

#endif
