/* payload.h -- the whole boundary in one call: bytes in, checked value out.
 *
 * Order: size cap, strict JSON, schema, sanitizer (cupel-result(5), "PAYLOAD").
 */
#ifndef CUPEL_BOUNDARY_PAYLOAD_H
#define CUPEL_BOUNDARY_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct schema_set;

enum payload_status {
	PAYLOAD_ABSENT,
	PAYLOAD_VALID,
	PAYLOAD_TOO_LARGE,
	PAYLOAD_MALFORMED,
	PAYLOAD_SCHEMA_VIOLATION,
	PAYLOAD_SCHEMA_ERROR,
	PAYLOAD_REJECTED, /* by the sanitizer */
	PAYLOAD_STATUS_MAX_
};

/* payload_error of the result; strings in the arena, printable; NULL or "" as
 * the status has nothing to say. */
struct payload_error {
	const char *code;
	size_t offset;
	const char *instance;
	const char *schema;
	const char *message;
};

struct payload {
	enum payload_status status;
	struct json_value value; /* PAYLOAD_VALID only: sanitized */
	struct payload_error error;
	size_t injection_markers; /* strings that carry a prompt injection */
	size_t scrubbed_paths;    /* strings and names made relative */
	struct arena arena;       /* owns all of the above */
};

struct payload_limits {
	size_t bytes; /* cap of the text */
	unsigned depth;
	size_t string_bytes;
	/* The repository's path inside and outside, made relative by the
	 * sanitizer; NULL-terminated array, may be NULL. */
	const char *const *roots;
	/* The caller's own document, which the parser only composed: its paths
	 * and names are meant as they stand, so there is no sanitizer. */
	bool is_own;
};

/* payload_read -- never fails: what goes wrong is the status.
 *
 * @set		compiled schema, or NULL when the caller gave none
 * @total	bytes the command wrote; more than n means the cap cut it */
void payload_read(const char *bytes, size_t n, size_t total,
		  const struct schema_set *set,
		  const struct payload_limits *limits, struct payload *ret);

/* payload_narrow -- of a valid payload only one member counts: p's value becomes
 * that, which is held against a schema; nothing is read again.  Does nothing
 * unless p is valid.
 *
 * @set		compiled schema, or NULL */
void payload_narrow(struct payload *p, const char *name,
		    const struct schema_set *set);

/* payload_done -- zeroed is fine. */
void payload_done(struct payload *p);

/* payload_status_name -- the word of cupel-result(5). */
const char *payload_status_name(enum payload_status s);

#endif
