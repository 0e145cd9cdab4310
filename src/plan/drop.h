/* drop.h -- walls taken down, for control runs of the attacks.
 *
 * Only in builds with CUPEL_TEST_HOOKS: elsewhere drop.c is empty and the bits
 * are never set.  Most walls go by a change of the plan; those that init
 * raises by itself are bits of plan.dropped.
 */
#ifndef CUPEL_PLAN_DROP_H
#define CUPEL_PLAN_DROP_H

#include <assert.h>

#include "plan/wall.h"

struct cupel_error;
struct plan;

/* Finer than the keys of "enforced"; they share a wall_set with those. */
enum drop_bit {
	DROP_DISPOSITIONS = 48, /* of signals that the caller ignores */
	DROP_UMASK,
	DROP_DUMPABLE, /* init lets itself be traced */
	DROP_LIFELINE, /* init outlives its supervisor */
	DROP_PINS,     /* a source is whatever its name leads to by now */
	DROP_KEEPER,   /* nobody keeps the count of forbidden calls */
	DROP_COUNTS,   /* kernel counts of the namespaces stay as they are */
	/* Without a PID namespace these do nothing before init has ended. */
	DROP_TURN_COMMAND,
	DROP_TURN_KEEPER,
};
static_assert((int)WALL_MAX_ <= (int)DROP_DISPOSITIONS,
	      "walls and finer bits must not meet");

#ifdef CUPEL_TEST_HOOKS
/* plan_drop -- take down the walls in names, "seccomp,capabilities"; NULL
 * names none.
 *
 * Looks at the host for some ("/" and "/dev" become sources), so it is called
 * before anything is launched.  What goes down is no longer requested: a
 * strict run goes on without it.
 *
 * Returns 0, or -EINVAL with an unknown name, -errno otherwise. */
int plan_drop(struct plan *p, const char *names, struct cupel_error *err);
#endif

#endif
