/* fail_on.h -- confirm's --fail-on: which statuses of flags make it fail. */
#ifndef CUPEL_CLI_FAIL_ON_H
#define CUPEL_CLI_FAIL_ON_H

#include "cli/option.h"
#include "jobs/confirm/confirm.h"

#define FAIL_ON_EXIT 4

/* Zero is valid: nothing does. */
struct fail_on {
	bool of[CONFIRM_STATUS_MAX_];
	bool faults; /* flags that could not be read, too */
};

/* fail_on_read -- words with commas between them.  Returns 0, or CLI_USAGE after
 * a complaint that has the words there are. */
int fail_on_read(const struct option_value *v, struct fail_on *ret);

/* fail_on_has -- whether a flag has such a status: by this run or, with
 * --resume, by the log.  A rule that stands for no class does not count. */
bool fail_on_has(const struct fail_on *f, const struct confirm_counts *c);

#endif
