/* source.h -- host paths as detached mounts, made before the namespaces. */
#ifndef CUPEL_LAUNCH_SOURCE_H
#define CUPEL_LAUNCH_SOURCE_H

#include <stddef.h>

#include "launch/native/sys.h"

struct cupel_error;
struct plan;

/* sources_open -- one detached, read-only clone for each source of the plan.
 *
 * Only root can make them (and idmap them); for an ordinary user every tree
 * is -1 and init opens the path itself, in its own mount namespace, and holds
 * what it got against the device and inode of the plan.
 *
 * @trees		room for plan->sources_len descriptors, all -1 on entry;
 *			owned by the caller whatever is returned
 * @ret_unmapped	where a partial run goes on with a source whose idmapped
 *			mount the host refuses: 1 + its index, of the first
 * Returns 0, or -errno naming the path. */
int sources_open(struct sys *k, const struct plan *plan, int trees[],
		 size_t *ret_unmapped, struct cupel_error *err);

#endif
