/* host_hit.h -- a program that the caller's shell would take, and what of the host
 * is shown for it. */
#ifndef CUPEL_PLAN_HOST_HIT_H
#define CUPEL_PLAN_HOST_HIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "plan/program.h"

struct cupel_error;
struct search;

struct hit {
	const char *name;
	size_t place; /* of PATH; the search's len when it was none of them */
	char found[PATH_MAX];
	char real[PATH_MAX];
	enum program_origin origin;
	bool is_repo; /* what hit_is_in_repo says of found */
};

/* hit_is_in_repo -- whether the directory of file lies in the repository, or is
 * reached by a link in it, so that the file is its author's word. */
bool hit_is_in_repo(const struct search *s, const char *file);

/* hit_path_inside -- "/host/repo/x" as it is called inside; NULL without
 * memory. */
const char *hit_path_inside(const struct search *s, const char *path);

/* hit_prefixes_show -- show the program's own prefix (a virtualenv), and the one
 * that its links lead to (the interpreter it was made from).
 * Returns 0, -ENOENT (it cannot be shown: --runtime is named), or -errno. */
int hit_prefixes_show(struct search *s, struct hit *hit,
		      struct cupel_error *err);

/* hit_repo_show -- for a program of the repository: its place is there with it.
 * Where its links lead out, the caller must have named that prefix, because the
 * link is not the caller's.  Returns as hit_prefixes_show. */
int hit_repo_show(struct search *s, struct hit *hit, struct cupel_error *err);

#endif
