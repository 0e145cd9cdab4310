/* boundary_json.c -- the strict JSON reader, and the functions that read its
 * trees. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "tap.h"

#define TEXT(s) s, sizeof(s) - 1

struct sample {
	const char *bytes;
	size_t n;
	enum json_code code;
	size_t offset;
};

static enum json_code parse_code(const char *bytes, size_t n,
				 const struct json_caps *caps, size_t *offset)
{
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v = { .type = JSON_TYPE_MAX_ };
	/* A copy of the exact size, so that reading past it is seen. */
	char *copy = malloc(n > 0 ? n : 1);
	int r;

	if (n > 0)
		memcpy(copy, bytes, n);
	r = json_parse(copy, n, caps, &arena, &v, &err);
	ok((r == 0) == (err.code == JSON_OK));
	ok((r == 0) == (v.type != JSON_TYPE_MAX_));
	ok(r == 0 || (err.expected != NULL && err.line > 0 && err.column > 0));
	*offset = err.offset;
	free(copy);
	arena_done(&arena);
	return err.code;
}

static void hold(const struct sample *s, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t offset;
		enum json_code code =
			parse_code(s[i].bytes, s[i].n, NULL, &offset);

		if (code == s[i].code &&
		    (code == JSON_OK || offset == s[i].offset))
			continue;
		fprintf(stderr, "# %s: %s at %zu, wanted %s at %zu\n",
			s[i].bytes, json_code_name(code), offset,
			json_code_name(s[i].code), s[i].offset);
		ok_int(code, s[i].code);
		ok(offset == s[i].offset);
	}
}

static void accepts_what_rfc_8259_allows(void)
{
	static const char *const texts[] = {
		"null",
		" true\n",
		"\t\r\nfalse ",
		"0",
		"-0",
		"-0.0e-00",
		"1.50E+3",
		"123e65",
		"0e1",
		"\"\"",
		"\" \"",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		"\"\\u0061\\u30AF\"",
		"\"\\ud834\\udd1e\"",
		"\"\\uDBFF\\uDFFF\"",
		"\"\\u0000\"",
		"\"\x7f\"",
		"\"\xe2\x80\xa8\xe2\x80\xa9\"",
		"\"\xf4\x8f\xbf\xbf\"",
		"\"\xef\xbb\xbf\"",
		"\"\\uFFFE\"",
		"[]",
		"[ ]",
		"[[] ]",
		"{}",
		"{ }",
		"{\"\":0}",
		"{\"a\":[],\"b\":{}}",
		"[1,\n2 , 3]",
		"{\"a\\u0000b\":1}",
		"{\"min\": -1.0e+28, \"max\": 1.0e+28}",
		"[-0.000000000000000000000000000000000000000000000000001]",
	};
	size_t offset;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ok_int(parse_code(texts[i], strlen(texts[i]), NULL, &offset),
		       JSON_OK);
}

static void refuses_bad_structure(void)
{
	static const struct sample rows[] = {
		{ TEXT(""), JSON_EMPTY, 0 },
		{ TEXT(" \n"), JSON_EMPTY, 2 },
		{ TEXT("["), JSON_SYNTAX, 1 },
		{ TEXT("{"), JSON_SYNTAX, 1 },
		{ TEXT("]"), JSON_SYNTAX, 0 },
		{ TEXT("[1,]"), JSON_SYNTAX, 3 },
		{ TEXT("[,1]"), JSON_SYNTAX, 1 },
		{ TEXT("[1 2]"), JSON_SYNTAX, 3 },
		{ TEXT("[1}"), JSON_SYNTAX, 2 },
		{ TEXT("{]"), JSON_SYNTAX, 1 },
		{ TEXT("{\"a\" 1}"), JSON_SYNTAX, 5 },
		{ TEXT("{\"a\":1,}"), JSON_SYNTAX, 7 },
		{ TEXT("{\"a\":}"), JSON_SYNTAX, 5 },
		{ TEXT("{a:1}"), JSON_SYNTAX, 1 },
		{ TEXT("{1:1}"), JSON_SYNTAX, 1 },
		{ TEXT("{\"a\":1 \"b\":2}"), JSON_SYNTAX, 7 },
		{ TEXT("{\"a\":1"), JSON_SYNTAX, 6 },
		{ TEXT("// c\n1"), JSON_SYNTAX, 0 },
		{ TEXT("[1/**/]"), JSON_SYNTAX, 2 },
		{ TEXT("NaN"), JSON_SYNTAX, 0 },
		{ TEXT("-Infinity"), JSON_SYNTAX, 1 },
		{ TEXT("nul"), JSON_SYNTAX, 0 },
		{ TEXT("True"), JSON_SYNTAX, 0 },
		{ TEXT("'a'"), JSON_SYNTAX, 0 },
		{ TEXT("\0"), JSON_SYNTAX, 0 },
		{ TEXT("[\f1]"), JSON_SYNTAX, 1 },
		{ TEXT("[\xc2\xa0]"), JSON_SYNTAX, 1 },
		{ TEXT("1 1"), JSON_TRAILING, 2 },
		{ TEXT("[]]"), JSON_TRAILING, 2 },
		{ TEXT("{}#"), JSON_TRAILING, 2 },
		{ TEXT("nullx"), JSON_TRAILING, 4 },
		{ TEXT("1\0"), JSON_TRAILING, 1 },
		{ TEXT("\xef\xbb\xbf[]"), JSON_BOM, 0 },
		{ TEXT("\xff\xfe["), JSON_BAD_UTF8, 0 },
	};

	hold(rows, sizeof rows / sizeof *rows);
}

static void refuses_bad_numbers(void)
{
	static const struct sample rows[] = {
		{ TEXT("-"), JSON_SYNTAX, 1 },
		{ TEXT("+1"), JSON_SYNTAX, 0 },
		{ TEXT(".5"), JSON_SYNTAX, 0 },
		{ TEXT("1."), JSON_SYNTAX, 2 },
		{ TEXT("1.e1"), JSON_SYNTAX, 2 },
		{ TEXT("1e"), JSON_SYNTAX, 2 },
		{ TEXT("1e+"), JSON_SYNTAX, 3 },
		{ TEXT("1e1.5"), JSON_TRAILING, 3 },
		{ TEXT("01"), JSON_TRAILING, 1 },
		{ TEXT("-01"), JSON_TRAILING, 2 },
		{ TEXT("[0x1]"), JSON_SYNTAX, 2 },
		{ TEXT("1_000"), JSON_TRAILING, 1 },
		{ TEXT("- 1"), JSON_SYNTAX, 1 },
		{ TEXT("[-]"), JSON_SYNTAX, 2 },
		{ TEXT("\xef\xbc\x91"), JSON_SYNTAX, 0 },
	};

	hold(rows, sizeof rows / sizeof *rows);
}

static void refuses_bad_strings_each_by_its_code(void)
{
	static const struct sample rows[] = {
		{ TEXT("\""), JSON_SYNTAX, 1 },
		{ TEXT("\"\\"), JSON_SYNTAX, 2 },
		{ TEXT("\"\\x41\""), JSON_SYNTAX, 2 },
		{ TEXT("\"\\U0041\""), JSON_SYNTAX, 2 },
		{ TEXT("\"\\u00G0\""), JSON_SYNTAX, 3 },
		{ TEXT("\"\\u004\""), JSON_SYNTAX, 3 },
		{ TEXT("\"\\\0\""), JSON_SYNTAX, 2 },
		{ TEXT("\"\t\""), JSON_SYNTAX, 1 },
		{ TEXT("\"\x1f\""), JSON_SYNTAX, 1 },
		{ TEXT("\"a\0\""), JSON_SYNTAX, 2 },
		{ TEXT("\"\\ud800\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\udc00\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\ud800\\ud800\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\ud800\\u0041\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\ud800\\ue000\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\udc00\\udc00\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\ud800\\n\""), JSON_BAD_UNICODE, 1 },
		{ TEXT("\"\\ud800\\udc0\""), JSON_SYNTAX, 9 },
		{ TEXT("\"\x80\""), JSON_BAD_UTF8, 1 },
		{ TEXT("\"\xc0\xaf\""), JSON_BAD_UTF8, 1 },
		{ TEXT("\"\xed\xa0\x80\""), JSON_BAD_UTF8, 1 },
		{ TEXT("\"a\xf4\x90\x80\x80\""), JSON_BAD_UTF8, 2 },
		{ TEXT("\"\xe2\x82\""), JSON_BAD_UTF8, 1 },
		{ TEXT("\"\xe2\x82"), JSON_BAD_UTF8, 1 },
		{ TEXT("{\"\xff\":1}"), JSON_BAD_UTF8, 2 },
	};

	hold(rows, sizeof rows / sizeof *rows);
}

static void refuses_names_that_come_twice(void)
{
	static const struct sample rows[] = {
		{ TEXT("{\"a\":1,\"a\":1}"), JSON_DUPLICATE_NAME, 7 },
		{ TEXT("{\"a\":1,\"\\u0061\":2}"), JSON_DUPLICATE_NAME, 7 },
		{ TEXT("{\"x\\u0000a\":1,\"x\\u0000b\":1}"), JSON_OK, 0 },
		{ TEXT("{\"a\":{\"a\":1}}"), JSON_OK, 0 },
		{ TEXT("[{\"b\":0,\"\":1,\"\":2}]"), JSON_DUPLICATE_NAME, 13 },
		{ TEXT("{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,"
		       "\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"c\":0,\"a\":0}"),
		  JSON_DUPLICATE_NAME, 61 },
	};

	hold(rows, sizeof rows / sizeof *rows);
}

static void holds_its_caps(void)
{
	const struct json_caps small = { .text_bytes = 40,
					 .string_bytes = 4,
					 .depth = 3,
					 .memory_bytes = 4096 };
	struct buf many = { 0 };
	size_t at;

	ok_int(parse_code(TEXT("[[[]]]"), &small, &at), JSON_OK);
	ok_int(parse_code(TEXT("[[[[]]]]"), &small, &at), JSON_TOO_DEEP);
	ok(at == 3);
	ok_int(parse_code(TEXT("[[],[],[[{}]]]"), &small, &at), JSON_TOO_DEEP);
	ok_int(parse_code(TEXT("\"\\u00e9\\u00e9\""), &small, &at), JSON_OK);
	ok_int(parse_code(TEXT("[\"abcde\"]"), &small, &at),
	       JSON_STRING_TOO_LONG);
	ok(at == 1);
	ok_int(parse_code(TEXT("{\"abcde\":1}"), &small, &at),
	       JSON_STRING_TOO_LONG);
	for (int i = 0; i < 40; i++)
		buf_char(&many, ' ');
	buf_char(&many, '1');
	ok_int(parse_code(many.bytes, 41, &small, &at), JSON_TOO_LARGE);
	ok(at == 40);
	ok_int(parse_code(many.bytes, 40, &small, &at), JSON_EMPTY);
	buf_done(&many);
}

static void survives_a_megabyte_of_anything(void)
{
	static const char *const units[] = {
		"[", "{\"a\":", "[[],", "\"", "1,", "[1,", "{", "\\u0061"
	};
	const struct json_caps deep = { .depth = 1U << 30 };
	size_t n = JSON_TEXT_BYTES;
	char *bytes = malloc(n);
	size_t at;

	for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
		size_t len = strlen(units[u]);

		for (size_t i = 0; i < n; i++)
			bytes[i] = units[u][i % len];
		ok(parse_code(bytes, n, &deep, &at) != JSON_OK);
		bytes[0] = '[';
		ok(parse_code(bytes, n, NULL, &at) != JSON_OK);
	}
	for (size_t i = 0; i < n; i++)
		bytes[i] = i % 2 ? '1' : ',';
	bytes[0] = '[';
	bytes[n - 1] = ']';
	bytes[n - 2] = '1';
	bytes[n - 3] = ' ';
	ok_int(parse_code(bytes, n, NULL, &at), JSON_OK);
	ok_int(parse_code(bytes, n,
			  &(struct json_caps){ .memory_bytes = 1 << 20 }, &at),
	       JSON_NO_MEMORY);
	free(bytes);
}

static void nests_as_deep_as_the_hard_cap_and_no_deeper(void)
{
	const struct json_caps deep = { .depth = 1U << 30 };
	char text[2 * JSON_DEPTH_MAX + 2];
	size_t at;

	memset(text, '[', JSON_DEPTH_MAX);
	memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	ok_int(parse_code(text, (size_t)JSON_DEPTH_MAX * 2, &deep, &at),
	       JSON_OK);
	ok_int(parse_code(text, (size_t)JSON_DEPTH_MAX * 2, NULL, &at),
	       JSON_TOO_DEEP);
	ok(at == JSON_DEPTH);
	memset(text, '[', JSON_DEPTH_MAX + 1);
	memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
	ok_int(parse_code(text, (size_t)JSON_DEPTH_MAX * 2 + 2, &deep, &at),
	       JSON_TOO_DEEP);
}

static void says_line_and_column(void)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;

	ok_int(json_parse(TEXT("{\n \"a\": 1,\n \"b\": x}"), NULL, &arena, &v,
			  &err),
	       -EINVAL);
	ok_int((intmax_t)err.line, 3);
	ok_int((intmax_t)err.column, 7);
	ok_has(err.expected, "a value");
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(accepts_what_rfc_8259_allows), CASE(refuses_bad_structure),
		CASE(refuses_bad_numbers),
		CASE(refuses_bad_strings_each_by_its_code),
		CASE(refuses_names_that_come_twice), CASE(holds_its_caps),
		CASE(survives_a_megabyte_of_anything),
		CASE(nests_as_deep_as_the_hard_cap_and_no_deeper),
		CASE(says_line_and_column), TAP_END });
}
