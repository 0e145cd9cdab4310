/* template.h -- a vessel whose command is copied, and the vessels of the
 * copies.
 *
 * See docs/copies.md.  Inside, launch/native/init/template.c makes the
 * copies. */
#ifndef CUPEL_LAUNCH_TEMPLATE_H
#define CUPEL_LAUNCH_TEMPLATE_H

#include <stdbool.h>

#include "launch/launch.h"
#include "plan/wall.h"

/* template_launch -- start the command that is to be copied.  Its descriptors:
 * 0 a socket for orders, 4 the program, 5 the shared object to load, 6 the
 * copies' plan.
 *
 * @plan	its own (plan_make_template)
 * @copies	the plan of every copy
 * @inputs_len	the inputs of every copy, at most COPY_INPUTS_MAX
 * @program_fd	sealed memory file, borrowed
 * @ret		its stdin_fd is our end of the socket
 * Returns 0, or -errno with *err filled and nothing left behind. */
int template_launch(const struct plan *plan, const struct plan *copies,
		    size_t inputs_len, int program_fd, struct child *ret,
		    struct cupel_error *err);

/* template_is_ready -- whether it has said that it is ready; never blocks.  To
 * be called until it says yes, and not after.  Returns 1, 0, or -errno: it will
 * never be. */
int template_is_ready(int socket_fd);

struct template_vessel {
	const struct plan *plan; /* of the copies */
	wall_set inherited;      /* walls that stand around it */
	bool cross;              /* outcome.objects_by_filter */
};

/* template_copy -- make one more vessel, its command a copy of the template's.
 *
 * @extra	as many inputs as the template was told; no exec_fd
 * Returns as launch_start does.  After a failure the template must not be asked
 * again. */
int template_copy(int socket_fd, const struct template_vessel *v,
		  const struct launch_extra *extra, struct child *ret,
		  struct cupel_error *err);

#endif
