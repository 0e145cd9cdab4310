/* record.c -- see record.h. */
#include "jobs/confirm/record.h"

#include "base/jsonw.h"
#include "jobs/confirm/moment.h"
#include "jobs/confirm/resume.h"

static void flag_write(struct jsonw *w, const struct flag *f)
{
	char hints[BLAKE3_TEXT_BYTES];

	resume_hints(f, hints);
	jsonw_object(w, "flag_ref");
	jsonw_text(w, "file", f->file);
	jsonw_text_or_null(w, "function", f->function);
	jsonw_text(w, "flag_class", f->flag_class);
	if (f->line > 0)
		jsonw_uint(w, "line", f->line);
	else
		jsonw_null(w, "line");
	jsonw_text_or_null(w, "hints_blake3", hints[0] ? hints : NULL);
	if (f->argument != NULL)
		jsonw_text(w, "argument", f->argument);
	jsonw_uint(w, "number", f->number);
	if (f->tool != NULL) {
		jsonw_text(w, "tool", f->tool);
		jsonw_text(w, "rule", f->rule);
	}
	jsonw_end_object(w);
}

static void caps_write(struct jsonw *w, const struct runner *r)
{
	if (r == NULL) {
		jsonw_null(w, "caps");
		return;
	}
	jsonw_object(w, "caps");
	for (const struct confirm_cap *c = r->caps; c->option != NULL; c++)
		jsonw_uint(w, c->key, c->number);
	jsonw_uint(w, "alarm_s", r->alarm_s);
	jsonw_end_object(w);
}

static void number_or_null(struct jsonw *w, const char *key, int n, bool has)
{
	if (has)
		jsonw_int(w, key, n);
	else
		jsonw_null(w, key);
}

static void value_or_null(struct jsonw *w, const char *key,
			  const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	if (v == NULL) {
		jsonw_null(w, key);
		return;
	}
	json_write(v, &text);
	jsonw_raw(w, key, text.bytes, text.len);
	if (buf_has_failed(&text))
		w->out->failed = true;
}

/* Write what only a confirmed bug has. */
static void fact_write(struct jsonw *w, const struct record_facts *f)
{
	if (f->verdict->status != CONFIRM_CONFIRMED)
		return;
	jsonw_text_or_null(w, "class", f->verdict->flag_class);
	value_or_null(w, "preconditions", f->preconditions);
	if (f->control != NULL) {
		jsonw_text(w, "argument", f->flag->argument);
		value_or_null(w, "control", f->control);
	}
	if (f->verdict->at_load)
		jsonw_bool(w, "at_load", true);
}

void record_build(const struct record_facts *f, struct buf *out)
{
	const struct verdict *v = f->verdict;
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	moment_write(&w, "ts", f->ts_ms);
	flag_write(&w, f->flag);
	value_or_null(&w, "witness", f->witness);
	jsonw_text(&w, "status", confirm_status_name(v->status));
	fact_write(&w, f);
	jsonw_text_or_null(&w, "reason", v->reason);
	jsonw_text_or_null(&w, "detail", v->detail[0] ? v->detail : NULL);
	number_or_null(&w, "exit_code", v->exit_code, v->exit_code >= 0);
	number_or_null(&w, "signal", v->signal, v->signal > 0);
	jsonw_text_or_null(&w, "error_class",
			   v->error_class[0] ? v->error_class : NULL);
	jsonw_text_or_null(&w, "traceback_head",
			   v->traceback[0] ? v->traceback : NULL);
	jsonw_uint(&w, "duration_ms", v->duration_ms);
	jsonw_text_or_null(&w, "backend", v->backend[0] ? v->backend : NULL);
	jsonw_bool(&w, "warm", v->is_warm);
	jsonw_text_or_null(&w, "language",
			   f->runner ? language_name(f->runner->language)
				     : NULL);
	caps_write(&w, f->runner);
	if (f->runner != NULL && f->runner->security_review != NULL)
		jsonw_text(&w, "security_review", f->runner->security_review);
	jsonw_text_or_null(&w, "file_blake3", f->file_blake3);
	jsonw_uint(&w, "witnesses_tried", f->tried);
	jsonw_uint(&w, "witnesses_explored", f->explored);
	if (f->explore_failed[0] != '\0')
		jsonw_text(&w, "explore_failed", f->explore_failed);
	jsonw_uint(&w, "witnesses_built", f->built);
	jsonw_bool(&w, "witness_shrunk", f->is_shrunk);
	jsonw_uint(&w, "shrink_runs", f->shrink_runs);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}
