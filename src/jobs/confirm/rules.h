/* rules.h -- which class of flag a rule of a static analyser stands for.
 *
 * Rows are data: those of profiles/data/flag-rules.txt, which describes the
 * format, and rows of the caller's that come before them. */
#ifndef CUPEL_JOBS_CONFIRM_RULES_H
#define CUPEL_JOBS_CONFIRM_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "jobs/confirm/class.h"

struct cupel_error;

#define RULES_BYTES   ((size_t)1 << 20) /* of a file of rules */
#define RULES_MAX     ((size_t)1 << 16) /* rows, alternatives counted */
#define RULE_ID_BYTES 512U              /* a longer tool or rule is unknown */
#define RULE_HOLE     "{argument}"      /* in the words of a row */

struct rule {
	const char *tool, *id; /* patterns (base/glob.h) without braces */
	enum language language;
	const char *flag_class;
	/* What the message must have; NULL = any message.  If has_hole, it ends
	 * where the message names the argument, and more follows the name. */
	const char *words;
	bool has_hole;
	const char *more;
};

struct rules { /* zero is valid: none */
	struct rule *items;
	size_t len, room;
	struct arena arena;
};

/* rules_read -- append the rows of text[0..n-1].
 *
 * @origin	names the text in messages
 * Returns 0, -EINVAL with *err naming line and expectation, or -ENOMEM. */
int rules_read(struct rules *r, const char *text, size_t n, const char *origin,
	       struct cupel_error *err);

/* rules_read_own -- append the rows that are compiled in. */
int rules_read_own(struct rules *r, struct cupel_error *err);
void rules_done(struct rules *r);

/* The rows that fit the name of one tool, in their order. */
struct rule_pick {
	const struct rule **rows;
	size_t len;
};

/* rules_pick -- pick the rows for a tool; the pick points into r.
 *
 * @ret		rule_pick_done() frees it; set on success only
 * Returns 0 or -ENOMEM. */
int rules_pick(const struct rules *r, const char *tool, struct rule_pick *ret);
void rule_pick_done(struct rule_pick *p);

struct rule_query {
	const char *id;
	const enum language *language; /* NULL = not known: any */
	const char *message;           /* "" = none */
};

/* What a rule stands for. */
struct rule_meaning {
	const char *flag_class; /* NULL = no class */
	/* The argument that the message says will fail, a part of the message;
	 * argument_len 0 = it names none. */
	const char *argument;
	size_t argument_len;
};

/* rule_find -- what the first row that fits says.  Pure. */
struct rule_meaning rule_find(const struct rule_pick *p,
			      const struct rule_query *q);

#endif
