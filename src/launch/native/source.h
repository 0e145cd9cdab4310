/* source.h -- opens host paths as detached mounts, before the namespaces
 * exist. */
#ifndef CUPEL_LAUNCH_SOURCE_H
#define CUPEL_LAUNCH_SOURCE_H

#include <stddef.h>

#include "launch/native/sys.h"

struct cupel_error;
struct plan;

/* sources_open -- one detached, read-only clone for each source of the plan.
 *
 * Only root can make them (and idmap them).  For an ordinary user every tree is
 * -1: init opens the path itself, in its own mount namespace, and checks the
 * device and inode of what it got against the plan.
 *
 * @trees		room for plan->sources_len descriptors, all -1 on entry;
 *			owned by the caller whatever is returned
 * @ret_unmapped	1 + the index of the first source whose idmapped mount
 *			the host refuses, where a partial run goes on with it
 * Returns 0, or -errno naming the path. */
int sources_open(struct sys *k, const struct plan *plan, int trees[],
		 size_t *ret_unmapped, struct cupel_error *err);

#endif
