/* literal.h -- private to reproduce*.c: values as source text. */
#ifndef CUPEL_JOBS_CONFIRM_LITERAL_H
#define CUPEL_JOBS_CONFIRM_LITERAL_H

#include "jobs/confirm/reproduce.h"

#define LITERAL_DEPTH 64 /* the boundary lets 36 through */

struct literal;

/* A script that is being written. */
struct script {
	struct buf *out;
	enum language language;
	const struct literal *literal; /* of the language */
	const char *why;               /* what it can't express; NULL so far */
	unsigned depth;                /* of the current value */
	unsigned stubs;                /* Python: how many are around it */
};

/* script_fail -- note why the script cannot be written; only the first reason
 * stays. */
void script_fail(struct script *s, const char *why);

/* script_text -- write a string literal, ASCII only. */
void script_text(struct script *s, const char *bytes, size_t n);

/* script_path -- write prefix, then "a.B.c", after a check that each part is an
 * identifier of ASCII letters. */
void script_path(struct script *s, const char *prefix,
		 const struct json_value *name);

/* script_is_name -- whether it is an identifier of ASCII letters. */
bool script_is_name(const char *bytes, size_t n);

/* script_items -- write open, each value (with the function) and commas between
 * them, then close. */
typedef void script_write_fn(struct script *s, const struct json_value *v);
void script_items(struct script *s, const struct json_value *array,
		  const char *open, const char *close, script_write_fn *write);

/* What stands around the value of a tag: a text before it, and one after it. */
struct script_tag {
	const char *tag, *before;
	script_write_fn *write;
	const char *after;
};

/* How a language writes values. */
struct literal {
	const char *null, *no, *yes;
	const struct script_tag *tags;
	size_t tags_len;
	script_write_fn *object; /* without a tag; NULL: there are none */
};
extern const struct literal python_literal, node_literal;

/* script_value -- write v as the language's literal.  NULL fails. */
void script_value(struct script *s, const struct json_value *v);

/* script_string -- write v, which must be a string; anything else, also NULL,
 * fails. */
void script_string(struct script *s, const struct json_value *v);

/* A place @WORD@ of a template (profiles/reproduce), and what fills it. */
struct script_fill {
	const char *word; /* NULL ends a table */
	void (*write)(struct script *s, const struct reproduce_facts *f);
};
extern const struct script_fill python_fills[], node_fills[];

#endif
