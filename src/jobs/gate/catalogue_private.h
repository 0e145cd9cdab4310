/* catalogue_private.h -- reads one gate out of a document; only for
 * catalogue*.c. */
#ifndef CUPEL_JOBS_GATE_CATALOGUE_PRIVATE_H
#define CUPEL_JOBS_GATE_CATALOGUE_PRIVATE_H

#include "jobs/gate/gate.h"

struct cupel_error;

/* Where gates are read from. */
struct catalogue_source {
	const char *name; /* of the file, for messages */
	bool is_shipped;
	int dir_fd;      /* where paths in it begin; -1: it has none */
	int worktree_fd; /* no file may lie in there; -1: no work tree */
	struct arena *arena;
};

/* catalogue_gate_read -- read v, which fits the schema gate-catalogue.
 *
 * @name	the gate's
 * Returns 0 or -errno; cause caller: *err names file, place and expectation. */
int catalogue_gate_read(const struct catalogue_source *s, const char *name,
			const struct json_value *v, struct gate *ret,
			struct cupel_error *err);

#endif
