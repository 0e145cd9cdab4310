/* node_stream.h -- a YAML lockfile as a stream: no tree, so that one of 50 MB
 * costs no more than its longest line.
 *
 * Lockfiles are written by programs: mappings of scalars.  What stands in a
 * sequence is passed over; an alias is refused, since no package manager writes
 * one. */
#ifndef CUPEL_PARSERS_NODE_STREAM_H
#define CUPEL_PARSERS_NODE_STREAM_H

#include "parsers/common/parse.h"

#define STREAM_KEYS 5U /* the names of outer mappings that are kept */

/* Where something stands: keys[0] is the outermost name. */
struct stream_place {
	unsigned depth; /* names on the way, also those that are not kept */
	struct json_text keys[STREAM_KEYS];
	size_t key_at[STREAM_KEYS]; /* byte in the input */
	unsigned document;          /* from 0 */
};

/* What is told; each may be NULL.  Texts live until the call returns, keys
 * until their mapping or scalar ends. */
struct stream_sink {
	void *ctx;
	void (*open)(void *ctx, const struct stream_place *where);
	void (*close)(void *ctx, const struct stream_place *where);
	void (*scalar)(void *ctx, const struct stream_place *where,
		       struct json_text value, size_t at);
};

/* node_stream_read -- tell sink of every mapping that is a value, and every scalar.
 *
 * Refused, noted as an error with file and offset: what yaml_events.h refuses,
 * an alias or anchor ("yaml_alias"), a name that is no scalar ("yaml_syntax")
 * or over PARSE_STRING_BYTES ("string_too_long").  A scalar that long is noted
 * so too and passed over.
 * Returns 0 or -EINVAL; what was told before stands. */
int node_stream_read(const struct parse_input *in,
		     const struct stream_sink *sink, struct parse_report *r);

#endif
