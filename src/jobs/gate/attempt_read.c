/* attempt_read.c -- see attempt_read.h. */
#include "jobs/gate/attempt_read.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gate/records.h"

#define RESULT_BYTES ((size_t)512 << 20) /* 16 phases, each with its output */
#define FILES_MAX    (GATE_PHASES_MAX * 24U)

static int fail(struct cupel_error *err, enum cupel_cause cause, int sys,
		const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cause, sys, "the phases: %s",
			  why);
}

static const char *text_find(const struct json_value *v, const char *name)
{
	const struct json_value *t = json_find(v, name);

	return t != NULL && t->type == JSON_STRING &&
			       strlen(t->u.string.bytes) == t->u.string.len
		       ? t->u.string.bytes
		       : NULL;
}

const struct gate_file *attempt_file_add(struct gate_attempt *a,
					 const char *path, const char *bytes,
					 size_t n)
{
	struct gate_file *f = arena_alloc(&a->arena, sizeof *f);

	if (a->files == NULL)
		a->files = arena_array(&a->arena, FILES_MAX, sizeof *a->files);
	if (f == NULL || a->files == NULL || a->files_len == FILES_MAX)
		return NULL;
	f->path = arena_text(&a->arena, path);
	f->bytes = arena_copy(&a->arena, bytes, n);
	f->len = n;
	if (f->path == NULL || f->bytes == NULL)
		return NULL;
	blake3_hex_text(f->bytes, n, f->hash);
	a->files[a->files_len++] = f;
	return f;
}

/* --- one phase ----------------------------------------------------------------- */

enum gate_isolation attempt_isolation_find(const char *class)
{
	for (int i = 0; class != NULL && i < GATE_ISOLATION_MAX_; i++)
		if (strcmp(records_isolation((enum gate_isolation)i), class) ==
		    0)
			return (enum gate_isolation)i;
	return GATE_SHARED_KERNEL;
}

static int run_add(const struct gate *g, const struct json_value *result,
		   struct gate_attempt *a, struct cupel_error *err)
{
	enum gate_isolation isolation;
	struct gate_run *run;
	owned_buf struct buf text = { 0 };
	const char *path;

	if (a->runs == NULL) {
		a->runs = arena_array(&a->arena, GATE_PHASES_MAX + 1,
				      sizeof *a->runs);
		a->isolation = GATE_MICROVM;
	}
	if (a->runs == NULL)
		return fail(err, CUPEL_CAUSE_BUSY, ENOMEM, "no memory");
	run = &a->runs[a->runs_len];
	run->phase = text_find(result, "name");
	run->run_id = text_find(result, "traceId");
	run->spec_hash = text_find(result, "spec_hash");
	run->result = result;
	if (a->runs_len >= g->phases_len || run->phase == NULL ||
	    strcmp(run->phase, g->phases[a->runs_len].name) != 0 ||
	    run->run_id == NULL || run->spec_hash == NULL)
		return fail(err, CUPEL_CAUSE_BUG, EPROTO,
			    "their result does not belong to this gate");
	json_write(result, &text);
	path = arena_format(&a->arena, "runs/%zu-%s.json", a->runs_len,
			    run->phase);
	if (buf_has_failed(&text) || path == NULL)
		return fail(err, CUPEL_CAUSE_BUSY, ENOMEM, "no memory");
	run->file = attempt_file_add(a, path, text.bytes, text.len);
	if (run->file == NULL)
		return fail(err, CUPEL_CAUSE_BUSY, ENOMEM, "no memory");
	a->runs_len++;
	if (json_is_text(json_find(result, "status"), "INTERNAL_ERROR") &&
	    !a->lost) {
		a->lost = true;
		a->why = "the host could not run one of them";
	}
	isolation =
		attempt_isolation_find(text_find(result, "isolation_class"));
	if (isolation < a->isolation)
		a->isolation = isolation;
	return 0;
}

/* --- all of them ---------------------------------------------------------------- */

/* INTERNAL_ERROR is not the phases' doing. */
static int end_read(const struct json_value *root, struct gate_attempt *a,
		    struct cupel_error *err)
{
	const char *status = text_find(root, "status");
	const char *cause = text_find(root, "cause");
	const char *message = text_find(root, "message");

	if (status == NULL)
		return fail(err, CUPEL_CAUSE_BUG, EPROTO,
			    "their result has no status");
	if (strcmp(status, "INTERNAL_ERROR") != 0)
		return 0;
	if (cause != NULL && strcmp(cause, "caller") == 0)
		return fail(err, CUPEL_CAUSE_CALLER, EINVAL,
			    message != NULL ? message : "wrong request");
	a->lost = true;
	a->why = message != NULL ? message : "the host could not run them";
	return 0;
}

static int parse(struct gate_attempt *a, const char *bytes, size_t n,
		 const struct json_value **ret, struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = RESULT_BYTES,
					.string_bytes = RESULT_BYTES,
					.depth = JSON_DEPTH_RESULT,
					.memory_bytes = 4 * RESULT_BYTES };
	struct json_value *root = arena_alloc(&a->arena, sizeof *root);
	struct json_error bad = { 0 };

	*ret = root;
	if (root == NULL || bytes == NULL ||
	    json_parse(bytes, n, &caps, &a->arena, root, &bad) < 0)
		return fail(err, CUPEL_CAUSE_BUG, EPROTO,
			    "their result cannot be read");
	return 0;
}

int attempt_read_phase(const struct gate *g, const char *bytes, size_t n,
		       struct gate_attempt *a, struct cupel_error *err)
{
	const struct json_value *result;
	int e = parse(a, bytes, n, &result, err);

	return e < 0 ? e : run_add(g, result, a, err);
}

int attempt_read(const struct gate *g, const char *bytes, size_t n,
		 struct gate_attempt *a, struct cupel_error *err)
{
	const struct json_value *root, *phases;
	int e = parse(a, bytes, n, &root, err);

	if (e == 0)
		e = end_read(root, a, err);
	if (e < 0)
		return e;
	phases = json_find(root, "phases");
	if (phases == NULL || phases->type != JSON_ARRAY ||
	    phases->u.array.len == 0) {
		if (!a->lost)
			return fail(err, CUPEL_CAUSE_BUG, EPROTO,
				    "their result names no phase");
		return 0;
	}
	for (size_t i = a->runs_len; e == 0 && i < phases->u.array.len; i++)
		e = run_add(g, &phases->u.array.items[i], a, err);
	return e;
}
