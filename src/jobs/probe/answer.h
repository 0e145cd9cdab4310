/* answer.h -- takes what came out of a probe's vessel through the boundary. */
#ifndef CUPEL_JOBS_PROBE_ANSWER_H
#define CUPEL_JOBS_PROBE_ANSWER_H

#include <stdbool.h>

#include "boundary/payload.h"
#include "jobs/probe/catalogue.h"

struct cupel_error;
struct schema_set;

/* A slice is 1 MiB (cupel-probes(5), "BUILT-IN PROBES"); a parser of ours puts
 * its notes around it. */
#define ANSWER_SLICE_BYTES  ((size_t)1 << 20)
#define ANSWER_BYTES        ((size_t)2 << 20)
#define ANSWER_SLICE_DEPTH  32U
#define ANSWER_STRING_BYTES ((size_t)64 << 10)

struct answer {
	struct payload checked; /* .value is sanitized */
	/* The slice within checked.value; NULL when there is none, because the
	 * answer is not valid or says so itself. */
	const struct json_value *slice;
	bool is_valid;
	char why[320]; /* a line, when it is not; hostile, escape it */
};

/* answer_schema -- the schema of the slice of a manifest's probe; freed with
 * schema_set_free().  Returns 0 or -errno: cause caller. */
int answer_schema(const struct probe *probe, struct schema_set **ret,
		  struct cupel_error *err);

/* The schemas of whole outputs of built-in probes, in one set: each is read and
 * compiled on first use.  Zero is valid. */
struct answer_schemas {
	struct schema_set *set;
	bool has[PROBES_MAX]; /* of probes[] */
};

/* answer_schemas_add -- make sure that the probe's schema is in the set, under
 * its URN.  Returns 0 or -errno: cause bug. */
int answer_schemas_add(struct answer_schemas *s, const struct probe *probe,
		       struct cupel_error *err);

/* answer_schemas_use -- the same, and use it in s->set until another one is
 * used.  Returns 0 or -errno: cause bug. */
int answer_schemas_use(struct answer_schemas *s, const struct probe *probe,
		       struct cupel_error *err);
void answer_schemas_done(struct answer_schemas *s);

/* answer_limits -- the limits for an answer of probe, besides its schema.
 *
 * @roots	absolute host paths that become relative; NULL-terminated */
struct payload_limits answer_limits(const struct probe *probe,
				    const char *const *roots);

/* answer_take -- decide whether ret->checked, which has come through the
 * boundary with those limits and the schema, is an answer, and find its slice.
 *
 * @n	bytes that it was read from */
void answer_take(const struct probe *probe, size_t n, struct answer *ret);

/* answer_done -- zeroed is fine. */
void answer_done(struct answer *a);

#endif
