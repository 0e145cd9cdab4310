/* boundary_json_value.c -- looking into value trees: names, numbers, equality. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "tap.h"

static void finds_names_by_their_length(void)
{
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	struct buf text = { 0 };
	uint64_t n;

	buf_text(&text, "{\"x\\u0000y\":7,\"s\":\"a\\u0000b\",\"\":8");
	for (int i = 0; i < 500; i++)
		buf_format(&text, ",\"n%d\":%d", i * 7919 % 500, i);
	buf_char(&text, '}');
	ok_int(json_parse(text.bytes, text.len, NULL, &arena, &v, &err), 0);
	ok(json_find(&v, "x") == NULL);
	ok(json_read_u64(json_find_bytes(&v, "x\0y", 3), &n) == 0 && n == 7);
	ok(json_read_u64(json_find(&v, ""), &n) == 0 && n == 8);
	ok(json_read_u64(json_find(&v, "n419"), &n) == 0 && n == 1);
	ok(json_find(&v, "n500") == NULL);
	ok(json_find(json_find(&v, "s"), "a") == NULL);
	ok(!json_is_text(json_find(&v, "s"), "a"));
	ok_int((intmax_t)json_find(&v, "s")->u.string.len, 3);
	ok_int((intmax_t)v.u.object.members[1].value.offset, 18);
	buf_done(&text);
	arena_done(&arena);
}

static void reads_unsigned_integers_exactly(void)
{
	static const struct {
		const char *text;
		int want;
		uint64_t value;
	} rows[] = {
		{ "5", 0, 5 },
		{ "5.0", 0, 5 },
		{ "50e-1", 0, 5 },
		{ "0.05e2", 0, 5 },
		{ "-0", 0, 0 },
		{ "0e999999999999999999999999", 0, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "1844674407370955161.5e1", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "1e20", -ERANGE, 0 },
		{ "1e99999999999999999999999999", -ERANGE, 0 },
		{ "1e-99999999999999999999999999", -EINVAL, 0 },
		{ "5.5", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "\"5\"", -EINVAL, 0 },
		{ "[5]", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = { 0 };
		struct json_error err;
		struct json_value v;
		uint64_t n = 0;

		ok_int(json_parse(rows[i].text, strlen(rows[i].text), NULL,
				  &arena, &v, &err),
		       0);
		ok_int(json_read_u64(&v, &n), rows[i].want);
		ok(n == rows[i].value);
		arena_done(&arena);
	}
}

static void compares_by_value(void)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} rows[] = {
		{ "1", "1.0", true },
		{ "100", "1e2", true },
		{ "0", "-0.0e5", true },
		{ "1", "true", false },
		{ "0.1", "0.10000000000000000000000000001", false },
		{ "9007199254740993", "9007199254740992", false },
		{ "1e400000000", "1e400000001", false },
		{ "1e400000000", "10e399999999", true },
		{ "1e99999999999999999999999", "10e99999999999999999999998",
		  true },
		{ "1e99999999999999999999999", "1e99999999999999999999998",
		  false },
		{ "1e-99999999999999999999999", "1e99999999999999999999999",
		  false },
		{ "123.450", "12345E-2", true },
		{ "-1", "1", false },
		{ "\"a\"", "\"\\u0061\"", true },
		{ "\"a\\u0000\"", "\"a\"", false },
		{ "{\"a\":1,\"b\":[2,{}]}", "{\"b\":[2.0,{}],\"a\":1}", true },
		{ "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
		{ "{\"a\":null}", "{\"b\":null}", false },
		{ "[1,2]", "[2,1]", false },
		{ "[]", "{}", false },
		{ "null", "false", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = { 0 };
		struct json_error err;
		struct json_value a, b;

		(void)json_parse(rows[i].a, strlen(rows[i].a), NULL, &arena, &a,
				 &err);
		(void)json_parse(rows[i].b, strlen(rows[i].b), NULL, &arena, &b,
				 &err);
		fprintf(stderr, "# %s and %s\n", rows[i].a, rows[i].b);
		ok_int(json_equal(&a, &b), rows[i].equal);
		ok_int(json_equal(&b, &a), rows[i].equal);
		arena_done(&arena);
	}
}

int main(void)
{
	return tap_run(
		(struct tap_case[]){ CASE(finds_names_by_their_length),
				     CASE(reads_unsigned_integers_exactly),
				     CASE(compares_by_value), TAP_END });
}
