/* made.h -- what the kinds share: they find a phase's run, and make details. */
#ifndef CUPEL_JOBS_GATE_KINDS_MADE_H
#define CUPEL_JOBS_GATE_KINDS_MADE_H

#include "jobs/gate/kinds/kind.h"

struct buf;
struct jsonw;

/* phase_run_find -- the run of the phase that the kind is about, or NULL if it
 * was not reached.  *ret_name receives the phase's name. */
const struct gate_run *phase_run_find(const struct kind_source *s,
				      const char **ret_name);

/* run_text_find -- a member of a result as text without NUL, or NULL. */
const char *run_text_find(const struct gate_run *run, const char *name);

/* run_is_ok -- whether its status is OK. */
bool run_is_ok(const struct gate_run *run);

/* run_note -- add the run to those that ret is made from, and take from its end
 * whether there is another attempt.  run NULL: the phase was not reached, and
 * the attempt's last run decides.  Returns 0 or -ENOMEM. */
int run_note(const struct kind_source *s, const struct gate_run *run,
	     struct gate_signal *ret);

/* file_note -- add a file that ret is made from.  Returns 0 or -ENOMEM. */
int file_note(const struct kind_source *s, const struct gate_file *file,
	      struct gate_signal *ret);

/* ran_write -- write the members phase, ran, status, rc and reason of
 * details. */
void ran_write(const char *phase, const struct gate_run *run, struct jsonw *w);

/* details_take -- set ret's details to text, one JSON object of ours.
 * Returns 0 or -ENOMEM. */
int details_take(const struct kind_source *s, const struct buf *text,
		 struct gate_signal *ret);

#endif
