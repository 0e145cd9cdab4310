/* vessel.c -- see vessel.h: everything from a request to the vessel's last
 * step. */
#include "service/vessel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "launch/launch.h"
#include "service/vessel_private.h"
#include "supervise/supervise.h"

int vessel_no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the run or its result");
}

/* --- the start ------------------------------------------------------------- */

/* Callers built against an older header have a shorter struct. */
static int caller_hooks_take(struct vessel *v, const struct cupel_hooks *hooks,
			     struct cupel_error *err)
{
	v->hooks = (struct cupel_hooks){ .size = sizeof v->hooks,
					 .stdin_fd = -1,
					 .exec_fd = -1 };
	if (hooks == NULL)
		return 0;
	if (hooks->size < offsetof(struct cupel_hooks, output) ||
	    hooks->size > sizeof v->hooks)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			"struct cupel_hooks: size %zu is outside "
			"%zu..%zu",
			hooks->size, offsetof(struct cupel_hooks, output),
			sizeof v->hooks);
	memcpy(&v->hooks, hooks, hooks->size);
	return 0;
}

int vessel_new(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
	       struct vessel **ret, struct cupel_error *err)
{
	struct vessel *v = calloc(1, sizeof *v);
	int r;

	if (v == NULL)
		return vessel_no_memory(err);
	v->owner = spec_handle_take(spec);
	v->spec = spec->fields;
	v->prepared = &v->own;
	r = caller_hooks_take(v, hooks, err);
	if (r < 0)
		vessel_free(v);
	else
		*ret = v;
	return r;
}

static void pass_output(void *data, enum run_stream s, const char *bytes,
			size_t n)
{
	const struct vessel *v = data;

	v->hooks.output(v->hooks.data,
			s == RUN_STDOUT ? CUPEL_STDOUT : CUPEL_STDERR, bytes,
			n);
}

struct run_hooks vessel_run_hooks(struct vessel *v)
{
	return (struct run_hooks){
		.data = v,
		.output = v->hooks.output != NULL ? pass_output : NULL,
		.stdin_fd = v->hooks.stdin_fd,
		.inputs = v->hooks.inputs,
		.inputs_len = v->hooks.inputs_len,
		.exec_fd = v->hooks.exec_fd,
		.is_alone = v->hooks.is_alone != 0,
		.begun = v->begun,
	};
}

static int launch(struct vessel *v, struct cupel_error *err)
{
	const struct run_hooks hooks = vessel_run_hooks(v);

	v->begun = NULL;
	return run_start(&v->prepared->plan, &hooks, &v->run, err);
}

/* Whether less than namespaces was allowed and is all that is left, because the
 * host refused to make or to set up namespaces. */
static bool may_fall_back(const struct vessel *v, const struct cupel_error *why)
{
	return v->spec.backend == BACKEND_AUTO && v->spec.allow_partial &&
	       why->cause == CUPEL_CAUSE_HOST &&
	       (why->stage == CUPEL_STAGE_NAMESPACE ||
		why->stage == CUPEL_STAGE_IDMAP ||
		why->stage == CUPEL_STAGE_MOUNT);
}

/* Launch.  If less is allowed, wait for the start, because only then is it
 * known what init was refused. */
static int launch_best(struct vessel *v, struct cupel_error *why)
{
	struct cupel_error first = { 0 };
	int r = launch(v, &first);

	if (r == 0 && v->spec.backend == BACKEND_AUTO &&
	    v->spec.allow_partial) {
		run_await_start(v->run);
		first = run_outcome(v->run)->error;
	}
	if (!may_fall_back(v, &first)) {
		if (r < 0)
			*why = first;
		return r;
	}
	run_free(v->run);
	v->run = NULL;
	r = prepare_lesser(&v->spec, v->prepared, &first, why);
	return r == 0 ? launch(v, why) : r;
}

/* The kernel takes as long to make namespaces as we take to plan, so let it
 * begin.  What is refused here is refused again later, and reported then. */
static void begin_early(struct vessel *v)
{
	struct plan_cgroup cgroup;
	const struct launch_extra extra = {
		.inputs = v->hooks.inputs,
		.inputs_len = v->hooks.inputs_len,
		.exec_fd = v->hooks.exec_fd,
		.is_alone = v->hooks.is_alone != 0,
		.backend = v->spec.backend,
		.is_scoped = v->spec.network == NETWORK_SCOPED,
		.cgroup = &cgroup,
	};
	struct cupel_error ignored = { 0 };

	if (prepare_early(&v->spec, v->prepared, &cgroup))
		(void)launch_begin(&extra, &v->begun, &ignored);
}

/* Returns 0 also when the host cannot run it: then the vessel has ended. */
static int begin(struct vessel *v, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	int r = spec_hash(&v->spec, v->spec_hash, err);

	if (r < 0)
		return r;
	trace_id_make(v->spec.trace_id, v->trace_id);
	r = prepare_request(&v->spec, v->prepared, &why);
	if (r == 0) {
		begin_early(v);
		r = prepare_plan(&v->spec, v->prepared, &why);
	}
	if (r == 0)
		r = launch_best(v, &why);
	if (r == 0)
		return 0;
	launch_abandon(v->begun);
	v->begun = NULL;
	if (why.cause == CUPEL_CAUSE_CALLER) {
		*err = why;
		return r;
	}
	verdict_of_error(&why, (unsigned)v->spec.error_rc, &v->verdict);
	v->has_ended = true;
	return 0;
}

int vessel_start_spec(const struct cupel_spec *spec,
		      const struct cupel_hooks *hooks, struct vessel **ret,
		      struct cupel_error *err)
{
	struct vessel *v = NULL;
	int r = vessel_new(spec, hooks, &v, err);

	if (r == 0)
		r = begin(v, err);
	if (r < 0)
		vessel_free(v);
	else
		*ret = v;
	return r;
}

/* --- between --------------------------------------------------------------- */

int vessel_fd(const struct vessel *v)
{
	return v->has_ended ? -1 : run_fd(v->run);
}

/* state is what supervise returned.  Returns 1, 0 or -errno like
 * vessel_step. */
static int state_take(struct vessel *v, int state, struct cupel_error *err)
{
	const struct outcome *o = run_outcome(v->run);

	if (state == RUN_GOES_ON)
		return 1;
	verdict_build(&v->prepared->plan, o, (unsigned)v->spec.error_rc,
		      &v->verdict);
	v->has_ended = true;
	if (state < 0)
		*err = o->error;
	return state;
}

int vessel_step(struct vessel *v, struct cupel_error *err)
{
	return v->has_ended ? 0 : state_take(v, run_step(v->run), err);
}

int vessel_wait(struct vessel *v, struct cupel_error *err)
{
	return v->has_ended ? 0 : state_take(v, run_wait(v->run), err);
}

void vessel_cancel(struct vessel *v, int signal)
{
	if (v->run != NULL)
		run_cancel(v->run, signal);
}

void vessel_free(struct vessel *v)
{
	if (v == NULL)
		return;
	launch_abandon(v->begun);
	run_free(v->run);
	prepared_done(&v->own);
	spec_handle_drop(v->owner);
	free(v);
}
