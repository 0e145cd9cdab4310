/* attempt_spec.c -- see attempt_spec.h. */
#include "jobs/gate/attempt_spec.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/gate/attempt_read.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/records.h"
#include "plan/backend.h"
#include "spec/report.h"
#include "spec/spec.h"

static void value_write(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	json_write(v, &text);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, key, text.bytes != NULL ? text.bytes : "null", text.len);
}

static const struct json_value *change_find(const struct gate_phase *p,
					    unsigned attempt)
{
	for (size_t i = 0; i < p->changes_len; i++)
		if (p->changes[i].attempt == attempt)
			return p->changes[i].spec;
	return NULL;
}

/* The value of the key on that attempt, or NULL. */
static const struct json_value *phase_spec_find(const struct gate_phase *p,
						unsigned attempt,
						const char *key)
{
	const struct json_value *change = change_find(p, attempt);
	const struct json_value *v =
		change != NULL ? json_find(change, key) : NULL;

	return v != NULL ? v : json_find(p->spec, key);
}

/* --- artifacts ------------------------------------------------------------------ */

static bool is_in(const char *const *list, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], path) == 0)
			return true;
	return false;
}

size_t phase_artifacts_find(const struct gate_phase *p, unsigned attempt,
			    const char **ret, size_t room)
{
	const struct json_value *list = phase_spec_find(p, attempt, "artifact");
	size_t n = 0;

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const char *path = list->u.array.items[i].u.string.bytes;

		if (n < room && !is_in(ret, n, path))
			ret[n++] = path;
	}
	return n;
}

static void artifacts_write(const struct gate_attempt_request *req,
			    size_t index, const char *out_dir, struct jsonw *w)
{
	const char *paths[PHASE_ARTIFACTS_MAX];
	size_t n = phase_artifacts_find(&req->gate->phases[index], req->number,
					paths, PHASE_ARTIFACTS_MAX);

	if (n == 0)
		return;
	jsonw_array(w, "artifact");
	for (size_t i = 0; i < n; i++) {
		owned_buf struct buf item = { 0 };

		buf_format(&item, "%s:%s/%zu-%zu", paths[i], out_dir, index, i);
		w->out->failed |= buf_has_failed(&item);
		jsonw_text(w, NULL, item.bytes != NULL ? item.bytes : "");
	}
	jsonw_end_array(w);
}

/* --- phases --------------------------------------------------------------------- */

static bool is_ours(const char *key)
{
	return strcmp(key, "artifact") == 0 || strcmp(key, "report_names") == 0;
}

static void keys_write(const struct json_value *from,
		       const struct json_value *replaced, struct jsonw *w)
{
	for (size_t i = 0; i < from->u.object.len; i++) {
		const struct json_member *m = &from->u.object.members[i];

		if (is_ours(m->name.bytes) ||
		    (replaced != NULL &&
		     json_find(replaced, m->name.bytes) != NULL))
			continue;
		value_write(w, m->name.bytes, &m->value);
	}
}

static void phase_write(const struct gate_attempt_request *req, size_t index,
			const char *out_dir, struct jsonw *w)
{
	const struct gate_phase *p = &req->gate->phases[index];
	const struct json_value *change = change_find(p, req->number);

	jsonw_object(w, NULL);
	jsonw_text(w, "name", p->name);
	jsonw_bool(w, "goes_on", p->goes_on);
	keys_write(p->spec, change, w);
	if (change != NULL)
		keys_write(change, NULL, w);
	artifacts_write(req, index, out_dir, w);
	jsonw_end_object(w);
}

void attempt_spec_write(const struct gate_attempt_request *req,
			const char *out_dir, struct buf *out)
{
	const struct gate *g = req->gate;
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "repo", req->worktree);
	jsonw_text(&w, "repo_mode", "overlay");
	jsonw_bool(&w, "report_names", true);
	if (g->vessel != NULL)
		keys_write(g->vessel, NULL, &w);
	jsonw_array(&w, "phases");
	for (size_t i = 0; i < g->phases_len; i++)
		phase_write(req, i, out_dir, &w);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
}

/* --- what the signals need -------------------------------------------------------- */

static bool has_report(const struct spec *s)
{
	struct report_source source;

	return s->report != NULL && report_source_read(s->report, &source) &&
	       source.format != REPORT_NONE;
}

/* Refuse a phase without a report, because its payload is what the change
 * itself writes to descriptor 3. */
static int report_check(const struct gate *g, const struct gate_ask *ask,
			const struct spec specs[], struct cupel_error *err)
{
	const struct json_value *phase = json_find(ask->params, "phase");
	const char *name =
		phase != NULL ? phase->u.string.bytes : ask->kind->phase;

	for (size_t i = 0; i < g->phases_len; i++)
		if (strcmp(g->phases[i].name, name) == 0 &&
		    !has_report(&specs[i]))
			return cupel_fail(err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_CALLER, EINVAL,
					  "the gate %.64s: the signal tests "
					  "needs a report, but neither phase "
					  "%.64s nor its profile names one",
					  g->name, name);
	return 0;
}

/* Refuse a phase whose backend is of a lesser class than the gate asks for, before
 * it could run the change in it. */
static int isolation_check(const struct gate *g, const struct spec specs[],
			   struct cupel_error *err)
{
	for (size_t i = 0; i < g->phases_len; i++) {
		const struct backend *b = backend_of(specs[i].backend);

		if (attempt_isolation_find(b->isolation_class) < g->isolation)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_HOST, ENOTSUP,
				"the gate %.64s asks for the isolation %s, but "
				"the backend %s of phase %.64s is %s: nothing "
				"was started",
				g->name, records_isolation(g->isolation),
				b->name, g->phases[i].name, b->isolation_class);
	}
	return 0;
}

int attempt_spec_check(const struct gate *g, const struct spec *whole,
		       struct cupel_error *err)
{
	struct spec specs[SPEC_PHASES_MAX];
	int e = spec_phases_build(whole, specs, err);

	for (size_t i = 0; e == 0 && i < g->asks_len; i++)
		if (strcmp(g->asks[i].name, "tests") == 0)
			e = report_check(g, &g->asks[i], specs, err);
	if (e == 0)
		e = isolation_check(g, specs, err);
	for (size_t i = 0; i < whole->phases_len; i++)
		spec_done(&specs[i]);
	return e;
}
