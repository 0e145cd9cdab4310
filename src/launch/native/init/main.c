/* main.c -- the life of init, as a table of contents. */
#include <errno.h>

#include "launch/native/init/init.h"

int init_main(void);

int stages_run(struct init *in, init_stage *const stages[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int r = stages[i](in);

		if (r < 0)
			return r;
	}
	return 0;
}

static int vessel_build(struct init *in)
{
	static init_stage *const stages[] = {
		/* while the supervisor may still be planning */
		umask_set,
		bounding_drop_early,
		life_start,
		command_fork_early,
		signals_reset,
		order_wait,
		/* the plan is known, and the ids have names */
		image_map,
		ids_take,
		names_set,
		command_fork,
		root_build,
		root_finish,
		command_settle,
		root_enter,
		command_release,
	};

	return stages_run(in, stages, sizeof stages / sizeof *stages);
}

int vessel_live(struct init *in, int r)
{
	if (r == 0) {
		in->out.had_started = in->out.exec_errno == 0;
		r = report_started(in);
	}
	if (r < 0) {
		/* All others end with PID 1, but not with any other process. */
		if (in->command_pid > 0 && !init_can(in, WALL_PIDNS))
			descendants_kill(in);
		scratch_remove(in);
		report_failed(in);
		return 1;
	}
	return command_watch(in) < 0;
}

int init_main(void)
{
	_Alignas(16) char stack[CHILD_STACK_BYTES];
	_Alignas(16) char keeper_stack[KEEPER_STACK_BYTES];
	struct child child = { .gate = GATE_CLOSED, .stack = stack };
	struct init in = INIT_NONE;
	int r;

	in.keeper_stack = keeper_stack;
	in.child = &child;
	r = order_begin(&in);
	if (r == 0 && in.begin.holds != HOLDS_NOTHING)
		return holder_main(&in);
	if (r == 0)
		r = vessel_build(&in);
	return vessel_live(&in, r);
}

static size_t text_append(char *out, size_t at, size_t room, const char *text)
{
	while (*text != '\0' && at + 1 < room) {
		char c = *text++;

		out[at++] = c >= ' ' && c != 0x7f ? c : '?';
	}
	out[at] = '\0';
	return at;
}

int init_fail(struct init *in, enum cupel_stage stage, int sys,
	      const char *what, const char *detail)
{
	struct cupel_error *err = &in->out.error;
	size_t at;

	err->stage = stage;
	err->cause = cupel_cause_of(sys);
	err->sys = sys;
	at = text_append(err->what, 0, sizeof err->what, what);
	if (detail != NULL) {
		at = text_append(err->what, at, sizeof err->what, ": ");
		(void)text_append(err->what, at, sizeof err->what, detail);
	}
	return sys > 0 ? -sys : -EINVAL;
}

int init_missing(struct init *in, enum wall wall, enum cupel_stage stage,
		 int sys, const char *what)
{
	in->out.refused |= WALL_BIT(wall);
	in->out.applied &= ~WALL_BIT(wall);
	if (in->im->allow_partial)
		return 0;
	return init_fail(in, stage, sys, what, wall < WALL_MAX_ ? NULL : "?");
}
