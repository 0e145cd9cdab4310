/* manifest_parse.h -- one manifest and what it names; private to manifest. */
#ifndef CUPEL_JOBS_GATHER_MANIFEST_PARSE_H
#define CUPEL_JOBS_GATHER_MANIFEST_PARSE_H

#include "base/arena.h"
#include "jobs/probe/catalogue.h"

struct stat;

/* What is wrong, on one line, not yet escaped. */
struct manifest_fault {
	char text[600];
};

/* manifest_parse -- read file and the files beside it.
 *
 * @arena	receives everything that *ret points to
 * Returns 0, -EINVAL with *fault filled, or -ENOMEM. */
int manifest_parse(int dir_fd, const char *file, struct arena *arena,
		   struct probe *ret, struct manifest_fault *fault);

/* manifest_distrust -- why a file or folder cannot be trusted: a static text,
 * or NULL when it belongs to root or the caller and only its owner can write
 * it. */
const char *manifest_distrust(const struct stat *st);

#endif
