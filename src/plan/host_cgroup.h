/* host_cgroup.h -- finds out which cgroup a run can have here, by looking only.
 *
 * Private to plan, except for tests.
 */
#ifndef CUPEL_PLAN_HOST_CGROUP_H
#define CUPEL_PLAN_HOST_CGROUP_H

#include <stddef.h>

#include "plan/host.h"

/* Where to look; a test has a tree of its own. */
struct cgroup_place {
	const char *mount;   /* of cgroup v2 */
	const char *self;    /* /proc/self/cgroup */
	const char *systemd; /* exists when systemd runs the machine */
	const char *bus;     /* where to ask for a scope; from host_bus_read */
	unsigned pid;        /* ours, as cgroup.procs lists it */
	bool is_root;
	unsigned pretended; /* controllers that a test pretends to have */
};

/* cgroup_find_own -- find the v2 line of /proc/self/cgroup.
 *
 * @ret_len	length of the path, which is within text
 * Returns the path, or NULL: there is no such line, or it leads out of what we
 * see. */
const char *cgroup_find_own(const char *text, size_t *ret_len);

/* cgroup_look -- try the kinds in their order, and take the first that can be
 * had.  Strings live in the arena.  Returns 0 or -ENOMEM. */
int cgroup_look(const struct cgroup_place *at, struct arena *arena,
		struct host_cgroup *ret);

/* cgroup1_find_own -- find the line of /proc/self/cgroup with the memory
 * controller of version 1.  Returns as cgroup_find_own(). */
const char *cgroup1_find_own(const char *text, size_t *ret_len);

/* cgroup1_look -- whether a cgroup of version 1 can be made for memory, below
 * the one that we are in: a directory that is ours and that nobody else may
 * write to (docs/memory.md).
 *
 * @at		its mount is that of the memory controller
 * @ret		CGROUP_V1, or left as it was
 * Returns 0 or -ENOMEM. */
int cgroup1_look(const struct cgroup_place *at, struct arena *arena,
		 struct host_cgroup *ret);

#endif
