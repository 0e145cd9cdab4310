/* boundary_payload.c -- bytes to a checked value, and `cupel validate`. */
#include <string.h>

#include "base/buf.h"
#include "boundary/payload.h"
#include "boundary/schema.h"
#include "boundary/validate.h"
#include "json_at.h"

static struct schema_set *set_of(const char *schema)
{
	struct schema_set *set = schema_set_new();
	struct schema_fault fault;

	ok_int(schema_set_add(set, NULL, schema, strlen(schema), &fault), 0);
	ok_int(schema_set_use(set, NULL, &fault), 0);
	return set;
}

struct case_row {
	const char *text;
	enum payload_status status;
	const char *code;
};

static void sorts_every_text_by_its_first_fault(void)
{
	static const char *const roots[] = { "/repo", NULL };
	static const struct case_row rows[] = {
		{ "", PAYLOAD_ABSENT, NULL },
		{ "{\"n\":1}", PAYLOAD_VALID, NULL },
		{ " ", PAYLOAD_MALFORMED, "empty" },
		{ "{\"n\":1,}", PAYLOAD_MALFORMED, "syntax" },
		{ "{\"n\":1}x", PAYLOAD_MALFORMED, "trailing" },
		{ "{\"n\":1,\"n\":1}", PAYLOAD_MALFORMED, "duplicate_name" },
		{ "\xef\xbb\xbf{}", PAYLOAD_MALFORMED, "bom" },
		{ "\"\xff\"", PAYLOAD_MALFORMED, "bad_utf8" },
		{ "\"\\ud800\"", PAYLOAD_MALFORMED, "bad_unicode" },
		{ "[[[[[]]]]]", PAYLOAD_MALFORMED, "too_deep" },
		{ "\"0123456789abcdef!\"", PAYLOAD_MALFORMED,
		  "string_too_long" },
		{ "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
		  PAYLOAD_TOO_LARGE, "too_large" },
		{ "{\"n\":\"1\"}", PAYLOAD_SCHEMA_VIOLATION,
		  "schema_violation" },
		/* the schema before the sanitizer */
		{ "{\"n\":\"1\",\"token\":1}", PAYLOAD_SCHEMA_VIOLATION,
		  "schema_violation" },
		{ "{\"n\":1,\"token\":1}", PAYLOAD_REJECTED,
		  "field_name_refused" },
		{ "{\"s\":\"aaaaaaaaaaaaaab\"}", PAYLOAD_VALID, NULL },
	};
	const struct payload_limits limits = {
		.bytes = 40, .depth = 4, .string_bytes = 16, .roots = roots
	};
	struct schema_set *set =
		set_of("{\"properties\":{\"n\":{\"type\":\"integer\"}}}");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct payload p;
		size_t n = strlen(rows[i].text);

		payload_read(rows[i].text, n, n, set, &limits, &p);
		fprintf(stderr, "# %s\n", rows[i].text);
		ok_int(p.status, rows[i].status);
		ok((p.error.code == NULL) == (rows[i].code == NULL));
		if (p.error.code != NULL && rows[i].code != NULL)
			ok_has(p.error.code, rows[i].code);
		ok((p.error.message == NULL) == (rows[i].code == NULL));
		payload_done(&p);
	}
	schema_set_free(set);
}

static void keeps_the_value_sanitized(void)
{
	static const char *const roots[] = { "/repo", "/srv/x", NULL };
	static const char text[] = "{\"f\":\"/srv/x/a\",\"g\":\"<|x\","
				   "\"n\":123456789012345678901234567890}";
	const struct payload_limits limits = { .roots = roots };
	struct payload p;
	struct buf out = { 0 };

	payload_read(text, sizeof text - 1, sizeof text - 1, NULL, &limits, &p);
	ok_int(p.status, PAYLOAD_VALID);
	json_write(&p.value, &out);
	ok_json(out.bytes, "/ALL",
		"{\"f\":\"a\",\"g\":\"<|x\","
		"\"n\":123456789012345678901234567890}");
	ok(p.injection_markers == 1);
	buf_done(&out);
	payload_done(&p);
}

static void tells_what_was_cut_from_what_was_short(void)
{
	const struct payload_limits limits = { .bytes = 4 };
	struct payload p;

	payload_read("[1]", 3, 3, NULL, &limits, &p);
	ok_int(p.status, PAYLOAD_VALID);
	payload_done(&p);
	payload_read("[1] ", 4, 5, NULL, &limits, &p);
	ok_int(p.status, PAYLOAD_TOO_LARGE);
	ok_has(p.error.message, "more than the 4 bytes allowed");
	payload_done(&p);
	payload_read("[1]  ", 5, 5, NULL, &limits, &p);
	ok_int(p.status, PAYLOAD_TOO_LARGE);
	payload_done(&p);
	payload_read("", 0, 9, NULL, &limits, &p);
	ok_int(p.status, PAYLOAD_TOO_LARGE);
	payload_done(&p);
}

static void never_calls_a_match_limit_valid(void)
{
	static const char text[] = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"";
	const struct payload_limits limits = { 0 };
	struct schema_set *set =
		set_of("{\"not\":{\"pattern\":\"^(a|aa)+$\"}}");
	struct payload p;

	payload_read(text, sizeof text - 1, sizeof text - 1, set, &limits, &p);
	ok_int(p.status, PAYLOAD_SCHEMA_ERROR);
	ok_has(p.error.code, "match_limit");
	payload_done(&p);
	schema_set_free(set);
}

static void says_where_the_violation_is(void)
{
	static const char text[] = "{\"a\":[{\"b\":1}]}";
	const struct payload_limits limits = { 0 };
	struct schema_set *set = set_of(
		"{\"$id\":\"http://x/s\",\"properties\":{\"a\":{\"items\":"
		"{\"properties\":{\"b\":{\"type\":\"string\"}}}}}}");
	struct payload p;

	payload_read(text, sizeof text - 1, sizeof text - 1, set, &limits, &p);
	ok_int(p.status, PAYLOAD_SCHEMA_VIOLATION);
	ok_has(p.error.instance, "/a/0/b");
	ok_has(p.error.schema,
	       "http://x/s#/properties/a/items/properties/b/type");
	ok_has(p.error.message, "expected string, found integer");
	payload_done(&p);
	schema_set_free(set);
}

static void has_a_name_for_every_status(void)
{
	ok_has(payload_status_name(PAYLOAD_ABSENT), "absent");
	ok_has(payload_status_name(PAYLOAD_SCHEMA_ERROR), "schema_error");
	ok_has(payload_status_name(PAYLOAD_STATUS_MAX_), "?");
}

static void hold(const struct schema_set *set, const char *text,
		 enum validate_verdict verdict, const char *line)
{
	struct buf out = { 0 };
	struct buf why = { 0 };

	ok_int(validate_text(set,
			     &(struct validate_input){ text, strlen(text), 0 },
			     &out, &why),
	       verdict);
	ok((why.len > 0) == (verdict == VALIDATE_UNUSABLE));
	if (why.len > 0)
		ok_has(out.bytes, why.bytes);
	buf_done(&why);
	ok_has(out.bytes, line);
	ok(out.bytes[out.len - 1] == '\n');
	ok(strchr(out.bytes, '\n') == out.bytes + out.len - 1);
	buf_done(&out);
}

static void validates_one_text(void)
{
	struct schema_set *set = set_of("{\"type\":\"object\"}");

	hold(NULL, "[1]", VALIDATE_VALID, "{\"valid\":true,\"errors\":[]}\n");
	hold(NULL, "[1", VALIDATE_UNUSABLE,
	     "{\"valid\":false,\"errors\":[{\"instance\":\"\",\"schema\":\"\","
	     "\"message\":\"syntax at line 1, column 3: expected ',' or "
	     "']'\"}]}\n");
	hold(set, "{}", VALIDATE_VALID, "{\"valid\":true,\"errors\":[]}\n");
	hold(set, "[]", VALIDATE_INVALID,
	     "{\"valid\":false,\"errors\":[{\"instance\":\"\",\"schema\":"
	     "\"#/type\",\"message\":\"expected object, found array\"}]}\n");
	schema_set_free(set);
	set = set_of("{\"$ref\":\"#\"}");
	hold(set, "{}", VALIDATE_UNUSABLE, "the schema: too_deep");
	schema_set_free(set);
}

static void validates_texts_that_are_large_or_deep(void)
{
	struct schema_set *set = set_of("{\"items\":{\"type\":\"integer\"}}");
	struct buf text = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_char(&text, '[');
	for (int i = 0; i < 1000; i++)
		buf_char(&text, ']');
	hold(NULL, text.bytes, VALIDATE_VALID, "true");
	text.len = 0;
	for (int i = 0; i < 100000; i++)
		buf_char(&text, '[');
	hold(NULL, text.bytes, VALIDATE_UNUSABLE, "too_deep");
	text.len = 0;
	buf_char(&text, '[');
	for (int i = 0; i < 700000; i++)
		buf_text(&text, "1, ");
	buf_text(&text, "\"x\"]");
	hold(set, text.bytes, VALIDATE_INVALID, "/700000");
	buf_done(&text);
	schema_set_free(set);
}

static void says_which_line_of_many_it_is(void)
{
	struct buf out = { 0 };
	struct buf why = { 0 };

	ok_int(validate_text(NULL, &(struct validate_input){ "{ ", 2, 7 }, &out,
			     &why),
	       VALIDATE_UNUSABLE);
	ok_has(why.bytes, "syntax at line 7, column 3: expected a name");
	ok_int(validate_text(NULL, &(struct validate_input){ NULL, 0, 8 }, &out,
			     NULL),
	       VALIDATE_UNUSABLE);
	ok_has(out.bytes, "empty at line 8");
	buf_done(&out);
	buf_done(&why);
}

static void counts_the_errors_that_it_does_not_print(void)
{
	struct schema_set *set = set_of("{\"items\":false}");
	struct buf text = { 0 };

	buf_text(&text, "[0");
	for (int i = 1; i < 100; i++)
		buf_text(&text, ",0");
	buf_char(&text, ']');
	hold(set, text.bytes, VALIDATE_INVALID, "\"and 68 more\"");
	buf_done(&text);
	schema_set_free(set);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(sorts_every_text_by_its_first_fault),
		CASE(keeps_the_value_sanitized),
		CASE(tells_what_was_cut_from_what_was_short),
		CASE(never_calls_a_match_limit_valid),
		CASE(says_where_the_violation_is),
		CASE(has_a_name_for_every_status), CASE(validates_one_text),
		CASE(validates_texts_that_are_large_or_deep),
		CASE(says_which_line_of_many_it_is),
		CASE(counts_the_errors_that_it_does_not_print), TAP_END });
}
