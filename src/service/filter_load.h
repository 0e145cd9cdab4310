/* filter_load.h -- loads the filter that a run asks for, by name or by path.
 *
 * Room: service.
 *
 * Must:     find shipped filters without touching a file; read others once,
 *           bounded, and compile them for the running kernel
 * Must not: fail a run because of the cache */
#ifndef CUPEL_SERVICE_FILTER_LOAD_H
#define CUPEL_SERVICE_FILTER_LOAD_H

#include "base/arena.h"
#include "plan/filter.h"

struct buf;
struct cupel_error;

#define FILTER_FILE_BYTES ((size_t)1 << 20) /* Docker's file has 13 K */

/* filter_load -- a shipped filter, or one compiled from a file.
 *
 * @what	a shipped name or, with a '/' in it or ".json" at its end, a
 *		file in the OCI linux.seccomp form or in Docker's
 * @arena	owns what *ret points to, except for a shipped filter
 *
 * Returns 0; -EINVAL for a name that is not shipped, or a file that is not a
 * policy or is too large; the errno of opening it; -ENOMEM. */
int filter_load(const char *what, struct arena *arena, struct filter *ret,
		struct cupel_error *err);

/* filter_load_engine -- a container engine's policy, extended by what cupel
 * needs in a container on this machine; see filter_engine_write.
 *
 * @name	of the text, in messages
 * @out		one JSON object and a newline, on success only
 *
 * Returns 0, -EINVAL, -ENOMEM. */
int filter_load_engine(const char *name, const char *json, size_t n,
		       struct buf *out, struct cupel_error *err);

#endif
