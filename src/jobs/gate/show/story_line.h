/* story_line.h -- writes hostile text as text, on a terminal and in a page. */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_LINE_H
#define CUPEL_JOBS_GATE_SHOW_STORY_LINE_H

#include <stddef.h>

struct buf;

/* story_line_write -- write bytes[0..n-1].  Every control character, and every
 * one that turns the direction of text, becomes \u{HEX}; every byte that is not
 * UTF-8 becomes \xHH. */
void story_line_write(const char *bytes, size_t n, struct buf *out);

/* story_line_fold -- write the same after a lead, folded at 80 columns.  The
 * lines after the first are indented by the width of the lead. */
void story_line_fold(const char *lead, const char *bytes, size_t n,
		     struct buf *out);

/* story_line_escape -- like story_line_write(), for the text of an HTML page
 * and for the value of an attribute in double quotes. */
void story_line_escape(const char *bytes, size_t n, struct buf *out);

#endif
