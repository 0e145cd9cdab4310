/* parse_json.c -- an input as one JSON object.  See parse.h. */
#include <errno.h>
#include <string.h>

#include "parsers/common/parse.h"

#define MESSAGE_BYTES 512U

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
	size_t skip = input_bom_note(in, r);

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
