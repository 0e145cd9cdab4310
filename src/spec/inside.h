/* inside.h -- paths inside a vessel: their form, and which places are taken.
 *
 * Room: spec.
 */
#ifndef CUPEL_SPEC_INSIDE_H
#define CUPEL_SPEC_INSIDE_H

#include <stdbool.h>

struct cupel_error;
struct spec;

#define INSIDE_REPO  "/repo"
#define INSIDE_CACHE "/cache"

/* inside_is_at -- whether path is dir or below it. */
bool inside_is_at(const char *path, const char *dir);

/* inside_is_normal -- whether path is absolute, has no empty, "." or ".." part,
 * and does not end with '/'. */
bool inside_is_normal(const char *path);

/* inside_taken_find -- the place that path is at or below, if it is one that we
 * make or one in which no mount point is made; NULL for none. */
const char *inside_taken_find(const char *path);

/* inside_repo_at_is_same -- whether --repo-at asks for the host's path. */
bool inside_repo_at_is_same(const struct spec *s);

/* inside_repo_at_find -- the place that a repository at path (normal) would be
 * in or would cover; NULL for none. */
const char *inside_repo_at_find(const char *path);

/* inside_repo_at_check -- check of --repo-at what can be checked without the
 * host. */
int inside_repo_at_check(const struct spec *s, struct cupel_error *err);

/* inside_cache_check -- check of --cache what can be checked without the host:
 * nothing else is shown at /cache, and the run is one that may have it. */
int inside_cache_check(const struct spec *s, struct cupel_error *err);

#endif
