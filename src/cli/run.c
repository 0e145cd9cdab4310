/* run.c -- cupel run: one vessel, its output passed on, its result printed. */
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/file.h"
#include "cli/forward.h"
#include "cli/lack.h"
#include "cli/pretty.h"
#include "cli/request.h"
#include "cli/streams.h"
#include "cli/workspace.h"
#include "cupel.h"
#include "service/cgroup.h"
#include "spec/report.h"
#include "spec/spec.h"

/* The exit status that a shell reports for a program that SIGPIPE ended. */
#define RC_PIPE 141

static const char truncated[] = "\n[TRUNCATED]\n";

/* Whether nobody is left to read any output of the run. */
static bool is_pointless(const struct streams *s, const struct spec *spec)
{
	return s->out.is_broken && s->out.error == 0 && spec->json == NULL;
}

/* Step the run until it has ended.  Returns 0 or -errno. */
static int drive(struct cupel_run *run, const struct spec *spec,
		 struct streams *s, struct cupel_error *err)
{
	bool is_cancelled = false;
	int r;

	forward_signals(run);
	while ((r = cupel_run_step(run, err)) > 0) {
		if (!is_cancelled && is_pointless(s, spec)) {
			cupel_run_cancel(run, 0);
			is_cancelled = true;
		}
		streams_wait(s, cupel_run_fd(run));
	}
	/* A reader may be slow to take the rest.  A signal may end that
	 * wait. */
	forward_no_more(pass_has_bytes(&s->out) || pass_has_bytes(&s->errs));
	return r;
}

static int put_result(const struct spec *spec, const char *json, size_t n)
{
	owned_buf struct buf line = { 0 };
	struct cupel_error err = { 0 };

	if (spec->json == NULL || json == NULL)
		return CLI_OK;
	if (spec->json[0] == '\0')
		return pretty_print(json, n);
	buf_add(&line, json, n);
	buf_char(&line, '\n');
	if (buf_has_failed(&line) ||
	    file_write(spec->json, 0666, line.bytes, line.len, &err) < 0) {
		cli_complain("--json: %s",
			     buf_has_failed(&line) ? "no memory" : err.what);
		return CLI_FAILED;
	}
	return CLI_OK;
}

/* If output was cut, say so at the end of the stream. */
static void end_streams(struct streams *s, struct explained *e)
{
	if (s->out.fd >= 0 && explained_is_cut(e, "stdout"))
		pass_add(&s->out, truncated, sizeof truncated - 1);
	if (s->errs.fd >= 0 && explained_is_cut(e, "stderr"))
		pass_add(&s->errs, truncated, sizeof truncated - 1);
	pass_flush(&s->out);
	pass_flush(&s->errs);
}

static bool has_report(const struct spec *spec)
{
	struct report_source from;

	return report_source_read(spec->report, &from) &&
	       from.format != REPORT_NONE;
}

/* Advise whoever started in a package's folder, when the command lacked
 * something that may lie above it.  Returns whether something was said. */
static bool say_workspace(const struct spec *spec, const struct explained *e)
{
	struct workspace w;

	if ((explained_has_started(e) &&
	     !lack_says(explained_text(e, "stderr"), "workspace") &&
	     !lack_says(explained_text(e, "stdout"), "workspace")) ||
	    !workspace_find(spec->repo, &w))
		return false;
	cli_complain(
		"only the repository is shown, but it belongs to a workspace "
		"above it (%s/%s): try --repo %s --chdir /repo/%s",
		w.top, w.mark, w.top, w.below);
	return true;
}

/* One line of advice on what a failed command seems to have lacked. */
static void say_lack(const struct spec *spec, enum cupel_status status,
		     const struct explained *e)
{
	static const char *const streams[] = { "stderr", "stdout" };
	const char *advice = NULL;

	if (status != CUPEL_FAILED || spec->repo_mode == REPO_NONE)
		return;
	for (int i = 0; i < 2 && advice == NULL; i++)
		advice = lack_find_path(explained_text(e, streams[i]), spec);
	for (int i = 0; i < 2 && advice == NULL; i++)
		advice = lack_find_owner(explained_text(e, streams[i]), spec);
	if (advice == NULL && say_workspace(spec, e))
		return;
	for (int i = 0; i < 2 && advice == NULL; i++)
		advice = lack_find(explained_text(e, streams[i]), spec->repo);
	if (advice != NULL)
		cli_complain("%s", advice);
}

static void say_why(const struct spec *spec, enum cupel_status status,
		    const struct explained *e)
{
	bool is_told = spec->json == NULL || spec->json[0] != '\0';

	bool has_phases = spec->phases_len > 0;

	if (is_told && !spec->quiet && has_phases)
		explain_phases(e);
	if (is_told && !spec->quiet && status != CUPEL_OK && !has_phases &&
	    (status != CUPEL_FAILED || !explained_has_started(e) ||
	     explained_has_met(e)))
		explain_status(e);
	if (is_told && !spec->quiet && status != CUPEL_INTERNAL_ERROR) {
		explain_partial(e);
		explain_artifacts(e);
		explain_cache(e);
		say_lack(spec, status, e);
		explain_egress(e);
		if (has_report(spec))
			explain_report(e);
	}
	if (spec->verbose)
		explain_run(e);
}

static int judge(const struct spec *spec, enum cupel_status status, int rc,
		 const struct streams *s, int put)
{
	const char *name;
	int lost = streams_lost(s, &name);
	int ours = spec->error_rc != 0 ? (int)spec->error_rc : CLI_FAILED;

	if (is_pointless(s, spec))
		return RC_PIPE;
	if (lost < 0)
		cli_complain("%s: %s", name, strerror(-lost));
	if (status == CUPEL_INTERNAL_ERROR)
		return ours;
	return rc == 0 && (lost < 0 || put != CLI_OK) ? ours : rc;
}

/* After the end of the run: the result, the streams, the words and the exit
 * status. */
static int finish(const struct spec *spec, struct cupel_run *run,
		  struct streams *s)
{
	struct explained e = { 0 };
	enum cupel_status status = cupel_run_status(run);
	bool needs_words =
		spec->verbose || spec->json == NULL || spec->json[0] != '\0';
	size_t n = 0;
	const char *json = cupel_run_result(run, &n);
	int put;

	if (needs_words || s->out.fd >= 0 || s->errs.fd >= 0)
		explained_read(&e, json, n);
	if (spec->json != NULL && spec->json[0] != '\0') {
		put = put_result(spec, json, n);
		end_streams(s, &e);
	} else {
		end_streams(s, &e);
		put = put_result(spec, json, n);
	}
	if (!is_pointless(s, spec))
		say_why(spec, status, &e);
	explained_done(&e);
	return judge(spec, status, cupel_run_rc(run), s, put);
}

/* Check early what would otherwise fail only after the run. */
static int check_json(const struct spec *spec, struct cupel_error *err)
{
	struct cupel_error why = { 0 };

	if (spec->json == NULL || spec->json[0] == '\0' ||
	    file_can_write(spec->json, &why) == 0)
		return 0;
	return cupel_fail(err, why.stage, why.cause, why.sys, "--json: %s",
			  why.what);
}

/* Returns the exit status; CLI_USAGE when nothing was started. */
static int run_spec(const struct request *req, struct cupel_error *err)
{
	const struct spec *spec = req->fields;
	struct cupel_hooks hooks = { .size = sizeof hooks,
				     .stdin_fd = -1,
				     .is_alone = 1 };
	struct cupel_run *run = NULL;
	struct streams s;
	int r = streams_open(spec, &s, err);

	if (r == 0)
		r = check_json(spec, err);
	if (s.out.fd >= 0 || s.errs.fd >= 0)
		hooks.output = streams_take;
	hooks.data = &s;
	hooks.stdin_fd = s.stdin_fd;
	/* Ask systemd for a cgroup only for a share of the processors.
	 * Everything else that a cgroup can limit is held by other means, and a
	 * run should start quickly. */
	if (r == 0 && spec->cpu_milli != SPEC_UNLIMITED)
		service_cgroup_enter();
	if (r == 0)
		r = cupel_run_start(req->spec, &hooks, &run, err);
	if (r == 0)
		r = streams_put(spec, &s, err);
	if (r < 0) {
		r = cli_fail(err);
	} else {
		/* a failure of ours is in the result, too */
		(void)drive(run, spec, &s, err);
		r = finish(spec, run, &s);
	}
	cupel_run_free(run);
	streams_done(&s);
	return r;
}

int run_command(int argc, char *argv[])
{
	struct cupel_error err = { 0 };
	struct request req = { 0 };
	int status = CLI_OK;

	if (request_read(argc, argv, &req, &status)) {
		status = run_spec(&req, &err);
		if (err.cause == CUPEL_CAUSE_CALLER)
			status = request_usage_rc(&req, argc, argv);
	}
	request_done(&req);
	return status;
}
