/* vessel_result.h -- the outcome of a vessel: the facts of its end, and its
 * answer, which crosses the boundary here, once (docs/boundary.md). */
#ifndef CUPEL_SERVICE_VESSEL_RESULT_H
#define CUPEL_SERVICE_VESSEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boundary/payload.h"
#include "cupel.h"

struct buf;
struct schema_set;
struct vessel;

/* What is known of the end without believing anything from inside.  The strings
 * are static or belong to the vessel. */
struct vessel_result {
	enum cupel_status status;
	int rc;
	int signal; /* 0 = none */
	bool started;
	const char *message; /* sentence, or NULL; the vessel's */
	enum cupel_cause cause;
	const char *backend;
	uint64_t duration_ms, max_rss_kib, stdout_bytes;
	size_t payload_bytes; /* bytes that it handed over */
};

/* vessel_read -- after the end.  ret is valid as long as v is. */
void vessel_read(const struct vessel *v, struct vessel_result *ret);

/* What an answer is checked against. */
struct vessel_judge {
	const struct schema_set *schema; /* NULL: the request's, if any */
	/* bytes 0: what the vessel was allowed.  roots: in addition to the
	 * vessel's own repository, which is always made relative. */
	struct payload_limits limits;
};

/* vessel_payload_read -- after the end: take the payload through the whole
 * boundary: size cap, strict JSON with its caps, schema, sanitizer.  Call it
 * once: nobody reads the bytes again, and the checked value is passed on.
 *
 * @judge	NULL: the schema of the request (--result-schema), if it has
 *		one, and the limits of the vessel
 * @ret		payload_done() frees it */
void vessel_payload_read(const struct vessel *v,
			 const struct vessel_judge *judge, struct payload *ret);

/* vessel_payload_why -- why p is not valid, as a line of at most n bytes.  It
 * is hostile, so escape it. */
void vessel_payload_why(const struct payload *p, char *ret, size_t n);

/* vessel_has_ended_itself -- after the end: whether the command was started and
 * ended by itself, whatever its exit status. */
bool vessel_has_ended_itself(const struct vessel *v);

/* A run that is one of several phases. */
struct vessel_phase {
	const char *name;
	bool goes_on;
	bool is_last;     /* no other runs after it */
	bool is_torn;     /* an earlier one did not end by itself */
	const char *hash; /* of the whole request */
	/* NULL, or the buffer to which its result is appended in the form that
	 * the result of the whole run has */
	struct buf *ret_top;
};

/* vessel_write -- after the end: copy the artifacts out, keep what was added to
 * the cache, and append the result, cupel-result(5).  Hashes that are missing are
 * made first: without memory for them nothing is copied or kept.
 *
 * @phase	NULL: it is not a phase
 * Returns 0 or -ENOMEM with *err filled. */
int vessel_write(struct vessel *v, const struct payload *payload,
		 const struct vessel_phase *phase, struct buf *out,
		 struct cupel_error *err);

/* The size of the answer of a built-in parser or runner: the slice has up to 1
 * MiB, and notes are around it. */
#define VESSEL_PAYLOAD_BYTES ((size_t)2 << 20)
#define VESSEL_PAYLOAD_DEPTH 36U
#define VESSEL_STRING_BYTES  ((size_t)64 << 10)

/* vessel_schema -- prepare one of the schemas that are compiled in.  The caller
 * frees it with schema_set_free().  Returns 0 or -errno. */
int vessel_schema(const char *name, struct schema_set **ret,
		  struct cupel_error *err);

#endif
