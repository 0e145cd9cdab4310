/* lines.h -- a text line by line, each line bounded. */
#ifndef CUPEL_PARSERS_LINES_H
#define CUPEL_PARSERS_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_BYTES ((size_t)64 << 10) /* PARSE_STRING_BYTES */

/* One line without its end ("\n", "\r\n", or the end of the text). */
struct line {
	const char *bytes; /* into the text */
	size_t len;        /* at most cap_bytes */
	size_t offset;     /* of bytes in the text */
	size_t number;     /* from 1 */
	bool is_cut;       /* it was longer */
};

/* A walk over bytes[0..len-1]; zero but for these is its start. */
struct lines {
	const char *bytes;
	size_t len;
	size_t cap_bytes; /* of one line; 0 = LINE_BYTES */
	size_t at, number;
};

/* lines_next -- the next line, or false at the end.  A text that ends with a
 * line's end has no empty line behind it.  Linear in the text. */
bool lines_next(struct lines *l, struct line *ret);

#endif
