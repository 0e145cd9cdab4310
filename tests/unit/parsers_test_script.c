/* parsers_test_script.c -- test_inventory: which scripts are tests, beside those that
 * are called so and have some. */
#include "parsers/tests/tests.h"
#include "probe_files.h"

struct row {
	const char *file, *text;
	int files, tests;
};

/* How many files and tests are told of each row's file alone. */
static void rows_try(const struct row *rows)
{
	for (; rows->file != NULL; rows++) {
		const int before = tap_bad;
		char want[64];
		char *o = probe_files("test_inventory", test_inventory_run,
				      PROBE_FILES(F(rows->file, rows->text)));

		ok_int(json_count(o, "/slice/files/ANY", "{}"), rows->files);
		(void)snprintf(want, sizeof want, "{\"tests\":%d}",
			       rows->tests);
		if (rows->files > 0)
			ok_json(o, "/slice/files/0", want);
		free(o);
		if (tap_bad != before)
			fprintf(stderr, "# %s: %s\n", rows->file, rows->text);
	}
}

/* "file_spec" may be the specification of a file, and "add_test" what adds one. */
static void an_underscore_is_no_proof(void)
{
	static const struct row rows[] = {
		{ "src/file_spec.js", "class A {}\nexport { A };", 0, 0 },
		{ "src/file_spec.js", "module.exports = { a };", 0, 0 },
		{ "test/add_test.js",
		  "const fs = require('fs');\nconst { a } = "
		  "require('child_process');\na(fs)",
		  0, 0 },
		{ "test/add_test.mjs",
		  "import fs from 'node:fs/promises';\nfs.a();", 0, 0 },
		/* Those that have a test, or a sign of one, stay. */
		{ "src/a_spec.js", "export const a = 1; it('a', f)", 1, 1 },
		{ "src/a_spec.js",
		  "export const a = 1; describe('a', () => { b(); })", 1, 0 },
		{ "test/a_test.js",
		  "exports.a = { b: function (test) { test.done(); } }", 1, 0 },
		{ "test/a_test.js", "require('fs'); require('./make')('a')", 1,
		  0 },
		{ "test/a_test.js",
		  "const assert = require('assert');\n"
		  "require('fs'); assert(true)",
		  1, 0 },
		{ "test/a_test.js", "require('node:test'); require('fs')", 1,
		  0 },
		{ "test/a_test.js", "goog.require('a'); testSuite({ b })", 1,
		  0 },
		{ "test/a_test.js", "a('b')", 1, 0 },
		/* A point is. */
		{ "src/a.spec.js", "export const a = 1", 1, 0 },
		{ "test/a.test.js", "require('fs')", 1, 0 },
		{ .file = NULL },
	};

	rows_try(rows);
}

/* Something else makes the tests of a suite. */
static void a_suite_without_tests_is_a_test_file(void)
{
	static const struct row rows[] = {
		{ "test/runner-a.js",
		  "describe('a errors', function() {\n  less.errors();\n})", 1,
		  0 },
		{ "test/runner-a.js", "describe('a', () => { b() })", 1, 0 },
		{ "test/runner-a.js", "describe('a', async c => { b() })", 1,
		  0 },
		{ "test/runner-a.js", "describe(`a`, c => { b() })", 1, 0 },
		{ "test/runner-a.js", "describe.only('a', function () {})", 1,
		  0 },
		{ "test/runner-a.js", "context('a', function () {})", 1, 0 },
		{ "test/runner-a.js", "f({ a: [1] })\nsuite('a', () => {})", 1,
		  0 },
		{ "src/test-a.js", "describe('a', function () { b() })", 1, 0 },
		{ "src/a-test.js", "describe('a', function () { b() })", 1, 0 },
		{ "test/a-spec.js", "describe('a', function () { b() })", 1,
		  0 },
		/* Within something else it may be a helper's. */
		{ "test/a.js", "function f() { describe('a', () => {}) }", 0,
		  0 },
		{ "test/a.js", "f(() => describe('a', () => {}))", 0, 0 },
		{ "test/a.js",
		  "module.exports = f; describe('a', function () {})", 0, 0 },
		{ "test/a.js", "a.describe('a', function () {})", 0, 0 },
		{ "test/a.js", "function describe('a', function () {})", 0, 0 },
		{ "test/a.js", "describe('a', b)", 0, 0 },
		{ "test/a.js", "describe('a', b = c)", 0, 0 },
		{ "test/a.js", "describe(a, function () {})", 0, 0 },
		{ "test/a.js", "describe('a')", 0, 0 },
		{ "test/a.js", "describe.x('a', function () {})", 0, 0 },
		{ "test/a.js", "// describe('a', function () {})", 0, 0 },
		{ "test/a.js", "describe('a', function () {", 1, 0 },
		{ "src/runner.js", "describe('a', function () {})", 0, 0 },
		{ .file = NULL },
	};

	rows_try(rows);
}

/* Beside a directory for tests, too. */
static void what_exports_a_function_is_a_helper(void)
{
	static const struct row rows[] = {
		{ "pkg/test-dbus-common.js",
		  "export function a(b) { QUnit.test('c', f) }", 0, 0 },
		{ "test/test-a.js", "module.exports = (a) => { it(a, f) }", 0,
		  0 },
		{ "src/test-a.js", "export const a = 1; it('a', f)", 1, 1 },
		{ "src/test-a.js", "function a() {} it('a', f)", 1, 1 },
		/* Names that end as a test's. */
		{ "src/a-test.js", "export function a() {} it('a', f)", 1, 1 },
		{ "src/aSpec.js", "module.exports = a; it('a', f)", 1, 1 },
		{ .file = NULL },
	};

	rows_try(rows);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(an_underscore_is_no_proof),
		CASE(a_suite_without_tests_is_a_test_file),
		CASE(what_exports_a_function_is_a_helper),
		TAP_END,
	});
}
