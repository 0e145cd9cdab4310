/* fail_on.h -- confirm's --fail-on: the statuses of flags that make it fail. */
#ifndef CUPEL_CLI_FAIL_ON_H
#define CUPEL_CLI_FAIL_ON_H

#include "cli/option.h"
#include "jobs/confirm/confirm.h"

#define FAIL_ON_EXIT 4

/* Zero is valid: no status makes it fail. */
struct fail_on {
	bool of[CONFIRM_STATUS_MAX_];
	bool faults; /* flags that could not be read count, too */
};

/* fail_on_read -- read words separated by commas.  Returns 0, or CLI_USAGE
 * after a complaint that lists the known words. */
int fail_on_read(const struct option_value *v, struct fail_on *ret);

/* fail_on_has -- whether a flag has one of these statuses, from this run or,
 * with --resume, from the log.  Flags of a rule that stands for no class do not
 * count. */
bool fail_on_has(const struct fail_on *f, const struct confirm_counts *c);

#endif
