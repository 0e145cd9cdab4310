/* finding.h -- turns what an analyser says about one place into a flag.
 *
 * Every reader of a report (sarif.h, listing.h, listing_lines.h) finds place
 * and rule in its own way.  Here the rule becomes a class, and place and class
 * become a flag. */
#ifndef CUPEL_JOBS_CONFIRM_FINDING_H
#define CUPEL_JOBS_CONFIRM_FINDING_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

/* The report of one tool while it is read.  Zero is valid: no report. */
struct findings {
	struct flags *flags;
	struct rule_pick pick;
	const char *tool; /* in the flags' arena */
	/* From the finding before, because most findings share them. */
	const char *last_file, *last_rule;
};

#define FINDING_NAMES_MAX 4

/* The names that the rule may have, the most specific first; records have the
 * first one.  NULL ends the list if it is not full. */
struct finding_rule {
	const char *names[FINDING_NAMES_MAX];
	const char *message; /* NULL = none */
};

/* findings_init -- begin the report of one tool; findings_done() frees it.
 *
 * @flags	outlives it, as do the rules
 * Returns 0 or -ENOMEM. */
int findings_init(struct findings *f, struct flags *flags,
		  const struct rules *rules, const char *tool);
void findings_done(struct findings *f);

/* findings_keep_file -- file, copied into the flags' arena; NULL without
 * memory. */
const char *findings_keep_file(struct findings *f, const char *file);

/* findings_add -- append the flag with the class that the rule stands for.  The
 * flag's number, file, function and line are set already.  Returns 0 or
 * -ENOMEM. */
int findings_add(struct findings *f, struct flag *flag,
		 const struct finding_rule *rule);

/* The names of the members of a JSON object that is one message of an
 * analyser. */
struct finding_shape {
	const char *file, *line, *message;
	const char *rules[FINDING_NAMES_MAX]; /* NULL ends fewer */
};

/* findings_add_item -- add the message v as a flag, or as a fault that names
 * the member and what was expected.
 *
 * @file	the file that the message is listed under; NULL: the message
 *		names it
 * Returns 0 or -ENOMEM. */
int findings_add_item(struct findings *f, const struct finding_shape *shape,
		      const struct json_value *v, const char *file,
		      size_t number);

/* finding_text -- the member name of v if it is a string without NUL of at
 * least one byte; or NULL. */
const char *finding_text(const struct json_value *v, const char *name);

#endif
