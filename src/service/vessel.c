/* vessel.c -- see vessel.h: everything from a request to the vessel's last
 * step. */
#include "service/vessel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/launch.h"
#include "plan/backend.h"
#include "plan/host_exec.h"
#include "service/trees.h"
#include "service/vessel_private.h"
#include "supervise/supervise.h"

int vessel_no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the run or its result");
}

/* --- the start ------------------------------------------------------------- */

/* Callers built against an older header have a shorter struct. */
int vessel_hooks_read(const struct cupel_hooks *hooks, struct cupel_hooks *ret,
		      struct cupel_error *err)
{
	if (hooks != NULL &&
	    (hooks->size < offsetof(struct cupel_hooks, output) ||
	     hooks->size > sizeof *ret))
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			"struct cupel_hooks: size %zu is outside "
			"%zu..%zu",
			hooks->size, offsetof(struct cupel_hooks, output),
			sizeof *ret);
	*ret = (struct cupel_hooks){ .stdin_fd = -1, .exec_fd = -1 };
	if (hooks != NULL)
		memcpy(ret, hooks, hooks->size);
	ret->size = sizeof *ret;
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
	r = vessel_hooks_read(hooks, &v->hooks, err);
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
		.holder = v->tree != NULL ? tree_holder(v->tree) : NULL,
		.is_copy = v->tree != NULL,
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

/* Nothing of the vessel lives: its template may serve another. */
static void tree_leave(struct vessel *v, bool is_sound)
{
	if (v->tree != NULL)
		trees_give(v->trees, v->tree, is_sound);
	v->tree = NULL;
}

/* The copy failed, for that reason: the vessel is made from the beginning. */
static void tree_give_up(struct vessel *v, const struct cupel_error *why)
{
	trees_note_remade(v->trees, why);
	tree_leave(v, false);
}

/* Launch a copy, if there is a template; otherwise, or if that fails, from the
 * beginning. */
static int launch_any(struct vessel *v, struct cupel_error *why)
{
	struct cupel_error refused = { 0 };

	if (v->tree != NULL) {
		if (launch(v, &refused) == 0)
			return 0;
		tree_give_up(v, &refused);
	}
	return launch(v, why);
}

int vessel_hashes_make(struct vessel *v, struct cupel_error *err)
{
	int r = v->spec_hash[0] != '\0'
			? 0
			: spec_hash(&v->spec, v->spec_hash, err);

	if (r == 0 && v->prepared->has_plan &&
	    plan_hash(&v->prepared->plan) < 0)
		r = vessel_no_memory(err);
	return r;
}

/* Launch.  If less is allowed, wait for the start, because only then is it
 * known what init was refused. */
static int launch_best(struct vessel *v, struct cupel_error *why)
{
	struct cupel_error first = { 0 };
	int r = launch_any(v, &first);

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
	r = vessel_hashes_make(v, why); /* of the spec as it was asked for */
	if (r == 0)
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
	struct cupel_error ignored = { 0 };
	struct cupel_error why = { 0 };
	int r = spec_check(&v->spec, &why);

	if (r == 0) {
		if (v->trees == NULL || !trees_are_likely(v->trees))
			begin_early(v);
		trace_id_make(v->spec.trace_id, v->trace_id);
		r = prepare_request(&v->spec, v->prepared, &why);
	}
	if (r == 0)
		r = prepare_plan(&v->spec, v->prepared, &why);
	if (r == 0 && v->trees != NULL)
		v->tree = trees_take(v->trees, &v->prepared->plan);
	if (v->tree != NULL) {
		launch_abandon(v->begun);
		v->begun = NULL;
	}
	if (r == 0)
		r = launch_best(v, &why);
	if (r == 0) {
		/* Only the result has the hashes, so they are made while init
		 * builds.  If that fails, vessel_write() tries once more. */
		(void)vessel_hashes_make(v, &ignored);
		return 0;
	}
	run_free(v->run);
	v->run = NULL;
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
	return vessel_start_in(spec, hooks, NULL, ret, err);
}

int vessel_start_in(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct trees *trees,
		    struct vessel **ret, struct cupel_error *err)
{
	struct vessel *v = NULL;
	int r = vessel_new(spec, hooks, &v, err);

	if (r == 0) {
		v->trees = trees;
		r = begin(v, err);
	}
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

/* Whether the end may be the template's and not the run's: a copy's processes are
 * killed when the template is, and then the template has gone before them.  What
 * was cancelled is not made again. */
static bool is_of_template(const struct vessel *v)
{
	return !run_is_cancelled(v->run) &&
	       (v->verdict.status == CUPEL_INTERNAL_ERROR ||
		!tree_lives(v->tree));
}

/* Why a copy that has ended is no run. */
static void copy_failure(const struct vessel *v, struct cupel_error *ret)
{
	*ret = run_outcome(v->run)->error;
	if (ret->what[0] == '\0')
		(void)cupel_fail_lit(ret, CUPEL_STAGE_SUPERVISE,
				     CUPEL_CAUSE_BUSY, ECHILD,
				     "the template ended, or did not answer "
				     "for 2 s");
}

/* Make the vessel from the beginning.  Nothing of what the copy did is left, and
 * it could reach nothing.  Returns 1, or 0 when the vessel has ended. */
static int begin_again(struct vessel *v)
{
	struct cupel_error why = { 0 }, failed = { 0 };

	copy_failure(v, &failed);
	run_free(v->run);
	v->run = NULL;
	tree_give_up(v, &failed);
	v->verdict = (struct verdict){ 0 };
	if (v->hooks.stdin_fd >= 0)
		(void)lseek(v->hooks.stdin_fd, 0, SEEK_SET);
	if (launch(v, &why) == 0)
		return 1;
	verdict_of_error(&why, (unsigned)v->spec.error_rc, &v->verdict);
	v->has_ended = true;
	return 0;
}

/* The kernel said only that it cannot execute the file, or not that
 * interpreter. */
static void exec_say(struct vessel *v, int error)
{
	const struct prepared *p = v->prepared;
	char why[VERDICT_MESSAGE_BYTES];

	if ((error != ENOEXEC && error != ELIBACC) || p->plan.argc == 0)
		return;
	host_exec_say(&p->host, backend_has(p->plan.backend, WALL_MOUNTNS),
		      p->plan.argv[0], why, sizeof why);
	if (why[0] != '\0')
		verdict_say(&v->verdict, p->plan.argv[0], why);
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
	exec_say(v, o->exec_errno);
	if (v->tree != NULL && is_of_template(v))
		return begin_again(v);
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
	tree_leave(v, v->verdict.status != CUPEL_INTERNAL_ERROR);
	prepared_done(&v->own);
	spec_handle_drop(v->owner);
	old_files_done(&v->old);
	free(v);
}
