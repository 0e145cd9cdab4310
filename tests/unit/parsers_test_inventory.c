/* parsers_test_inventory.c -- test_inventory over inputs in memory. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"test_inventory", test_inventory_run,                          \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void frameworks_by_every_sign(void)
{
	static const struct {
		const char *file, *text, *want;
	} rows[] = {
		{ "package.json", "{\"devDependencies\":{\"jest\":\"^29.1\"}}",
		  "{\"name\":\"jest\",\"evidence\":\"dependency\","
		  "\"version\":\"^29.1\",\"source\":\"package.json\"}" },
		{ "package.json", "{\"jest\":{}}",
		  "{\"name\":\"jest\",\"evidence\":\"config\"}" },
		{ "package.json", "{\"scripts\":{\"x\":\"node --test\"}}",
		  "{\"name\":\"node:test\",\"evidence\":\"script\"}" },
		{ "package.json", "{\"scripts\":{\"x\":\"bun test\"}}",
		  "{\"name\":\"bun:test\",\"evidence\":\"script\"}" },
		{ "package.json",
		  "{\"scripts\":{\"x\":\"nyc --reporter lcov mocha\"}}",
		  "{\"name\":\"mocha\",\"evidence\":\"script\"}" },
		{ "a/vitest.config.mts", NULL,
		  "{\"name\":\"vitest\",\"evidence\":\"config\","
		  "\"version\":null,\"source\":\"a/vitest.config.mts\"}" },
		{ ".mocharc.yml", NULL, "{\"name\":\"mocha\"}" },
		{ ".taprc", NULL, "{\"name\":\"tap\"}" },
		{ "ava.config.js", NULL, "{\"name\":\"ava\"}" },
		{ "playwright.config.ts", NULL, "{\"name\":\"playwright\"}" },
		{ "cypress.json", NULL, "{\"name\":\"cypress\"}" },
		{ "karma.conf.js", NULL, "{\"name\":\"karma\"}" },
		{ "spec/support/jasmine.json", NULL, "{\"name\":\"jasmine\"}" },
		{ "conftest.py", NULL,
		  "{\"name\":\"pytest\",\"evidence\":\"config\"}" },
		{ "pyproject.toml", "[x]\n[tool.pytest.ini_options]\n",
		  "{\"name\":\"pytest\",\"evidence\":\"config\"}" },
		{ "x_test.go", "",
		  "{\"name\":\"go\",\"evidence\":\"presence\"}" },
		{ "src/a.rs", "#[test]\nfn a() {}\n",
		  "{\"name\":\"cargo\",\"evidence\":\"presence\"}" },
		{ "a.test.js", "import { test } from 'uvu'; test('a', f)",
		  "{\"name\":\"uvu\",\"evidence\":\"import\"}" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE({ rows[i].file, rows[i].text });

		ok_json(o, "/slice/frameworks/ANY", rows[i].want);
		free(o);
	}
}

static void no_sign_is_no_framework(void)
{
	char *o = PROBE({ "jest.setup.js", NULL },
			{ "node_modules/jest/jest.config.js", NULL },
			{ "package.json", "{\"peerDependencies\":{\"jest\":"
					  "\"*\"},\"scripts\":{\"a\":"
					  "\"npm run jest\"}}" },
			{ "pyproject.toml", "[tool.other]\n" },
			{ "src/lib.rs", "fn a() {}\n" });

	ok_json(o, "/slice",
		"{\"primary\":null,\"unit_test_count\":0,"
		"\"unit_test_count_static\":true}");
	ok_json(o, "/slice",
		"{\"coverage\":null,\"frameworks\":[],\"commands\":[],"
		"\"files\":[]}");
	free(o);
}

static void files_are_counted_by_kind(void)
{
	char *o = PROBE(
		{ "cypress/e2e/a.cy.js", "it('a', f)" },
		{ "e2e/b.spec.ts", "import { test } from '@playwright/test';"
				   "test('a', f); test.fixme('b', f)" },
		{ "package.json", "{\"devDependencies\":{\"vitest\":\"1\","
				  "\"cypress\":\"13\"}}" },
		{ "src/a.d.test.d.ts", "it('a', f)" },
		{ "src/a.test.tsx", "it('a', f); it.skip('b', f);"
				    "it.todo('c')" },
		{ "lib/test.js", "class Test {}" },
		{ "test/helper.js", "export const x = 1" },
		{ "test/unit/b.mjs", "test('a', f)" });

	ok_json(o, "/slice",
		"{\"primary\":\"vitest\",\"unit_test_count\":4,"
		"\"unit_test_count_static\":true,\"unit\":{\"files\":2,"
		"\"tests\":4,\"skipped\":1,\"todo\":1},\"e2e\":{\"files\":2,"
		"\"tests\":3,\"skipped\":1,\"todo\":0}}");
	ok_json(o, "/slice/files",
		"[{\"framework\":\"cypress\",\"kind\":\"e2e\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,"
		"\"source\":\"cypress/e2e/a.cy.js\"},"
		"{\"framework\":\"playwright\",\"kind\":\"e2e\",\"tests\":2,"
		"\"skipped\":1,\"todo\":0,\"source\":\"e2e/b.spec.ts\"},"
		"{\"framework\":\"vitest\",\"kind\":\"unit\",\"tests\":3,"
		"\"skipped\":1,\"todo\":1,\"source\":\"src/a.test.tsx\"},"
		"{\"framework\":\"vitest\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"test/unit/b.mjs\"}]");
	free(o);
}

static void the_nearest_package_says_the_framework(void)
{
	char *o = PROBE(
		{ "a/package.json", "{\"devDependencies\":{\"mocha\":\"1\"}}" },
		{ "a/src/x/y.test.js", "it('a', f)" },
		{ "b/jest.config.js", NULL }, { "b/package.json", "{}" },
		{ "b/z.test.js", "it('a', f)" },
		{ "c/v.test.js", "import test from 'ava'; test('a', f)" },
		{ "c/w.test.js", "import test from 'ava'; test('a', f)" },
		{ "c/x.test.js", "import test from 'ava'; test('a', f)" },
		{ "e2e/1.test.js", "import '@playwright/test'; test('a', f)" },
		{ "e2e/2.test.js", "import '@playwright/test'; test('a', f)" },
		{ "e2e/3.test.js", "import '@playwright/test'; test('a', f)" },
		{ "e2e/4.test.js", "import '@playwright/test'; test('a', f)" },
		{ "package.json", "{\"devDependencies\":{\"tap\":\"1\"},"
				  "\"scripts\":{\"e\":\"vitest\"}}" },
		{ "x.test.js", "it('a', f)" }, { "y.test.js", "it('a', f)" });

	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"mocha\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"a/src/x/y.test.js\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"jest\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"b/z.test.js\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"ava\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"c/w.test.js\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"framework\":\"tap\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"x.test.js\"}");
	ok_json(o, "/slice/primary", "\"ava\"");
	free(o);
}

static void python_go_and_rust_are_counted(void)
{
	char *o =
		PROBE({ "a/test_x.py", "import pytest\ndef test_a(): pass\n" },
		      { "a/y_test.py", "def test_b(): pass\n" },
		      { "a/z.py", "def test_c(): pass\n" },
		      { "b_test.go", "func TestA(t *testing.T) {}\n" },
		      { "src/c.rs", "#[test]\n#[ignore]\nfn a() {}\n" },
		      { "src/d.rs", "fn a() {}\n" });

	ok_json(o, "/slice/unit_test_count", "4");
	ok_json(o, "/slice/files",
		"[{\"framework\":\"pytest\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"a/test_x.py\"},"
		"{\"framework\":null,\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"a/y_test.py\"},"
		"{\"framework\":\"go\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":0,\"todo\":0,\"source\":\"b_test.go\"},"
		"{\"framework\":\"cargo\",\"kind\":\"unit\",\"tests\":1,"
		"\"skipped\":1,\"todo\":0,\"source\":\"src/c.rs\"}]");
	free(o);
}

static void commands_are_as_declared(void)
{
	char *o = PROBE(
		{ "Makefile", ".PHONY: test\ncheck := test:\ntest: build\n"
			      "\t@go test ./...\n\techo\ncheck:\nbuild:\n\tcc\n"
			      "unit-tests:\n# c\n\n\tpytest -q\ntest_%: x\n"
			      "\tx\ntestall:" },
		{ "package.json",
		  "{\"scripts\":{\"build\":\"tsc\",\"ci\":\"jest --ci\","
		  "\"cy:e2e\":\"x\",\"test:unit\":\"vitest && mocha\","
		  "\"latest\":\"y\",\"coverage\":\"c8 x\",\"odd-test\":1}}" },
		{ "tox.ini", "[tox]\ncommands = no\n[testenv]\ncommands =\n"
			     "    pytest {posargs}\n    # c\n\tcoverage x\n"
			     "deps = y\n    z\n[testenv:a]\n"
			     "commands=one\n[testenv:py-style]\n"
			     "commands=pre-commit\n[testenv:docs]\ncommands=\n"
			     "  sphinx-build\n" });

	ok_json(o, "/slice/commands",
		"[{\"name\":\"ci\",\"command\":\"jest --ci\","
		"\"frameworks\":[\"jest\"],\"source\":\"package.json\"},"
		"{\"name\":\"cy:e2e\",\"command\":\"x\",\"frameworks\":[],"
		"\"source\":\"package.json\"},{\"name\":\"test:unit\","
		"\"command\":\"vitest && mocha\",\"frameworks\":[\"vitest\","
		"\"mocha\"],\"source\":\"package.json\"},"
		"{\"name\":\"coverage\",\"command\":\"c8 x\","
		"\"frameworks\":[],\"source\":\"package.json\"},"
		"{\"name\":\"test\",\"command\":\"@go test ./...\","
		"\"frameworks\":[],\"source\":\"Makefile\"},"
		"{\"name\":\"check\",\"command\":null,\"frameworks\":[],"
		"\"source\":\"Makefile\"},{\"name\":\"unit-tests\","
		"\"command\":\"pytest -q\",\"frameworks\":[],"
		"\"source\":\"Makefile\"},{\"name\":\"testall\","
		"\"command\":null,\"frameworks\":[],\"source\":\"Makefile\"},"
		"{\"name\":\"testenv\",\"command\":\"pytest {posargs}\","
		"\"frameworks\":[],\"source\":\"tox.ini\"},"
		"{\"name\":\"testenv\",\"command\":\"coverage x\","
		"\"frameworks\":[],\"source\":\"tox.ini\"},"
		"{\"name\":\"testenv:a\",\"command\":\"one\","
		"\"frameworks\":[],\"source\":\"tox.ini\"}]");
	free(o);
}

/* The command of the only target or script that is listed; NULL: none is
 * listed. */
static void only_command(struct probe_file f, const char *want)
{
	char *o = PROBE(f);
	char text[256];

	if (want == NULL)
		(void)snprintf(text, sizeof text, "\"commands\":[]");
	else
		(void)snprintf(text, sizeof text, "\"command\":\"%s\",", want);
	ok_has(o, text);
	free(o);
}

#define RECIPE(text) ((struct probe_file){ "Makefile", "test:\n" text })
#define SCRIPT(name, command)                                                  \
	((struct probe_file){ "package.json", "{\"scripts\":{\"" name          \
					      "\":\"" command "\"}}" })

static void a_recipe_is_its_last_line(void)
{
	only_command(RECIPE("\tpip install -e .\n\tpython -m pytest\n"),
		     "python -m pytest");
	only_command(RECIPE("\tnpx jest\n\trm -rf tmp\n"), "npx jest");
	only_command(RECIPE("\tgo test ./...\n\t@echo done\n\t# x\n"),
		     "go test ./...");
	only_command(RECIPE("\t@echo none"), "@echo none");
	only_command(RECIPE("\tone\n\n\ttwo\nall: x\n\tthree\n"), "two");
	/* A line goes on behind a backslash; a comment does not. */
	only_command(RECIPE("\tA=1 go test \\\n\t\t-v \\\r\n  b\\\n\n\tc"),
		     "c");
	only_command(RECIPE("\tc\n\tA=1 go test \\\n\t\t-v \\\r\n  b\\\n\n"),
		     "A=1 go test -v b");
	only_command(RECIPE("\t# x \\\n\tone \\"), "one \\\\");
	only_command(
		(struct probe_file){ "Makefile", "test: a \\\n\tjest\n\tc\n" },
		"c");
}

static void what_prepares_tests_is_none(void)
{
	only_command(SCRIPT("playwright:install", "playwright install"), NULL);
	only_command(SCRIPT("release:test", "vitest && x"), NULL);
	only_command(SCRIPT("test:setup", "node a.js"), NULL);
	only_command(SCRIPT("test:install", "npm i"), NULL);
	only_command((struct probe_file){ "Makefile", "release-test:\n\tx\n" },
		     NULL);
	/* These do, or are called so: what a command does is not looked at. */
	only_command(SCRIPT("test:db", "docker compose up -d"),
		     "docker compose up -d");
	only_command(SCRIPT("coverage", "nyc report"), "nyc report");
	only_command(SCRIPT("test:all", "docker compose up -d && jest"),
		     "docker compose up -d && jest");
	only_command(SCRIPT("test:run", "docker run --rm x npm test"),
		     "docker run --rm x npm test");
	only_command(SCRIPT("test:release", "x"), "x");
	only_command(SCRIPT("start-test", "x"), "x");
	only_command(SCRIPT("installer:test", "x"), "x");
}

#define SUMMARY(n)                                                             \
	"{\"total\":{\"lines\":{\"total\":" n ",\"covered\":1},"               \
	"\"branches\":{\"total\":4,\"covered\":3},"                            \
	"\"functions\":{\"total\":2,\"covered\":2}},\"/home/x.js\":{}}"

static void coverage_is_added_up(void)
{
	char *o = PROBE({ "a/coverage/coverage-summary.json", SUMMARY("10") },
			{ "b/coverage-summary.json", SUMMARY("99") },
			{ "b/lcov.info", "SF:a\nDA:1,1\nDA:2,0\nLF:2\nLH:1\n"
					 "end_of_record\n" },
			{ "c/coverage-summary.json", SUMMARY("7") },
			{ "c/lcov.info", "rubbish\n" },
			{ "d/lcov.info", "SF:a\nDA:1,1\nLF:1\nLH:1\n"
					 "end_of_record\n" });

	ok_json(o, "/slice/coverage",
		"{\"lines_found\":20,\"lines_hit\":4,\"branches_found\":8,"
		"\"branches_hit\":6,\"functions_found\":4,"
		"\"functions_hit\":4,\"source\":\"b/lcov.info\"}");
	ok_json(o, "/slice/coverage/files/ANY",
		"{\"kind\":\"istanbul-summary\",\"counted\":false,"
		"\"lines_found\":99}");
	ok_json(o, "/slice/coverage/files/ANY",
		"{\"kind\":\"lcov\",\"counted\":true,\"lines_found\":2,"
		"\"lines_hit\":1}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"lcov_empty\",\"source\":\"c/lcov.info\"}");
	free(o);
	o = PROBE({ "coverage-summary.json", SUMMARY("0") });
	ok_json(o, "/slice/coverage", "null");
	ok_json(o, "/warnings/ANY/code", "\"coverage_summary\"");
	free(o);
}

static void many_files_are_cut_but_counted(void)
{
	const size_t len = 20000;
	struct parse_input *items = calloc(len, sizeof *items);
	char *names = calloc(len, 64), *o;

	for (size_t i = 0; i < len; i++) {
		char *name = names + i * 64;

		(void)snprintf(name, 64, "src/directory/%06zu.test.js", i);
		items[i] =
			(struct parse_input){ name, strlen(name), "it('a', f)",
					      10,   false,        NULL };
	}
	o = probe_inputs("test_inventory", test_inventory_run,
			 &(struct parse_inputs){ items, len });
	ok_json(o, "/slice/unit_test_count", "20000");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"files: there are too many items, the rest is "
		"left out\"}");
	ok_has(o, "000100.test.js");
	ok(strlen(o) < (1 << 20) + 4096);
	free(o);
	free(items);
	free(names);
}

static void odd_shapes_are_no_crash(void)
{
	char *o =
		PROBE({ "Makefile", ":\n\t\n\t:\ntest" },
		      { "a.test.js", "it(" }, { "b.test.js", "" },
		      { "coverage-summary.json", "[]" }, { "lcov.info", "SF:" },
		      { "package.json", "{\"scripts\":[],\"jest\":7,"
					"\"devDependencies\":[]}" },
		      { "test/.js", "it('a')" }, { "test_.py", "def test" },
		      { "tox.ini", "[\n[testenv\ncommands" },
		      { "x_test.go", "func Test" });

	ok_json(o, "/errors/ANY/code", "\"not_an_object\"");
	ok_json(o, "/slice/primary", "\"jest\"");
	free(o);
}

/* What an environment of tox is for is read once, not for each of its lines. */
static void large_files_are_read_in_time(void)
{
	struct buf big = { 0 };
	clock_t begun;
	char *o;

	buf_text(&big, "[testenv:");
	for (unsigned i = 0; i < 2000; i++)
		buf_text(&big, "a-");
	buf_text(&big, "]\ncommands =\n");
	for (unsigned i = 0; i < 300000; i++)
		buf_text(&big, " x\n");
	begun = clock();
	o = PROBE(F("tox.ini", big.bytes));
	tap_time(clock() - begun, 10 * CLOCKS_PER_SEC); /* 60 s line by line */
	ok_has(o, "truncated");
	free(o);
	buf_done(&big);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(frameworks_by_every_sign),
		CASE(no_sign_is_no_framework),
		CASE(files_are_counted_by_kind),
		CASE(the_nearest_package_says_the_framework),
		CASE(python_go_and_rust_are_counted),
		CASE(commands_are_as_declared),
		CASE(a_recipe_is_its_last_line),
		CASE(what_prepares_tests_is_none),
		CASE(coverage_is_added_up),
		CASE(many_files_are_cut_but_counted),
		CASE(odd_shapes_are_no_crash),
		CASE(large_files_are_read_in_time),
		TAP_END,
	});
}
