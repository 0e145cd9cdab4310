/* differences.c -- what json_diff.h writes, row by row, and that no two values
 * have the same difference from a third. */
#include "tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "boundary/json.h"
#include "golden/json_diff.h"

static void diff_of(const char *from, const char *to, struct buf *out)
{
	struct arena arena = { 0 };
	struct json_value a, b;
	struct json_error err;

	ok_int(json_parse(from, strlen(from), NULL, &arena, &a, &err), 0);
	ok_int(json_parse(to, strlen(to), NULL, &arena, &b, &err), 0);
	json_diff_write(&a, &b, out);
	buf_char(out, '\0');
	arena_done(&arena);
}

static void a_difference_is_read_line_by_line(void)
{
	static const struct {
		const char *from, *to, *lines;
	} rows[] = {
		{ "{\"a\":1}", "{ \"a\" : 1 }", "" },
		{ "{\"a\":1}", "{\"a\":1.0}", "/a: 1 -> 1.0\n" },
		{ "{\"a\":{\"b\":\"x\"}}", "{\"a\":{\"b\":null}}",
		  "/a/b: \"x\" -> null\n" },
		{ "[1,2,3]", "[1,3]", "/ after 1:\n- 2\n" },
		{ "[1,3]", "[0,1,2,3]",
		  "/ at its start:\n+ 0\n/ after 1:\n+ 2\n" },
		{ "[1,2]", "[2,1]", "/ at its start:\n- 1\n/ after 2:\n+ 1\n" },
		{ "[1,1,2]", "[1,3,1,2]", "/ after 1 (1 of 2):\n+ 3\n" },
		{ "[1,1,2]", "[1,1,3,2]", "/ after 1 (2 of 2):\n+ 3\n" },
		{ "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":{\"d\":[]},\"b\":3}",
		  "/ after \"a\":\n+ \"c\": {\"d\":[]}\n/b: 2 -> 3\n" },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}",
		  "/ at its start:\n- \"a\": 1\n/ after \"b\":\n+ \"a\": 1\n" },
		{ "{\"a\":[]}", "{\"a\":{}}", "/a: [] -> {}\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		owned_buf struct buf out = { 0 };

		diff_of(rows[i].from, rows[i].to, &out);
		ok(strcmp(out.bytes, rows[i].lines) == 0);
		if (strcmp(out.bytes, rows[i].lines) != 0)
			fprintf(stderr, "# %s to %s is\n%s", rows[i].from,
				rows[i].to, out.bytes);
	}
}

static void two_values_have_two_differences(void)
{
	static const char *const values[] = {
		"[1,2,1,2]",
		"[1,2,2,1]",
		"[1,2,1]",
		"[2,1,2]",
		"[1,1,2]",
		"[2,1,2,1]",
		"[1,2]",
		"[]",
		"{}",
		"{\"1\":2}",
		"[\"1\",2]",
		"[1,[2,1,2]]",
		"[1,[2],1,2]",
		"{\"a\":1,\"b\":2}",
		"{\"b\":2,\"a\":1}",
	};
	enum { N = sizeof values / sizeof *values };

	for (size_t base = 0; base < N; base++)
		for (size_t i = 0; i < N; i++)
			for (size_t k = 0; k < i; k++) {
				owned_buf struct buf a = { 0 }, b = { 0 };

				diff_of(values[base], values[i], &a);
				diff_of(values[base], values[k], &b);
				ok(strcmp(a.bytes, b.bytes) != 0);
			}
}

static void lines_are_shown_below_their_path(void)
{
	owned_buf struct buf out = { 0 };

	lines_diff_write("/a after 1:\n+ 2\n+ 3\n/b: 1 -> 2\n",
			 "/a after 1:\n+ 2\n+ 4\n/c: 1 -> 2\n", &out);
	ok(strcmp(out.bytes,
		  "#   /a after 1:\n# - + 3\n# - /b: 1 -> 2\n"
		  "#   /a after 1:\n# + + 4\n# + /c: 1 -> 2\n") == 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_difference_is_read_line_by_line),
		CASE(two_values_have_two_differences),
		CASE(lines_are_shown_below_their_path),
		TAP_END,
	});
}
