/* baseline.c -- see baseline.h. */
#include "jobs/gate/baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "jobs/common/inside.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/held.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/ledger/moment.h"

/* --- reading ---------------------------------------------------------------------- */

static int gate_check(const char *file, const struct gate *g,
		      const struct json_value *v, struct cupel_error *err)
{
	const struct json_value *name = json_find(v, "gate");

	if (!json_is_text(name, g->name))
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%.200s: is a baseline of the gate %.64s, not of %s",
			file, name->u.string.bytes, g->name);
	if (!json_is_text(json_find(v, "gate_hash"), g->hash))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "%.200s: is a baseline of another gate that "
				  "is also called %s: its catalogue has "
				  "changed since; write a new one",
				  file, g->name);
	return 0;
}

int baseline_place_check(const char *file, int worktree_fd,
			 struct cupel_error *err)
{
	const char *slash = strrchr(file, '/');
	char dir[PATH_MAX];
	owned_fd int fd = -1;
	int n = slash == NULL ? snprintf(dir, sizeof dir, ".")
			      : snprintf(dir, sizeof dir, "%.*s",
					 (int)(slash - file) + 1, file);

	if (n < 0 || (size_t)n >= sizeof dir)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  ENAMETOOLONG, "the baseline %.200s: %s", file,
				  strerror(ENAMETOOLONG));
	fd = openat(AT_FDCWD, dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  errno, "the baseline %.200s: %s", file,
				  strerror(errno));
	if (inside_is_below(fd, worktree_fd))
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EPERM,
			"the baseline %.200s: would be in the work tree, where "
			"no gate reads it; choose a path outside",
			file);
	return 0;
}

int baseline_take(const char *file, const struct buf *text,
		  const struct gate *g, struct baseline *ret,
		  struct cupel_error *err)
{
	static const char *const refs[] = { "result", "tests", NULL };
	const char *bytes = text->bytes != NULL ? text->bytes : "";
	struct schema_set *set = NULL;
	int e = checked_schema_make("gate-baseline", refs, &set, err);

	if (e == 0)
		e = checked_read(
			&(struct checked_source){ file, bytes, text->len }, set,
			&ret->arena, &ret->value, err);
	schema_set_free(set);
	if (e == 0)
		e = gate_check(file, g, &ret->value, err);
	if (e == 0)
		blake3_hex_text(bytes, text->len, ret->hash);
	return e;
}

int baseline_read(const char *file, int worktree_fd, const struct gate *g,
		  struct baseline *ret, struct cupel_error *err)
{
	const struct held_request held = {
		.what = "the baseline",
		.path = file,
		.dir_fd = AT_FDCWD,
		.worktree_fd = worktree_fd,
		.cap_bytes = BASELINE_BYTES,
	};
	owned_buf struct buf text = { 0 };
	int e = held_read(&held, &text, NULL, err);

	return e == 0 ? baseline_take(file, &text, g, ret, err) : e;
}

void baseline_done(struct baseline *b)
{
	arena_done(&b->arena);
	*b = (struct baseline){ 0 };
}

/* --- writing ----------------------------------------------------------------------- */

static void value_write(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	if (v == NULL) {
		jsonw_null(w, key);
		return;
	}
	json_write(v, &text);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, key, text.bytes != NULL ? text.bytes : "null", text.len);
}

/* A base whose attempt does not pass cannot be a baseline. */
static int attempt_check(const struct gate *g, const struct gate_attempt *a,
			 struct cupel_error *err)
{
	if (a->lost)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_HOST, EIO,
				  "the baseline: %.300s",
				  a->why != NULL ? a->why : "lost");
	if (a->changed != NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EBUSY,
				  "the baseline: the base tree changed while "
				  "it was made: %.300s",
				  a->changed);
	for (size_t i = 0; i < g->phases_len; i++) {
		const struct json_value *status =
			i < a->runs_len ? json_find(a->runs[i].result, "status")
					: NULL;
		bool is_ok = status != NULL && json_is_text(status, "OK");

		if (!is_ok && !g->phases[i].goes_on)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				EINVAL,
				"the baseline: phase %s of the base tree ended "
				"with %.40s, but has to be OK",
				g->phases[i].name,
				status != NULL ? status->u.string.bytes
					       : "no run");
	}
	return 0;
}

static const struct json_value *payload_find(const struct gate_run *run)
{
	const struct json_value *payload = json_find(run->result, "payload");

	return payload != NULL && payload->type == JSON_OBJECT
		       ? json_find(payload, "tests")
		       : NULL;
}

/* The report of the phase that the signal `tests` is about. */
static const struct json_value *inventory_find(const struct gate *g,
					       const struct gate_attempt *a,
					       bool *ret_asked)
{
	*ret_asked = false;
	for (size_t i = 0; i < g->asks_len; i++) {
		const struct gate_ask *ask = &g->asks[i];
		const struct json_value *phase =
			json_find(ask->params, "phase");
		const char *name = phase != NULL ? phase->u.string.bytes
						 : ask->kind->phase;

		if (strcmp(ask->name, "tests") != 0)
			continue;
		*ret_asked = true;
		for (size_t j = 0; j < a->runs_len; j++)
			if (strcmp(a->runs[j].phase, name) == 0)
				return payload_find(&a->runs[j]);
	}
	return NULL;
}

static void trace_write(const struct gate_run *run, struct jsonw *w)
{
	const struct json_value *enforced = json_find(run->result, "enforced");
	static const char *const keys[] = { "status", "egress",
					    "egress_omitted", "trace" };

	jsonw_object(w, NULL);
	jsonw_text(w, "phase", run->phase);
	jsonw_object(w, "result");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct json_value *v = json_find(run->result, keys[i]);

		if (v != NULL)
			value_write(w, keys[i], v);
	}
	if (enforced != NULL && json_find(enforced, "trace") != NULL) {
		jsonw_object(w, "enforced");
		value_write(w, "trace", json_find(enforced, "trace"));
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
	jsonw_end_object(w);
}

/* A base whose vulnerabilities are unknown cannot be a baseline either. */
static int vulns_check(const struct gate_attempt *a, struct cupel_error *err)
{
	const struct json_value *problem =
		a->vulns != NULL ? json_find(a->vulns, "problem") : NULL;

	if (problem == NULL || problem->type == JSON_NULL)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "the baseline: the known vulnerabilities of the base "
			  "tree could not be found out: %.60s",
			  problem->u.string.bytes);
}

static int text_write(const struct gate *g, const struct gate_attempt *a,
		      struct buf *out, struct cupel_error *err)
{
	struct jsonw w = { .out = out };
	char at[GATE_TIME_BYTES];
	bool is_asked;
	const struct json_value *tests = inventory_find(g, a, &is_asked);

	if (is_asked && tests == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "the baseline: the tests of the base tree "
				  "left no report that can be read");
	moment_now(at);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	jsonw_text(&w, "gate", g->name);
	jsonw_text(&w, "gate_hash", g->hash);
	jsonw_text(&w, "at", at);
	judged_write(&a->tree, &w);
	value_write(&w, "inventory", tests);
	jsonw_array(&w, "trace");
	for (size_t i = 0; i < a->runs_len; i++)
		trace_write(&a->runs[i], &w);
	jsonw_end_array(&w);
	value_write(&w, "context", a->context);
	value_write(&w, "vulnerabilities", a->vulns);
	jsonw_end_object(&w);
	buf_char(out, '\n');
	return buf_has_failed(out)
		       ? cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				    ENOMEM, "no memory for the baseline")
		       : 0;
}

int baseline_write(const struct gate *g, const struct gate_attempt *a,
		   struct buf *out, char hash[BLAKE3_TEXT_BYTES],
		   struct cupel_error *err)
{
	int e = attempt_check(g, a, err);

	if (e == 0 && a->context == NULL)
		e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			       "the baseline: nothing was gathered");
	if (e == 0)
		e = vulns_check(a, err);
	if (e == 0)
		e = text_write(g, a, out, err);
	if (e == 0 && out->len > BASELINE_BYTES)
		e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, E2BIG,
			       "the baseline is longer than %zu MiB",
			       BASELINE_BYTES >> 20);
	if (e == 0)
		blake3_hex_text(out->bytes, out->len, hash);
	return e;
}
