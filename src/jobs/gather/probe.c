/* probe.c -- see probe.h. */
#include "jobs/gather/probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/gather/gather.h"
#include "jobs/probe/report.h"

static const struct gather_probe *find(const struct gather *g, const char *name)
{
	for (size_t i = 0; i < g->run.probes_len; i++)
		if (strcmp(g->run.probes[i].probe->name, name) == 0)
			return &g->run.probes[i];
	return NULL;
}

static void report_fill(const struct gather *g, const char *name,
			struct probe_report *ret)
{
	const struct gather_probe *p = find(g, name);
	struct jsonw w = { .out = &ret->record };

	ret->exit = (enum probe_exit)g->exit;
	if (p == NULL)
		return;
	json_write(p->tree, &ret->output);
	record_write(p, &w);
	if (p->failure != NULL && strcmp(p->failure, "schema_failed") == 0)
		ret->exit = PROBE_SCHEMA;
}

int probe_run(const struct probe_request *req, struct probe_report *ret,
	      struct cupel_error *err)
{
	const char *const only[] = { req->name };
	const struct gather_request gather = {
		.repo = req->repo,
		.jobs = 1,
		.only = only,
		.only_len = 1,
		.no_cache = true,
		.others = req->others,
		.others_len = req->others_len,
		.stop_fd = -1,
		.program = req->program,
		.program_len = req->program_len,
	};
	struct gather *g = calloc(1, sizeof *g);
	int e;

	ret->exit = PROBE_INTERNAL;
	if (g == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a probe");
	e = gather_collect(&gather, g, err);
	if (e == 0)
		report_fill(g, req->name, ret);
	else
		ret->exit = (enum probe_exit)g->exit;
	gather_done(g);
	free(g);
	return e;
}

void probe_report_done(struct probe_report *r)
{
	buf_done(&r->output);
	buf_done(&r->record);
}
