/* parsers_test_globs.c -- test_inventory: patterns of jest's that cost much are given
 * up in time, which is told, and what is left is taken for tests. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

#define FILES 20000U

/* Usually 2 s on a slow machine; with a sanitizer it takes five times as long. */
#ifdef __SANITIZE_ADDRESS__
#define BOUND (30 * CLOCKS_PER_SEC)
#else
#define BOUND (6 * CLOCKS_PER_SEC)
#endif

/* Sixteen patterns full of stars, none of which fits. */
static void package_put(struct buf *out)
{
	buf_text(out, "{\"jest\":{\"testMatch\":[");
	for (int i = 0; i < 16; i++) {
		buf_text(out, i > 0 ? ",\"" : "\"");
		for (int k = 0; k < 40; k++)
			buf_text(out, "*a");
		buf_text(out, "b.js\"");
	}
	buf_text(out, "]}}");
}

static void patterns_that_cost_much_are_given_up(void)
{
	static const char tests[] = "it('a', f)";
	static const char key[] = "\"unit_test_count\":";
	struct parse_input *items = calloc(FILES + 1, sizeof *items);
	char(*names)[256] = calloc(FILES, sizeof *names);
	owned_buf struct buf text = { .cap_bytes = 1 << 20 };
	clock_t begun;
	long told = 0;
	char *o;

	if (items == NULL || names == NULL)
		abort();
	package_put(&text);
	items[FILES] = (struct parse_input){ .name = "package.json",
					     .name_len = 12,
					     .bytes = text.bytes,
					     .len = text.len };
	for (size_t i = 0; i < FILES; i++) {
		int n = snprintf(names[i], sizeof names[i], "a%05zu", i);

		memset(names[i] + n, 'a', 200);
		(void)snprintf(names[i] + n + 200, 16, ".test.js");
		items[i] = (struct parse_input){ .name = names[i],
						 .name_len = strlen(names[i]),
						 .bytes = tests,
						 .len = sizeof tests - 1 };
	}
	begun = clock();
	o = probe_inputs("test_inventory", test_inventory_run,
			 &(struct parse_inputs){ items, FILES + 1 });
	begun = clock() - begun;
	tap_time(begun, BOUND);
	/* The other one is about the list of files. */
	ok_json(o, "/warnings/0",
		"{\"code\":\"truncated\",\"message\":\"files: there are too "
		"many "
		"for the patterns of jest's, the rest is taken for tests\"}");
	ok_int(json_count(o, "/warnings/ANY/code", "\"truncated\""), 2);
	ok(strstr(o, key) != NULL &&
	   sscanf(strstr(o, key) + strlen(key), "%ld", &told) == 1);
	ok(told > 0 && told < (long)FILES);
	free(o);
	free(items);
	free(names);
}

/* One file that no pattern takes; it is a test only where not all that the package
 * says is read. */
static bool is_open(const char *globs)
{
	owned_buf struct buf text = { .cap_bytes = 1 << 20 };
	long told;
	char *o;

	buf_format(&text, "{\"jest\":{\"testMatch\":[%s]}}", globs);
	buf_char(&text, '\0');
	o = probe_files("test_inventory", test_inventory_run,
			(const struct probe_file[]){
				F("package.json", text.bytes),
				F("test/a.js", "it('a', f)"), N(NULL) });
	told = json_count(o, "/slice/files/ANY", "{}");
	free(o);
	return told == 1;
}

static bool many_are_open(int n)
{
	owned_buf struct buf globs = { .cap_bytes = 1 << 20 };

	for (int i = 0; i < n; i++)
		buf_format(&globs, "%s\"b%d.js\"", i > 0 ? "," : "", i);
	buf_char(&globs, '\0');
	return is_open(globs.bytes);
}

static bool long_one_is_open(int n)
{
	char glob[512];

	(void)snprintf(glob, sizeof glob, "\"%0*d\"", n, 0);
	return is_open(glob);
}

static bool deep_one_is_open(int n)
{
	static const char open[] = "((((((((((((", close[] = "))))))))))))";
	char glob[64];

	(void)snprintf(glob, sizeof glob, "\"%.*sb%.*s\"", n, open, n, close);
	return is_open(glob);
}

static void patterns_have_limits(void)
{
	ok(!many_are_open(16));
	ok(many_are_open(17));
	ok(!long_one_is_open(256));
	ok(long_one_is_open(257));
	ok(!deep_one_is_open(8));
	ok(deep_one_is_open(9));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(patterns_that_cost_much_are_given_up),
		CASE(patterns_have_limits),
		TAP_END,
	});
}
