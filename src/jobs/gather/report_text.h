/* report_text.h -- hostile text and lists of facts as Markdown; private to the
 * report. */
#ifndef CUPEL_JOBS_GATHER_REPORT_TEXT_H
#define CUPEL_JOBS_GATHER_REPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "boundary/json.h"

struct buf;
struct gather_run;

#define REPORT_TEXT_BYTES 160U /* of one text shown */

/* code_put -- write text as one code span.  A backtick or an invisible
 * character becomes \xHH or \u{HHHH}, a backslash is doubled; cut at
 * REPORT_TEXT_BYTES. */
void code_put(struct buf *out, struct json_text text);

/* value_put -- a string as code_put has it, a number or truth value as a word;
 * nothing for NULL, null, a list or an object.  Returns whether it wrote. */
bool value_put(struct buf *out, const struct json_value *v);

/* What a list line is made of: "- `name` (`a`, `b`) -- `source`". */
struct report_list {
	const char *title;   /* "Scripts"; a line of its own, bold */
	const char *key;     /* of the slice: a list */
	const char *name;    /* member shown first; NULL: the item itself */
	const char *more[3]; /* members in brackets; NULL: no more */
	size_t most;         /* items shown */
};

/* list_put -- write a list of the slice unless it is absent or empty.  Items of
 * fixtures and the like (by their "role") are counted but not shown. */
void list_put(struct buf *out, const struct json_value *slice,
	      const struct report_list *list);

/* names_put -- "Bundlers: `a`, `b` and 3 more", each name once; a line.  What is
 * of fixtures and the like is left out. */
void names_put(struct buf *out, const struct json_value *slice,
	       const struct report_list *list);

/* slice_of -- what that probe found, or NULL. */
const struct json_value *slice_of(const struct gather_run *run,
				  const char *probe);

/* items_len -- of the list called key, 0 when there is none. */
size_t items_len(const struct json_value *v, const char *key);

/* number_of -- the unsigned number called key, 0 when there is none. */
uint64_t number_of(const struct json_value *v, const char *key);

bool is_true(const struct json_value *v, const char *key);

#endif
