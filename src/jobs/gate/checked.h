/* checked.h -- reads the operator's JSON and checks it against a published
 * schema. */
#ifndef CUPEL_JOBS_GATE_CHECKED_H
#define CUPEL_JOBS_GATE_CHECKED_H

#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct cupel_error;
struct schema_set;

/* checked_schema_make -- the published schema of that name, with the schemas
 * that it refers to.
 *
 * @refs	names of schemas, NULL-terminated
 * @ret		freed with schema_set_free()
 * Returns 0, or -errno: cause bug. */
int checked_schema_make(const char *name, const char *const *refs,
			struct schema_set **ret, struct cupel_error *err);

struct checked_source {
	const char *what; /* which file, for messages */
	const char *bytes;
	size_t len;
};

/* checked_read -- read the bytes as one strict JSON value that fits the schema.
 *
 * Returns 0, or -EINVAL: one line with the place and what was expected. */
int checked_read(const struct checked_source *s, const struct schema_set *set,
		 struct arena *arena, struct json_value *ret,
		 struct cupel_error *err);

#endif
