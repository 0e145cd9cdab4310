/* template.h -- a vessel whose command is copied, and the runs of its copies.
 *
 * See docs/copies.md.  A run of a copy is watched like any other: the same
 * records, limits and end. */
#ifndef CUPEL_SUPERVISE_TEMPLATE_H
#define CUPEL_SUPERVISE_TEMPLATE_H

#include "supervise/supervise.h"

struct child;
struct template;

/* template_start -- start the command that will be copied.
 *
 * @plan	of each copy; borrowed until template_free
 * @inputs_len	of each copy
 * @program_fd	descriptor 4 of the template, a sealed memory file; borrowed
 * Returns 0, or -errno with *err filled and nothing left behind: copies cannot
 * be made, or would differ from a run of the plan. */
int template_start(const struct plan *plan, size_t inputs_len, int program_fd,
		   struct template **ret, struct cupel_error *err);

/* template_state -- never blocks.  Returns 1 when it waits for orders, 0 when
 * it does not yet, -errno when it never will. */
int template_state(struct template *t);

/* template_vessel_make -- make a vessel whose command has its descriptors and
 * waits for its input.  One at a time: the last one must be gone before the
 * next.
 *
 * @inputs	as many as template_start was told
 * @ret		the caller's, for template_vessel_run() or launch_close()
 * Returns 0, or -errno with *err filled: the template makes no more of them. */
int template_vessel_make(struct template *t, const int *inputs,
			 size_t inputs_len, struct child *ret,
			 struct cupel_error *err);

/* template_vessel_run -- like run_start(), for a vessel of t: its clock begins,
 * and the part of its stdin that is ready is written.
 *
 * @hooks	its inputs are ignored
 * @vessel	taken over on success, emptied */
int template_vessel_run(struct template *t, struct child *vessel,
			const struct run_hooks *hooks, struct run **ret,
			struct cupel_error *err);

/* template_free -- end its vessel and every run in it.  NULL is fine. */
void template_free(struct template *t);

#endif
