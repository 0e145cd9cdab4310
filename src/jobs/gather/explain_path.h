/* explain_path.h -- the way to one fact in a context. */
#ifndef CUPEL_JOBS_GATHER_EXPLAIN_PATH_H
#define CUPEL_JOBS_GATHER_EXPLAIN_PATH_H

#include "boundary/json.h"

struct buf;

#define EXPLAIN_PATH_BYTES 4096U
#define EXPLAIN_STEPS_MAX  64U

/* What lies at the end of a path.  Borrowed from the context. */
struct explain_found {
	const struct json_value *value;
	struct json_text probe;          /* its name; bytes NULL: none */
	const struct json_value *output; /* of that probe, or NULL */
	struct json_text source; /* nearest enclosing; bytes NULL: none */
};

/* explain_find -- follow path from the root of a context.
 *
 * A path is "node_manifest.slice.packages[3].name": names with a point between
 * them, a number in brackets for an item (from 0).  It begins with a probe's
 * name or a member of the context, and "slice" may be left out.  One that
 * begins with a slash is a JSON Pointer (RFC 6901) from the root.
 *
 * @why		receives one line when there is no such fact: how far the way
 *		went, and what is there
 * Returns 0, or -ENOENT (no such fact), -EINVAL (no path at all). */
int explain_find(const struct json_value *context, const char *path,
		 struct explain_found *ret, struct buf *why);

#endif
