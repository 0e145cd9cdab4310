/* sarif_text.h -- texts of others in a SARIF log that a person's viewer shows.
 * Pure. */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_TEXT_H
#define CUPEL_JOBS_CONFIRM_SARIF_TEXT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"

/* sarif_text_write -- one line of a message: controls and marks of direction,
 * and the brackets and braces of links and placeholders, become '?'. */
void sarif_text_write(struct jsonw *w, const char *key, const char *text);

/* sarif_block_write -- several lines that no viewer reads as a message: controls
 * but for line feeds and tabs become '?'; cut at SARIF_VALUE_BYTES. */
void sarif_block_write(struct jsonw *w, const char *key, const char *text);

/* sarif_value_write -- v as JSON in a text, cut at SARIF_VALUE_BYTES.  Within its
 * strings, what sarif_text_write() would replace is \uXXXX: the same value. */
void sarif_value_write(struct jsonw *w, const char *key,
		       const struct json_value *v);

/* sarif_uri_build -- a path as a URI reference (RFC 3986), every byte that has a
 * meaning in one percent-encoded; an absolute path gets "file://". */
void sarif_uri_build(const char *path, struct buf *out);

/* sarif_line_build -- the line of source without the blanks around it, a line
 * feed, and how many equal lines are before it; nothing for line 0 or one that
 * is not there. */
void sarif_line_build(const struct buf *source, uint64_t line, struct buf *out);

#endif
