/* story_line.h -- hostile text as text: on a terminal and in a page. */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_LINE_H
#define CUPEL_JOBS_GATE_SHOW_STORY_LINE_H

#include <stddef.h>

struct buf;

/* story_line_write -- bytes[0..n-1] with every control character (and those that
 * turn the direction of text) as \u{HEX} and every byte that is no UTF-8 as
 * \xHH. */
void story_line_write(const char *bytes, size_t n, struct buf *out);

/* story_line_fold -- the same, behind a lead of so many columns, folded at 80: the
 * lines after the first are indented as far as the lead. */
void story_line_fold(const char *lead, const char *bytes, size_t n,
		     struct buf *out);

/* story_line_escape -- as story_line_write(), for the text of an HTML page and for
 * the value of an attribute in double quotes. */
void story_line_escape(const char *bytes, size_t n, struct buf *out);

#endif
