/* attempt_read.h -- reads the results of phases as the runs of an attempt. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_READ_H
#define CUPEL_JOBS_GATE_ATTEMPT_READ_H

#include "jobs/gate/gate.h"

struct cupel_error;

/* attempt_read_phase -- add the next of a->runs, and its evidence, from the
 * text of a phase's result.
 *
 * @a		its arena receives everything
 * Returns 0 or -errno. */
int attempt_read_phase(const struct gate *g, const char *bytes, size_t n,
		       struct gate_attempt *a, struct cupel_error *err);

/* attempt_read -- fill what is missing in a->runs, a->files and a->isolation
 * from the text of a result (cupel-result(5)), or set a->lost if the host
 * failed.
 *
 * @a		its arena receives everything
 * Returns 0, or -errno: the request was wrong (cause caller), or no result
 * came. */
int attempt_read(const struct gate *g, const char *bytes, size_t n,
		 struct gate_attempt *a, struct cupel_error *err);

/* attempt_isolation_find -- the class of that name, "microvm" and so on; an unknown
 * one, or NULL, counts as the least. */
enum gate_isolation attempt_isolation_find(const char *class);

/* attempt_file_add -- add a piece of evidence, and make its digest.
 *
 * @path	as struct gate_file has it, copied
 * @bytes	copied
 * Returns it, or NULL without memory. */
const struct gate_file *attempt_file_add(struct gate_attempt *a,
					 const char *path, const char *bytes,
					 size_t n);

#endif
