/* template.h -- vessels of one request, each a copy of a command that waits.
 *
 * See docs/copies.md.  For jobs only: the program that is copied must be one of
 * ours, because it runs without a filter until it is copied. */
#ifndef CUPEL_SERVICE_TEMPLATE_H
#define CUPEL_SERVICE_TEMPLATE_H

#include "service/vessel.h"

struct vessel_template;

/* vessel_template_start -- start a command from which later vessels are copied.
 * They have the same profile, options, repository and arguments.
 *
 * @req		inputs_len of each copy; stdin_fd and inputs are ignored
 * @program_fd	the template's own descriptor 4, a sealed memory file; borrowed
 * Returns 0 or -errno: no copies can be had here; run without them. */
int vessel_template_start(const struct vessel_request *req, int program_fd,
			  struct vessel_template **ret,
			  struct cupel_error *err);

/* vessel_template_state -- never blocks.  Returns 1 when it waits for orders, 0
 * when it does not yet, -errno when it never will. */
int vessel_template_state(struct vessel_template *t);

/* vessel_template_free -- end it.  NULL is fine. */
void vessel_template_free(struct vessel_template *t);

/* A vessel that has been made, has its inputs and waits for its stdin. */
struct vessel_copy;

/* vessel_copy_make -- make one copy at a time: the last one must be run and
 * freed, or just freed, before the next is made and before the template is
 * freed.
 *
 * @req		only its inputs count: descriptors 4, 5, ... of the copy,
 *		borrowed
 * Returns 0, or -errno: the template is of no more use; run without it. */
int vessel_copy_make(struct vessel_template *t,
		     const struct vessel_request *req, struct vessel_copy **ret,
		     struct cupel_error *err);

/* vessel_copy_run -- like vessel_start(); time counts from here.  If the host
 * cannot do it, this is an error and not the end of a run.
 *
 * @copy	consumed, whatever the outcome
 * @stdin_fd	sealed memory file, or -1 */
int vessel_copy_run(struct vessel_copy *copy, int stdin_fd, struct vessel **ret,
		    struct cupel_error *err);

/* vessel_copy_free -- end it.  NULL is fine. */
void vessel_copy_free(struct vessel_copy *copy);

#endif
