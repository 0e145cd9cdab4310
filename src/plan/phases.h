/* phases.h -- plans of runs that share their files (docs/copies.md). */
#ifndef CUPEL_PLAN_PHASES_H
#define CUPEL_PLAN_PHASES_H

#include "plan/plan.h"

/* A phase and its name; borrowed. */
struct plan_phase {
	const char *name;
	bool goes_on;
	const struct plan *plan;
};

/* plan_phases_check -- whether the files of one holder suit each plan: the same
 * sources at the same places, and namespaces to keep them in.
 *
 * Returns 0, or -errno with *err filled. */
int plan_phases_check(const struct plan_phase phases[], size_t n,
		      struct cupel_error *err);

/* plan_phases_write -- write what `cupel plan` prints of them: what is shared,
 * and the plan of each. */
void plan_phases_write(const struct plan_phase phases[], size_t n,
		       struct buf *out);

#endif
