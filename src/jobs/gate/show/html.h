/* html.h -- a gate as one page, for whoever reviews it.
 *
 * The page has no script and asks for nothing outside of itself; its
 * Content-Security-Policy allows its own style by hash and nothing else.  Every name,
 * log and detail in it is text (story_line.h).
 */
#ifndef CUPEL_JOBS_GATE_SHOW_HTML_H
#define CUPEL_JOBS_GATE_SHOW_HTML_H

struct buf;
struct state;
struct story;

#define HTML_BYTES ((unsigned long)32 << 20) /* of a page */

/* html_write -- the page.
 *
 * @s		whose evidence holds the results that traces are read from
 * What is missing or cannot be read is said in the page.  out has failed when the
 * page would be longer than HTML_BYTES. */
void html_write(const struct story *story, const struct state *s,
		struct buf *out);

#endif
