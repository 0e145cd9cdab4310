/* shape.h -- what of a plan a template can hold for many vessels
 * (docs/copies.md). */
#ifndef CUPEL_PLAN_SHAPE_H
#define CUPEL_PLAN_SHAPE_H

#include <stdbool.h>

#include "base/blake3.h"
#include "plan/plan.h"

/* shape_is_shared -- whether a step of this kind is made once, by the template,
 * and seen by all copies.  All other steps are made in each copy. */
bool shape_is_shared(enum step_kind kind);

/* shape_refusal -- why a run of this plan is never a copy; NULL when it may be
 * one.  A sentence's part: "a trace". */
const char *shape_refusal(const struct plan *p);

/* shape_hash -- the hash of all that a template of this plan is made of.  Two
 * plans with the same hash may be copied from the same template: limits,
 * filters, arguments and variables are each copy's own. */
void shape_hash(const struct plan *p, char ret[BLAKE3_TEXT_BYTES]);

#endif
