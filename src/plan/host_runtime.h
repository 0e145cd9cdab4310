/* host_runtime.h -- decides which directories of the host may be shown as the
 * prefix of an interpreter. */
#ifndef CUPEL_PLAN_HOST_RUNTIME_H
#define CUPEL_PLAN_HOST_RUNTIME_H

#include <stdbool.h>

struct cupel_error;
struct host;

/* host_is_below -- whether below is path itself or lies below it. */
bool host_is_below(const char *path, const char *below);

/* host_is_system -- whether path lies in what every vessel shows of the host:
 * /usr, /bin, /sbin, /lib, /lib64.  False for a path that is not normal
 * ("/usr/../tmp", "//usr", "/usr/"), because its text does not say where it
 * leads. */
bool host_is_system(const char *path);

/* host_is_repo_way -- whether the repository's author decides where path leads:
 * it ends in the repository, or it goes through a link that lies there.  A path
 * that cannot be followed counts as such. */
bool host_is_repo_way(const struct host *h, const char *path);

/* host_is_trusted_dir -- whether path is a directory of root's or the caller's
 * to which nobody else can write. */
bool host_is_trusted_dir(const struct host *h, const char *path);

/* host_prefix_refusal -- why the directory prefix, a real path, may not be
 * shown; NULL when it may. */
const char *host_prefix_refusal(const struct host *h, const char *prefix);

/* host_runtime_add -- show prefix, which host_prefix_refusal accepted, where it
 * lies.  One that lies in a prefix already shown needs nothing.  Returns 0,
 * -E2BIG, -EINVAL (a --ro target lies there) or -errno. */
int host_runtime_add(struct host *h, const char *prefix,
		     struct cupel_error *err);

#endif
