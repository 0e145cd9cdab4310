/* catalogue.h -- the available gates: the shipped ones and the caller's. */
#ifndef CUPEL_JOBS_GATE_CATALOGUE_H
#define CUPEL_JOBS_GATE_CATALOGUE_H

#include "jobs/gate/gate.h"

struct cupel_error;

#define CATALOGUE_BYTES     ((size_t)256 << 10) /* of one file */
#define CATALOGUE_FILES_MAX 16U
#define CATALOGUE_GATES_MAX 64U

/* Zero is valid: no gates. */
struct catalogue {
	struct arena arena;
	struct gate *gates; /* in order of their names */
	size_t len;
};

/* What is read in addition to the shipped gates. */
struct catalogue_request {
	const char *const *files; /* --catalogue; a later one replaces */
	size_t files_len;
	int worktree_fd; /* a file inside of it is refused; -1: no work tree */
};

/* catalogue_read -- the shipped gates and those of the caller's files.
 *
 * A file is identified by what it is, not by its name: one in the work tree is
 * refused, even when a link leads there.
 *
 * @ret		zeroed by the caller; catalogue_done() frees it, on failure too
 * Returns 0 or -errno; cause caller: *err is one line with file, place and what
 * was expected. */
int catalogue_read(const struct catalogue_request *req, struct catalogue *ret,
		   struct cupel_error *err);

/* catalogue_find -- the gate of that name, or NULL. */
const struct gate *catalogue_find(const struct catalogue *c, const char *name);

void catalogue_done(struct catalogue *c);

#endif
