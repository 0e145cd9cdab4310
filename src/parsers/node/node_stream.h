/* node_stream.h -- a YAML lockfile as a stream: no tree, so that one of 50 MB
 * costs no more than its longest line.
 *
 * Programs write lockfiles as mappings of scalars.  Items of sequences are
 * skipped; an alias is refused, because no package manager writes one. */
#ifndef CUPEL_PARSERS_NODE_STREAM_H
#define CUPEL_PARSERS_NODE_STREAM_H

#include "parsers/common/parse.h"

#define STREAM_KEYS 5U /* the names of outer mappings that are kept */

/* The place of a value: keys[0] is the outermost name. */
struct stream_place {
	unsigned depth; /* names on the way, also those that are not kept */
	struct json_text keys[STREAM_KEYS];
	size_t key_at[STREAM_KEYS]; /* byte in the input */
	unsigned document;          /* from 0 */
};

/* The callbacks; each may be NULL.  Texts live until the call returns, keys
 * until their mapping or scalar ends. */
struct stream_sink {
	void *ctx;
	void (*open)(void *ctx, const struct stream_place *where);
	void (*close)(void *ctx, const struct stream_place *where);
	void (*scalar)(void *ctx, const struct stream_place *where,
		       struct json_text value, size_t at);
};

/* node_stream_read -- report every mapping that is a value, and every scalar,
 * to sink.
 *
 * Refused, noted as an error with file and offset: what yaml_events.h refuses,
 * an alias or anchor ("yaml_alias"), a name that is no scalar ("yaml_syntax")
 * or over PARSE_STRING_BYTES ("string_too_long").  A scalar of that length is
 * noted in the same way and skipped.  Returns 0 or -EINVAL; what was reported
 * before stays valid. */
int node_stream_read(const struct parse_input *in,
		     const struct stream_sink *sink, struct parse_report *r);

#endif
