/* finish.c -- the end of a run: judge, copy out, write the result. */
#include <errno.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/payload.h"
#include "lib/run_private.h"
#include "result/json.h"
#include "supervise/artifact.h"
#include "supervise/supervise.h"

int run_no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the run or its result");
}

static void read_payload(struct cupel_run *run, const struct outcome *o,
			 struct payload *ret)
{
	const char *roots[] = { "/repo", run->prepared->host.repo.path, NULL };
	const struct payload_limits limits = {
		.bytes = run->spec.result_bytes,
		.roots = roots,
	};

	if (run->report.is_asked)
		report_take(&run->report, roots, ret);
	else if (o->payload.bytes > 0)
		payload_read(o->payload.kept.bytes, o->payload.kept.len,
			     o->payload.bytes, run->prepared->schema, &limits,
			     ret);
}

static int write_result(struct cupel_run *run, const struct result_facts *f,
			struct cupel_error *err)
{
	struct buf out = { 0 };

	result_write(f, &out);
	run->json_len = out.len;
	run->json = buf_take(&out);
	return run->json == NULL ? run_no_memory(err) : 0;
}

static struct result_facts facts_of(const struct cupel_run *run)
{
	return (struct result_facts){
		.spec = &run->spec,
		.plan = run->prepared->has_plan ? &run->prepared->plan : NULL,
		.verdict = &run->verdict,
		.trace_id = run->trace_id,
		.spec_hash = run->spec_hash,
	};
}

int run_finish(struct cupel_run *run, struct cupel_error *err)
{
	const struct outcome *o = run_outcome(run->run);
	struct result_facts f = facts_of(run);
	struct artifact_list artifacts = { 0 };
	struct payload payload = { 0 };
	int r;

	run->has_ended = true;
	read_payload(run, o, &payload);
	verdict_build(&run->prepared->plan, o, (unsigned)run->spec.error_rc,
		      &run->verdict);
	r = artifact_copy_all(&run->prepared->plan, o->tmpfs_fd, &artifacts);
	f.outcome = o;
	f.payload = &payload;
	f.artifacts = &artifacts;
	if (r == 0)
		r = write_result(run, &f, err);
	else
		(void)run_no_memory(err);
	artifact_list_done(&artifacts);
	payload_done(&payload);
	return r;
}

int run_finish_early(struct cupel_run *run, struct cupel_error *err)
{
	struct result_facts f = facts_of(run);

	run->has_ended = true;
	verdict_of_error(&run->error, (unsigned)run->spec.error_rc,
			 &run->verdict);
	return write_result(run, &f, err);
}
