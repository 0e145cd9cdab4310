/* parse_report.c -- errors, warnings and the slice become one output.  See parse.h. */
#include <string.h>

#include "base/name.h"
#include "parsers/common/parse.h"
#include "parsers/common/role.h"

#define NOTES_BYTES   ((size_t)256 << 10)
#define MESSAGE_BYTES 512U

static void notes_init(struct parse_notes *n)
{
	*n = (struct parse_notes){ .text = { .cap_bytes = NOTES_BYTES } };
	n->out.out = &n->text;
	jsonw_array(&n->out, NULL);
}

void parse_report_init(struct parse_report *r)
{
	*r = (struct parse_report){ 0 };
	r->slice.cap_bytes = PARSE_SLICE_BYTES;
	notes_init(&r->errors);
	notes_init(&r->warnings);
	r->errors.of_others = &r->warnings;
}

void parse_report_done(struct parse_report *r)
{
	buf_done(&r->errors.text);
	buf_done(&r->warnings.text);
	buf_done(&r->slice);
}

void input_name_write(struct jsonw *w, const char *key,
		      const struct parse_input *in)
{
	owned_buf struct buf name = { 0 };

	name_write(&name, in->name, in->name_len);
	jsonw_bytes(w, key, name.bytes ? name.bytes : "", name.len);
}

void source_write(struct jsonw *w, const char *key,
		  const struct parse_input *in)
{
	input_name_write(w, key, in);
	if (key != NULL && !input_is_own(in)) /* an array has no members */
		role_write(w, in->role);
}

void report_note(struct parse_notes *n, const char *code,
		 const struct parse_input *in, int64_t offset,
		 const char *message)
{
	size_t len = strnlen(message, MESSAGE_BYTES);

	if (in != NULL && !input_is_own(in) && n->of_others != NULL)
		n = n->of_others;
	if (n->total++ >= PARSE_NOTES_MAX ||
	    n->text.len > NOTES_BYTES - ((size_t)24 << 10))
		return;
	jsonw_object(&n->out, NULL);
	jsonw_text(&n->out, "code", code);
	if (in != NULL)
		input_name_write(&n->out, "source", in);
	else
		jsonw_null(&n->out, "source");
	if (offset >= 0)
		jsonw_int(&n->out, "offset", offset);
	jsonw_bytes(&n->out, "message", message, len);
	jsonw_end_object(&n->out);
}

static void notes_write(struct jsonw *w, const char *key, struct parse_notes *n)
{
	if (n->total > PARSE_NOTES_MAX) {
		size_t kept = n->total;

		n->total = 0;
		report_note(n, "more_notes", NULL, -1,
			    "there were more, which are not listed here");
		n->total = kept;
	}
	jsonw_end_array(&n->out);
	jsonw_raw(w, key, n->text.bytes, n->text.len);
}

void report_write(struct parse_report *r, const char *probe, struct buf *out)
{
	struct jsonw w = { .out = out };

	if (buf_has_failed(&r->slice))
		report_note(&r->errors, "slice_too_large", NULL, -1,
			    "the facts do not fit into 1 MiB; none are given");
	jsonw_object(&w, NULL);
	jsonw_text(&w, "probe", probe);
	jsonw_text(&w, "version", r->version ? r->version : "1.0");
	jsonw_text(&w, "schema_version", "1.0");
	jsonw_text(&w, "confidence", r->errors.total > 0 ? "low" : "high");
	notes_write(&w, "errors", &r->errors);
	notes_write(&w, "warnings", &r->warnings);
	jsonw_uint(&w, "prompt_injection_marker_count", 0);
	if (buf_has_failed(&r->slice) || r->slice.bytes == NULL)
		jsonw_null(&w, "slice");
	else
		jsonw_raw(&w, "slice", r->slice.bytes, r->slice.len);
	jsonw_end_object(&w);
}
