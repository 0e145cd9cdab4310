/* template.c -- see template.h. */
#include "service/template.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "launch/launch.h"
#include "service/request.h"
#include "service/template_private.h"
#include "service/vessel_private.h"
#include "spec/canonical.h"
#include "supervise/supervise.h"
#include "supervise/template.h"

struct vessel_copy {
	struct vessel_template *from;
	struct child child;
};

static int start(struct vessel_template *t, const struct vessel_request *req,
		 int program_fd, struct cupel_error *err)
{
	int r = request_build(req, &t->spec, err);

	if (r == 0)
		r = spec_hash(&t->spec->fields, t->spec_hash, err);
	if (r == 0)
		r = prepare_request(&t->spec->fields, &t->prepared, err);
	if (r == 0)
		r = prepare_plan(&t->spec->fields, &t->prepared, err);
	if (r == 0 && plan_hash(&t->prepared.plan) < 0)
		r = vessel_no_memory(err);
	if (r == 0)
		r = template_start(&t->prepared.plan, req->inputs_len,
				   program_fd, &t->template, err);
	return r;
}

int vessel_template_start(const struct vessel_request *req, int program_fd,
			  struct vessel_template **ret, struct cupel_error *err)
{
	struct vessel_template *t = calloc(1, sizeof *t);
	int r;

	if (t == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a template");
	r = start(t, req, program_fd, err);
	if (r < 0)
		vessel_template_free(t);
	else
		*ret = t;
	return r;
}

int vessel_template_state(struct vessel_template *t)
{
	return template_state(t->template);
}

void vessel_template_free(struct vessel_template *t)
{
	if (t == NULL)
		return;
	template_free(t->template);
	prepared_done(&t->prepared);
	spec_handle_drop(t->spec);
	free(t);
}

int vessel_copy_make(struct vessel_template *t,
		     const struct vessel_request *req, struct vessel_copy **ret,
		     struct cupel_error *err)
{
	struct vessel_copy *copy = calloc(1, sizeof *copy);
	int r;

	if (copy == NULL)
		return vessel_no_memory(err);
	*copy = (struct vessel_copy){ .from = t, .child = CHILD_NONE };
	r = template_vessel_make(t->template, req->inputs, req->inputs_len,
				 &copy->child, err);
	if (r < 0)
		free(copy);
	else
		*ret = copy;
	return r;
}

void vessel_copy_free(struct vessel_copy *copy)
{
	if (copy == NULL)
		return;
	launch_close(&copy->child);
	free(copy);
}

int vessel_copy_run(struct vessel_copy *copy, int stdin_fd, struct vessel **ret,
		    struct cupel_error *err)
{
	const struct cupel_hooks hooks = {
		.size = sizeof hooks,
		.stdin_fd = stdin_fd,
		.exec_fd = -1,
	};
	struct vessel_template *t = copy->from;
	struct vessel *v = NULL;
	int r = vessel_new(t->spec, &hooks, &v, err);

	if (r == 0) {
		const struct run_hooks inside = vessel_run_hooks(v);

		v->prepared = &t->prepared;
		memcpy(v->spec_hash, t->spec_hash, sizeof v->spec_hash);
		trace_id_make(v->spec.trace_id, v->trace_id);
		r = template_vessel_run(t->template, &copy->child, &inside,
					&v->run, err);
	}
	vessel_copy_free(copy);
	if (r < 0)
		vessel_free(v);
	else
		*ret = v;
	return r;
}
