/* vessel.h -- one run of a job: its result read back as values.  How it is
 * started: lib/vessel.h. */
#ifndef CUPEL_JOBS_VESSEL_H
#define CUPEL_JOBS_VESSEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "boundary/payload.h"
#include "cupel.h"
#include "lib/vessel.h"

struct schema_set;

/* What came of it.  Strings and values live in arena; those marked hostile
 * were chosen by what ran inside. */
struct vessel_result {
	struct arena arena;
	enum cupel_status status;
	int rc;
	int signal; /* 0 = none */
	bool started;
	const char *reason;  /* code, or NULL */
	const char *message; /* sentence, or NULL */
	enum cupel_cause cause;
	const char *backend;
	uint64_t duration_ms, max_rss_kib, stdout_bytes;
	const char *payload_status;
	const char *payload_code;         /* why it is not valid, or NULL */
	const struct json_value *payload; /* hostile; NULL unless it is valid */
	bool has_checked;
	struct payload checked; /* by vessel_check(), which see */
};

/* vessel_read -- after the end: the run's result as values.
 *
 * @ret		zeroed by the caller; vessel_done() frees it, on failure too
 * Returns 0 or -errno (our own result did not read back: a bug). */
int vessel_read(struct cupel_run *run, struct vessel_result *ret,
		struct cupel_error *err);
void vessel_done(struct vessel_result *r);

/* What a built-in parser or runner may say; the slice is 1 MiB,
 * with the notes around it. */
#define VESSEL_PAYLOAD_BYTES ((size_t)2 << 20)
#define VESSEL_PAYLOAD_DEPTH 36U
#define VESSEL_STRING_BYTES  ((size_t)64 << 10)

/* vessel_check -- put the payload through the boundary once more, now with the
 * schema that a job knows: r->payload becomes the sanitized value of r->checked.
 * Returns whether it is valid; a reason in *why (in the arena) when not. */
bool vessel_check(struct vessel_result *r, const struct schema_set *set,
		  const char **why);

/* vessel_schema -- one of the schemas that are compiled in, ready for use;
 * freed by the caller with schema_set_free().  Returns 0 or -errno. */
int vessel_schema(const char *name, struct schema_set **ret,
		  struct cupel_error *err);

#endif
