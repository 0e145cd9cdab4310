/* listing_line.h -- one line of a report that has one message a line, while it is
 * read, and what the forms of such reports share (listing_lines.h). */
#ifndef CUPEL_JOBS_CONFIRM_LISTING_LINE_H
#define CUPEL_JOBS_CONFIRM_LISTING_LINE_H

#include "jobs/confirm/finding.h"

struct line_reading {
	struct findings findings;
	const char *line, *rest; /* and the text after it */
	size_t len, rest_len, number;
	bool may_go_on; /* the message before may have more lines */
};

/* The parts of a message, for example of "PATH:LINE:COLUMN: CODE words"; the path is
 * the beginning of the line. */
struct line_message {
	size_t path_len;
	uint64_t line;
	const char *code;
	size_t code_len;
};

/* line_take -- take the next line of *text, without what is blank at its end; false:
 * there is none.  A blank line has length 0. */
bool line_take(const char **text, size_t *n, const char **ret, size_t *ret_len);

/* line_has_start -- whether line[0..n-1] begins with that text. */
bool line_has_start(const char *line, size_t n, const char *with);

/* line_number_read -- read the digits at s, within n.  Returns how many they are; more
 * than nine count as none. */
size_t line_number_read(const char *s, size_t n, uint64_t *ret);

/* line_message_add -- add the message m of the current line as a flag.
 *
 * @text	its words, n bytes
 * Returns 0 or -ENOMEM; a line number that is none becomes a fault. */
int line_message_add(struct line_reading *r, const struct line_message *m,
		     const char *text, size_t n);

#endif
