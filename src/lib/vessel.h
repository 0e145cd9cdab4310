/* vessel.h -- a run that is ours: a job's, or the reader of a report.  Its spec
 * is a profile, a few options and descriptors. */
#ifndef CUPEL_LIB_VESSEL_H
#define CUPEL_LIB_VESSEL_H

#include <stddef.h>

#include "cupel.h"

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

struct lib_copy;

/* vessel_copy_make -- a copy that has its inputs and waits for its stdin;
 * vessel_copy_run() or lib_copy_free() is next, then another one of t.
 *
 * @req		of which the inputs count
 * Returns 0, or -errno: the template is of no more use; run without. */
int vessel_copy_make(struct lib_template *t, const struct vessel_request *req,
		     struct lib_copy **ret, struct cupel_error *err);

/* vessel_copy_run -- as vessel_start: its time begins.
 *
 * @copy	consumed, whatever comes of it
 * @stdin_fd	sealed memory file, or -1 */
int vessel_copy_run(struct lib_copy *copy, int stdin_fd, struct cupel_run **ret,
		    struct cupel_error *err);

/* vessel_end_code -- the code that the end of a parser or probe stands for, or
 * NULL: then its answer counts. */
const char *vessel_end_code(enum cupel_status status);

/* vessel_end_sentence -- the sentence that goes with the code: the same each
 * time, free of paths and figures of this host. */
const char *vessel_end_sentence(const char *code);

#endif
