/* jsonc.h -- JSON with comments and trailing commas, as tsconfig.json has it. */
#ifndef CUPEL_PARSERS_JSONC_H
#define CUPEL_PARSERS_JSONC_H

#include "parsers/common/parse.h"

/* jsonc_read -- the input as one JSON object.
 *
 * Comments and trailing commas become spaces in a copy, which the strict reader
 * then takes: offsets in errors are those of the file.  Anything else that is
 * not strict JSON is refused, as by parse_json().
 *
 * @arena	owns the copy and the tree
 * Returns 0 or -EINVAL (noted in r). */
int jsonc_read(const struct parse_input *in, struct arena *arena,
	       size_t memory_bytes, struct json_value *ret,
	       struct parse_report *r);

#endif
