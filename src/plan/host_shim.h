/* host_shim.h -- finds the program that the shim of a version manager stands
 * for. */
#ifndef CUPEL_PLAN_HOST_SHIM_H
#define CUPEL_PLAN_HOST_SHIM_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct host;

#define SHIM_IS_SYSTEM 1 /* the chosen version is the system's */

/* host_shim_is -- whether dir, from the caller's PATH, holds shims. */
bool host_shim_is(const char *dir);

/* host_shim_owns -- whether prefix, a real path, is among the versions of the
 * manager whose shims are in dir. */
bool host_shim_owns(const struct host *h, const char *dir, const char *prefix);

/* host_shim_follow -- find the program that the shim dir/name stands for, in
 * the version that is named by the manager's variable, by its file in the
 * repository or above it, or by its own file, in this order.  A version is a
 * name, never a path.
 *
 * @ret		room bytes; its path on the host
 *
 * Returns 0, SHIM_IS_SYSTEM (*ret is unchanged), or -ENOENT with an error that
 * says what is missing and names --runtime. */
int host_shim_follow(const struct host *h, const char *dir, const char *name,
		     char *ret, size_t room, struct cupel_error *err);

#endif
