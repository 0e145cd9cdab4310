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

#include <errno.h>

#include "cupel.h"

/* Fill *err and return -sys (or -EINVAL if sys is 0), for `return cupel_fail(`.
 * A message longer than what[] is cut; control bytes and invalid UTF-8 in the
 * finished message become '?', so it can always be printed.
 * Uses vsnprintf: not for init, which is linked with no file of this room and
 * fills a record of its own (launch/native/init/). */
int cupel_fail(struct cupel_error *err, enum cupel_stage stage,
	       enum cupel_cause cause, int sys, const char *fmt, ...)
	__attribute__((format(printf, 5, 6), nonnull(1, 5)));

/* As cupel_fail(), but copies a literal: no stdio, no malloc, no locale. */
int cupel_fail_lit(struct cupel_error *err, enum cupel_stage stage,
		   enum cupel_cause cause, int sys, const char *what)
	__attribute__((nonnull(1, 5)));

/* The cause that an errno from the kernel stands for: EAGAIN, ENOMEM, EMFILE,
 * ENFILE, ENOSPC and EDQUOT are BUSY, everything else HOST.  Inline, because
 * init is linked with no other file of ours. */
static inline enum cupel_cause cupel_cause_of(int sys)
{
	switch (sys) {
	case EAGAIN:
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case ENOSPC:
	case EDQUOT:
		return CUPEL_CAUSE_BUSY;
	default:
		return CUPEL_CAUSE_HOST;
	}
}

/* Lower-case JSON name of a stage or cause; "?" if out of range. */
const char *cupel_stage_name(enum cupel_stage stage);
const char *cupel_cause_name(enum cupel_cause cause);

#endif
