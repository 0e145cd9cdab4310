/* template.h -- the vessel around a command that is copied (docs/copies.md). */
#ifndef CUPEL_PLAN_TEMPLATE_H
#define CUPEL_PLAN_TEMPLATE_H

#include "plan/plan.h"

/* template_refusal -- why copies would differ from a run of p; NULL when they
 * would not.  A sentence's part: "a trace". */
const char *template_refusal(const struct plan *p);

/* plan_make_template -- make the plan of a vessel whose command is copied into
 * vessels of their own; p is the plan of each of those.  It sees what p shows,
 * but has no filter, no Landlock domain and no limit on its own time, processes
 * and descriptors: it must make namespaces, and runs only programs of ours.
 * Its /proc is not read-only, because an id map is written through it.
 *
 * No spec asks for this; only a job does that runs a program of ours.
 *
 * @p		borrowed: must outlive *ret
 * @ret		zeroed by the caller; plan_done() frees it, on failure too
 * Returns 0, or -errno with *err filled: such copies would differ from a run of
 * p (no namespaces, a partial run, a writable view, a terminal). */
int plan_make_template(const struct plan *p, struct plan *ret,
		       struct cupel_error *err);

#endif
