/* merge.h -- the outputs of all probes as one document. */
#ifndef CUPEL_JOBS_GATHER_MERGE_H
#define CUPEL_JOBS_GATHER_MERGE_H

#include "jobs/gather/model.h"

struct answer_schemas;
struct arena;
struct cupel_error;
struct schema_set;

/* merge_build -- build {version, repo {digest, files, bytes}, probes {NAME:
 * output}} of run.  It shares the trees of the outputs, which were sanitized
 * before: what came from inside when it arrived, what is ours when it was added
 * (output_build).
 *
 * Returns 0 or -errno: no memory. */
int merge_build(const struct gather_run *run, struct arena *arena,
		struct json_value *ret, struct cupel_error *err);

/* merge_schema -- the schema repo-context, in which each built-in probe's own
 * stands by reference, ready for use; freed with schema_set_free().
 *
 * Returns 0 or -errno: cause bug. */
int merge_schema(struct schema_set **ret, struct cupel_error *err);

/* merge_check -- check it against that schema.
 *
 * @all		the schemas that checked the parts, or zero; freed
 * @ret_valid	whether it fits
 * @why		one line when it does not, in the arena
 * Returns 0, or -errno: the schema could not be used (cause bug). */
int merge_check(const struct json_value *context, struct answer_schemas *all,
		struct arena *arena, bool *ret_valid, const char **why,
		struct cupel_error *err);

#endif
