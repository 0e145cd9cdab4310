/* tally.h -- counts the flags whose rules stand for no class, by rule. */
#ifndef CUPEL_JOBS_CONFIRM_TALLY_H
#define CUPEL_JOBS_CONFIRM_TALLY_H

#include "jobs/confirm/flag.h"

#define TALLY_ROWS_MAX 8 /* rules that are named; the others are counted */

struct tally_row {
	const char *rule; /* of the flags' arena */
	size_t flags;
};

struct tally {
	size_t flags, rules;
	struct tally_row rows[TALLY_ROWS_MAX]; /* those with most flags first */
	size_t rows_len;
};

/* tally_read -- count such flags among those that are not recorded.  Points
 * into f.
 * Returns 0 or -ENOMEM. */
int tally_read(const struct flags *f, struct tally *ret);

#endif
