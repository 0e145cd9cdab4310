/* launch_run.c -- run_start: a vessel, and at once somebody who watches it. */
#include "base/error.h"
#include "supervise/run.h"

int run_start(const struct plan *plan, const struct run_hooks *hooks,
	      struct run **ret, struct cupel_error *err)
{
	struct child child = CHILD_NONE;
	const int *inputs = hooks != NULL ? hooks->inputs : NULL;
	size_t inputs_len = hooks != NULL ? hooks->inputs_len : 0;
	int e = launch_start(plan, inputs, inputs_len, &child, err);

	if (e < 0)
		return e;
	e = run_adopt(plan, hooks, &child, ret, err);
	if (e < 0)
		launch_close(&child);
	return e;
}
