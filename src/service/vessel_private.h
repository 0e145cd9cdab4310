/* vessel_private.h -- the contents of a vessel, for the service's own files. */
#ifndef CUPEL_SERVICE_VESSEL_PRIVATE_H
#define CUPEL_SERVICE_VESSEL_PRIVATE_H

#include "cupel.h"
#include "result/status.h"
#include "service/prepare.h"
#include "service/spec_handle.h"
#include "service/trace.h"
#include "service/vessel.h"
#include "spec/canonical.h"
#include "supervise/old_files.h"

struct vessel {
	struct cupel_spec *owner; /* keeps the strings of spec alive */
	struct spec spec;         /* as it was at the start */
	struct cupel_hooks hooks;
	struct prepared own;
	struct prepared *prepared; /* its own, or a template's */
	struct trees *trees;       /* NULL: it is never a copy */
	struct tree *tree;         /* that it is copied from, or NULL */
	struct launch *begun; /* init, while there is no plan yet; or NULL */
	struct run *run;      /* NULL: there never was a vessel */
	struct old_files old; /* an earlier phase's, at artifacts' places */
	struct verdict verdict;
	bool has_ended; /* verdict is set */
	char trace_id[TRACE_ID_BYTES];
	char spec_hash[BLAKE3_TEXT_BYTES];
};

/* vessel_new -- a vessel of which nothing has been started; NULL when out of
 * memory.
 *
 * @hooks	copied as far as the caller's struct goes; may be NULL
 * Returns 0, -EINVAL for hooks that are not of our size, or -ENOMEM. */
int vessel_new(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
	       struct vessel **ret, struct cupel_error *err);

/* vessel_run_hooks -- the hooks for supervise; they point into v. */
struct run_hooks vessel_run_hooks(struct vessel *v);

/* vessel_hashes_make -- make the hash of the spec, and of the plan if there is one,
 * unless they are made already.  Returns 0 or -ENOMEM with *err filled. */
int vessel_hashes_make(struct vessel *v, struct cupel_error *err);

/* vessel_no_memory -- -ENOMEM with *err filled. */
int vessel_no_memory(struct cupel_error *err);

#endif
