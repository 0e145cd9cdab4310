/* finding.h -- what an analyser says of one place, as a flag.
 *
 * Every reader of a report (sarif.h, listing.h, listing_lines.h) finds place and
 * rule in its own way; here the rule becomes a class, and both become a flag. */
#ifndef CUPEL_JOBS_CONFIRM_FINDING_H
#define CUPEL_JOBS_CONFIRM_FINDING_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

/* One tool's report on its way in.  Zero is valid: none. */
struct findings {
	struct flags *flags;
	struct rule_pick pick;
	const char *tool; /* in the flags' arena */
	/* Of the finding before: most of them share it. */
	const char *last_file, *last_rule;
};

#define FINDING_NAMES_MAX 4

/* What the rule may be called, the most telling first: the first name is the one
 * that records have.  NULL ends fewer than there is room for. */
struct finding_rule {
	const char *names[FINDING_NAMES_MAX];
	const char *message; /* NULL = none */
};

/* findings_init -- of one tool; findings_done() frees it.
 *
 * @flags	outlives it, as do the rules
 * Returns 0 or -ENOMEM. */
int findings_init(struct findings *f, struct flags *flags,
		  const struct rules *rules, const char *tool);
void findings_done(struct findings *f);

/* findings_keep_file -- file in the flags' arena, or NULL: no memory. */
const char *findings_keep_file(struct findings *f, const char *file);

/* findings_add -- the flag, whose number, file, function and line are set, with
 * the class that the rule stands for.  Returns 0 or -ENOMEM. */
int findings_add(struct findings *f, struct flag *flag,
		 const struct finding_rule *rule);

/* The members of a JSON object that is one message of an analyser. */
struct finding_shape {
	const char *file, *line, *message;
	const char *rules[FINDING_NAMES_MAX]; /* NULL ends fewer */
};

/* findings_add_item -- the message v as a flag, or as a fault that names the
 * member and what was expected.
 *
 * @file	of messages that stand below their file; NULL: shape has it
 * Returns 0 or -ENOMEM. */
int findings_add_item(struct findings *f, const struct finding_shape *shape,
		      const struct json_value *v, const char *file,
		      size_t number);

/* finding_text -- the member name of v: a string without NUL, at least one byte;
 * or NULL. */
const char *finding_text(const struct json_value *v, const char *name);

#endif
