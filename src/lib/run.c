/* run.c -- cupel_run_*: from a request to its last step. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "launch/launch.h"
#include "lib/fields.h"
#include "lib/run_private.h"
#include "lib/template.h"
#include "supervise/supervise.h"
#include "supervise/template.h"

struct lib_copy {
	struct lib_template *from;
	struct child child;
};

/* --- the start ------------------------------------------------------------- */

/* Callers built against an older header have a shorter struct. */
static int copy_hooks(struct cupel_run *run, const struct cupel_hooks *hooks,
		      struct cupel_error *err)
{
	run->hooks = (struct cupel_hooks){ .size = sizeof run->hooks,
					   .stdin_fd = -1,
					   .exec_fd = -1 };
	if (hooks == NULL)
		return 0;
	if (hooks->size < offsetof(struct cupel_hooks, output) ||
	    hooks->size > sizeof run->hooks)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			"struct cupel_hooks: size %zu is outside "
			"%zu..%zu",
			hooks->size, offsetof(struct cupel_hooks, output),
			sizeof run->hooks);
	memcpy(&run->hooks, hooks, hooks->size);
	return 0;
}

static void pass_output(void *data, enum run_stream s, const char *bytes,
			size_t n)
{
	const struct cupel_run *run = data;

	run->hooks.output(run->hooks.data,
			  s == RUN_STDOUT ? CUPEL_STDOUT : CUPEL_STDERR, bytes,
			  n);
}

static struct run_hooks run_hooks_of(struct cupel_run *run)
{
	return (struct run_hooks){
		.data = run,
		.output = run->hooks.output != NULL ? pass_output : NULL,
		.stdin_fd = run->hooks.stdin_fd,
		.inputs = run->hooks.inputs,
		.inputs_len = run->hooks.inputs_len,
		.exec_fd = run->hooks.exec_fd,
		.is_alone = run->hooks.is_alone != 0,
		.begun = run->begun,
	};
}

static int launch(struct cupel_run *run, struct cupel_error *err)
{
	const struct run_hooks hooks = run_hooks_of(run);

	run->begun = NULL;
	return run_start(&run->prepared->plan, &hooks, &run->run, err);
}

/* Whether less than namespaces was allowed and is what is left: the host
 * refused to make or to furnish them. */
static bool may_fall_back(const struct cupel_run *run,
			  const struct cupel_error *why)
{
	return run->spec.backend == BACKEND_AUTO && run->spec.allow_partial &&
	       why->cause == CUPEL_CAUSE_HOST &&
	       (why->stage == CUPEL_STAGE_NAMESPACE ||
		why->stage == CUPEL_STAGE_IDMAP ||
		why->stage == CUPEL_STAGE_MOUNT);
}

/* Launch, and where less is allowed, see the start through: what init finds
 * refused is known only then. */
static int launch_best(struct cupel_run *run, struct cupel_error *why)
{
	struct cupel_error first = { 0 };
	int r = launch(run, &first);

	if (r == 0 && run->spec.backend == BACKEND_AUTO &&
	    run->spec.allow_partial) {
		run_await_start(run->run);
		first = run_outcome(run->run)->error;
	}
	if (!may_fall_back(run, &first)) {
		if (r < 0)
			*why = first;
		return r;
	}
	run_free(run->run);
	run->run = NULL;
	r = prepare_lesser(&run->spec, run->prepared, &first, why);
	return r == 0 ? launch(run, why) : r;
}

/* Namespaces take the kernel as long as planning takes us: let it begin.  What
 * is refused here is refused again, and then told. */
static void begin_early(struct cupel_run *run)
{
	struct plan_cgroup cgroup;
	const struct launch_extra extra = {
		.inputs = run->hooks.inputs,
		.inputs_len = run->hooks.inputs_len,
		.exec_fd = run->hooks.exec_fd,
		.is_alone = run->hooks.is_alone != 0,
		.backend = run->spec.backend,
		.cgroup = &cgroup,
	};
	struct cupel_error ignored = { 0 };

	if (prepare_early(&run->spec, run->prepared, &cgroup))
		(void)launch_begin(&extra, &run->begun, &ignored);
}

/* Returns 0 also when the host cannot: then the run has ended. */
static int begin(struct cupel_run *run, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	int r = spec_hash(&run->spec, run->spec_hash, err);

	if (r < 0)
		return r;
	trace_id_make(run->spec.trace_id, run->trace_id);
	r = prepare_request(&run->spec, run->prepared, &why);
	if (r == 0) {
		begin_early(run);
		r = prepare_plan(&run->spec, run->prepared, &why);
	}
	if (r == 0)
		r = launch_best(run, &why);
	if (r == 0)
		return 0;
	launch_abandon(run->begun);
	run->begun = NULL;
	if (why.cause == CUPEL_CAUSE_CALLER) {
		*err = why;
		return r;
	}
	run->error = why;
	return run_finish_early(run, err);
}

static struct cupel_run *run_new(const struct cupel_spec *spec)
{
	struct cupel_run *run = calloc(1, sizeof *run);

	if (run == NULL)
		return NULL;
	run->owner = lib_spec_take(spec);
	run->spec = spec->fields;
	run->prepared = &run->own;
	return run;
}

int lib_copy_make(struct lib_template *t, const int *inputs, size_t inputs_len,
		  struct lib_copy **ret, struct cupel_error *err)
{
	struct lib_copy *copy = calloc(1, sizeof *copy);
	int r;

	if (copy == NULL)
		return run_no_memory(err);
	*copy = (struct lib_copy){ .from = t, .child = CHILD_NONE };
	r = template_vessel_make(t->template, inputs, inputs_len, &copy->child,
				 err);
	if (r < 0)
		free(copy);
	else
		*ret = copy;
	return r;
}

void lib_copy_free(struct lib_copy *copy)
{
	if (copy == NULL)
		return;
	launch_close(&copy->child);
	free(copy);
}

int lib_copy_run(struct lib_copy *copy, const struct cupel_hooks *hooks,
		 struct cupel_run **ret, struct cupel_error *err)
{
	struct lib_template *t = copy->from;
	struct cupel_run *run = run_new(t->spec);
	int r = run == NULL ? run_no_memory(err) : copy_hooks(run, hooks, err);

	if (r == 0) {
		const struct run_hooks inside = run_hooks_of(run);

		run->prepared = &t->prepared;
		memcpy(run->spec_hash, t->spec_hash, sizeof run->spec_hash);
		trace_id_make(run->spec.trace_id, run->trace_id);
		r = template_vessel_run(t->template, &copy->child, &inside,
					&run->run, err);
	}
	lib_copy_free(copy);
	if (r < 0)
		cupel_run_free(run);
	else
		*ret = run;
	return r;
}

int cupel_run_start(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct cupel_run **ret,
		    struct cupel_error *err)
{
	struct cupel_run *run = run_new(spec);
	int r;

	if (run == NULL)
		return run_no_memory(err);
	r = copy_hooks(run, hooks, err);
	if (r == 0)
		r = begin(run, err);
	if (r < 0)
		cupel_run_free(run);
	else
		*ret = run;
	return r;
}

/* --- between --------------------------------------------------------------- */

int cupel_run_fd(const struct cupel_run *run)
{
	return run->has_ended ? -1 : run_fd(run->run);
}

/* The vessel is gone: is its report read now? */
static bool begins_report(struct cupel_run *run)
{
	struct cupel_run *parser;

	if (!report_begin(&run->prepared->plan, run_outcome(run->run),
			  &run->report))
		return false;
	parser = atomic_load(&run->report.parser);
	/* one descriptor to wait for, from start to end */
	if (parser->run != NULL)
		(void)run_follow(run->run, parser->run);
	return true;
}

/* One step, or all of them.  Returns 1, 0 or -errno as cupel_run_step. */
static int advance(struct cupel_run *run, bool waits, struct cupel_error *err)
{
	struct cupel_run *parser = atomic_load(&run->report.parser);
	struct cupel_error ignored = { 0 };
	int state = RUN_ENDED, r;

	if (run->has_ended)
		return 0;
	if (parser == NULL) {
		state = waits ? run_wait(run->run) : run_step(run->run);
		if (state == RUN_GOES_ON)
			return 1;
		if (state == RUN_ENDED && begins_report(run))
			parser = atomic_load(&run->report.parser);
	}
	/* what becomes of the parser is the payload's status */
	if (parser != NULL && waits)
		(void)cupel_run_wait(parser, &ignored);
	else if (parser != NULL && cupel_run_step(parser, &ignored) > 0)
		return 1;
	r = run_finish(run, err);
	if (state < 0) {
		*err = run_outcome(run->run)->error;
		return state;
	}
	return r;
}

int cupel_run_step(struct cupel_run *run, struct cupel_error *err)
{
	return advance(run, false, err);
}

int cupel_run_wait(struct cupel_run *run, struct cupel_error *err)
{
	return advance(run, true, err);
}

int cupel_run_terminal(const struct cupel_run *run)
{
	return run->run != NULL ? run_terminal(run->run) : -1;
}

void cupel_run_cancel(struct cupel_run *run, int signal)
{
	if (run->run != NULL)
		run_cancel(run->run, signal);
	report_cancel(&run->report);
}

const struct outcome *cupel_run_outcome(const struct cupel_run *run)
{
	return run->run != NULL ? run_outcome(run->run) : NULL;
}

/* --- afterwards ------------------------------------------------------------ */

const char *cupel_run_result(struct cupel_run *run, size_t *ret_len)
{
	if (run->json != NULL && ret_len != NULL)
		*ret_len = run->json_len;
	return run->json;
}

enum cupel_status cupel_run_status(const struct cupel_run *run)
{
	return run->has_ended ? run->verdict.status : CUPEL_INTERNAL_ERROR;
}

int cupel_run_rc(const struct cupel_run *run)
{
	return run->has_ended ? run->verdict.rc : 1;
}

void cupel_run_free(struct cupel_run *run)
{
	if (run == NULL)
		return;
	launch_abandon(run->begun);
	report_done(&run->report);
	run_free(run->run);
	prepared_done(&run->own);
	lib_spec_drop(run->owner);
	free(run->json);
	free(run);
}
