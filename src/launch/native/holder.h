/* holder.h -- the files of a run of phases, and the vessels in them: the
 * parent's part of launch/native/init/holder.c (docs/copies.md). */
#ifndef CUPEL_LAUNCH_HOLDER_H
#define CUPEL_LAUNCH_HOLDER_H

#include "launch/launcher.h"

/* holder_start -- launch_hold(), tree_start -- launch_tree(), holder_lives --
 * launch_lives(), holder_phase -- launch_phase(), holder_take --
 * launch_take(), holder_fd -- launch_asked_fd(), holder_end --
 * launch_release(): launch.h says what they do. */
int holder_start(const struct plan *plan, bool is_scoped, struct holder **ret,
		 struct cupel_error *err);
int tree_start(const struct plan *plan, struct holder **ret,
	       struct cupel_error *err);
bool holder_lives(const struct holder *h);
int holder_phase(struct holder *h, const struct plan *plan,
		 const struct launch_extra *extra, struct child *ret,
		 struct cupel_error *err);
int holder_take(struct holder *h, const struct plan *plan, struct child *c,
		int *ret_pidfd, struct cupel_error *err);
int holder_fd(const struct holder *h);
void holder_end(struct holder *h);

#endif
