/* parsers_context.c -- a context that is read back has what was written, and
 * nothing that JSON cannot express. */
#include <stdlib.h>

#include "jobs/gather/yaml_write.h"
#include "parsers/common/parse.h"
#include "tap.h"

static struct parse_report report;
static struct arena arena;

static const char *read_back(const char *yaml, size_t n)
{
	struct parse_input item = { .name = "repo-context.yaml",
				    .name_len = 17,
				    .bytes = yaml,
				    .len = n };
	struct parse_inputs in = { .items = &item, .len = 1 };

	parse_report_done(&report);
	parse_report_init(&report);
	ok_int(context_read_run(&in, &report), 0);
	return report.slice.bytes ? report.slice.bytes : "";
}

static void becomes(const char *yaml, const char *json)
{
	const char *got = read_back(yaml, strlen(yaml));

	ok_int((intmax_t)report.errors.total, 0);
	ok(strcmp(got, json) == 0);
	if (tap_bad)
		fprintf(stderr, "# %s\n# became %s\n# %s\n", yaml, got,
			report.errors.text.bytes);
}

static void refused(const char *yaml, const char *code)
{
	char want[64];

	(void)read_back(yaml, strlen(yaml));
	ok_int((intmax_t)report.errors.total, 1);
	(void)snprintf(want, sizeof want, "\"code\":\"%s\"", code);
	ok_has(report.errors.text.bytes, want);
}

static void scalars_are_what_json_says(void)
{
	becomes("[null, ~, true, False, 1, -0, 1.50, 1e5, 1.0e+5, '']",
		"[null,null,true,false,1,-0,1.50,1e5,1.0e+5,\"\"]");
	becomes("[yes, no, on, 0x1f, 01, +1, .5, 1., 1_0, 1:30, .inf]",
		"[\"yes\",\"no\",\"on\",\"0x1f\",\"01\",\"+1\",\".5\",\"1.\","
		"\"1_0\",\"1:30\",\".inf\"]");
	becomes("['null', \"true\", '1', \"~\"]",
		"[\"null\",\"true\",\"1\",\"~\"]");
	becomes("a:\n", "{\"a\":null}");
	becomes("1: x\ntrue: y\n", "{\"1\":\"x\",\"true\":\"y\"}");
	becomes("a: &x [1]\nb: *x\n", "{\"a\":[1],\"b\":[1]}");
	becomes("a: !!python/object:os.system x\n", "{\"a\":\"x\"}");
	ok_int((intmax_t)report.warnings.total, 1);
}

static void what_is_no_context_is_refused(void)
{
	refused("a: 1\na: 2\n", "duplicate_name");
	refused("1: 1\n\"1\": 2\n", "duplicate_name");
	refused("? [1]\n: 2\n", "yaml_key");
	refused("\"a\\0b\": 2\n", "yaml_key");
	refused("a: 1\n---\nb: 2\n", "yaml_documents");
	refused("", "yaml_documents");
	refused("a: *x\n", "yaml_alias");
	refused("a: [1\n", "yaml_syntax");
	refused("a: \xff\n", "bad_utf8");
}

static void a_bomb_is_bounded(void)
{
	owned_buf struct buf yaml = { 0 };

	buf_text(&yaml, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 12; i++) {
		buf_format(&yaml, "a%d: &a%d [", i, i);
		for (int k = 0; k < 10; k++)
			buf_format(&yaml, "%s*a%d", k > 0 ? ", " : "", i - 1);
		buf_text(&yaml, "]\n");
	}
	refused(yaml.bytes, "yaml_nodes");
	ok(report.slice.len < 100);
	yaml.len = 0;
	for (int i = 0; i < 100000; i++)
		buf_char(&yaml, '[');
	refused(yaml.bytes, "depth");
	/* 4 MiB of text, thirty times: over the cap of a context */
	yaml.len = 0;
	buf_text(&yaml, "- &a \"");
	for (int i = 0; i < 4 << 20; i++)
		buf_char(&yaml, 'x');
	buf_text(&yaml, "\"\n");
	for (int i = 0; i < 30; i++)
		buf_text(&yaml, "- *a\n");
	(void)read_back(yaml.bytes, yaml.len);
	ok(buf_has_failed(&report.slice) || report.errors.total > 0);
}

static void what_was_written_comes_back(void)
{
	static const char json[] =
		"{\"version\":\"1.0\",\"list\":[1,-2.5,1e5,null,true,[],{}],"
		"\"texts\":[\"\",\"yes\",\"1.0\",\"a: b\",\" x\",\"\\n\\u0000"
		"\\u2028\\ud83d\\ude00\",\"0x1f\",\"~\",\"- a\",\"#\"],"
		"\"deep\":{\"a\":[{\"b\":[[\"c\"]]}]}}";
	struct json_value v, back;
	struct json_error e;
	owned_buf struct buf yaml = { 0 };
	const char *got;

	ok_int(json_parse(json, sizeof json - 1, NULL, &arena, &v, &e), 0);
	yaml_write(&v, &yaml);
	got = read_back(yaml.bytes, yaml.len);
	ok_int((intmax_t)report.errors.total, 0);
	ok_int(json_parse(got, strlen(got), NULL, &arena, &back, &e), 0);
	ok(json_equal(&v, &back));
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(scalars_are_what_json_says),
		CASE(what_is_no_context_is_refused), CASE(a_bomb_is_bounded),
		CASE(what_was_written_comes_back), TAP_END });

	parse_report_done(&report);
	arena_done(&arena);
	return r;
}
