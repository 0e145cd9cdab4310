/* jsonw.h -- writes JSON: what we print about ourselves.
 *
 * Writes one value into a struct buf, commas and quoting by itself.  With
 * indent > 0 it is laid out for a person.  Text need not be valid UTF-8: each
 * offending byte becomes U+FFFD, so the output always is. */
#ifndef CUPEL_BASE_JSONW_H
#define CUPEL_BASE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct jsonw {
	struct buf *out; /* borrowed */
	unsigned indent; /* spaces a level; 0 = one line */
	unsigned depth;
	bool has_items; /* the next item needs a comma before it */
};

/* A container; key may be NULL in arrays and at the top. */
void jsonw_object(struct jsonw *w, const char *key);
void jsonw_array(struct jsonw *w, const char *key);
void jsonw_end_object(struct jsonw *w);
void jsonw_end_array(struct jsonw *w);

/* One member (key not NULL) or item (key NULL). */
void jsonw_text(struct jsonw *w, const char *key, const char *text);
void jsonw_bytes(struct jsonw *w, const char *key, const char *s, size_t n);
void jsonw_int(struct jsonw *w, const char *key, int64_t value);
void jsonw_uint(struct jsonw *w, const char *key, uint64_t value);
void jsonw_bool(struct jsonw *w, const char *key, bool value);
void jsonw_null(struct jsonw *w, const char *key);
/* text as string, or null for NULL */
void jsonw_text_or_null(struct jsonw *w, const char *key, const char *text);
/* bytes that are one JSON value already, checked by the caller */
void jsonw_raw(struct jsonw *w, const char *key, const char *json, size_t n);

/* jsonw_quote -- only the quoting: append s[0..n-1] as a JSON string with its
 * quotes, escapes as RFC 8785 section 3.2.2.2 has them. */
void jsonw_quote(struct buf *out, const char *s, size_t n);

#endif
