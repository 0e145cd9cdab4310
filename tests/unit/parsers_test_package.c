/* parsers_test_package.c -- test_inventory: the package of the tests themselves. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("test_inventory", test_inventory_run,                      \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* Usually 0.2 s; with a sanitizer it takes five times as long. */
#ifdef __SANITIZE_ADDRESS__
#define BOUND (10 * CLOCKS_PER_SEC)
#else
#define BOUND (2 * CLOCKS_PER_SEC)
#endif

static void the_package_of_the_tests_says_their_framework(void)
{
	char *o = PROBE(F("package.json", "{\"name\":\"x\"}"),
			F("test/package.json",
			  "{\"devDependencies\":{\"mocha\":\"^10\"}}"),
			F("test/a.js", "it('a', f); it('b', f)"),
			F("test/unit/b.js", "it('a', f)"));

	ok_json(o, "/slice", "{\"primary\":\"mocha\",\"unit_test_count\":3}");
	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"mocha\",\"tests\":1,"
		"\"source\":\"test/unit/b.js\"}");
	/* The manifest itself stays what it is. */
	ok_json(o, "/slice/frameworks",
		"[{\"name\":\"mocha\",\"evidence\":\"dependency\","
		"\"version\":\"^10\",\"source\":\"test/package.json\","
		"\"role\":\"fixture\"}]");
	free(o);
	/* In it, as in every other one, a config counts. */
	o = PROBE(F("package.json", "{}"),
		  F("tests/package.json", "{\"private\":true}"),
		  N("tests/jest.config.js"), F("tests/a.js", "it('a', f)"));
	ok_json(o, "/slice/primary", "\"jest\"");
	free(o);
}

/* Where there is no other package it is the project's, and is told once. */
static void the_package_of_the_tests_alone(void)
{
	char *o = PROBE(F("test/package.json",
			  "{\"devDependencies\":{\"mocha\":\"1\"}}"),
			F("test/a.js", "it('a', f)"));

	ok_json(o, "/slice/primary", "\"mocha\"");
	ok_int(json_count(o, "/slice/frameworks/ANY", "{}"), 1);
	free(o);
}

/* A browser is driven by the library, and the tests are another runner's. */
static void types_alone_are_no_runner(void)
{
	char *o = PROBE(
		F("package.json", "{\"devDependencies\":{\"mocha\":\"1\","
				  "\"@playwright/test\":\"1\"}}"),
		F("test/a.api.ts", "import { Page } from '@playwright/test';"
				   "it('a', f)"),
		F("test/b.ts", "import { test, Page } from '@playwright/test';"
			       "test('a', f)"));

	ok_json(o, "/slice",
		"{\"primary\":\"mocha\",\"unit\":{\"files\":1},"
		"\"e2e\":{\"files\":1}}");
	free(o);
	/* Of others, types are a sign: what is used with them may be global. */
	o = PROBE(F("a.test.ts",
		    "import type { Mock } from 'vitest'; it('a', f)"));
	ok_json(o, "/slice/primary", "\"vitest\"");
	free(o);
}

/* Of what the project itself does it says nothing. */
static void the_package_of_the_tests_says_nothing_else(void)
{
	char *o = PROBE(
		F("package.json", "{\"devDependencies\":{\"ava\":\"1\"}}"),
		F("src/a.test.js", "it('a', f)"),
		F("test/package.json",
		  "{\"devDependencies\":{\"mocha\":\"1\"}}"),
		F("test/helper.js", "f()"));

	ok_json(o, "/slice/primary", "\"ava\"");
	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"ava\",\"source\":\"src/a.test.js\"}");
	free(o);
	o = PROBE(F("package.json", "{}"),
		  F("test/package.json",
		    "{\"devDependencies\":{\"mocha\":\"1\"}}"),
		  F("test/helper.js", "f()"));
	ok_json(o, "/slice", "{\"primary\":null,\"files\":[]}");
	free(o);
}

/* A package within a directory for tests is a fixture with all that is in it. */
static void a_package_within_the_tests_is_a_fixture(void)
{
	char *o = PROBE(F("package.json", "{}"),
			F("test/app/package.json",
			  "{\"devDependencies\":{\"mocha\":\"1\"}}"),
			F("test/app/a.test.js", "it('a', f)"),
			F("test/b.test.js", "it('a', f)"),
			F("fixtures/package.json",
			  "{\"devDependencies\":{\"tap\":\"1\"}}"),
			F("fixtures/c.test.js", "it('a', f)"));

	ok_json(o, "/slice", "{\"primary\":null,\"unit_test_count\":1}");
	ok_json(o, "/slice/frameworks", "[]");
	free(o);
}

static void many_such_packages_are_read_in_time(void)
{
	enum { PACKAGES = 6000 };
	static const char tests[] = "it('a', f)";
	struct parse_input *items = calloc(PACKAGES + 1, sizeof *items);
	char(*names)[32] = calloc(PACKAGES, sizeof *names);
	owned_buf struct buf text = { .cap_bytes = 1 << 20 };
	clock_t begun;
	char *o;

	if (items == NULL || names == NULL)
		abort();
	buf_text(&text, "{\"devDependencies\":{\"mocha\":\"1\"},\"x\":\"");
	while (text.len < 350)
		buf_text(&text, "abcdefghij");
	buf_text(&text, "\"}");
	for (size_t i = 0; i < PACKAGES; i++) {
		(void)snprintf(names[i], sizeof names[i],
			       "a%05zu/test/package.json", i);
		items[i] = (struct parse_input){ .name = names[i],
						 .name_len = strlen(names[i]),
						 .bytes = text.bytes,
						 .len = text.len };
	}
	items[PACKAGES] = (struct parse_input){ .name = "z/test/a.js",
						.name_len = 11,
						.bytes = tests,
						.len = sizeof tests - 1 };
	begun = clock();
	o = probe_inputs("test_inventory", test_inventory_run,
			 &(struct parse_inputs){ items, PACKAGES + 1 });
	begun = clock() - begun;
	tap_time(begun, BOUND);
	ok_json(o, "/slice/unit_test_count", "1");
	free(o);
	free(items);
	free(names);
}

/* Each row has one file with one test, and the package in the root. */
/* Helpers export what makes tests; some tests only call helpers. */
static void helpers_are_no_tests(void)
{
	static const struct {
		const char *file, *text;
		bool is_test;
	} rows[] = {
		{ "test/make.js", "module.exports = make; test('a', f)",
		  false },
		{ "test/make.js", "module.exports = (a) => { test(a, f) }",
		  false },
		{ "test/make.js",
		  "exports = module.exports = function () {"
		  " test('a', f) }",
		  false },
		{ "test/make.ts", "export function x() { it('a', f) }", false },
		{ "test/make.ts",
		  "export default async function () {"
		  " it('a', f) }",
		  false },
		{ "test/a.js", "exports.lab = lab.script(); test('a', f)",
		  true },
		{ "test/a.js", "module.exports = { a }; test('a', f)", true },
		{ "test/a.js", "a.exports = b; test('a', f)", true },
		{ "test/a.js", "test('a', f); export const b = 1", true },
		{ "a-test.js", "module.exports = make; test('a', f)", true },
		{ "test/a-test.js", "make('a', f)", true },
		{ "test/b/a-spec.js", "describe('a', all)", true },
		{ "test/a-test.js", "exports.a = 1", false },
		{ "test/a-test.js", "export const a = 1", false },
		{ "a-test.js", "make('a', f)", false },
		{ "test/a.js", "make('a', f)", false },
		{ "test/test-a.js", "make('a', f)", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const int before = tap_bad;
		char *o = PROBE(F("package.json",
				  "{\"devDependencies\":{\"tape\":\"1\"}}"),
				F(rows[i].file, rows[i].text));

		ok_int(json_count(o, "/slice/files/ANY", "{}"),
		       rows[i].is_test);
		free(o);
		if (tap_bad != before)
			fprintf(stderr, "# %s: %s\n", rows[i].file,
				rows[i].text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_package_of_the_tests_says_their_framework),
		CASE(the_package_of_the_tests_alone),
		CASE(types_alone_are_no_runner),
		CASE(the_package_of_the_tests_says_nothing_else),
		CASE(a_package_within_the_tests_is_a_fixture),
		CASE(many_such_packages_are_read_in_time),
		CASE(helpers_are_no_tests),
		TAP_END,
	});
}
