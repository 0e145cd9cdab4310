/* parsers_test_scan.c -- tests counted in texts. */
#include "parsers/tests/tests_scan.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"

struct row {
	const char *text;
	size_t tests, skipped, todo;
	uint64_t imports;
};

static uint64_t module_bit(struct json_text name)
{
	if (name.len == 6 && memcmp(name.bytes, "vitest", 6) == 0)
		return 1;
	if (name.len == 9 && memcmp(name.bytes, "node:test", 9) == 0)
		return 2;
	return name.len == 4 && memcmp(name.bytes, "Deno", 4) == 0 ? 4 : 0;
}

static void script(const struct parse_input *in, struct scan *ret)
{
	tests_scan_script(in, module_bit, ret);
}

static void rows_try(const struct row *rows,
		     void (*run)(const struct parse_input *, struct scan *))
{
	for (; rows->text != NULL; rows++) {
		struct parse_input in = { "f",        1,
					  rows->text, strlen(rows->text),
					  false,      NULL };
		int before = tap_bad;
		struct scan s;

		run(&in, &s);
		ok_int(s.tests, rows->tests);
		ok_int(s.skipped, rows->skipped);
		ok_int(s.todo, rows->todo);
		ok_int(s.imports, rows->imports);
		if (tap_bad != before)
			fprintf(stderr, "# in: %s\n", rows->text);
	}
}

static void calls_are_counted(void)
{
	static const struct row rows[] = {
		{ "it('a', f)", 1, 0, 0, 0 },
		{ "test(\"a\", f); specify(`a`, f); fit('a', f)", 3, 0, 0, 0 },
		{ "it.only('a', f); test.concurrent.only('b', f)", 2, 0, 0, 0 },
		{ "it.skip('a', f); xit('a', f); xtest('b', f)", 3, 3, 0, 0 },
		{ "test.todo('a'); it.fixme('b')", 2, 1, 1, 0 },
		{ "test.each([[1, 2]])('a %d', f)", 1, 0, 0, 0 },
		{ "it.each`a|b\n${1}|${2}`('x', f)", 1, 0, 0, 0 },
		{ "it\n  ('a', f)", 1, 0, 0, 0 },
		{ "it /* c */ . only // d\n ('a', f)", 1, 0, 0, 0 },
		{ "test(async () => {}); test(() => {}); test({x: 1})", 3, 0, 0,
		  0 },
		{ "for (const c of cs) it(c.name, f)", 1, 0, 0, 0 },
		{ "Deno.test('a', f); Deno.test.ignore({name: 'b'})", 2, 1, 0,
		  4 },
		{ "t.test('a', f); tap.test('b', f)", 2, 0, 0, 0 },
		{ "var tape = require('tape')\ntape('a', f)", 1, 0, 0, 0 },
		{ "tape.skip('a', f); tape.only('b', f)", 2, 1, 0, 0 },
		{ "#!/usr/bin/env node 'it('\ntest('a', f)", 1, 0, 0, 0 },
		{ .text = NULL },
	};

	rows_try(rows, script);
}

static void what_looks_like_a_call_is_not(void)
{
	static const struct row rows[] = {
		{ "// it('a', f)\n/* test('b', f) */", 0, 0, 0, 0 },
		{ "const s = \"it('a', f)\"; const u = 'test(\\'a\\')'", 0, 0,
		  0, 0 },
		{ "const u = `it('a', f)`", 0, 0, 0, 0 },
		{ "const r = /it('a', f)/g", 0, 0, 0, 0 },
		{ "x.replace(/[/]it('a', f)/, '')", 0, 0, 0, 0 },
		{ "/re/.test('a'); re.test(x); obj.it('a', f)", 0, 0, 0, 0 },
		{ "describe('a', f); test.describe('b', f)", 0, 0, 0, 0 },
		{ "test.beforeEach(f); test.step('a', f); test.use({})", 0, 0,
		  0, 0 },
		{ "function test(a, b) {}", 0, 0, 0, 0 },
		{ "test(value); it()", 0, 0, 0, 0 },
		{ "test.skip(isWindows, 'why'); test.skip()", 0, 0, 0, 0 },
		{ "items.map(it => it.name); const test = 1", 0, 0, 0, 0 },
		{ "bit('a'); visit('a'); test_it('a')", 0, 0, 0, 0 },
		{ .text = NULL },
	};

	rows_try(rows, script);
}

static void strings_regexes_and_templates_end_where_they_end(void)
{
	static const struct row rows[] = {
		{ "f(/it('a', g)/)", 0, 0, 0, 0 },
		{ "x = {}\n/ 2; it('a', f) / 1", 1, 0, 0, 0 },
		{ "`${ {a: 1}, it('x', f) } it('c')`", 1, 0, 0, 0 },
		{ "const a = 1 / 2; it('a', f) / 3", 1, 0, 0, 0 },
		{ "const r = /'/; it('a', f)", 1, 0, 0, 0 },
		{ "const r = /[/'\"]/; it('a', f)", 1, 0, 0, 0 },
		{ "return /\\/'/.x; it('a', f)", 1, 0, 0, 0 },
		{ "x = y[0] / 2; it('it/s', f) // '", 1, 0, 0, 0 },
		{ "`${it('a', f)} ${`${test('b', f)}`} it('c', f)`; it('d', f)",
		  3, 0, 0, 0 },
		{ "`${ {a: '}'} } it('c')`; it('d', f)", 1, 0, 0, 0 },
		{ "`\\`${1}\\${it('no', f)}`; it('d', f)", 1, 0, 0, 0 },
		{ "<p>it's here</p>;\nit('a', f)", 1, 0, 0, 0 },
		{ "<b>x</b>; it('a', f); y = </b>", 1, 0, 0, 0 },
		{ "it('a\\'b', f); it('never closed, f)\nit('c', f)", 2, 0, 0,
		  0 },
		{ "const s = 'a\\\nb'; it('a', f)", 1, 0, 0, 0 },
		{ "a)/re/; it('a', f); [/x/][0]/2; it('b', f)", 2, 0, 0, 0 },
		{ .text = NULL },
	};

	rows_try(rows, script);
}

static void imports_are_seen(void)
{
	static const struct row rows[] = {
		{ "import { it } from 'vitest'", 0, 0, 0, 1 },
		{ "const t = require(\"node:test\"); import('vitest')", 0, 0, 0,
		  3 },
		{ "import 'vitest'", 0, 0, 0, 1 },
		{ "// from 'vitest'\nconst x = 'vitest'; f('node:test')", 0, 0,
		  0, 0 },
		{ .text = NULL },
	};

	rows_try(rows, script);
}

static void types_are_told_apart(void)
{
	static const struct {
		const char *text;
		uint64_t imports, types;
	} rows[] = {
		{ "import { Mock, Test as T } from 'vitest'", 1, 1 },
		{ "import type { Mock } from 'vitest'", 1, 1 },
		{ "import { type Mock } from 'vitest'; f({ a: 'vitest' })", 1,
		  1 },
		{ "import { Mock, it } from 'vitest'", 1, 0 },
		{ "import Vi from 'vitest'; import type V from 'vitest'", 1,
		  0 },
		{ "import Vi, { Mock } from 'vitest'", 1, 0 },
		{ "import * as Vi from 'vitest'", 1, 0 },
		{ "import {} from 'vitest'; import 'vitest'", 1, 0 },
		{ "import { Mock } from 'vitest'; require('vitest')", 1, 0 },
		{ "import { Mock } from 'x'; export { A } from 'vitest'", 1,
		  0 },
		{ "import { Mock } from 'vitest'; import { it } from 'vitest'",
		  1, 0 },
		{ "import { it } from 'vitest'; import { A } from 'node:test'",
		  3, 2 },
		{ "import { Mock } from 'x'; const m = import('vitest')", 1,
		  0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct parse_input in = { "f",          1,
					  rows[i].text, strlen(rows[i].text),
					  false,        NULL };
		struct scan s;

		script(&in, &s);
		ok_int(s.imports, rows[i].imports);
		ok_int(s.types, rows[i].types);
	}
}

static void python_goes_by_lines(void)
{
	static const struct row rows[] = {
		{ "import pytest\ndef test_a(): pass\n  async def test_b():\n",
		  2, 0, 0, SCAN_PYTEST },
		{ "from unittest import TestCase\nclass T(TestCase):\n"
		  "\tdef testA(self): pass\n\tdef helper(self): pass\n",
		  1, 0, 0, SCAN_UNITTEST },
		{ "@pytest.mark.skip(reason='x')\n@other\ndef test_a():\n"
		  "def test_b():\n@unittest.skip('x')\nclass A:\n"
		  "  def test_c(self):\n@pytest.mark.skipif(y)\ndef "
		  "test_d():\n",
		  4, 1, 0, 0 },
		{ "# def test_a():\nx = 'def test_b():'\nimport pytestx\n", 0,
		  0, 0, 0 },
		{ "def test_a():\n  \"\"\" x\n  def test_b():\n  \"\"\"\n"
		  "  def test_c(self):\n",
		  2, 0, 0, 0 },
		{ "x = '''\nimport pytest\ndef test_a():\n\\'''\n\"\"\"\n"
		  "def test_b():\n'''\ndef test_c():\n",
		  1, 0, 0, 0 },
		{ "# '''\nx = '\"\"\"' # \"\"\"\ny = \"'''\\\"\"\nz = '' + "
		  "\"\"\n"
		  "def test_a():\n",
		  1, 0, 0, 0 },
		{ "x = 1 # '''\ndef test_a():\n", 1, 0, 0, 0 },
		{ "'''a''' '''\ndef test_a(): '''; f('''b''', 'c\n"
		  "def test_b():\n",
		  1, 0, 0, 0 },
		{ .text = NULL },
	};

	rows_try(rows, tests_scan_python);
}

static void go_and_rust_go_by_lines(void)
{
	static const struct row go[] = {
		{ "func TestA(t *testing.T) {\nfunc Test(t *testing.T)\n"
		  "func Test_x(t *testing.T)\nfunc TestMain(m *testing.M) {\n"
		  "func Testing() {\nfunc BenchmarkA(b *testing.B)\n"
		  "\tfunc TestNested()\n// func TestB(\n",
		  3, 0, 0, 0 },
		{ .text = NULL },
	};
	static const struct row rust[] = {
		{ "#[cfg(test)]\nmod t {\n  #[test]\n  fn a() {}\n"
		  "  #[tokio::test(flavor = \"x\")]\n  #[ignore = \"slow\"]\n"
		  "  // why\n  async fn b() {}\n  #[test] fn c() {}\n"
		  "  fn d() {}\n}\n",
		  3, 1, 0, 0 },
		{ "// #[test]\nfn a() {}\n#[testing]\nfn b() {}\n", 0, 0, 0,
		  0 },
		{ .text = NULL },
	};

	rows_try(go, tests_scan_go);
	rows_try(rust, tests_scan_rust);
}

/* Each of these made an earlier or a plainer scanner quadratic. */
static void hostile_texts_are_linear(void)
{
	static const char *const parts[] = {
		"=/[",        "'\\",
		"it('\\",     "it(",
		"`${",        "/*",
		"it.",        "=/\\",
		"x=/'",       "it.each`",
		"\"\\",       "}`${it('",
		"import {A,", "import type A from 'vitest';",
		"describe(`", "describe('',",
	};
	const size_t len = (size_t)8 << 20;
	char *text = malloc(len);
	size_t doubtful = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct parse_input in = { "f", 1, text, len, false, NULL };
		size_t n = strlen(parts[i]);
		clock_t from = clock();
		struct scan s;

		for (size_t k = 0; k < len; k++)
			text[k] = parts[i][k % n];
		script(&in, &s);
		doubtful += s.is_doubtful;
		if ((clock() - from) / (CLOCKS_PER_SEC / 10) > 60) {
			fprintf(stderr, "# slow: %s\n", parts[i]);
			ok(0);
		}
	}
	ok(doubtful >= 2); /* and they say so */
	free(text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(calls_are_counted), CASE(what_looks_like_a_call_is_not),
		CASE(strings_regexes_and_templates_end_where_they_end),
		CASE(imports_are_seen), CASE(types_are_told_apart),
		CASE(python_goes_by_lines), CASE(go_and_rust_go_by_lines),
		CASE(hostile_texts_are_linear), TAP_END });
}
