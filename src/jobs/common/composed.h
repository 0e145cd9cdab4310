/* composed.h -- one YAML document as a checked value. */
#ifndef CUPEL_JOBS_COMMON_COMPOSED_H
#define CUPEL_JOBS_COMMON_COMPOSED_H

#include <stddef.h>

#include "boundary/payload.h"

struct cupel_error;
struct schema_set;

struct composed_source {
	const char *name; /* for messages */
	const char *bytes;
	size_t len;
	/* Depth of the composed value with the parser's notes around it: one
	 * level more than the document may have. */
	struct payload_limits limits;
};

/* composed_read -- compose it in a vessel, by cupel-parse, and take the value
 * through the boundary.
 *
 * @set		compiled schema, or NULL
 * @ret		whether the value fits the schema is its status, not an error;
 *		payload_done() frees it, on success only
 * Returns 0, or -errno: it could not be parsed (cause caller; *err is one line
 * with the place), or no parser could be run (another cause). */
int composed_read(const struct composed_source *d, const struct schema_set *set,
		  struct payload *ret, struct cupel_error *err);

#endif
