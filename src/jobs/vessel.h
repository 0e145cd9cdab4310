/* vessel.h -- one run of a job: start it, read its result back as values. */
#ifndef CUPEL_JOBS_VESSEL_H
#define CUPEL_JOBS_VESSEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "boundary/payload.h"
#include "cupel.h"

struct schema_set;

struct vessel_option {
	const char *name, *value; /* of cupel-run(1); a NULL name ends a list */
};

struct lib_template;

struct vessel_request {
	const char *profile;
	const struct vessel_option *options; /* set after the profile */
	const char *repo;        /* host directory; NULL = none is shown */
	const char *const *argv; /* NULL-terminated */
	int stdin_fd;            /* sealed memory file, or -1 */
	const int *inputs;       /* sealed memory files: 4, 5, ... */
	size_t inputs_len;
	int exec_fd; /* sealed memory file to execute, or -1 */
};

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

/* vessel_start -- start, and return at once.
 *
 * @ret		the run, freed by the caller with cupel_run_free()
 * Returns 0 or -errno: our own request was wrong. */
int vessel_start(const struct vessel_request *req, struct cupel_run **ret,
		 struct cupel_error *err);

/* vessel_template_start -- start a command that later runs are copied from: of
 * the same profile, options, repository and arguments (decision 0012).
 *
 * @req		inputs_len of each run; stdin_fd and inputs are not looked at
 * @program_fd	the template's descriptor 4, sealed; borrowed
 * Returns 0 or -errno: there are none to be had here; run without. */
int vessel_template_start(const struct vessel_request *req, int program_fd,
			  struct lib_template **ret, struct cupel_error *err);

/* vessel_copy -- as vessel_start; of req, stdin_fd and inputs count.
 *
 * Returns 0, or -errno: the template is of no more use; run without. */
int vessel_copy(struct lib_template *t, const struct vessel_request *req,
		struct cupel_run **ret, struct cupel_error *err);

/* vessel_read -- after the end: the run's result as values.
 *
 * @ret		zeroed by the caller; vessel_done() frees it, on failure too
 * Returns 0 or -errno (our own result did not read back: a bug). */
int vessel_read(struct cupel_run *run, struct vessel_result *ret,
		struct cupel_error *err);
void vessel_done(struct vessel_result *r);

/* What a built-in parser or runner may say (CONTRACT 4.2); the slice is 1 MiB,
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
