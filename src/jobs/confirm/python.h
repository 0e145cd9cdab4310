/* python.h -- the two vessels of the Python runner. */
#ifndef CUPEL_JOBS_CONFIRM_PYTHON_H
#define CUPEL_JOBS_CONFIRM_PYTHON_H

#include "jobs/confirm/flag.h"
#include "jobs/vessel.h"

/* A run and what it reads on stdin while it goes on; both owned. */
struct python_run {
	struct cupel_run *run; /* NULL = none */
	int stdin_fd;          /* valid when run is not NULL */
};
void python_run_done(struct python_run *r); /* run NULL is fine */

/* python_synthesise -- start the vessel that lists the witnesses.  It sees the
 * source and nothing of the repository.
 *
 * @ret		set on success only */
int python_synthesise(const struct flag *flag, const char *source, size_t n,
		      struct python_run *ret, struct cupel_error *err);

struct python_call {
	const char *repo, *file; /* file: below repo */
	const char *source;
	size_t source_len;
	const struct json_value *synthesis; /* its answer */
	const struct json_value *witness;
	const char *nonce;
};

/* python_call_start -- start the vessel that runs one witness, with the
 * repository at /repo. */
int python_call_start(const struct python_call *c, struct python_run *ret,
		      struct cupel_error *err);

#endif
