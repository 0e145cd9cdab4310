/* attempt_vulns.c -- see attempt_vulns.h. */
#include "jobs/gate/attempt_vulns.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/common/gap.h"
#include "jobs/gate/attempt_read.h"
#include "jobs/gate/attempt_spec.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/vuln/osv.h"
#include "jobs/gate/vuln/scan.h"

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the known vulnerabilities");
}

static const struct json_value *way_find(const struct json_value *v,
					 const char *const *way)
{
	for (; v != NULL && *way != NULL; way++)
		v = json_find(v, *way);
	return v;
}

static size_t list_len(const struct json_value *v)
{
	return v != NULL && v->type == JSON_ARRAY ? v->u.array.len : 0;
}

/* --- from what was gathered --------------------------------------------------------- */

static bool text_is_same(const struct json_value *a, const struct json_value *b,
			 const char *name)
{
	const struct json_value *x = json_find(a, name),
				*y = json_find(b, name);

	return x == NULL || y == NULL ? x == y : json_equal(x, y);
}

static bool has_note(const struct json_value *list,
		     const struct json_value *note)
{
	for (size_t i = 0; i < list_len(list); i++)
		if (text_is_same(&list->u.array.items[i], note, "code") &&
		    text_is_same(&list->u.array.items[i], note, "source"))
			return true;
	return false;
}

/* Whether something that could be read before cannot be read now.  What it pins
 * is unknown, so it would seem to have no vulnerabilities. */
static bool has_new_gap(const struct json_value *now,
			const struct json_value *base)
{
	static const char *const ways[][4] = {
		{ "probes", "dependencies", "errors", NULL },
		{ "probes", "dependencies", "warnings", NULL },
	};

	for (size_t w = 0; w < 2; w++) {
		const struct json_value *list = way_find(now, ways[w]);
		const struct json_value *old = way_find(base, ways[w]);

		for (size_t i = 0; i < list_len(list); i++) {
			const struct json_value *note = &list->u.array.items[i];
			const char *code = vuln_text_find(note, "code");

			if (w == 1 &&
			    (code == NULL || gap_of_warning(code) == GAP_NONE))
				continue;
			if (!has_note(old, note))
				return true;
		}
	}
	return false;
}

static bool has_packages(const struct json_value *context, const char *type)
{
	static const char *const way[] = { "probes", "dependencies", "slice",
					   "packages", NULL };
	const struct json_value *list = way_find(context, way);

	for (size_t i = 0; i < list_len(list); i++) {
		const struct json_value *one = &list->u.array.items[i];
		const char *role = vuln_text_find(one, "role");
		const char *ecosystem = vuln_text_find(one, "ecosystem");

		if (ecosystem != NULL && strcmp(ecosystem, type) == 0 &&
		    (role == NULL || strcmp(role, "own") == 0) &&
		    vuln_text_find(one, "version") != NULL)
			return true;
	}
	return false;
}

static const char *facts_judge(const struct json_value *now,
			       const struct json_value *base)
{
	static const char *const types[] = { "npm", "pypi" };

	if (base == NULL)
		return NULL;
	if (has_new_gap(now, base))
		return "facts_incomplete";
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (has_packages(base, types[i]) &&
		    !has_packages(now, types[i]))
			return "packages_gone";
	return NULL;
}

static void osv_take(const struct gate_attempt_request *req,
		     const struct json_value *context, struct vulns *v)
{
	const struct json_value *base =
		req->baseline != NULL
			? json_find(&req->baseline->value, "context")
			: NULL;

	if (req->osv == NULL) {
		v->problem = "no_database";
		return;
	}
	osv_match(req->osv, context, v);
	if (v->problem == NULL)
		v->problem = facts_judge(context, base);
}

/* --- from a report ------------------------------------------------------------------- */

static const struct gate_file *file_find(const struct gate_attempt *a,
					 const char *path)
{
	for (size_t i = 0; path != NULL && i < a->files_len; i++)
		if (strcmp(a->files[i]->path, path) == 0)
			return a->files[i];
	return NULL;
}

static const struct gate_file *report_find(const struct gate *g,
					   const struct gate_ask *ask,
					   const struct gate_attempt *a)
{
	const char *phase = vuln_text_find(ask->params, "phase");
	const char *artifact = vuln_text_find(ask->params, "artifact");
	const char *paths[PHASE_ARTIFACTS_MAX];
	struct arena scratch = { 0 };
	const struct gate_file *file = NULL;

	for (size_t i = 0; phase != NULL && artifact != NULL && i < a->runs_len;
	     i++) {
		size_t n;

		if (strcmp(g->phases[i].name, phase) != 0)
			continue;
		n = phase_artifacts_find(&g->phases[i], a->number, paths,
					 PHASE_ARTIFACTS_MAX);
		for (size_t k = 0; k < n; k++)
			if (strcmp(paths[k], artifact) == 0)
				file = file_find(
					a, arena_format(&scratch,
							"artifacts/%zu-%zu", i,
							k));
	}
	arena_done(&scratch);
	return file;
}

/* Whether the scanner ended well, with the status for "found nothing" or the
 * one for "found something". */
static bool scan_has_ended(const struct scan_format *f,
			   const struct gate_attempt *a, const char *phase)
{
	for (size_t i = 0; i < a->runs_len; i++) {
		const struct json_value *result = a->runs[i].result;
		const struct json_value *rc = json_find(result, "rc");
		const char *status = vuln_text_find(result, "status");
		uint64_t n = 0;

		if (strcmp(a->runs[i].phase, phase) != 0 || status == NULL)
			continue;
		if (strcmp(status, "OK") == 0)
			return true;
		return strcmp(status, "FAILED") == 0 && f->found_rc != 0 &&
		       rc != NULL && json_read_u64(rc, &n) == 0 &&
		       n == f->found_rc;
	}
	return false;
}

static int report_take(const struct gate *g, const struct gate_ask *ask,
		       const struct gate_attempt *a, struct vulns *v)
{
	const struct gate_file *file = report_find(g, ask, a);
	const struct scan_format *f =
		scan_format_find(vuln_text_find(ask->params, "format"));

	if (!scan_has_ended(f, a, vuln_text_find(ask->params, "phase")))
		v->problem = "scan_failed";
	else if (file == NULL)
		v->problem = "no_report";
	else
		return scan_read(f, file->bytes, file->len, v);
	return 0;
}

/* --- both ------------------------------------------------------------------------------ */

static void text_make(const char *source, const char *database, struct vulns *v,
		      struct buf *out)
{
	struct vulns none = { .arena = v->arena };
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "source", source);
	jsonw_text_or_null(&w, "database", database);
	jsonw_text_or_null(&w, "problem", v->problem);
	vulns_write(v->problem == NULL ? v : &none, "items", &w);
	jsonw_end_object(&w);
}

static int vulns_keep(struct gate_attempt *a, const struct buf *text,
		      struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = text->len + 1,
					.memory_bytes = (size_t)1 << 30 };
	struct json_value *v = arena_alloc(&a->arena, sizeof *v);
	struct json_error bad = { 0 };

	if (v == NULL || buf_has_failed(text) ||
	    json_parse(text->bytes, text->len, &caps, &a->arena, v, &bad) < 0 ||
	    attempt_file_add(a, "vulnerabilities.json", text->bytes,
			     text->len) == NULL)
		return no_memory(err);
	a->vulns = v;
	return 0;
}

static const struct gate_ask *ask_find(const struct gate *g)
{
	for (size_t i = 0; i < g->asks_len; i++)
		if (strcmp(g->asks[i].name, "cve_delta") == 0)
			return &g->asks[i];
	return NULL;
}

int attempt_vulns_read(const struct gate_attempt_request *req,
		       const struct json_value *context, struct gate_attempt *a,
		       struct cupel_error *err)
{
	const struct gate_ask *ask = ask_find(req->gate);
	owned_buf struct buf text = { 0 };
	struct arena arena = { 0 };
	struct vulns v = { .arena = &arena };
	const char *format;
	int e = 0;

	if (ask == NULL)
		return 0;
	format = vuln_text_find(ask->params, "format");
	if (format != NULL)
		e = report_take(req->gate, ask, a, &v);
	else
		osv_take(req, context, &v);
	text_make(format != NULL ? format : "osv",
		  format == NULL && req->osv != NULL ? req->osv->hash : NULL,
		  &v, &text);
	if (e == 0 && !v.no_memory)
		e = vulns_keep(a, &text, err);
	else
		e = no_memory(err);
	arena_done(&arena);
	return e;
}
