/* sarif_text.h -- writes other people's texts into a SARIF log that a viewer
 * shows.  Pure. */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_TEXT_H
#define CUPEL_JOBS_CONFIRM_SARIF_TEXT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"

/* sarif_text_write -- write one line of a message.  Controls and marks of
 * direction, and the brackets and braces of links and placeholders, become
 * '?'. */
void sarif_text_write(struct jsonw *w, const char *key, const char *text);

/* sarif_block_write -- write several lines that no viewer reads as a message.
 * Controls except line feeds and tabs become '?'; cut at SARIF_VALUE_BYTES. */
void sarif_block_write(struct jsonw *w, const char *key, const char *text);

/* sarif_value_write -- write v as JSON in a text, cut at SARIF_VALUE_BYTES.  In
 * its strings, characters that sarif_text_write() would replace become \uXXXX,
 * which is the same value. */
void sarif_value_write(struct jsonw *w, const char *key,
		       const struct json_value *v);

/* sarif_uri_build -- append a path as a URI reference (RFC 3986).  Every byte
 * that has a meaning in URIs is percent-encoded; an absolute path gets
 * "file://". */
void sarif_uri_build(const char *path, struct buf *out);

/* sarif_line_build -- append the line of source without the blanks around it, a
 * line feed, and how many equal lines come before it.  Appends nothing for line
 * 0 or a line that does not exist. */
void sarif_line_build(const struct buf *source, uint64_t line, struct buf *out);

#endif
