/* request.c -- see request.h; and vessel_start() of vessel.h. */
#include "service/request.h"

#include "service/spec_handle.h"
#include "service/vessel.h"

static int fields_fill(struct spec *spec, const struct vessel_request *req,
		       struct cupel_error *err)
{
	const struct vessel_option *o = req->options;
	size_t argc = 0;
	int e = spec_set(spec, "profile", req->profile, err);

	for (; e == 0 && o != NULL && o->name != NULL; o++)
		e = spec_set(spec, o->name, o->value, err);
	if (e == 0 && req->repo != NULL)
		e = spec_set(spec, "repo", req->repo, err);
	if (e == 0 && req->repo == NULL)
		e = spec_set(spec, "repo-mode", "none", err);
	while (req->argv[argc] != NULL)
		argc++;
	if (e == 0)
		e = spec_set_command(spec, req->argv, argc, err);
	return e;
}

int request_build(const struct vessel_request *req, struct cupel_spec **ret,
		  struct cupel_error *err)
{
	struct cupel_spec *s = NULL;
	int e = spec_handle_new(&s, err);

	if (e < 0)
		return e;
	e = fields_fill(&s->fields, req, err);
	if (e < 0)
		spec_handle_drop(s);
	else
		*ret = s;
	return e;
}

int vessel_start(const struct vessel_request *req, struct vessel **ret,
		 struct cupel_error *err)
{
	const struct cupel_hooks hooks = {
		.size = sizeof hooks,
		.stdin_fd = req->stdin_fd,
		.inputs = req->inputs,
		.inputs_len = req->inputs_len,
		.exec_fd = req->exec_fd,
	};
	struct cupel_spec *spec = NULL;
	int e = request_build(req, &spec, err);

	if (e == 0)
		e = vessel_start_spec(spec, &hooks, ret, err);
	spec_handle_drop(spec);
	return e;
}
