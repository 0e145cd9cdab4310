/* template.h -- a vessel whose command is copied, and vessels of its copies.
 *
 * Decision 0012.  What makes the copies is launch/native/init/template.c, inside. */
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
 * @copies	that of every copy
 * @inputs_len	of every copy, at most COPY_INPUTS_MAX
 * @program_fd	sealed memory file, borrowed
 * @ret		its stdin_fd is our end of the socket
 * Returns 0, or -errno with *err filled and nothing left behind. */
int template_launch(const struct plan *plan, const struct plan *copies,
		    size_t inputs_len, int program_fd, struct child *ret,
		    struct cupel_error *err);

/* template_is_ready -- whether it has said so; never blocks.  Asked until it
 * says yes, and not after.  Returns 1, 0, or -errno: it never will be. */
int template_is_ready(int socket_fd);

struct template_vessel {
	const struct plan *plan; /* of the copies */
	wall_set inherited;      /* that were found to stand around it */
	bool cross;              /* outcome.objects_by_filter */
};

/* template_copy -- one vessel more, its command a copy of the template's.
 *
 * @extra	inputs as many as the template was told; no exec_fd
 * Returns as launch_start does.  After a failure the template is not to be
 * asked again. */
int template_copy(int socket_fd, const struct template_vessel *v,
		  const struct launch_extra *extra, struct child *ret,
		  struct cupel_error *err);

#endif
