/* parsers_test_python.c -- test_inventory: what is a test in files of Python. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

struct row {
	const char *text;
	int tests; /* none: no file is told */
};

static void rows_try(const char *file, const struct row *rows)
{
	for (; rows->text != NULL; rows++) {
		const int before = tap_bad;
		char want[64];
		char *o = probe_files("test_inventory", test_inventory_run,
				      PROBE_FILES(F(file, rows->text)));

		ok_int(json_count(o, "/slice/files/ANY", "{}"),
		       rows->tests > 0);
		(void)snprintf(want, sizeof want, "{\"tests\":%d}",
			       rows->tests);
		if (rows->tests > 0)
			ok_json(o, "/slice/files/0", want);
		free(o);
		if (tap_bad != before)
			fprintf(stderr, "# %s: %s\n", file, rows->text);
	}
}

#define METHOD "  def test_a(self):\n"

/* The library of the tests has a name that a runner may take, and no tests. */
static void a_library_of_tests_is_no_test(void)
{
	static const struct row rows[] = {
		{ "import unittest\n"
		  "class _DebugOutcome(unittest.case._Outcome):\n"
		  "  def testPartExecutor(self, a):\n    pass\n"
		  "class MachineCase(unittest.TestCase):\n"
		  "  def setUp(self):\n    pass\n"
		  "def test_main(options=None, **kwargs):\n  pass\n",
		  0 },
		{ "def test_main(\n    a):\n", 0 },
		{ "class A:\n" METHOD "class B(object):\n" METHOD, 0 },
		{ "class A(TestCase):\n  class B:\n    def test_b(self):\n"
		  "  def test_a(self):\n",
		  1 },
		{ "class A:\n  def a(self):\n    class B(TestCase):\n"
		  "      def test_b(self):\n    def test_a():\n"
		  "def test_c(): pass\n",
		  2 },
		{ .text = NULL },
	};

	rows_try("test/common/testlib.py", rows);
}

/* What unittest, Django and nose take by that name. */
static void suites_of_every_runner_count(void)
{
	static const struct row rows[] = {
		{ "class TestA:\n" METHOD, 1 },
		{ "class ATests(B):\n" METHOD, 1 },
		{ "class A(TestCase):\n" METHOD, 1 },
		{ "class A(a.b.TestCase):\n" METHOD, 1 },
		{ "class A(B, django.test.SimpleTestCase, "
		  "metaclass=C):\n" METHOD,
		  1 },
		{ "class A(TestCaseMixin):\n" METHOD, 1 },
		{ "class A(AsyncTestCaseBase):\n" METHOD, 1 },
		{ "class A(MachineCase):\n" METHOD, 1 },
		{ "class A(BaseTest):\n" METHOD, 1 },
		{ "class A(\n    B):\n" METHOD, 1 },
		{ "class A(TestCase):\n  pass\nclass B(A):\n" METHOD, 1 },
		{ "class A(TestCase):\n  x = 5\n  async def test_a(self):\n",
		  1 },
		{ "def test_a():\n  pass\ndef test_b( ):\n  pass\n", 2 },
		{ "import pytest\ndef test_a(tmpdir):\n  pass\n", 1 },
		{ "if a:\n  def test_a(b):\n    pass\n", 1 },
		{ "class A(B):\n  pass\ndef f():\n  def test_a(b):\n", 1 },
		{ .text = NULL },
	};

	rows_try("test/a/testmore.py", rows);
	rows_try("tests/test.py", rows);
}

/* Files with the names that all runners take: what they have is theirs. */
static void files_that_are_taken_count_as_they_are(void)
{
	static const struct row rows[] = {
		{ "class A(B):\n" METHOD, 1 },
		{ "class A:\n" METHOD, 1 },
		{ "def test_a(tmpdir):\n  pass\n", 1 },
		{ .text = NULL },
	};
	static const char *const files[] = { "test_a.py", "a_test.py",
					     "a/tests.py", "unittest_a.py",
					     "test/a_unittest.py" };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		rows_try(files[i], rows);
}

/* Deeper classes are as the last one that is kept, and names beyond the limit are not
 * known. */
static void classes_are_bounded(void)
{
	for (unsigned more = 0; more < 2; more++) {
		owned_buf struct buf text = { 0 };
		char line[128];
		struct row rows[2] = { { .tests = more == 0 } };

		for (unsigned i = 0; i < 15 + more; i++) {
			(void)snprintf(line, sizeof line, "%*sclass A%u:\n",
				       (int)i, "", i);
			buf_text(&text, line);
		}
		(void)snprintf(line, sizeof line,
			       "%*sclass B(Test):\n%*s  def test_a(self):\n",
			       15 + (int)more, "", 15 + (int)more, "");
		buf_text(&text, line);
		rows[0].text = text.bytes;
		rows_try("test/testmore.py", rows);
	}
	for (unsigned more = 0; more < 2; more++) {
		owned_buf struct buf text = { 0 };
		char line[128];
		struct row rows[2] = { { .tests = more == 0 } };

		for (unsigned i = 0; i < 63 + more; i++) {
			(void)snprintf(line, sizeof line,
				       "class A%u(Test):\n  pass\n", i);
			buf_text(&text, line);
		}
		buf_text(&text, "class B(Test):\n  pass\nclass C(B):\n" METHOD);
		rows[0].text = text.bytes;
		rows_try("test/testmore.py", rows);
	}
}

static void large_files_are_read_in_time(void)
{
	static const char *const parts[] = {
		"class A(Test):\n", "class A(",  "class A(B,",
		" class",           "def test(", "class A(a.b.c, Test.d)\n",
		"def test_a(a):\n",
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		owned_buf struct buf text = { 0 };
		clock_t begun;

		while (text.len < 4 << 20)
			buf_text(&text, parts[i]);
		begun = clock();
		free(probe_files("test_inventory", test_inventory_run,
				 PROBE_FILES(F("test/testa.py", text.bytes))));
		tap_time(clock() - begun, 10 * CLOCKS_PER_SEC);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_library_of_tests_is_no_test),
		CASE(suites_of_every_runner_count),
		CASE(files_that_are_taken_count_as_they_are),
		CASE(classes_are_bounded),
		CASE(large_files_are_read_in_time),
		TAP_END,
	});
}
