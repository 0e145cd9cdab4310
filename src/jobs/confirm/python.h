/* python.h -- the two vessels of the Python runner. */
#ifndef CUPEL_JOBS_CONFIRM_PYTHON_H
#define CUPEL_JOBS_CONFIRM_PYTHON_H

#include "jobs/confirm/flag.h"
#include "jobs/vessel.h"

/* python_synthesise -- start the vessel that lists the witnesses.  It sees the
 * source and nothing of the repository. */
int python_synthesise(const struct flag *flag, const char *source, size_t n,
		      struct cupel_run **ret, struct cupel_error *err);

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
int python_call_start(const struct python_call *c, struct cupel_run **ret,
		      struct cupel_error *err);

#endif
