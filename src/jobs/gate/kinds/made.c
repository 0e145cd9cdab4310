/* made.c -- see made.h. */
#include "jobs/gate/kinds/made.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"

#define DETAILS_BYTES ((size_t)64 << 20) /* events hold command lines */

const char *run_text_find(const struct gate_run *run, const char *name)
{
	const struct json_value *v =
		run != NULL ? json_find(run->result, name) : NULL;

	return v != NULL && v->type == JSON_STRING &&
			       strlen(v->u.string.bytes) == v->u.string.len
		       ? v->u.string.bytes
		       : NULL;
}

bool run_is_ok(const struct gate_run *run)
{
	const struct json_value *v = json_find(run->result, "status");

	return v != NULL && json_is_text(v, "OK");
}

const struct gate_run *phase_run_find(const struct kind_source *s,
				      const char **ret_name)
{
	const struct json_value *v = json_find(s->ask->params, "phase");
	const char *name = v != NULL ? v->u.string.bytes : s->ask->kind->phase;

	if (ret_name != NULL)
		*ret_name = name;
	for (size_t i = 0; name != NULL && i < s->attempt->runs_len; i++)
		if (strcmp(s->attempt->runs[i].phase, name) == 0)
			return &s->attempt->runs[i];
	return NULL;
}

/* --- what a run's end means ----------------------------------------------------- */

/* Statuses after which the same would happen again, or after which nobody
 * should try again. */
static const struct {
	const char *status;
	bool is_time; /* the gate may say otherwise */
} finals[] = {
	{ "MEM_LIMIT", false },
	{ "FORBIDDEN_SYSCALL", false },
	{ "TIMEOUT", true },
	{ "CPU_LIMIT", true },
};

static bool is_final(const struct gate_ask *ask, const struct gate_run *run)
{
	const char *status = run_text_find(run, "status");
	const struct json_value *again =
		json_find(ask->params, "retry_timeout");
	bool may_retry =
		again != NULL && again->type == JSON_BOOL && again->u.boolean;

	for (size_t i = 0; status != NULL && i < sizeof finals / sizeof *finals;
	     i++)
		if (strcmp(finals[i].status, status) == 0)
			return !finals[i].is_time || !may_retry;
	return false;
}

int file_note(const struct kind_source *s, const struct gate_file *file,
	      struct gate_signal *ret)
{
	const struct gate_file **files =
		arena_array(s->arena, ret->files_len + 1, sizeof *files);

	if (files == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < ret->files_len; i++)
		files[i] = ret->files[i];
	files[ret->files_len++] = file;
	ret->files = files;
	return 0;
}

int run_note(const struct kind_source *s, const struct gate_run *run,
	     struct gate_signal *ret)
{
	const struct gate_attempt *a = s->attempt;
	const char **ids;

	if (run == NULL) {
		ret->is_unreached = true;
		if (a->runs_len > 0)
			ret->is_final |=
				is_final(s->ask, &a->runs[a->runs_len - 1]);
		return 0;
	}
	ret->is_final |= is_final(s->ask, run);
	ids = arena_array(s->arena, ret->run_ids_len + 1, sizeof *ids);
	if (ids == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < ret->run_ids_len; i++)
		ids[i] = ret->run_ids[i];
	ids[ret->run_ids_len++] = run->run_id;
	ret->run_ids = ids;
	if (ret->spec_hash == NULL)
		ret->spec_hash = run->spec_hash;
	return run->file != NULL ? file_note(s, run->file, ret) : 0;
}

/* --- details --------------------------------------------------------------------- */

void ran_write(const char *phase, const struct gate_run *run, struct jsonw *w)
{
	const struct json_value *rc =
		run != NULL ? json_find(run->result, "rc") : NULL;
	uint64_t n = 0;

	jsonw_text(w, "phase", phase);
	jsonw_bool(w, "ran", run != NULL);
	jsonw_text_or_null(w, "status", run_text_find(run, "status"));
	if (rc != NULL && json_read_u64(rc, &n) == 0)
		jsonw_uint(w, "rc", n);
	else
		jsonw_null(w, "rc");
	jsonw_text_or_null(w, "reason", run_text_find(run, "reason"));
}

int details_take(const struct kind_source *s, const struct buf *text,
		 struct gate_signal *ret)
{
	const struct json_caps caps = { .text_bytes = DETAILS_BYTES };
	struct json_value *v = arena_alloc(s->arena, sizeof *v);
	struct json_error bad = { 0 };

	if (v == NULL || buf_has_failed(text) ||
	    json_parse(text->bytes, text->len, &caps, s->arena, v, &bad) < 0)
		return -ENOMEM;
	ret->details = v;
	return 0;
}
