/* schema.h -- loads the caller's schema, and what it refers to, from files. */
#ifndef CUPEL_SERVICE_SCHEMA_H
#define CUPEL_SERVICE_SCHEMA_H

struct cupel_error;
struct schema_set;
struct spec;

/* schema_load -- read and compile --result-schema and each --ref.
 *
 * @ret		NULL when the request names no schema; schema_set_free() it
 * Returns 0, or -errno naming option and file (cause caller: a file that cannot
 * be used never counts as a schema that everything satisfies). */
int schema_load(const struct spec *spec, struct schema_set **ret,
		struct cupel_error *err);

#endif
