/* audit.c -- see audit.h. */
#include "jobs/gather/audit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/jsonw.h"
#include "base/name.h"
#include "cupel.h"

#define INPUTS_FEW 1000U /* of a probe, where all do not fit */

static void name_put(struct jsonw *w, const char *key, const char *name)
{
	owned_buf struct buf shown = { 0 };

	name_write(&shown, name, strlen(name));
	jsonw_bytes(w, key, shown.bytes ? shown.bytes : "", shown.len);
}

static void text_put(struct jsonw *w, const char *key, const char *text)
{
	jsonw_text_or_null(w, key, text != NULL && *text ? text : NULL);
}

/* "2026-11-21T14:40:55.123Z" */
static void time_put(struct jsonw *w, const char *key, int64_t ms)
{
	time_t s = (time_t)(ms / 1000);
	char utc[32] = "", text[48];
	struct tm t;

	if (ms < 0 || gmtime_r(&s, &t) == NULL ||
	    strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%S", &t) == 0) {
		jsonw_null(w, key);
		return;
	}
	(void)snprintf(text, sizeof text, "%s.%03dZ", utc, (int)(ms % 1000));
	jsonw_text(w, key, text);
}

static void inputs_put(struct jsonw *w, const struct gather_probe *p,
		       size_t most)
{
	size_t len = p->inputs_len < most ? p->inputs_len : most;

	jsonw_array(w, "declared_inputs");
	for (size_t i = 0; i < len; i++) {
		const struct gather_input *in = &p->inputs[i];

		jsonw_object(w, NULL);
		name_put(w, "relative_path", in->name);
		jsonw_text(w, "blake3", in->hash);
		jsonw_uint(w, "size_bytes", in->size);
		if (in->is_names)
			jsonw_uint(w, "names", in->names);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_uint(w, "declared_inputs_omitted", p->inputs_len - len);
}

static void member_put(struct jsonw *w, const char *key,
		       const struct json_value *from)
{
	const struct json_value *v = from ? json_find(from, key) : NULL;
	owned_buf struct buf text = { 0 };

	if (v != NULL)
		json_write(v, &text);
	if (v == NULL || v->type != JSON_ARRAY || buf_has_failed(&text))
		jsonw_raw(w, key, "[]", 2);
	else
		jsonw_raw(w, key, text.bytes, text.len);
}

static void probe_put(struct jsonw *w, const struct gather_probe *p,
		      size_t inputs_max)
{
	const struct json_value *confidence =
		p->tree ? json_find(p->tree, "confidence") : NULL;

	jsonw_object(w, NULL);
	jsonw_text(w, "name", p->probe->name);
	jsonw_text(w, "version", p->probe->version);
	jsonw_text(w, "schema_version", p->probe->schema_version);
	if (p->cache_hit || p->status == NULL)
		jsonw_null(w, "sandbox_pid"); /* no vessel was started */
	else
		jsonw_int(w, "sandbox_pid", 2); /* inside; init is 1 */
	jsonw_int(w, "exit_status", p->exit_status);
	text_put(w, "status", p->status);
	text_put(w, "failure", p->failure);
	jsonw_bool(w, "cache_hit", p->cache_hit);
	jsonw_uint(w, "wall_ms", p->wall_ms);
	jsonw_uint(w, "rss_peak_kb", p->rss_peak_kb);
	inputs_put(w, p, inputs_max);
	jsonw_uint(w, "stdout_bytes", p->stdout_bytes);
	if (confidence != NULL && confidence->type == JSON_STRING)
		jsonw_text(w, "confidence", confidence->u.string.bytes);
	else
		jsonw_null(w, "confidence");
	member_put(w, "errors", p->tree);
	member_put(w, "warnings", p->tree);
	jsonw_end_object(w);
}

/* The record that stands at link, as JSON.
 *
 * @inputs_max	most inputs to list for one probe */
static void audit_write(const struct gather_run *run,
			const struct chain_link *link, size_t inputs_max,
			struct buf *out)
{
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	jsonw_uint(&w, "position", link->position);
	text_put(&w, "previous", link->previous);
	text_put(&w, "previous_file", link->previous_file);
	text_put(&w, "chain_broken", link->broken);
	jsonw_text(&w, "program", "cupel");
	jsonw_text(&w, "program_version", cupel_version());
	time_put(&w, "started", run->started_ms);
	jsonw_uint(&w, "wall_ms", run->wall_ms);
	name_put(&w, "repo_path", run->repo ? run->repo : "");
	jsonw_object(&w, "repo");
	text_put(&w, "digest", run->digest);
	jsonw_uint(&w, "files", run->files);
	jsonw_uint(&w, "bytes", run->bytes);
	jsonw_end_object(&w);
	jsonw_object(&w, "context");
	text_put(&w, "file", run->context_name);
	text_put(&w, "blake3", run->context_hash);
	jsonw_bool(&w, "valid", !run->is_invalid);
	jsonw_end_object(&w);
	jsonw_array(&w, "probes");
	for (size_t i = 0; i < run->probes_len; i++)
		probe_put(&w, &run->probes[i], inputs_max);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}

/* The record, with fewer inputs where all do not fit. */
static int record_add(struct chain *c, const struct gather_run *run,
		      char name[CHAIN_NAME_BYTES], struct cupel_error *err)
{
	for (size_t most = SIZE_MAX;; most = INPUTS_FEW) {
		owned_buf struct buf text = { .cap_bytes = CHAIN_RECORD_BYTES };

		audit_write(run, &c->next, most, &text);
		if (!buf_has_failed(&text))
			return chain_add(c, text.bytes, text.len, name, err);
		if (most == INPUTS_FEW)
			return cupel_fail(err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_BUSY, ENOMEM,
					  "no memory for the run record");
	}
}

int audit_append(int runs_dir_fd, const struct gather_run *run,
		 struct audit_note *ret, struct cupel_error *err)
{
	struct audit_note note = { 0 };
	struct chain c;
	int e = chain_open(runs_dir_fd, &c, err);

	if (e < 0)
		return e;
	memcpy(note.broken, c.next.broken, sizeof note.broken);
	e = record_add(&c, run, note.name, err);
	chain_close(&c);
	if (e == 0 && ret != NULL)
		*ret = note;
	return e;
}
