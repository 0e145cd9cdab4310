/* spawn.h -- clone init into its namespaces and exec it. */
#ifndef CUPEL_LAUNCH_SPAWN_H
#define CUPEL_LAUNCH_SPAWN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/sys.h"
#include "plan/wall.h"

struct cupel_error;

struct spawn {
	uint64_t clone_flags; /* CLONE_NEW* */
	int image_fd, control_fd, init_fd;
	const int *keep; /* descriptors init inherits by number; -1 = none */
	size_t keep_len;
#ifdef CUPEL_TEST_HOOKS
	wall_set dropped;
#endif
};

/* spawn_init -- start init.  The calling thread sleeps until it has exec'd;
 * signals must be blocked, so that no handler runs in the shared memory.
 *
 * Returns the pid with *ret_pidfd owned by the caller, or -errno with *err
 * filled and no process left. */
pid_t spawn_init(struct sys *k, const struct spawn *s, int *ret_pidfd,
		 struct cupel_error *err);

#endif
