/* html.h -- writes a gate as one page, for reviewers.
 *
 * The page has no script and loads nothing from outside; its
 * Content-Security-Policy allows its own style by hash and nothing else.  Every
 * name, log and detail in it is written as text (story_line.h). */
#ifndef CUPEL_JOBS_GATE_SHOW_HTML_H
#define CUPEL_JOBS_GATE_SHOW_HTML_H

struct buf;
struct state;
struct story;

#define HTML_BYTES ((unsigned long)32 << 20) /* of a page */

/* html_write -- write the page.
 *
 * @s		holds the evidence: the results that traces are read from The
 *		page says what is missing or cannot be read.  out has failed if
 *		the page would be longer than HTML_BYTES. */
void html_write(const struct story *story, const struct state *s,
		struct buf *out);

#endif
