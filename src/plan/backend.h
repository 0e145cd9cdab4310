/* backend.h -- a backend is a row: its name, what it can hold and what it never
 * can.
 *
 * To find out whether there is a PID namespace, a root of the run's own or a
 * filter in its place, ask the row of the run's backend for the wall
 * (docs/vessel.md).  Which walls stand in a run is another question: init's
 * record answers that.
 */
#ifndef CUPEL_PLAN_BACKEND_H
#define CUPEL_PLAN_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/wall.h"
#include "spec/spec.h"

struct backend {
	enum spec_backend which;     /* its number; never BACKEND_AUTO */
	const char *name;            /* as in --backend and the result */
	const char *isolation_class; /* as in the result */
	/* Walls that stand if they are asked for and the kernel has them. */
	wall_set has;
	/* Walls that every run asks for and this backend never raises: each of
	 * its runs says that they are missing. */
	wall_set never;
	/* Of the walls it has, those without which it is worth nothing and that
	 * host.c can look for. */
	wall_set needs;
	uint64_t clone_flags; /* CLONE_NEW* that init is born into */
	bool has_cgroup;      /* a run may have a cgroup of its own */
	/* What a partial run goes on with when the host refuses this one;
	 * BACKEND_AUTO = there is nothing less. */
	enum spec_backend lesser;
};

/* backend_of -- the row.  For BACKEND_AUTO, and for a value that is no backend,
 * it is the row with the most walls, because a run asks for all of them. */
const struct backend *backend_of(enum spec_backend which);

/* backend_has -- whether the wall can stand with that backend. */
static inline bool backend_has(enum spec_backend which, enum wall wall)
{
	return (backend_of(which)->has & WALL_BIT(wall)) != 0;
}

/* backend_is_there -- whether the backend has what it needs from a kernel with
 * or without Landlock. */
static inline bool backend_is_there(enum spec_backend which, bool has_landlock)
{
	return has_landlock ||
	       !(backend_of(which)->needs & WALL_BIT(WALL_LANDLOCK));
}

#endif
