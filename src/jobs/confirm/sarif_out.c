/* sarif_out.c -- see sarif_out.h. */
#include "jobs/confirm/sarif_out.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/jsonw.h"
#include "base/plural.h"
#include "jobs/common/log.h"
#include "jobs/confirm/class.h"
#include "jobs/confirm/moment.h"
#include "jobs/confirm/sarif_result.h"
#include "jobs/confirm/sarif_text.h"

#define CHUNK ((size_t)64 << 10)
#define SCHEMA                                                                 \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"  \
	"sarif-schema-2.1.0.json"
/* The results come before the tool, so that nothing has to be kept. */
#define HEAD                                                                   \
	"{\"$schema\":\"" SCHEMA                                               \
	"\",\"version\":\"2.1.0\",\"runs\":[{\"results\":["

static int fail(const struct sarif_out *s, int e, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
			  "--sarif: %.300s: %s", s->path, strerror(-e));
}

/* Write out the text once it is n bytes long. */
static int text_flush(struct sarif_out *s, size_t n, struct cupel_error *err)
{
	int e = 0;

	if (buf_has_failed(&s->text))
		return fail(s, -ENOMEM, err);
	if (s->text.len >= n && s->text.len > 0)
		e = outfile_write(s->file.fd, s->text.bytes, s->text.len);
	if (e < 0)
		return fail(s, e, err);
	if (s->text.len >= n)
		s->text.len = 0;
	return 0;
}

int sarif_out_open(const char *path, int64_t now_ms, struct sarif_out *ret,
		   struct cupel_error *err)
{
	int e;

	if (path == NULL)
		return 0;
	ret->file = OUTFILE_NONE;
	e = outfile_open(path, 0666, &ret->file, err);
	if (e < 0)
		return e;
	ret->path = path;
	ret->began_ms = now_ms;
	buf_text(&ret->text, HEAD);
	return 0;
}

int sarif_out_add(struct sarif_out *s, const struct json_text *line,
		  const char *file, const struct buf *source,
		  struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = LOG_LINE_BYTES,
					.string_bytes = LOG_LINE_BYTES };
	struct sarif_fact fact = { .file = file, .source = source };
	struct arena arena = { 0 };
	struct json_value record;
	struct json_error e = { 0 };
	int r = -EINVAL;

	if (s->path == NULL)
		return 0;
	if (s->has_result)
		buf_char(&s->text, ',');
	s->has_result = true;
	fact.record = &record;
	if (json_parse(line->bytes, line->len, &caps, &arena, &record, &e) == 0)
		r = sarif_result_write(&fact, &s->text);
	arena_done(&arena);
	return r < 0 ? fail(s, r, err) : text_flush(s, CHUNK, err);
}

/* 3.19.23: each class that some language has, listed once. */
static void rules_write(struct jsonw *w)
{
	jsonw_array(w, "rules");
	for (enum language l = 0; l < LANGUAGE_MAX_; l++)
		for (size_t i = 0; class_name(l, i) != NULL; i++) {
			const char *name = class_name(l, i);

			if (l > 0 && class_is_known(LANGUAGE_PYTHON, name))
				continue;
			jsonw_object(w, NULL);
			jsonw_text(w, "id", name);
			jsonw_object(w, "shortDescription");
			jsonw_text(w, "text",
				   "A call raised what this class stands for: "
				   "cupel-confirm(1), Classes.");
			jsonw_end_object(w);
			jsonw_object(w, "defaultConfiguration");
			jsonw_text(w, "level", "error");
			jsonw_end_object(w);
			jsonw_end_object(w);
		}
	jsonw_end_array(w);
}

static void tool_write(struct jsonw *w)
{
	jsonw_object(w, "tool");
	jsonw_object(w, "driver");
	jsonw_text(w, "name", "cupel confirm");
	jsonw_text(w, "version", PACKAGE_VERSION);
	rules_write(w);
	jsonw_end_object(w);
	jsonw_end_object(w);
}

static void note_write(struct jsonw *w, const char *text)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "level", "warning");
	jsonw_object(w, "message");
	sarif_text_write(w, "text", text);
	jsonw_end_object(w);
	jsonw_end_object(w);
}

/* 3.20.21: the flags that are no result. */
static void notes_write(const struct sarif_end *end, struct jsonw *w)
{
	const struct flags *f = end->flags;
	owned_buf struct buf text = { 0 };

	jsonw_array(w, "toolExecutionNotifications");
	for (size_t i = 0; i < f->faults_len && !buf_has_failed(&text); i++) {
		text.len = 0;
		buf_format(&text, "%s %zu was skipped: %s", f->unit,
			   f->faults[i].number, f->faults[i].message);
		if (!buf_has_failed(&text))
			note_write(w, text.bytes);
	}
	text.len = 0;
	if (f->faults_all > f->faults_len) {
		buf_format(&text, "skipped without a note: %zu",
			   f->faults_all - f->faults_len);
		if (!buf_has_failed(&text))
			note_write(w, text.bytes);
	}
	text.len = 0;
	if (end->tally->flags > 0) {
		buf_format(&text,
			   "%zu flag%s not run, of %zu rule%s without a class",
			   end->tally->flags, plural_s(end->tally->flags),
			   end->tally->rules, plural_s(end->tally->rules));
		if (!buf_has_failed(&text))
			note_write(w, text.bytes);
	}
	jsonw_end_array(w);
	w->out->failed = w->out->failed || buf_has_failed(&text);
}

/* 3.20 */
static void invocation_write(const struct sarif_out *s,
			     const struct sarif_end *end, struct jsonw *w)
{
	jsonw_array(w, "invocations");
	jsonw_object(w, NULL);
	jsonw_bool(w, "executionSuccessful", end->is_whole);
	moment_write(w, "startTimeUtc", s->began_ms);
	moment_write(w, "endTimeUtc", end->now_ms);
	notes_write(end, w);
	jsonw_end_object(w);
	jsonw_end_array(w);
}

static void tail_write(struct sarif_out *s, const struct sarif_end *end)
{
	owned_buf struct buf tail = { 0 };
	struct jsonw w = { .out = &tail };

	jsonw_object(&w, NULL);
	tool_write(&w);
	invocation_write(s, end, &w);
	jsonw_object(&w, "originalUriBaseIds");
	jsonw_object(&w, "SRCROOT");
	jsonw_object(&w, "description");
	jsonw_text(&w, "text", "The repository.");
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	buf_text(&s->text, "],");
	if (buf_has_failed(&tail))
		s->text.failed = true;
	else
		buf_add(&s->text, tail.bytes + 1, tail.len - 1);
	buf_text(&s->text, "]}\n");
}

int sarif_out_close(struct sarif_out *s, const struct sarif_end *end,
		    struct cupel_error *err)
{
	int e;

	if (s->path == NULL)
		return 0;
	tail_write(s, end);
	e = text_flush(s, 0, err);
	if (e < 0)
		return e;
	e = outfile_put(&s->file);
	return e < 0 ? fail(s, e, err) : 0;
}

void sarif_out_done(struct sarif_out *s)
{
	if (s->path != NULL)
		outfile_done(&s->file);
	buf_done(&s->text);
	*s = (struct sarif_out){ 0 };
}
