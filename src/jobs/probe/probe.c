/* probe.c -- see probe.h. */
#include "jobs/probe/probe.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/beneath.h"
#include "jobs/probe/program.h"
#include "jobs/probe/report.h"
#include "jobs/sealed.h"

/* The parser writes its facts to descriptor 3: 1 MiB of slice, and the notes
 * around it. */
static const struct vessel_option parser_options[] = {
	{ "result-bytes", "2M" },
	{ NULL, NULL },
};

static int parser_start(const struct probe_request *req,
			const struct probe_inputs *in, struct cupel_run **ret,
			struct cupel_error *err)
{
	const char *argv[] = { "cupel-parse", req->name, NULL };
	owned_fd int program = -1;
	struct vessel_request v = {
		.profile = "parser",
		.options = parser_options,
		.argv = argv,
		.stdin_fd = in->list_fd,
		.inputs = &in->bytes_fd,
		.inputs_len = 1,
	};

	program = req->program
			  ? sealed_of(req->program, req->program_len, true, err)
			  : sealed_of(parse_program_bytes, parse_program_len(),
				      true, err);
	if (program < 0)
		return take_fd(&program);
	v.exec_fd = program;
	return vessel_start(&v, ret, err);
}

/* What the vessel's end means for the probe; NULL = look at the payload. */
static const char *failure_of(const struct vessel_result *r,
			      enum probe_exit *ret_exit)
{
	*ret_exit = PROBE_DONE;
	if (r->status == CUPEL_OK)
		return NULL;
	if (r->status == CUPEL_INTERNAL_ERROR) {
		*ret_exit = r->cause == CUPEL_CAUSE_HOST ? PROBE_HOST
							 : PROBE_INTERNAL;
		return "sandbox_failed";
	}
	switch (r->status) {
	case CUPEL_TIMEOUT:
		return "wall_time";
	case CUPEL_CPU_LIMIT:
		return "cpu_time";
	case CUPEL_MEM_LIMIT:
		return "memory";
	case CUPEL_OUTPUT_LIMIT:
		return "output";
	case CUPEL_FORBIDDEN_SYSCALL:
		return "forbidden_syscall";
	default:
		return "parser_failed";
	}
}

static int answer_check(struct vessel_result *run, struct probe_outcome *o,
			enum probe_exit *ret_exit, struct cupel_error *err)
{
	struct schema_set *set = NULL;
	int e;

	o->failure = failure_of(run, ret_exit);
	o->why = run->message ? run->message : cupel_status_name(run->status);
	if (o->failure != NULL)
		return 0;
	e = vessel_schema(o->probe->schema, &set, err);
	if (e < 0)
		return e;
	if (vessel_check(run, set, &o->why)) {
		o->answer = run->payload;
		o->markers = run->checked.injection_markers;
	} else {
		o->failure = "schema_failed";
		*ret_exit = PROBE_SCHEMA;
	}
	schema_set_free(set);
	return 0;
}

static int parser_run(const struct probe_request *req,
		      const struct probe *probe, const struct probe_inputs *in,
		      struct probe_report *ret, struct cupel_error *err)
{
	struct vessel_result result = { 0 };
	struct probe_outcome o = { .probe = probe,
				   .inputs = in,
				   .run = &result };
	struct cupel_run *run = NULL;
	int e = parser_start(req, in, &run, err);

	if (e == 0)
		e = cupel_run_wait(run, err);
	if (e == 0)
		e = vessel_read(run, &result, err);
	if (e == 0)
		e = answer_check(&result, &o, &ret->exit, err);
	if (e == 0) {
		output_write(&o, &ret->output);
		record_write(&o, &ret->record);
	}
	vessel_done(&result);
	cupel_run_free(run);
	return e;
}

int probe_run(const struct probe_request *req, struct probe_report *ret,
	      struct cupel_error *err)
{
	const struct probe *probe = probe_find(req->name);
	struct probe_inputs in = { .list_fd = -1, .bytes_fd = -1 };
	owned_fd int root = -1;
	int e;

	ret->exit = PROBE_USAGE;
	if (probe == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, 0,
				  "probe %s: there is none of that name; "
				  "node_manifest is one",
				  req->name);
	root = beneath_open_root(req->repo);
	if (root < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  -root,
				  "%s: not a directory that can be "
				  "opened: %s",
				  req->repo, strerror(-root));
	ret->exit = PROBE_INTERNAL;
	e = inputs_read(root, probe->rules, &in, err);
	if (e == 0)
		e = parser_run(req, probe, &in, ret, err);
	inputs_done(&in);
	return e;
}

void probe_report_done(struct probe_report *r)
{
	buf_done(&r->output);
	buf_done(&r->record);
}
