/* launch_run.c -- run_start: launches a vessel and supervises it from the
 * start. */
#include "base/error.h"
#include "supervise/run.h"

int run_start(const struct plan *plan, const struct run_hooks *hooks,
	      struct run **ret, struct cupel_error *err)
{
	struct child child = CHILD_NONE;
	struct launch_extra extra = { .exec_fd = -1 };
	int e;

	if (hooks != NULL)
		extra = (struct launch_extra){
			.inputs = hooks->inputs,
			.inputs_len = hooks->inputs_len,
			.exec_fd = hooks->exec_fd,
			.is_alone = hooks->is_alone,
		};
	if (hooks != NULL && hooks->holder != NULL) {
		e = launch_phase(hooks->holder, plan, &extra, &child, err);
	} else if (hooks != NULL && hooks->begun != NULL &&
		   launch_fits(hooks->begun, plan)) {
		e = launch_finish(hooks->begun, plan, &child, err);
	} else {
		launch_abandon(hooks != NULL ? hooks->begun : NULL);
		e = launch_start(plan, &extra, &child, err);
	}
	if (e < 0)
		return e;
	e = run_adopt(plan, hooks, &child, ret, err);
	if (e < 0)
		launch_close(&child);
	return e;
}
