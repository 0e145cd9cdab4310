/* vessel_result.h -- what came of a vessel: the facts of its end, and its
 * answer, which crosses the boundary here, once (decision 0029). */
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
 * are static or the vessel's. */
struct vessel_result {
	enum cupel_status status;
	int rc;
	int signal; /* 0 = none */
	bool started;
	const char *message; /* sentence, or NULL; the vessel's */
	enum cupel_cause cause;
	const char *backend;
	uint64_t duration_ms, max_rss_kib, stdout_bytes;
	size_t payload_bytes; /* that it handed over */
};

/* vessel_read -- after the end.  ret is good as long as v is. */
void vessel_read(const struct vessel *v, struct vessel_result *ret);

/* What an answer is held against. */
struct vessel_judge {
	const struct schema_set *schema; /* NULL: the request's, if any */
	/* bytes 0: what the vessel was allowed.  roots: besides the vessel's
	 * own repository, which is always made relative. */
	struct payload_limits limits;
};

/* vessel_payload_read -- after the end: the payload, through the whole boundary:
 * size cap, strict JSON with its caps, schema, sanitizer.  It is to be called
 * once: nobody reads the bytes again, the checked value is handed on.
 *
 * @judge	NULL: the schema of the request (--result-schema), if it has one,
 *		and the limits of the vessel
 * @ret		payload_done() frees it */
void vessel_payload_read(const struct vessel *v,
			 const struct vessel_judge *judge, struct payload *ret);

/* vessel_payload_why -- why p is not valid, as a line of at most n bytes:
 * hostile, escape it. */
void vessel_payload_why(const struct payload *p, char *ret, size_t n);

/* A run that is one of several. */
struct vessel_phase {
	const char *name;
	bool goes_on;
	const char *hash; /* of the whole request */
	/* NULL, or where its result as that of the whole is appended */
	struct buf *ret_top;
};

/* vessel_write -- after the end: copy the artifacts out, and append the result,
 * cupel-result(5).
 *
 * @phase	NULL: it is no phase
 * Returns 0 or -ENOMEM with *err filled. */
int vessel_write(const struct vessel *v, const struct payload *payload,
		 const struct vessel_phase *phase, struct buf *out,
		 struct cupel_error *err);

/* What a built-in parser or runner may say; the slice is 1 MiB,
 * with the notes around it. */
#define VESSEL_PAYLOAD_BYTES ((size_t)2 << 20)
#define VESSEL_PAYLOAD_DEPTH 36U
#define VESSEL_STRING_BYTES  ((size_t)64 << 10)

/* vessel_schema -- one of the schemas that are compiled in, ready for use;
 * freed by the caller with schema_set_free().  Returns 0 or -errno. */
int vessel_schema(const char *name, struct schema_set **ret,
		  struct cupel_error *err);

#endif
