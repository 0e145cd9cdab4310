/* gather.c -- see gather.h. */
#include "jobs/gather/gather.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "boundary/sanitize.h"
#include "jobs/common/beneath.h"
#include "jobs/gather/audit.h"
#include "jobs/gather/merge.h"
#include "jobs/gather/output.h"
#include "jobs/gather/report.h"
#include "jobs/gather/sbom.h"
#include "jobs/gather/yaml_write.h"
#include "service/parse_program.h"

/* 64 outputs of 2 MiB, and YAML's indentation. */
#define TEXT_BYTES ((size_t)512 << 20)
#define NAME_BYTES 64

static int64_t now_ms(clockid_t clock)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static enum gather_exit exit_of(const struct cupel_error *err)
{
	switch (err->cause) {
	case CUPEL_CAUSE_CALLER:
		return GATHER_USAGE;
	case CUPEL_CAUSE_HOST:
		return GATHER_HOST;
	default:
		return GATHER_INTERNAL;
	}
}

/* --- collecting ------------------------------------------------------------ */

static int repo_open(const struct gather_request *req, struct gather *g,
		     struct cupel_error *err)
{
	owned_mem char *path = NULL;

	g->root_fd = beneath_open_root(req->repo);
	if (g->root_fd < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  -g->root_fd,
				  "%.300s: cannot be opened as a directory: %s",
				  req->repo, strerror(-g->root_fd));
	path = realpath(req->repo, NULL);
	if (path != NULL && strlen(path) < sizeof g->repo)
		(void)snprintf(g->repo, sizeof g->repo, "%s", path);
	g->run.repo = req->repo;
	return 0;
}

/* The output of an earlier gather is no input.  If there is a link in its
 * place, the gather ends at once. */
static int walk_repo(const struct gather_request *req, struct gather *g,
		     struct cupel_error *err)
{
	struct walk_request w = { .root_fd = g->root_fd,
				  .with_node_modules = req->with_node_modules,
				  .with_own_output = req->with_own_output };
	struct cupel_error why = { 0 };
	owned_fd int out =
		req->with_own_output
			? -ENOENT
			: output_open(g->root_fd, req->out, false, &why);
	struct stat st;
	int e;

	if (out < 0 && out != -ENOENT) {
		*err = why;
		return out;
	}
	e = req->has_output ? output_can_write(g->root_fd, req->out, err) : 0;
	if (e == 0 && req->sbom != NULL)
		e = outfile_can_open(req->sbom, err);
	if (e < 0)
		return e;
	g->has_output = out >= 0;
	if (out >= 0 && fstat(out, &st) == 0) {
		w.out_dev = st.st_dev;
		w.out_ino = st.st_ino;
	}
	return walk_run(&w, &g->walk, err);
}

static int inputs_take(const struct gather_request *req, struct gather *g,
		       struct cupel_error *err)
{
	struct inputs_sum sum;
	int e;

	g->reading.root_fd = g->root_fd;
	g->reading.walk = &g->walk;
	g->reading.probes = g->selection.probes;
	g->reading.probes_len = g->selection.len;
	g->reading.with_node_modules = req->with_node_modules;
	g->reading.hash_only = g->has_output && !req->no_cache;
	g->reading.stop_fd = req->stop_fd;
	e = inputs_read(&g->reading, g->inputs, &sum, err);
	if (e < 0)
		return e;
	memcpy(g->run.digest, sum.digest, sizeof g->run.digest);
	g->run.files = sum.files;
	g->run.bytes = sum.bytes;
	g->run.has_modules = g->walk.has_modules;
	return 0;
}

static int probes_run(const struct gather_request *req, struct gather *g,
		      struct cupel_error *err)
{
	const char *roots[] = { g->repo, "/repo", NULL };
	struct cache cache = { .dir_fd = -1 };
	struct bench b = {
		.selection = &g->selection,
		.inputs = g->inputs,
		.reading = &g->reading,
		.results = g->results,
		.answers = g->answers,
		.schemas = &g->schemas,
		.arena = &g->arena,
		.roots = g->repo[0] != '\0' && g->repo[1] != '\0' ? roots
								  : roots + 1,
		.cache = req->no_cache ? NULL : &cache,
		.hooks = &req->hooks,
		.program = req->program ? req->program : parse_program_bytes,
		.program_len =
			req->program ? req->program_len : parse_program_len(),
		.program_fd = -1,
		.with_node_modules = req->with_node_modules,
	};
	int e;

	if (!req->no_cache)
		cache_open(&cache);
	e = schedule_run(&b, req->jobs, req->stop_fd, err);
	cleanup_fd(&b.program_fd);
	if (!req->no_cache && cache_close(&cache) && req->hooks.event != NULL)
		req->hooks.event(req->hooks.data,
				 EVENT_CACHE_AGGREGATE_CAP_EXCEEDED, NULL,
				 NULL);
	g->exit = b.has_no_host    ? GATHER_HOST
		  : b.has_internal ? GATHER_INTERNAL
				   : GATHER_DONE;
	(void)snprintf(g->why, sizeof g->why, "%s", b.why);
	return e;
}

int gather_collect(const struct gather_request *req, struct gather *ret,
		   struct cupel_error *err)
{
	const struct select_request select = { .others = req->others,
					       .others_len = req->others_len,
					       .only = req->only,
					       .only_len = req->only_len };
	int64_t started = now_ms(CLOCK_MONOTONIC);
	int e;

	*ret = (struct gather){ .root_fd = -1 };
	for (size_t i = 0; i < PROBES_MAX; i++)
		ret->inputs[i].bytes_fd = -1;
	ret->run.started_ms = now_ms(CLOCK_REALTIME);
	e = select_run(&select, &ret->selection, err);
	if (e == 0)
		e = repo_open(req, ret, err);
	if (e == 0)
		e = walk_repo(req, ret, err);
	if (e == 0)
		e = inputs_take(req, ret, err);
	if (e == 0)
		e = probes_run(req, ret, err);
	ret->run.probes = ret->results;
	ret->run.probes_len = e == 0 ? ret->selection.len : 0;
	ret->run.wall_ms = (uint64_t)(now_ms(CLOCK_MONOTONIC) - started);
	if (e < 0)
		ret->exit = exit_of(err);
	return e;
}

/* --- publishing ------------------------------------------------------------ */

static int context_text(const struct gather_request *req, struct gather *g,
			struct buf *out, struct cupel_error *err)
{
	struct json_value context;
	const char *why = NULL;
	bool is_valid = false;
	int e = merge_build(&g->run, &g->arena, &context, err);

	if (e == 0)
		e = merge_check(&context, &g->schemas, &g->arena, &is_valid,
				&why, err);
	if (e < 0)
		return e;
	if (req->is_json) {
		json_write(&context, out);
		buf_char(out, '\n');
	} else {
		yaml_write(&context, out);
	}
	if (buf_has_failed(out))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the context");
	g->run.is_invalid = !is_valid;
	g->run.context_name =
		req->is_json ? "repo-context.json" : "repo-context.yaml";
	blake3_hex_text(out->bytes, out->len, g->run.context_hash);
	if (!is_valid) {
		g->exit = GATHER_SCHEMA;
		(void)snprintf(g->why, sizeof g->why,
			       "the context does not match its schema: %.300s",
			       why ? why : "");
	}
	return 0;
}

/* The record is written first, so whatever is published has been recorded. */
static int all_write(struct gather *g, int out_fd, const struct buf *context,
		     struct cupel_error *err)
{
	owned_buf struct buf report = { .cap_bytes = TEXT_BYTES };
	struct audit_note note;
	char name[NAME_BYTES];
	owned_fd int runs = output_runs(out_fd, err);
	int e;

	if (runs < 0)
		return runs;
	e = audit_append(runs, &g->run, &note, err);
	if (e < 0)
		return e;
	if (note.broken[0] != '\0' && g->why[0] == '\0')
		(void)snprintf(
			g->why, sizeof g->why,
			"the run records could not be continued at %s, so a "
			"new chain begins; 'cupel audit verify' says more",
			note.broken);
	(void)snprintf(name, sizeof name, "%s.invalid", g->run.context_name);
	if (g->run.is_invalid)
		return output_put(out_fd, name, context->bytes, context->len,
				  err);
	gather_report_write(&g->run, &report);
	if (buf_has_failed(&report))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the report");
	e = output_put(out_fd, "CONTEXT_REPORT.md", report.bytes, report.len,
		       err);
	if (e == 0)
		e = output_put(out_fd, g->run.context_name, context->bytes,
			       context->len, err);
	if (e == 0)
		output_drop(out_fd, name);
	return e;
}

/* The caller's own file comes last, after its content has been recorded and
 * published. */
static int sbom_put(const char *path, const struct gather_run *run,
		    struct cupel_error *err)
{
	owned_buf struct buf text = { .cap_bytes = TEXT_BYTES };
	struct outfile o = OUTFILE_NONE;
	int e = sbom_write(run, &text, err);

	if (e < 0)
		return e;
	e = outfile_open(path, 0666, &o, err);
	if (e < 0)
		return e;
	e = outfile_write(o.fd, text.bytes, text.len);
	if (e == 0)
		e = outfile_put(&o);
	outfile_done(&o);
	return e == 0 ? 0
		      : cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
				   "--sbom %.300s: %s", path, strerror(-e));
}

int gather_publish(const struct gather_request *req, struct gather *g,
		   struct cupel_error *err)
{
	owned_buf struct buf context = { .cap_bytes = TEXT_BYTES };
	owned_fd int out = -1;
	int e = context_text(req, g, &context, err);

	if (e == 0) {
		out = output_open(g->root_fd, req->out, true, err);
		e = out < 0 ? out : output_lock(out, req->stop_fd, err);
	}
	if (e == 0)
		e = all_write(g, out, &context, err);
	if (e == 0 && req->sbom != NULL && !g->run.is_invalid)
		e = sbom_put(req->sbom, &g->run, err);
	if (e < 0)
		g->exit = exit_of(err);
	return e;
}

void gather_done(struct gather *g)
{
	for (size_t i = 0; i < PROBES_MAX; i++) {
		inputs_done(&g->inputs[i]);
		answer_done(&g->answers[i]);
	}
	answer_schemas_done(&g->schemas);
	walk_done(&g->walk);
	cleanup_fd(&g->root_fd);
	arena_done(&g->arena);
}
