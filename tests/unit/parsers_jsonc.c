/* parsers_jsonc.c -- comments and trailing commas, and nothing else. */
#include <errno.h>
#include <stdlib.h>

#include "json_at.h"
#include "parsers/common/jsonc.h"

struct read {
	struct arena arena;
	struct json_value value;
	struct parse_report report;
	int result;
};

static void read_bytes(struct read *t, const char *bytes, size_t len)
{
	struct parse_input in = { .name = "tsconfig.json",
				  .name_len = 13,
				  .bytes = bytes,
				  .len = len };

	*t = (struct read){ 0 };
	parse_report_init(&t->report);
	t->result = jsonc_read(&in, &t->arena, (size_t)16 << 20, &t->value,
			       &t->report);
}

static void read_done(struct read *t)
{
	parse_report_done(&t->report);
	arena_done(&t->arena);
}

static void is_read_as(const char *text, const char *want)
{
	struct buf out = { 0 };
	struct read t;

	read_bytes(&t, text, strlen(text));
	ok_int(t.result, 0);
	if (t.result == 0)
		json_write(&t.value, &out);
	if (strcmp(out.bytes ? out.bytes : "", want) != 0) {
		tap_bad++;
		fprintf(stderr, "# %s is %s, wanted %s\n", text,
			out.bytes ? out.bytes : "", want);
	}
	buf_done(&out);
	read_done(&t);
}

static void is_refused(const char *text, const char *code, int offset)
{
	char want[120];
	struct read t;

	read_bytes(&t, text, strlen(text));
	ok_int(t.result, -EINVAL);
	(void)snprintf(want, sizeof want,
		       "{\"code\":\"%s\",\"source\":\"tsconfig.json\","
		       "\"offset\":%d,",
		       code, offset);
	ok_has(t.report.errors.text.bytes, want);
	read_done(&t);
}

static void comments_are_blanks(void)
{
	is_read_as("// a\n{/* b */\"c\"/**/:1 // \"}\n}//", "{\"c\":1}");
	is_read_as("{\"a\":1/* , */}", "{\"a\":1}");
	is_read_as("{\"a\":1}/* \xc3\xa4 */\r// x\r", "{\"a\":1}");
	is_read_as("{\"a\":1/***/,\"b\":2/*/*/}", "{\"a\":1,\"b\":2}");
}

static void trailing_commas_are_blanks(void)
{
	is_read_as("{\"a\":[1,2,],}", "{\"a\":[1,2]}");
	is_read_as("{\"a\":[1 , // x\n ] , /* y */ }", "{\"a\":[1]}");
	is_read_as("{\"a\":{\"b\":[],},}", "{\"a\":{\"b\":[]}}");
}

static void strings_stay(void)
{
	is_read_as("{\"a\":\"// x /* y */ ,]\"}",
		   "{\"a\":\"// x /* y */ ,]\"}");
	is_read_as("{\"a\\\\\":\"\\\"//\",}", "{\"a\\\\\":\"\\\"//\"}");
	is_read_as("{\"a\":\"\\\\\" /* x */ }", "{\"a\":\"\\\\\"}");
}

static void the_rest_is_strict(void)
{
	is_refused("{,}", "syntax", 1);
	is_refused("{\"a\":[,]}", "syntax", 6);
	is_refused("{\"a\":[1,,]}", "syntax", 8);
	is_refused("{\"a\":,}", "syntax", 5);
	is_refused("{\"a\":1,,}", "syntax", 7);
	is_refused("{\"a\":1} x", "trailing", 8);
	is_refused("{\"a\":1,\"a\":2,}", "duplicate_name", 7);
	is_refused("{'a':1}", "syntax", 1);
	is_refused("{\"a\":1 /* x }", "syntax", 7);
	is_refused("{\"a\":1 / 2}", "syntax", 7);
	is_refused("[1,]", "not_an_object", 0);
	is_refused("{\"a\":1, # x\n}", "syntax", 8);
	is_refused(",{}", "syntax", 0);
}

static void comments_are_utf8(void)
{
	struct read t;

	read_bytes(&t, "{ /* \xff */ }", 11);
	ok_int(t.result, -EINVAL);
	ok(is_in_open_list(t.report.errors.text.bytes, "{\"offset\":5}"));
	read_done(&t);
}

static void ends_are_ends(void)
{
	static const char *const texts[] = { "",     "/",  "{\"a",  "{\"a\\",
					     "{ /*", "//", "{ /*/", "," };
	struct read t;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *exact = strdup(texts[i]);

		read_bytes(&t, exact, strlen(exact));
		ok_int(t.result, -EINVAL);
		read_done(&t);
		free(exact);
	}
}

/* 12 MB of comments that never end: looking for each end would take hours. */
static void time_is_linear(void)
{
	struct buf text = { 0 };
	struct read t;

	buf_char(&text, '{');
	for (int i = 0; i < 4 << 20; i++)
		buf_text(&text, "/*a");
	read_bytes(&t, text.bytes, text.len);
	ok_int(t.result, -EINVAL);
	read_done(&t);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(comments_are_blanks),
		CASE(trailing_commas_are_blanks),
		CASE(strings_stay),
		CASE(the_rest_is_strict),
		CASE(comments_are_utf8),
		CASE(ends_are_ends),
		CASE(time_is_linear),
		TAP_END,
	});
}
