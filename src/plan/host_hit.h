/* host_hit.h -- a program that the caller's shell would take, and what is shown
 * of the host for it. */
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
	size_t place; /* in PATH; the search's len when in none */
	char found[PATH_MAX];
	char real[PATH_MAX];
	enum program_origin origin;
	bool is_repo; /* the result of hit_is_in_repo for found */
};

/* hit_is_in_repo -- whether the directory of file is in the repository, or is
 * reached by a link in it, so that the repository's author chose the file. */
bool hit_is_in_repo(const struct search *s, const char *file);

/* hit_path_inside -- the name inside of "/host/repo/x"; NULL without memory. */
const char *hit_path_inside(const struct search *s, const char *path);

/* hit_prefixes_show -- show the program's own prefix (a virtualenv), and the
 * one that its links lead to (the interpreter it was made from).  Returns 0,
 * -ENOENT (it cannot be shown: the error names --runtime), or -errno. */
int hit_prefixes_show(struct search *s, struct hit *hit,
		      struct cupel_error *err);

/* hit_repo_show -- for a program of the repository, whose directory is shown
 * with it.  If its links lead out, the caller must have named the prefix they
 * lead to, because the link is not the caller's.  Returns as
 * hit_prefixes_show. */
int hit_repo_show(struct search *s, struct hit *hit, struct cupel_error *err);

#endif
