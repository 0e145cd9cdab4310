/* template.c -- see template.h. */
#include "supervise/template.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/template.h"
#include "plan/template.h"
#include "supervise/run.h"

struct template
{
	struct plan own;
	struct template_vessel vessel;
	size_t inputs_len;
	struct run *run; /* of the template itself */
	int socket_fd;
	int state; /* see template_state() */
};

/* Wait until its command runs or never will.  From then on nothing that it says
 * is believed. */
static int start_see(struct template *t, struct cupel_error *err)
{
	const struct outcome *o = run_outcome(t->run);

	run_await_start(t->run);
	if (o->started && o->unmapped == 0) {
		t->vessel.inherited = o->applied;
		t->vessel.cross = o->objects_by_filter;
		return 0;
	}
	if (o->error.stage != CUPEL_STAGE_NONE) {
		*err = o->error;
		return -EPROTO;
	}
	return cupel_fail(err, CUPEL_STAGE_EXEC, CUPEL_CAUSE_HOST,
			  o->exec_errno, "the template could not be started");
}

static int start(struct template *t, int program_fd, struct cupel_error *err)
{
	struct child child = CHILD_NONE;
	const struct run_hooks hooks = { .stdin_fd = -1 };
	int r = plan_make_template(t->vessel.plan, &t->own, err);

	if (r == 0)
		r = template_launch(&t->own, t->vessel.plan, t->inputs_len,
				    program_fd, &child, err);
	if (r < 0)
		return r;
	t->socket_fd = take_fd(&child.stdin_fd);
	r = run_adopt(&t->own, &hooks, &child, &t->run, err);
	if (r < 0) {
		launch_close(&child);
		return r;
	}
	return start_see(t, err);
}

int template_start(const struct plan *plan, size_t inputs_len, int program_fd,
		   struct template **ret, struct cupel_error *err)
{
	struct template *t = calloc(1, sizeof *t);
	int r;

	if (t == NULL)
		return cupel_fail(err, CUPEL_STAGE_SUPERVISE, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a template");
	t->socket_fd = -1;
	t->vessel.plan = plan;
	t->inputs_len = inputs_len;
	r = start(t, program_fd, err);
	if (r < 0)
		template_free(t);
	else
		*ret = t;
	return r;
}

int template_state(struct template *t)
{
	if (t->state == 0)
		t->state = template_is_ready(t->socket_fd);
	return t->state;
}

int template_vessel_make(struct template *t, const int *inputs,
			 size_t inputs_len, struct child *ret,
			 struct cupel_error *err)
{
	const struct launch_extra extra = { .inputs = inputs,
					    .inputs_len = inputs_len,
					    .exec_fd = -1 };
	int r;

	if (template_state(t) <= 0 || inputs_len != t->inputs_len)
		r = cupel_fail(err, CUPEL_STAGE_SUPERVISE, CUPEL_CAUSE_BUSY,
			       EAGAIN, "the template cannot make such a copy");
	else
		r = template_copy(t->socket_fd, &t->vessel, &extra, ret, err);
	if (r < 0)
		t->state = r;
	return r;
}

int template_vessel_run(struct template *t, struct child *vessel,
			const struct run_hooks *hooks, struct run **ret,
			struct cupel_error *err)
{
	int r = run_adopt(t->vessel.plan, hooks, vessel, ret, err);

	/* The next step reports a failure of ours, too. */
	if (r == 0)
		(void)run_step(*ret);
	return r;
}

void template_free(struct template *t)
{
	if (t == NULL)
		return;
	cleanup_fd(&t->socket_fd);
	run_free(t->run);
	plan_done(&t->own);
	free(t);
}
