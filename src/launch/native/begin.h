/* begin.h -- a vessel that was begun: descriptors, and init in its namespaces.
 *
 * Private to launch.  Where an ordinary user starts init in all namespaces,
 * none of this needs a plan.  Then it is done while the plan is still being
 * made, and init and the kernel have a processor to themselves meanwhile. */
#ifndef CUPEL_LAUNCH_BEGIN_H
#define CUPEL_LAUNCH_BEGIN_H

#include "launch/launcher.h"
#include "launch/native/cgroup.h"
#include "launch/native/spawn.h"
#include "launch/native/sys.h"
#include "launch/record.h"

/* Everything that one start holds until it succeeds.  It is on the heap,
 * because the process that becomes init reads spawn and keep, and runs on a
 * stack in there, until it execs. */
struct native {
	struct launch begun; /* first: the room knows it by this */
	struct sys k;
	struct launch_extra extra; /* inputs borrowed */
	struct child child;
	int inside[4]; /* the command's ends: stdin, stdout, stderr, result */
	int control;   /* init's end */
	int image_fd, init_fd;
	struct order_begin order;
	struct spawn spawn;
	size_t keep_len;
	int keep[]; /* descriptors init inherits by number, -1 between */
};

/* begin_new -- a start with nothing opened yet, and room for trees_len
 * descriptors to keep besides its own.  NULL without memory. */
struct native *begin_new(const struct launch_extra *extra, size_t trees_len);

/* begin_open -- check the inputs, make the pipes, the control socket and the
 * memory files: init's program, and an empty one for the plan. */
int begin_open(struct native *l, struct cupel_error *err);

/* begin_streams -- the first part of begin_open: check the inputs, make the
 * pipes and the control socket. */
int begin_streams(struct native *l, struct cupel_error *err);

/* begin_streams_give -- give the pipes to the command's id, where root made
 * them. */
int begin_streams_give(struct native *l, const struct plan *plan,
		       struct cupel_error *err);

/* begin_spawn -- send l->order, make the cgroup and start init in it.  Signals
 * must be blocked.
 * @cgroup	NULL = none */
int begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		struct cupel_error *err);

/* begin_image_write -- write the plan into l->image_fd.
 *
 * @trees	one for each source; -1 = init opens the path */
int begin_image_write(struct native *l, const struct plan *plan,
		      const int trees[], struct cupel_error *err);

/* begin_helpers -- start the relay and the tracer that the plan wants. */
int begin_helpers(struct native *l, const struct plan *plan,
		  struct cupel_error *err);

/* begin_settle -- wait until the process that was spawned is init or dead.  If
 * it could not join its cgroup, it goes on without: the cgroup is removed, and
 * holds nothing. */
void begin_settle(struct native *l);

/* begin_close -- close what the parent does not need once init has it.  A
 * second call does nothing. */
void begin_close(struct native *l);

/* begin_done -- close everything, kill and reap init, free l.  NULL is fine. */
void begin_done(struct native *l);

/* begin_end -- finish after r: either the vessel is the caller's and 0 is
 * returned, or nothing of it is left and r is returned.  l is freed. */
int begin_end(struct native *l, int r, struct child *ret);

int begin_fail(long r, const char *what, struct cupel_error *err);

#endif
