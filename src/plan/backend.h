/* backend.h -- a backend is a row: what it is called, what it can hold and what
 * it never can.
 *
 * Whoever wants to know whether there is a PID namespace, a root of the run's
 * own or a filter in its place asks the row of the run's backend for the wall
 * (decision 0028).  Which walls stand in a run is another question: the record of
 * init answers that.
 */
#ifndef CUPEL_PLAN_BACKEND_H
#define CUPEL_PLAN_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/wall.h"
#include "spec/spec.h"

struct backend {
	enum spec_backend which;     /* its number; never BACKEND_AUTO */
	const char *name;            /* as --backend and the result have it */
	const char *isolation_class; /* as the result has it */
	/* Walls that stand where they are asked for and the kernel has them. */
	wall_set has;
	/* Walls that every run asks for and this backend never raises: each of
	 * its runs says that they are missing. */
	wall_set never;
	/* Of those it has, the ones that it is nothing without and that host.c
	 * can look for. */
	wall_set needs;
	uint64_t clone_flags; /* CLONE_NEW* that init is born into */
	bool has_cgroup;      /* a run may have a cgroup of its own */
	/* What a partial run goes on with when the host refuses this one;
	 * BACKEND_AUTO = there is nothing less. */
	enum spec_backend lesser;
};

/* backend_of -- the row.  BACKEND_AUTO, and what is no backend, is the one that
 * has the most walls: a run asks for all of them and ends without. */
const struct backend *backend_of(enum spec_backend which);

/* backend_has -- whether the wall can stand there. */
static inline bool backend_has(enum spec_backend which, enum wall wall)
{
	return (backend_of(which)->has & WALL_BIT(wall)) != 0;
}

/* backend_is_there -- whether a kernel with or without Landlock has what it
 * needs. */
static inline bool backend_is_there(enum spec_backend which, bool has_landlock)
{
	return has_landlock ||
	       !(backend_of(which)->needs & WALL_BIT(WALL_LANDLOCK));
}

#endif
