/* run_private.h -- a run inside the library: from a request to a result. */
#ifndef CUPEL_LIB_RUN_PRIVATE_H
#define CUPEL_LIB_RUN_PRIVATE_H

#include "cupel.h"
#include "lib/prepare.h"
#include "lib/report.h"
#include "lib/spec.h"
#include "lib/trace.h"
#include "result/status.h"
#include "spec/canonical.h"

struct cupel_run {
	struct cupel_spec *owner; /* keeps the strings of spec alive */
	struct spec spec;         /* as it was at the start */
	struct cupel_hooks hooks;
	struct prepared own;
	struct prepared *prepared; /* own, or a template's */
	struct launch *begun; /* init, while there is no plan yet; or NULL */
	struct run *run;      /* NULL: it never came to a vessel */
	struct report report; /* read between the vessel's end and the run's */
	struct cupel_error error;
	struct verdict verdict;
	bool has_ended;
	char *json; /* NULL before the end, or without memory */
	size_t json_len;
	char trace_id[TRACE_ID_BYTES];
	char spec_hash[BLAKE3_TEXT_BYTES];
};

/* run_finish -- the vessel is gone, and so is the parser of its report: judge,
 * copy out, write.  Returns 0 or -errno. */
int run_finish(struct cupel_run *run, struct cupel_error *err);

/* run_finish_early -- a host that cannot: the run ends before it began, with a
 * result.  Returns 0 or -errno. */
int run_finish_early(struct cupel_run *run, struct cupel_error *err);

/* run_no_memory -- -ENOMEM with *err filled. */
int run_no_memory(struct cupel_error *err);

#endif
