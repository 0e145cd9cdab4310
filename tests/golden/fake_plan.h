/* fake_plan.h -- plans for the machine of fake_host.h, as tests of plans make them. */
#ifndef CUPEL_TESTS_GOLDEN_FAKE_PLAN_H
#define CUPEL_TESTS_GOLDEN_FAKE_PLAN_H

#include <stddef.h>

#include "golden/fake_host.h"
#include "plan/plan.h"
#include "spec/spec.h"

struct cupel_error;

/* A plan, and what it was made of. */
struct fake_plan {
	struct spec spec;
	struct host host;
	struct plan plan;
};

/* fake_plan_begin -- a checked spec and the machine for it; the caller may change
 * ret->host before fake_plan_build().  options: name and value of each, then a NULL
 * name.  argv: the command, then NULL; it has to live as long as ret.
 * Returns 0, or a negative errno with err.  fake_plan_done() frees, either way. */
int fake_plan_begin(const char *const options[][2], const char *const argv[],
		    struct fake_plan *ret, struct cupel_error *err);

/* fake_plan_build -- p->plan, with a filter of one instruction: the filters
 * themselves are tested elsewhere.  Returns as plan_build(). */
int fake_plan_build(struct fake_plan *p, struct cupel_error *err);

/* fake_plan_make -- both, with the scratch directory of fake_scratch(). */
int fake_plan_make(const char *const options[][2], const char *const argv[],
		   struct fake_plan *ret, struct cupel_error *err);

void fake_plan_done(struct fake_plan *p);

#endif
