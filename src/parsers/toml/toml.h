/* toml.h -- reads TOML 1.0 as a tree of the boundary's values.
 *
 * It is strict: what the specification forbids is refused, above all a name
 * that is given twice and a table that is opened twice.  Tables become objects
 * in the order of the text.  Whole numbers and fractions become numbers as JSON
 * writes them (0x1F is 31, 1_000 is 1000).  inf, nan, dates and times become
 * strings as they are written, because nobody here calculates with them. */
#ifndef CUPEL_PARSERS_TOML_H
#define CUPEL_PARSERS_TOML_H

#include "parsers/common/parse.h"

/* toml_read -- read the input as one object.
 *
 * A byte order mark at the start is skipped with a warning.  Refused, and noted
 * as an error with file and offset: "toml_syntax", "bad_utf8",
 * "duplicate_name", "too_deep" (PARSE_DEPTH), "memory".
 *
 * @arena	owns the tree
 * @memory_bytes	of the arena, for this tree
 * Returns 0 or -EINVAL.  Source: toml.io, "TOML v1.0.0". */
int toml_read(const struct parse_input *in, struct arena *arena,
	      size_t memory_bytes, struct json_value *ret,
	      struct parse_report *r);

#endif
