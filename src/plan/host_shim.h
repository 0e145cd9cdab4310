/* host_shim.h -- what the shim of a version manager stands for. */
#ifndef CUPEL_PLAN_HOST_SHIM_H
#define CUPEL_PLAN_HOST_SHIM_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct host;

#define SHIM_IS_SYSTEM 1 /* the chosen version is that of the system */

/* host_shim_is -- whether dir, of the caller's PATH, holds shims. */
bool host_shim_is(const char *dir);

/* host_shim_owns -- whether the manager whose shims are in dir keeps the prefix,
 * a real path, among its versions. */
bool host_shim_owns(const struct host *h, const char *dir, const char *prefix);

/* host_shim_follow -- the program that the shim dir/name stands for: of the
 * version that the manager's variable, its file in the repository or above it,
 * or its own file names, in this order.  A version is a name, never a path.
 *
 * @ret		room bytes; its path on the host
 *
 * Returns 0, SHIM_IS_SYSTEM (*ret is as it was), or -ENOENT with what is missing
 * and --runtime named. */
int host_shim_follow(const struct host *h, const char *dir, const char *name,
		     char *ret, size_t room, struct cupel_error *err);

#endif
