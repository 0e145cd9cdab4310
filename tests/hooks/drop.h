/* drop.h -- walls taken down, for control runs of the attacks.
 *
 * Only in the library of the tests.  Most walls are taken down by a change of the plan.  Those that init raises by itself are
 * bits of plan.hooks.dropped.
 */
#ifndef CUPEL_TESTS_HOOKS_DROP_H
#define CUPEL_TESTS_HOOKS_DROP_H

struct cupel_error;
struct plan;

/* plan_drop -- take down the walls in names, such as "seccomp,capabilities";
 * NULL names none.
 *
 * For some it looks at the host ("/" and "/dev" become sources), so it is
 * called before anything is launched.  What is taken down is no longer
 * requested, so a strict run goes on without it.
 *
 * Returns 0, or -EINVAL with an unknown name, -errno otherwise. */
int plan_drop(struct plan *p, const char *names, struct cupel_error *err);

#endif
