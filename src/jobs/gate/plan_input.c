/* plan_input.c -- see plan_input.h. */
#include "jobs/gate/plan_input.h"

#include <string.h>

#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_output.h"
#include "jobs/gate/summary.h"

/* The parts of a summary, and the texts that they point to. */
struct parts {
	struct summary_part items[SUMMARY_PARTS_MAX];
	size_t len;
	struct arena arena;
};

static void part_add(struct parts *p, const char *what, const char *of,
		     const char *bytes, size_t n, bool is_tail)
{
	const char *label = arena_format(&p->arena, "%s of %s", what, of);

	if (label != NULL && n > 0 && p->len < SUMMARY_PARTS_MAX)
		p->items[p->len++] =
			(struct summary_part){ label, bytes, n, is_tail };
}

static const struct gate_signal *signal_find(const struct gate_attempt *a,
					     const char *kind)
{
	for (size_t i = 0; i < a->signals_len; i++)
		if (strcmp(a->signals[i].kind, kind) == 0)
			return &a->signals[i];
	return NULL;
}

/* Facts of a signal's details, which go to a text in two rounds: lists of names
 * first, then what is said beside them. */
struct facts {
	const struct json_value *details;
	bool is_lists;
	struct buf *out;
};

/* A planner can do nothing with digests, and what is none or as it should be says
 * nothing. */
static bool is_dull(const char *text, size_t n)
{
	static const char *const dull[] = { "0", "false", "true", "valid" };

	for (size_t i = 0; i < sizeof dull / sizeof *dull; i++)
		if (strlen(dull[i]) == n && memcmp(dull[i], text, n) == 0)
			return true;
	return n > 7 && memcmp(text, "blake3:", 7) == 0;
}

static void fact_add(void *data, const char *name, const char *text, size_t n)
{
	const struct facts *f = data;
	const struct json_value *v = json_find(f->details, name);
	bool is_list = v != NULL && v->type == JSON_ARRAY;

	if (is_list != f->is_lists || (!is_list && is_dull(text, n)))
		return;
	buf_format(f->out, "%s: ", name);
	for (size_t i = 0; i < n; i++) /* each fact is a line */
		buf_char(f->out, text[i] == '\n' ? ' ' : text[i]);
	buf_char(f->out, '\n');
}

static void text_add(struct parts *p, const char *what, const char *of,
		     const struct buf *text)
{
	char *copy = !buf_has_failed(text) && text->len > 0
			     ? arena_copy(&p->arena, text->bytes, text->len)
			     : NULL;

	if (copy != NULL)
		part_add(p, what, of, copy, text->len, false);
}

static void details_add(struct parts *p, const struct gate_signal *s)
{
	owned_buf struct buf text = { 0 };
	struct facts facts = { .is_lists = true, .out = &text };

	if (s == NULL || s->details == NULL)
		return;
	facts.details = s->details;
	story_facts(s->details, fact_add, &facts);
	facts.is_lists = false;
	story_facts(s->details, fact_add, &facts);
	text_add(p, "details", s->kind, &text);
}

/* Add what the report of a run says about the tests that failed. */
static void failures_add(struct parts *p, const struct gate_run *run)
{
	const struct json_value *payload = json_find(run->result, "payload");
	const struct json_value *tests =
		payload != NULL ? json_find(payload, "tests") : NULL;
	owned_buf struct buf text = { 0 };

	for (size_t i = 0; tests != NULL && story_failure_add(tests, i, &text);
	     i++)
		buf_char(&text, '\n');
	text_add(p, "failures", run->phase, &text);
}

/* Add the last output of a run that is not OK. */
static void output_add(struct parts *p, const struct gate_run *run)
{
	static const char *const streams[] = { "stderr", "stdout" };

	if (json_is_text(json_find(run->result, "status"), "OK"))
		return;
	for (size_t i = 0; i < 2; i++) {
		const struct json_value *v = json_find(run->result, streams[i]);

		if (v != NULL && v->type == JSON_STRING)
			part_add(p, streams[i], run->phase, v->u.string.bytes,
				 v->u.string.len, true);
	}
}

static void summary_write(const struct plan_input *in, struct jsonw *w)
{
	struct parts parts = { 0 };
	owned_buf struct buf text = { 0 };

	for (size_t i = 0; i < in->verdict->failing_len; i++)
		details_add(&parts,
			    signal_find(in->attempt, in->verdict->failing[i]));
	for (size_t i = 0; i < in->attempt->runs_len; i++)
		failures_add(&parts, &in->attempt->runs[i]);
	for (size_t i = 0; i < in->attempt->runs_len; i++)
		output_add(&parts, &in->attempt->runs[i]);
	summary_build(
		&(struct summary_source){ .gate = in->gate->name,
					  .attempt = in->attempt->number,
					  .max = in->max,
					  .failing = in->verdict->failing,
					  .failing_len =
						  in->verdict->failing_len,
					  .parts = parts.items,
					  .parts_len = parts.len },
		&text);
	jsonw_bytes(w, "summary", text.bytes, text.len);
	arena_done(&parts.arena);
}

static void failing_write(struct jsonw *w, const char *const *failing, size_t n)
{
	jsonw_array(w, "failing_signals");
	for (size_t i = 0; i < n; i++)
		jsonw_text(w, NULL, failing[i]);
	jsonw_end_array(w);
}

/* The path of the first file that the signal was made from. */
static const char *path_of(const struct plan_input *in, const char *kind)
{
	const struct gate_signal *s = signal_find(in->attempt, kind);

	for (size_t i = 0;
	     s != NULL && s->files_len > 0 && i < in->attempt->files_len; i++)
		if (in->attempt->files[i] == s->files[0])
			return in->kept[i].path;
	return NULL;
}

static void path_write(const struct plan_input *in, const char *key,
		       const char *path, struct jsonw *w)
{
	owned_buf struct buf whole = { 0 };

	if (path == NULL)
		return;
	buf_format(&whole, "%s/%s", in->state, path);
	jsonw_text(w, key, whole.bytes != NULL ? whole.bytes : path);
}

static void evidence_write(const struct plan_input *in, struct jsonw *w)
{
	jsonw_object(w, "evidence");
	for (size_t i = 0; i < in->verdict->failing_len; i++)
		path_write(in, in->verdict->failing[i],
			   path_of(in, in->verdict->failing[i]), w);
	for (size_t i = 0; i < in->attempt->files_len; i++)
		if (strcmp(in->attempt->files[i]->path, "change.json") == 0)
			path_write(in, "change", in->kept[i].path, w);
	jsonw_end_object(w);
}

void plan_input_write(const struct plan_input *in, struct buf *out)
{
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_uint(&w, "attempt", in->attempt->number);
	failing_write(&w, in->verdict->failing, in->verdict->failing_len);
	summary_write(in, &w);
	evidence_write(in, &w);
	jsonw_array(&w, "prior");
	for (size_t i = 0; i < in->prior_len; i++) {
		jsonw_object(&w, NULL);
		jsonw_uint(&w, "attempt", in->prior[i].attempt);
		jsonw_bool(&w, "lost", in->prior[i].lost);
		failing_write(&w, in->prior[i].failing,
			      in->prior[i].failing_len);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}
