/* template.h -- vessels of one request, each a copy of a command that waits.
 *
 * Decision 0012.  For jobs alone: the program that is copied must be one of
 * ours, for it runs without a filter until it is. */
#ifndef CUPEL_SERVICE_TEMPLATE_H
#define CUPEL_SERVICE_TEMPLATE_H

#include "service/vessel.h"

struct vessel_template;

/* vessel_template_start -- start a command that later vessels are copied from:
 * of the same profile, options, repository and arguments.
 *
 * @req		inputs_len of each copy; stdin_fd and inputs are not looked at
 * @program_fd	the template's own descriptor 4, a sealed memory file; borrowed
 * Returns 0 or -errno: there are none to be had here; run without. */
int vessel_template_start(const struct vessel_request *req, int program_fd,
			  struct vessel_template **ret,
			  struct cupel_error *err);

/* vessel_template_state -- never blocks.  Returns 1 when it waits for orders, 0
 * when it does not yet, -errno when it never will. */
int vessel_template_state(struct vessel_template *t);

/* vessel_template_free -- its end.  NULL is fine. */
void vessel_template_free(struct vessel_template *t);

/* A vessel that has been made, has its inputs and waits for its stdin. */
struct vessel_copy;

/* vessel_copy_make -- one at a time: the last is run and freed, or freed, before
 * the next and before the template.
 *
 * @req		of which the inputs count: descriptors 4, 5, ... of it, borrowed
 * Returns 0, or -errno: the template is of no more use; run without. */
int vessel_copy_make(struct vessel_template *t,
		     const struct vessel_request *req, struct vessel_copy **ret,
		     struct cupel_error *err);

/* vessel_copy_run -- as vessel_start(); time counts from here.  A host that
 * cannot is an error here, not the end of a run.
 *
 * @copy	consumed, whatever comes of it
 * @stdin_fd	sealed memory file, or -1 */
int vessel_copy_run(struct vessel_copy *copy, int stdin_fd, struct vessel **ret,
		    struct cupel_error *err);

/* vessel_copy_free -- its end.  NULL is fine. */
void vessel_copy_free(struct vessel_copy *copy);

#endif
