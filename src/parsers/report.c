/* report.c -- errors, warnings and the slice become one output.  See parse.h. */
#include <errno.h>
#include <string.h>

#include "base/name.h"
#include "parsers/parse.h"

#define NOTES_BYTES   ((size_t)256 << 10)
#define MESSAGE_BYTES 512U

static void notes_init(struct parse_notes *n)
{
	*n = (struct parse_notes){ .text = { .cap_bytes = NOTES_BYTES } };
	n->out.out = &n->text;
	jsonw_array(&n->out, NULL);
}

void report_init(struct parse_report *r)
{
	*r = (struct parse_report){ 0 };
	r->slice.cap_bytes = PARSE_SLICE_BYTES;
	notes_init(&r->errors);
	notes_init(&r->warnings);
}

void report_done(struct parse_report *r)
{
	buf_done(&r->errors.text);
	buf_done(&r->warnings.text);
	buf_done(&r->slice);
}

void source_write(struct jsonw *w, const char *key,
		  const struct parse_input *in)
{
	owned_buf struct buf name = { 0 };

	name_write(&name, in->name, in->name_len);
	jsonw_bytes(w, key, name.bytes ? name.bytes : "", name.len);
}

void report_note(struct parse_notes *n, const char *code,
		 const struct parse_input *in, int64_t offset,
		 const char *message)
{
	size_t len = strnlen(message, MESSAGE_BYTES);

	if (n->total++ >= PARSE_NOTES_MAX ||
	    n->text.len > NOTES_BYTES - ((size_t)24 << 10))
		return;
	jsonw_object(&n->out, NULL);
	jsonw_text(&n->out, "code", code);
	if (in != NULL)
		source_write(&n->out, "source", in);
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
			    "there were more than are listed here");
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
			    "the facts do not fit in 1 MiB; none are given");
	jsonw_object(&w, NULL);
	jsonw_text(&w, "probe", probe);
	jsonw_text(&w, "version", "1.0");
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

const char *input_base(const struct parse_input *in, size_t *ret_len)
{
	const char *slash =
		in->name_len ? memrchr(in->name, '/', in->name_len) : NULL;
	const char *base = slash ? slash + 1 : in->name;

	*ret_len = in->name_len - (size_t)(base - in->name);
	return base;
}

size_t input_dir_len(const struct parse_input *in)
{
	size_t len;
	const char *base = input_base(in, &len);

	return base == in->name ? 0 : (size_t)(base - in->name) - 1;
}

int input_base_is(const struct parse_input *in, const char *base)
{
	size_t len;
	const char *b = input_base(in, &len);

	return len == strlen(base) && memcmp(b, base, len) == 0;
}

bool input_is_installed(const struct parse_input *in)
{
	static const char mark[] = "node_modules/";
	const char *at = in->name, *end = in->name + in->name_len;

	while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) !=
	       NULL) {
		if (at == in->name || at[-1] == '/')
			return true;
		at += sizeof mark - 1;
	}
	return false;
}

static int name_compare(const struct parse_input *in, const struct buf *name)
{
	size_t len = in->name_len < name->len ? in->name_len : name->len;
	int c = memcmp(in->name, name->bytes, len);

	return c != 0 ? c : (in->name_len > len) - (name->len > len);
}

const struct parse_input *input_find(const struct parse_inputs *in,
				     const char *dir, size_t dir_len,
				     const char *base)
{
	owned_buf struct buf name = { 0 };
	size_t from = 0, to = in->len;

	buf_add(&name, dir, dir_len);
	if (dir_len > 0)
		buf_char(&name, '/');
	buf_text(&name, base);
	while (!buf_has_failed(&name) && from < to) {
		size_t mid = from + (to - from) / 2;
		int c = name_compare(&in->items[mid], &name);

		if (c == 0)
			return &in->items[mid];
		if (c < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

static int note_json_error(const struct parse_input *in, size_t skipped,
			   const struct json_error *e, struct parse_report *r)
{
	owned_buf struct buf text = { .cap_bytes = MESSAGE_BYTES };

	buf_format(&text, "line %zu, column %zu", e->line, e->column);
	if (e->expected != NULL)
		buf_format(&text, ": expected %s", e->expected);
	report_note(&r->errors, json_code_name(e->code), in,
		    (int64_t)(e->offset + skipped),
		    text.bytes && !text.failed ? text.bytes : "not JSON");
	return -EINVAL;
}

int parse_json(const struct parse_input *in, struct arena *arena,
	       size_t memory_bytes, struct json_value *ret,
	       struct parse_report *r)
{
	struct json_caps caps = {
		.text_bytes = in->len + 1,
		.string_bytes = in->len + 1,
		.depth = PARSE_DEPTH,
		.memory_bytes = memory_bytes,
	};
	struct json_error e = { 0 };
	struct json_value v;
	size_t skip = 0;

	if (in->len >= 3 && memcmp(in->bytes, "\xef\xbb\xbf", 3) == 0) {
		skip = 3;
		report_note(&r->warnings, "bom", in, 0,
			    "starts with a byte order mark");
	}
	if (json_parse(in->bytes + skip, in->len - skip, &caps, arena, &v, &e) <
	    0)
		return note_json_error(in, skip, &e, r);
	if (v.type != JSON_OBJECT) {
		report_note(&r->errors, "not_an_object", in, 0,
			    "expected an object at the top");
		return -EINVAL;
	}
	*ret = v;
	return 0;
}

struct json_text parse_text(const struct json_value *v,
			    const struct parse_input *in,
			    struct parse_report *r)
{
	struct json_text none = { NULL, 0 };

	if (v == NULL || v->type != JSON_STRING)
		return none;
	if (v->u.string.len > PARSE_STRING_BYTES) {
		report_note(&r->errors, "string_too_long", in,
			    (int64_t)v->offset, "a string over 64 KiB");
		return none;
	}
	return v->u.string;
}
