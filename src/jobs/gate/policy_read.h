/* policy_read.h -- reads the file of rules that a catalogue names. */
#ifndef CUPEL_JOBS_GATE_POLICY_READ_H
#define CUPEL_JOBS_GATE_POLICY_READ_H

#include "jobs/gate/catalogue_private.h"

/* policy_read -- read the rules of one ask, found by their digest: shipped
 * ones, or those in the file that the parameters name.
 *
 * @ret		rules and rules_hash are filled, in the source's arena
 * Returns 0 or -errno; cause caller: there are no such rules, or the file is
 * not the one that was meant. */
int policy_read(const struct catalogue_source *s, struct gate_ask *ret,
		struct cupel_error *err);

#endif
