/* attempt.h -- one probe in its vessel. */
#ifndef CUPEL_JOBS_PROBE_ATTEMPT_H
#define CUPEL_JOBS_PROBE_ATTEMPT_H

#include "jobs/probe/inputs.h"
#include "jobs/probe/tree.h"
#include "service/vessel.h"

struct cupel_error;

struct attempt_request {
	const struct probe_inputs *in;
	int program_fd; /* cupel-parse, sealed: for a built-in probe */
	bool with_node_modules;
	const int *required; /* sealed outputs of what it requires, in order */
	size_t required_len;
};

struct attempt {
	struct vessel *run; /* NULL: none is under way */
	struct probe_tree tree;
	int stdin_fd; /* fed to it while it runs */
};

/* An attempt that holds nothing, as attempt_done() leaves it. */
#define ATTEMPT_NONE                                                           \
	((struct attempt){ .tree = { .base_fd = -1, .fd = -1 },                \
			   .stdin_fd = -1 })

/* attempt_start -- start the probe, and return at once.
 *
 * A built-in one: cupel-parse in an empty vessel, names on descriptor 0, bytes
 * on 4.  Any other: its command in the vessel of the profile "probe", its
 * declared files as /repo, the list of all names on descriptor 0; see
 * struct probe for the rest.
 *
 * @ret		attempt_done() frees it, after a failure too
 * Returns 0 or -errno. */
int attempt_start(const struct attempt_request *req, struct attempt *ret,
		  struct cupel_error *err);
void attempt_done(struct attempt *a);

#endif
