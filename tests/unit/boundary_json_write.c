/* boundary_json_write.c -- value trees back into text, plain and canonical. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "tap.h"

static void hold(const char *text, const char *want, bool canonical)
{
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	struct buf out = { 0 };
	int r = json_parse(text, strlen(text), NULL, &arena, &v, &err);

	ok_int(r, 0);
	if (r == 0 && canonical)
		r = json_write_canonical(&v, &out);
	else if (r == 0)
		json_write(&v, &out);
	ok_int(r, want != NULL ? 0 : -ERANGE);
	if (want != NULL && (out.bytes == NULL || strcmp(out.bytes, want))) {
		fprintf(stderr, "# %s gave %s\n", text, out.bytes);
		ok_has("", want);
	}
	buf_done(&out);
	arena_done(&arena);
}

static void writes_members_in_order_and_numbers_as_written(void)
{
	hold(" { \"b\" : [ 1.50e+3 , -0 , true ] , \"a\" : { } } ",
	     "{\"b\":[1.50e+3,-0,true],\"a\":{}}", false);
	hold("[123456789012345678901234567890,null,false,[],\"\\u20ac\\/\"]",
	     "[123456789012345678901234567890,null,false,[],\"\xe2\x82\xac/\"]",
	     false);
}

static void writes_numbers_as_ecmascript(void)
{
	static const char *const rows[][2] = {
		{ "0", "0" },
		{ "-0.0", "0" },
		{ "1.50e+3", "1500" },
		{ "1E30", "1e+30" },
		{ "4.50", "4.5" },
		{ "2e-3", "0.002" },
		{ "0.000000000000000000000000001", "1e-27" },
		{ "0.000001", "0.000001" },
		{ "0.0000001", "1e-7" },
		{ "123456789e-15", "1.23456789e-7" },
		{ "333333333.33333329", "333333333.3333333" },
		{ "-4.9406564584124654e-324", "-5e-324" },
		{ "1.7976931348623157e308", "1.7976931348623157e+308" },
		{ "9007199254740992", "9007199254740992" },
		{ "295147905179352830000", "295147905179352830000" },
		{ "1e20", "100000000000000000000" },
		{ "1e21", "1e+21" },
		{ "1.25e23", "1.25e+23" },
		{ "9.999999999999997e22", "9.999999999999997e+22" },
		{ "0.1", "0.1" },
		{ "1424953923781206.2", "1424953923781206.2" },
		{ "0.30000000000000004", "0.30000000000000004" },
		{ "5e-1", "0.5" },
		{ "1e23", "1e+23" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		hold(rows[i][0], rows[i][1], true);
}

static void refuses_numbers_that_a_double_would_change(void)
{
	hold("1e400", NULL, true);
	hold("-1e400", NULL, true);
	hold("[1e-400]", NULL, true);
	hold("9007199254740993", NULL, true);
	hold("{\"a\":123456789012345678901234567890}", NULL, true);
	hold("1e99999999999999999999", NULL, true);
}

static void sorts_names_by_utf16(void)
{
	/* The sample of RFC 8785 section 3.2.3, and one more pair: U+1F600 is
	 * below U+FB33 in UTF-16 and above it in UTF-8. */
	hold("{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\""
	     ":5,\"\\u0080\":6,\"\\u00f6\":7}",
	     "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,"
	     "\"\xe2\x82\xac\":1,\"\xf0\x9f\x98\x80\":5,\"\xef\xac\xb3\":3}",
	     true);
	hold("{\"ab\":{\"d\":1,\"c\":[{\"z\":0,\"y\":0}]},\"a\":1,\"\":2}",
	     "{\"\":2,\"a\":1,\"ab\":{\"c\":[{\"y\":0,\"z\":0}],\"d\":1}}",
	     true);
}

static void escapes_as_rfc_8785(void)
{
	hold("\"\\u20ac$\\u000F\\nA'\\u0042\\u0022\\u005c\\\\\\\"\\/\\u007f\"",
	     "\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\x7f\"", true);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(writes_members_in_order_and_numbers_as_written),
		CASE(writes_numbers_as_ecmascript),
		CASE(refuses_numbers_that_a_double_would_change),
		CASE(sorts_names_by_utf16), CASE(escapes_as_rfc_8785),
		TAP_END });
}
