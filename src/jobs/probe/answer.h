/* answer.h -- what came out of a probe's vessel, through the boundary. */
#ifndef CUPEL_JOBS_PROBE_ANSWER_H
#define CUPEL_JOBS_PROBE_ANSWER_H

#include <stdbool.h>

#include "boundary/payload.h"
#include "jobs/probe/catalogue.h"

struct cupel_error;
struct schema_set;

/* CONTRACT 4.2: a slice is 1 MiB; a parser of ours puts its notes around it. */
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

/* answer_schema -- the schema of the probe's answer: of the whole output of a
 * built-in one, of the slice of any other; freed with schema_set_free().
 *
 * Returns 0 or -errno: cause caller for a manifest's schema, bug for ours. */
int answer_schema(const struct probe *probe, struct schema_set **ret,
		  struct cupel_error *err);

/* answer_read -- hold bytes against schema and sanitizer.
 *
 * @roots	absolute host paths that become relative; NULL-terminated
 * @ret		zeroed by the caller; answer_done() frees it */
void answer_read(const struct probe *probe, const struct schema_set *schema,
		 const char *const *roots, const char *bytes, size_t n,
		 struct answer *ret);
void answer_done(struct answer *a);

#endif
