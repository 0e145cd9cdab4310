/* parsers_toml.c -- TOML 1.0: what is read, and what is refused. */
#include "json_at.h"

#include <stdlib.h>
#include <time.h>

#include "parsers/toml/toml.h"

/* text as JSON, or the code of its error; to be freed. */
static char *toml_of(const char *text, size_t n, size_t memory_bytes)
{
	struct parse_input in = {
		.name = "a.toml", .name_len = 6, .bytes = text, .len = n
	};
	struct parse_report r;
	struct arena arena = { 0 };
	struct json_value v;
	struct buf out = { 0 };

	parse_report_init(&r);
	if (toml_read(&in, &arena, memory_bytes, &v, &r) == 0) {
		ok_int((long long)r.errors.total, 0);
		json_write(&v, &out);
	} else {
		ok_int((long long)r.errors.total, 1);
		buf_add(&out, r.errors.text.bytes, r.errors.text.len);
		buf_text(&out, "]");
	}
	parse_report_done(&r);
	arena_done(&arena);
	return buf_take(&out);
}

struct row {
	const char *text, *json; /* json NULL: it is refused with code */
	const char *code;
};

static void rows_hold(const struct row *rows, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char *got = toml_of(rows[i].text, strlen(rows[i].text),
				    (size_t)1 << 20);
		char code[64];

		if (rows[i].json == NULL)
			(void)snprintf(code, sizeof code, "{\"code\":\"%s\"}",
				       rows[i].code ? rows[i].code
						    : "toml_syntax");
		ok_json(got, rows[i].json ? "" : "/ANY",
			rows[i].json ? rows[i].json : code);
		if (rows[i].json != NULL && strcmp(got, rows[i].json) != 0)
			fprintf(stderr, "# %s\n", got);
		ok(rows[i].json == NULL || strcmp(got, rows[i].json) == 0);
		free(got);
	}
}

#define HOLD(rows) rows_hold(rows, sizeof(rows) / sizeof *(rows))

static void keys_and_values_of_each_kind(void)
{
	static const struct row rows[] = {
		{ "", "{}", NULL },
		{ "# only a comment", "{}", NULL },
		{ "\xef\xbb\xbf"
		  "a = 1",
		  "{\"a\":1}", NULL },
		{ "a = 1\r\nb = 2\r\n", "{\"a\":1,\"b\":2}", NULL },
		{ "a=true\nb=false # no", "{\"a\":true,\"b\":false}", NULL },
		{ "\"a b\" = 1\n'c.d' = 2\n\"\" = 3",
		  "{\"a b\":1,\"c.d\":2,\"\":3}", NULL },
		{ "1234 = 1\n-_ = 2", "{\"1234\":1,\"-_\":2}", NULL },
		{ "a . b = 1\na.\"c\".d = 2",
		  "{\"a\":{\"b\":1,\"c\":{\"d\":2}}}", NULL },
		{ "3.14 = 'pi'", "{\"3\":{\"14\":\"pi\"}}", NULL },
	};

	HOLD(rows);
}

static void numbers_become_those_of_json(void)
{
	static const struct row rows[] = {
		{ "a=+99", "{\"a\":99}", NULL },
		{ "a=-17", "{\"a\":-17}", NULL },
		{ "a=-0", "{\"a\":-0}", NULL },
		{ "a=1_000_000", "{\"a\":1000000}", NULL },
		{ "a=0xDEAD_beef", "{\"a\":3735928559}", NULL },
		{ "a=0o755", "{\"a\":493}", NULL },
		{ "a=0b1101", "{\"a\":13}", NULL },
		{ "a=9223372036854775807", "{\"a\":9223372036854775807}",
		  NULL },
		{ "a=-9223372036854775808", "{\"a\":-9223372036854775808}",
		  NULL },
		{ "a=0x7fffffffffffffff", "{\"a\":9223372036854775807}", NULL },
		{ "a=6.626e-34", "{\"a\":6.626e-34}", NULL },
		{ "a=5E+22", "{\"a\":5e+22}", NULL },
		{ "a=1e06", "{\"a\":1e06}", NULL },
		{ "a=9_224.445_991", "{\"a\":9224.445991}", NULL },
		{ "a=[inf,-inf,+nan]", "{\"a\":[\"inf\",\"-inf\",\"+nan\"]}",
		  NULL },
	};
	static const struct row wrong[] = {
		{ "a=01", NULL, NULL },
		{ "a=1__0", NULL, NULL },
		{ "a=_1", NULL, NULL },
		{ "a=1_", NULL, NULL },
		{ "a=0x", NULL, NULL },
		{ "a=0xG", NULL, NULL },
		{ "a=+0x1", NULL, NULL },
		{ "a=0b2", NULL, NULL },
		{ "a=.5", NULL, NULL },
		{ "a=5.", NULL, NULL },
		{ "a=3.e5", NULL, NULL },
		{ "a=1e", NULL, NULL },
		{ "a=1e1.5", NULL, NULL },
		{ "a=9223372036854775808", NULL, NULL },
		{ "a=-9223372036854775809", NULL, NULL },
		{ "a=0x8000000000000000", NULL, NULL },
		{ "a=++1", NULL, NULL },
		{ "a=Inf", NULL, NULL },
		{ "a=TRUE", NULL, NULL },
		{ "a=", NULL, NULL },
		{ "a", NULL, NULL },
		{ "a = 1 b = 2", NULL, NULL },
		{ "= 1", NULL, NULL },
	};

	HOLD(rows);
	HOLD(wrong);
}

static void dates_are_judged_and_kept_as_written(void)
{
	static const struct row rows[] = {
		{ "a=1979-05-27T07:32:00Z", "{\"a\":\"1979-05-27T07:32:00Z\"}",
		  NULL },
		{ "a=1979-05-27 00:32:00.999-07:00",
		  "{\"a\":\"1979-05-27 00:32:00.999-07:00\"}", NULL },
		{ "a=1979-05-27t07:32:00", "{\"a\":\"1979-05-27t07:32:00\"}",
		  NULL },
		{ "a=1979-05-27 # day", "{\"a\":\"1979-05-27\"}", NULL },
		{ "a=07:32:00.5", "{\"a\":\"07:32:00.5\"}", NULL },
		{ "a=2000-02-29", "{\"a\":\"2000-02-29\"}", NULL },
	};
	static const struct row wrong[] = {
		{ "a=1900-02-29", NULL, NULL },
		{ "a=2021-04-31", NULL, NULL },
		{ "a=2021-13-01", NULL, NULL },
		{ "a=2021-00-01", NULL, NULL },
		{ "a=2021-1-01", NULL, NULL },
		{ "a=24:00:00", NULL, NULL },
		{ "a=12:60:00", NULL, NULL },
		{ "a=12:30", NULL, NULL },
		{ "a=12:30:00.", NULL, NULL },
		{ "a=1979-05-27T", NULL, NULL },
		{ "a=1979-05-27T07:32:00+25:00", NULL, NULL },
		{ "a=1979-05-27  07:32:00", NULL, NULL },
	};

	HOLD(rows);
	HOLD(wrong);
}

static void strings_of_four_kinds(void)
{
	static const struct row rows[] = {
		{ "a = \"\\b\\t\\n\\f\\r\\\"\\\\\\u00e9\\U0001F600\"",
		  "{\"a\":\"\\b\\t\\n\\f\\r\\\"\\\\\xc3\xa9\xf0\x9f\x98\x80\"}",
		  NULL },
		{ "a = 'C:\\n'", "{\"a\":\"C:\\\\n\"}", NULL },
		{ "a = \"\"", "{\"a\":\"\"}", NULL },
		{ "a = \"\"\"\none\ntwo\"\"\"", "{\"a\":\"one\\ntwo\"}", NULL },
		{ "a = \"\"\"\r\none\r\ntwo\"\"\"", "{\"a\":\"one\\ntwo\"}",
		  NULL },
		{ "a = \"\"\"one \\\n\n   two\"\"\"", "{\"a\":\"one two\"}",
		  NULL },
		{ "a = \"\"\"one \\  \n two\"\"\"", "{\"a\":\"one two\"}",
		  NULL },
		{ "a = \"\"\"\"two\"\" of\"\"\"\"\"",
		  "{\"a\":\"\\\"two\\\"\\\" of\\\"\\\"\"}", NULL },
		{ "a = '''\n'two''\n'''''", "{\"a\":\"'two''\\n''\"}", NULL },
		{ "a = ''''''", "{\"a\":\"\"}", NULL },
	};
	static const struct row wrong[] = {
		{ "a = \"x", NULL, NULL },
		{ "a = 'x", NULL, NULL },
		{ "a = \"x\ny\"", NULL, NULL },
		{ "a = \"\"\"x\"\"", NULL, NULL },
		{ "a = \"\"\"x\"\"\"\"\"\"", NULL, NULL },
		{ "a = \"\\x41\"", NULL, NULL },
		{ "a = \"\\u12\"", NULL, NULL },
		{ "a = \"\\ud800\"", NULL, NULL },
		{ "a = \"\\U00110000\"", NULL, NULL },
		{ "a = \"\\ \"", NULL, NULL },
		{ "a = \"\"\"\\ x\"\"\"", NULL, NULL },
		{ "a = \"\x01\"", NULL, NULL },
		{ "a = '\x7f'", NULL, NULL },
		{ "# \x01", NULL, NULL },
		{ "a = 1\rb = 2", NULL, NULL },
		{ "\"\"\"a\"\"\" = 1", NULL, NULL },
		{ "a = \"\xff\"", NULL, "bad_utf8" },
		{ "a = '\xed\xa0\x80'", NULL, "bad_utf8" },
	};
	char *nul = toml_of("a = 1\0\n", 7, (size_t)1 << 20);

	HOLD(rows);
	HOLD(wrong);
	ok_json(nul, "/ANY", "{\"code\":\"toml_syntax\"}");
	free(nul);
}

static void arrays_and_tables_in_braces(void)
{
	static const struct row rows[] = {
		{ "a = []", "{\"a\":[]}", NULL },
		{ "a = [1, 'x', [2,], {b=3}, ]",
		  "{\"a\":[1,\"x\",[2],{\"b\":3}]}", NULL },
		{ "a = [ # one\n 1 # two\n , # three\n 2\n]", "{\"a\":[1,2]}",
		  NULL },
		{ "a = {}", "{\"a\":{}}", NULL },
		{ "a = { b.c = 1, b.d = 2 }",
		  "{\"a\":{\"b\":{\"c\":1,\"d\":2}}}", NULL },
	};
	static const struct row wrong[] = {
		{ "a = [1", NULL, NULL },
		{ "a = [,]", NULL, NULL },
		{ "a = [1,,2]", NULL, NULL },
		{ "a = [1 2]", NULL, NULL },
		{ "a = {b=1,}", NULL, NULL },
		{ "a = {b=1\n}", NULL, NULL },
		{ "a = {,}", NULL, NULL },
		{ "a = {b}", NULL, NULL },
		{ "a = {b=1,b=2}", NULL, "duplicate_name" },
		{ "a = {b={c=1}, b.d=2}", NULL, "duplicate_name" },
		{ "a = {b=1}\na.c = 2", NULL, "duplicate_name" },
		{ "a = {b=1}\n[a]", NULL, "duplicate_name" },
		{ "a = {b=1}\n[a.c]", NULL, "duplicate_name" },
		{ "a = [{b=1}]\n[[a]]", NULL, "duplicate_name" },
		{ "a = [{b=1}]\n[a.c]", NULL, "duplicate_name" },
	};

	HOLD(rows);
	HOLD(wrong);
}

static void tables_are_opened_once(void)
{
	static const struct row rows[] = {
		{ "[a]\nb=1\n[ a . 'c' ]\nd=2",
		  "{\"a\":{\"b\":1,\"c\":{\"d\":2}}}", NULL },
		{ "[a.b]\nc=1\n[a]\nd=2", "{\"a\":{\"b\":{\"c\":1},\"d\":2}}",
		  NULL },
		{ "[[a]]\nb=1\n[[a]]\n[a.c]\nd=2\n[[a.e]]\n[[a.e]]",
		  "{\"a\":[{\"b\":1},{\"c\":{\"d\":2},\"e\":[{},{}]}]}", NULL },
		{ "[a]\nb.c=1\n[a.b.d]\ne=2",
		  "{\"a\":{\"b\":{\"c\":1,\"d\":{\"e\":2}}}}", NULL },
	};
	static const struct row wrong[] = {
		{ "a=1\na=2", NULL, "duplicate_name" },
		{ "a=1\n\"a\"=2", NULL, "duplicate_name" },
		{ "a=1\na.b=2", NULL, "duplicate_name" },
		{ "[a]\n[a]", NULL, "duplicate_name" },
		{ "[a]\n[[a]]", NULL, "duplicate_name" },
		{ "[[a]]\n[a]", NULL, "duplicate_name" },
		{ "a=1\n[a]", NULL, "duplicate_name" },
		{ "a=1\n[a.b]", NULL, "duplicate_name" },
		{ "[a]\nb=1\n[a.b]", NULL, "duplicate_name" },
		{ "[a]\nb.c=1\n[a.b]", NULL, "duplicate_name" },
		{ "[a.b.c]\nz=9\n[a]\nb.c.t=1", NULL, "duplicate_name" },
		{ "[a.b.c.d]\nz=9\n[a]\nb.c.k=1", NULL, "duplicate_name" },
		{ "[[a.b]]\n[a]\nb.c=1", NULL, "duplicate_name" },
		{ "[]", NULL, NULL },
		{ "[a", NULL, NULL },
		{ "[[a]", NULL, NULL },
		{ "[a]]", NULL, NULL },
		{ "[a.]", NULL, NULL },
		{ "[a]b=1", NULL, NULL },
		{ "[[a] ]", NULL, NULL },
	};

	HOLD(rows);
	HOLD(wrong);
}

static void depth_and_memory_have_caps(void)
{
	struct buf deep = { 0 };
	char *got;

	buf_text(&deep, "a = ");
	for (int i = 0; i < 63; i++)
		buf_char(&deep, '[');
	for (int i = 0; i < 63; i++)
		buf_char(&deep, ']');
	got = toml_of(deep.bytes, deep.len, (size_t)1 << 20);
	ok_json(got, "/a/0/0",
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		"[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
		"]]]]]]]]]]]]]]]]]]]]]]]]]]]");
	free(got);
	deep.len = 4;
	for (int i = 0; i < 65; i++)
		buf_char(&deep, '[');
	got = toml_of(deep.bytes, deep.len, (size_t)1 << 20);
	ok_json(got, "/ANY", "{\"code\":\"too_deep\"}");
	free(got);
	deep.len = 0;
	buf_text(&deep, "[a");
	for (int i = 0; i < 70; i++)
		buf_text(&deep, ".a");
	buf_char(&deep, ']');
	got = toml_of(deep.bytes, deep.len, (size_t)1 << 20);
	ok_json(got, "/ANY", "{\"code\":\"too_deep\"}");
	free(got);
	deep.len = 0;
	for (int i = 0; i < 2000; i++)
		buf_format(&deep, "k%d = 1\n", i);
	got = toml_of(deep.bytes, deep.len, (size_t)64 << 10);
	ok_json(got, "/ANY", "{\"code\":\"memory\"}");
	free(got);
	got = toml_of(deep.bytes, deep.len, (size_t)4 << 20);
	ok_json(got, "/k1999", "1");
	free(got);
	buf_done(&deep);
}

/* A table of 100000 names, each looked up: 5 * 10^9 steps without an index. */
static void a_wide_table_is_looked_up_fast(void)
{
	enum { NAMES = 100000 };
	struct parse_input in = { .name = "a.toml", .name_len = 6 };
	struct buf text = { 0 };
	struct parse_report r;
	struct arena arena = { 0 };
	struct json_value v = { 0 };
	clock_t from = clock();
	size_t found = 0;
	char name[32];

	for (unsigned i = 0; i < NAMES; i++) {
		(void)snprintf(name, sizeof name, "n%u=1\n", i);
		buf_text(&text, name);
	}
	in.bytes = text.bytes;
	in.len = text.len;
	parse_report_init(&r);
	ok_int(toml_read(&in, &arena, (size_t)256 << 20, &v, &r), 0);
	for (unsigned i = 0; i < NAMES; i++) {
		(void)snprintf(name, sizeof name, "n%u", i);
		found += json_find(&v, name) != NULL;
	}
	ok_int((intmax_t)found, NAMES);
	ok(json_find(&v, "n") == NULL && json_find(&v, "n100000") == NULL);
	ok((clock() - from) / CLOCKS_PER_SEC < 5);
	parse_report_done(&r);
	arena_done(&arena);
	free(buf_take(&text));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(keys_and_values_of_each_kind),
		CASE(numbers_become_those_of_json),
		CASE(dates_are_judged_and_kept_as_written),
		CASE(strings_of_four_kinds),
		CASE(arrays_and_tables_in_braces),
		CASE(tables_are_opened_once),
		CASE(depth_and_memory_have_caps),
		CASE(a_wide_table_is_looked_up_fast),
		TAP_END,
	});
}
