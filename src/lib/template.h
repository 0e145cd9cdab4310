/* template.h -- runs of one spec, each a copy of a command that waits.
 *
 * Decision 0012.  For jobs alone: the program that is copied must be one of
 * ours, for it runs without a filter until it is. */
#ifndef CUPEL_LIB_TEMPLATE_H
#define CUPEL_LIB_TEMPLATE_H

#include "base/blake3.h"
#include "cupel.h"
#include "lib/prepare.h"
#include "lib/spec.h"

struct template;

struct lib_template {
	struct cupel_spec *spec;  /* of every copy; shared */
	struct prepared prepared; /* the same: looked and planned once */
	char spec_hash[BLAKE3_TEXT_BYTES];
	struct template *template;
};

/* lib_template_start -- start the command of spec as a template.
 *
 * @inputs_len	of every copy
 * @program_fd	the template's own descriptor 4, a sealed memory file; borrowed
 * Returns 0, or -errno: no copies of such a run are to be had here. */
int lib_template_start(const struct cupel_spec *spec, size_t inputs_len,
		       int program_fd, struct lib_template **ret,
		       struct cupel_error *err);

/* lib_template_state -- never blocks.  Returns 1 when it waits for orders, 0
 * when it does not yet, -errno when it never will. */
int lib_template_state(struct lib_template *t);

/* A vessel that has been made and waits for its stdin. */
struct lib_copy;

/* lib_copy_make -- one vessel at a time: the last is run and freed, or freed,
 * before the next and before the template.
 *
 * @inputs	sealed memory files, borrowed: descriptors 4, 5, ... of it
 * Returns 0, or -errno: the template is of no more use. */
int lib_copy_make(struct lib_template *t, const int *inputs, size_t inputs_len,
		  struct lib_copy **ret, struct cupel_error *err);

/* lib_copy_run -- as cupel_run_start() with the template's spec; time counts
 * from here.  A host that cannot is an error here, not a result.
 *
 * @copy	consumed, whatever comes of it
 * @hooks	of which the inputs are not looked at */
int lib_copy_run(struct lib_copy *copy, const struct cupel_hooks *hooks,
		 struct cupel_run **ret, struct cupel_error *err);

void lib_copy_free(struct lib_copy *copy); /* its end; NULL is fine */

void lib_template_free(struct lib_template *t); /* NULL is fine */

#endif
