/* begin.h -- a vessel begun: descriptors, and init in its namespaces.
 *
 * Private to launch.  Nothing of it needs a plan where an ordinary user starts
 * init in all namespaces: then it is done while the plan is still being made,
 * and init and the kernel have a processor to themselves meanwhile. */
#ifndef CUPEL_LAUNCH_BEGIN_H
#define CUPEL_LAUNCH_BEGIN_H

#include "launch/launcher.h"
#include "launch/native/cgroup.h"
#include "launch/native/spawn.h"
#include "launch/native/sys.h"
#include "launch/record.h"

/* Everything one start holds until it succeeds.  On the heap: what becomes init
 * reads spawn and keep, on a stack in there, until it execs. */
struct native {
	struct launch begun; /* first: what the room knows it by */
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

/* begin_new -- nothing opened yet; room for trees_len descriptors to keep
 * besides its own.  NULL without memory. */
struct native *begin_new(const struct launch_extra *extra, size_t trees_len);

/* begin_open -- check the inputs, make the pipes, the control socket and the
 * memory files: init's program, and an empty one for the plan. */
int begin_open(struct native *l, struct cupel_error *err);

/* begin_streams -- the first part of it: check the inputs, make the pipes and
 * the control socket. */
int begin_streams(struct native *l, struct cupel_error *err);

/* begin_streams_give -- the pipes to the command's id, where root made them. */
int begin_streams_give(struct native *l, const struct plan *plan,
		       struct cupel_error *err);

/* begin_spawn -- send l->order, make the cgroup and start init in it.  Signals
 * must be blocked.
 * @cgroup	NULL = none */
int begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		struct cupel_error *err);

/* begin_image_write -- the plan into l->image_fd.
 *
 * @trees	one for each source; -1 = init opens the path */
int begin_image_write(struct native *l, const struct plan *plan,
		      const int trees[], struct cupel_error *err);

/* begin_helpers -- the relay and the tracer that the plan wants. */
int begin_helpers(struct native *l, const struct plan *plan,
		  struct cupel_error *err);

/* begin_settle -- wait until what was spawned is init or dead.  One that could
 * not join its cgroup goes on without: the cgroup is removed, and holds
 * nothing. */
void begin_settle(struct native *l);

/* begin_close -- what the parent does not need once init has it.  Twice is
 * once. */
void begin_close(struct native *l);

/* begin_done -- close everything, kill and reap init, free l.  NULL is fine. */
void begin_done(struct native *l);

/* begin_end -- after r: the vessel is the caller's and 0 is returned, or
 * nothing of it is left and r is.  l is gone. */
int begin_end(struct native *l, int r, struct child *ret);

int begin_fail(long r, const char *what, struct cupel_error *err);

#endif
