/* inside.h -- paths inside a vessel: their form, and which places are taken.
 *
 * Room: spec.
 */
#ifndef CUPEL_SPEC_INSIDE_H
#define CUPEL_SPEC_INSIDE_H

#include <stdbool.h>

struct cupel_error;
struct spec;

#define INSIDE_REPO "/repo"

/* inside_is_at -- whether path is dir or below it. */
bool inside_is_at(const char *path, const char *dir);

/* inside_is_normal -- absolute, without empty, "." and ".." parts, without a '/'
 * at the end. */
bool inside_is_normal(const char *path);

/* inside_taken_find -- the place that path is at or below and that is made by
 * us, or in which no mount point is made; NULL for none. */
const char *inside_taken_find(const char *path);

/* inside_repo_at_is_same -- whether --repo-at asks for the host's path. */
bool inside_repo_at_is_same(const struct spec *s);

/* inside_repo_at_find -- the place that a repository at path, which is normal,
 * would be in or cover; NULL for none. */
const char *inside_repo_at_find(const char *path);

/* inside_repo_at_check -- what is to be known of --repo-at without the host. */
int inside_repo_at_check(const struct spec *s, struct cupel_error *err);

#endif
