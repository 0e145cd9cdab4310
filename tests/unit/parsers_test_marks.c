/* parsers_test_marks.c -- tests that a line marks, and the names of files. */
#include <stdlib.h>

#include "base/glob.h"
#include "jobs/probe/catalogue.h"
#include "parsers/tests/tests.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"test_inventory", test_inventory_run,                          \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* Whether the probe's declared inputs take a file of that name. */
static int is_declared(const char *name)
{
	const struct probe_input_rule *r = probe_find("test_inventory")->rules;

	for (; r->pattern != NULL; r++)
		if (glob_match(r->pattern, strlen(r->pattern), name,
			       strlen(name)))
			return 1;
	return 0;
}

static const char *const declared_files[] = {
	"a.test.js",
	"a/b_test.mjs",
	"a-test.cts",
	"a.spec.tsx",
	"aSpec.js",
	"a.cy.ts",
	"a.e2e.ts",
	"a.e2e-spec.ts",
	"test.js",
	"test-a.cjs",
	"__tests__/a.js",
	"e2e/x/a.ts",
	"test_a.py",
	"a_test.py",
	"a_test.go",
	"x/tests.py",
	"unittest_a.py",
	"a_unittest.py",
	"a/test/b/testa.py",
	"src/a.rs",
	"b/lcov.info",
	"Makefile",
	"ATest.java",
	"TestA.kt",
	"ASpec.groovy",
	"ATest.php",
	"test_a.rb",
	"a_spec.rb",
	"a_test.cc",
	"a.test.cpp",
	"ATests.cs",
	"test/a.cpp",
	"x/gtest/a/b.cc",
	"tests/a.cxx",
	"a.bats",
	"x/tox.ini",
	"conftest.py",
	"a/CMakeLists.txt",
	"meson.build",
	"Makefile.am",
	"a/check_b.c",
	"a/b_tests.c",
	"test.c",
	"test-a.c",
	"t/unit-tests/a/b.c",
	"TestB.c",
};

static void what_is_told_by_name_is_declared(void)
{
	char name[64];

	for (size_t i = 0; i < sizeof declared_files / sizeof *declared_files;
	     i++)
		if (!is_declared(declared_files[i])) {
			fprintf(stderr, "# %s\n", declared_files[i]);
			ok(0);
		}
	for (size_t f = 0; f < FRAMEWORK_SCRIPTS_END_; f++) {
		const char *list = tests_framework_tools[f].configs;

		while (list != NULL && *list != '\0') {
			size_t n = strcspn(list, " ");

			(void)snprintf(name, sizeof name, "a/%.*s%s", (int)n,
				       list, list[n - 1] == '.' ? "js" : "");
			if (!is_declared(name)) {
				fprintf(stderr, "# %s\n", name);
				ok(0);
			}
			list += n + (list[n] == ' ');
		}
	}
	ok(!is_declared("src/index.js") && !is_declared("a/b.test.css"));
}

static const struct {
	const char *file, *text, *framework;
	const char *counts; /* members of the file's entry */
} marked_rows[] = {
	{ "src/test/java/ATest.java",
	  "import org.junit.Test;\n@Test\npublic void testA() {}\n"
	  "@Disabled\n@ParameterizedTest(name = \"x\")\nvoid b() {}\n"
	  "@TestInstance(x)\n",
	  "junit", "\"tests\":2,\"skipped\":1" },
	{ "src/test/java/APerformance.java",
	  "  @Benchmark\n  public void testA() {}\n"
	  "  public void testB() {}\n  @Benchmark\n  void x() {}\n",
	  "junit", "\"tests\":1" },
	{ "a/OldTest.java",
	  "  public void testA() {}\n  public void testB() {}\n", "junit",
	  "\"tests\":2" },
	{ "src/test/groovy/ABug.groovy",
	  "class ABug extends GroovyTestCase {\n  void testA() {\n"
	  "  void other() {\n  @Test\n  void testB() {\n",
	  "junit", "\"tests\":2" },
	{ "a/TestB.java", "import org.testng.annotations.*;\n  @Test\n",
	  "testng", "\"tests\":1" },
	/* A method of JUnit 3 with parameters is none; nor is a comment. */
	{ "b/OldTest.java",
	  "  public void testA() throws X {\n  public void testB(int a) {\n"
	  "  void test(\n  @Test\n  void testC(int a) {\n  void testD () {\n"
	  "  /* x\n  public void testE() {\n  @Test\n  */\n"
	  "  /* x */\n  /** x\n   * @Test\n   */\n  void testF() {\n",
	  "junit", "\"tests\":4" },
	{ "a/TemplateTest.java", "@TestTemplate\nvoid a(X x) {}\n", "junit",
	  "\"tests\":1" },
	{ "ASpec.groovy", "import spock.lang.*\ndef \"a b\"() {\n", "spock",
	  "\"tests\":1" },
	{ "tests/ATest.php",
	  "#[Test]\npublic function a(): void\n"
	  "public function testB()\n",
	  "phpunit", "\"tests\":2" },
	{ "a/tests/Framework/Address.php",
	  "class Address extends TestCase\n  function test_a()\n"
	  "  public function testB()\n  function tester()\n",
	  "phpunit", "\"tests\":3" },
	{ "tests/DocTest.php",
	  "  /**\n   * @test\n   */\n  public function a(): void\n"
	  "  /** @test */\n  function testB()\n  /**\n   * @testdox x\n"
	  "   * @testWith [1]\n   */\n  public function c()\n"
	  "  public function testD($a)\n",
	  "phpunit", "\"tests\":3" },
	/* An abstract class runs none itself; one behind it does. */
	{ "tests/BTest.php",
	  "abstract class A extends TestCase {\n  public function testA()\n"
	  "  #[Test]\n  public function b()\n}\n"
	  "final class B extends A {\n  public function testB()\n}\n"
	  "abstract class C {\n  function testC()\n}\n"
	  "class D extends A {\n  function testD()\n}\n",
	  "phpunit", "\"tests\":2" },
	{ "unittest_a.py",
	  "import unittest\nclass A:\n  def test_a(self):\n    pass\n",
	  "unittest", "\"tests\":1" },
	{ "lib/a_unittest.py", "import unittest\n  def test_a(self):\n",
	  "unittest", "\"tests\":1" },
	{ "test/a/testmore.py", "import unittest\n  def test_a(self):\n",
	  "unittest", "\"tests\":1" },
	{ "spec/a_spec.rb", "it 'a' do\nitem 'x'\n  it { x }\n", "rspec",
	  "\"tests\":2" },
	/* Tests that stand in another file are not counted. */
	{ "spec/b_spec.rb", "describe X do\n  include_examples 'x', 5\n",
	  "rspec", "\"tests\":0" },
	{ "spec/c_spec.rb", "  it_behaves_like 'x'\n", "rspec", "\"tests\":0" },
	{ "spec/d_spec.rb", "  it_should_behave_like('x')\n", "rspec",
	  "\"tests\":0" },
	{ "test/a_test.rb", "test \"a\" do\ndef test_b\ndef testing\n",
	  "minitest", "\"tests\":2" },
	{ "a_test.cc", "TEST_F(A, b) {\nTEST(A, c) {\n", "googletest",
	  "\"tests\":2" },
	{ "test_a.cpp", "#include <catch2/catch.hpp>\nTEST_CASE(\"a\")\n",
	  "catch2", "\"tests\":1" },
	{ "test/b.cpp",
	  "#include \"x/doctest.h\"\nTEST_CASE_TEMPLATE(\"b\", T)\n", "doctest",
	  "\"tests\":1" },
	{ "test/a.cpp", "#include \"3rd-party/catch.hpp\"\nTEST_CASE(\"a\")\n",
	  "catch2", "\"tests\":1" },
	/* Without an import: macros that only one framework has. */
	{ "test/c.cpp", "#include \"all.h\"\nTEST_CASE(\"a\")\n", "catch2",
	  "\"tests\":1" },
	{ "test/d.cpp", "TEMPLATE_TEST_CASE(\"a\", \"[b]\", int)\n", "catch2",
	  "\"tests\":1" },
	{ "test/e.cpp", "TEST_CASE(\"a\") {\n  SUBCASE(\"b\") {\n", "doctest",
	  "\"tests\":1" },
	{ "test/f.cpp", "TEST_CASE_TEMPLATE(\"a\", T, int)\n", "doctest",
	  "\"tests\":1" },
	{ "test/g.cpp", "BOOST_AUTO_TEST_CASE(a)\nTEST_CASE(\"b\")\n",
	  "boost.test", "\"tests\":2" },
	{ "test/i.cpp",
	  "SCENARIO(\"a\")\nTEST_CASE_METHOD(A, \"b\")\n"
	  "TEMPLATE_LIST_TEST_CASE(\"c\", B)\n"
	  "TEMPLATE_PRODUCT_TEST_CASE_SIG(\"d\")\n"
	  "TEMPLATE_TEST_CASE_METHOD(C, \"e\")\n",
	  "catch2", "\"tests\":5" },
	{ "test/j.cpp",
	  "TEST_CASE_FIXTURE(A, \"a\")\n"
	  "TEST_CASE_TEMPLATE_DEFINE(\"b\", T, x)\n"
	  "TEST_CASE_TEMPLATE_INVOKE(x, int)\n",
	  "doctest", "\"tests\":2" },
	{ "test/k.cpp",
	  "BOOST_FIXTURE_TEST_CASE(a, B)\nBOOST_DATA_TEST_CASE(b, c)\n"
	  "BOOST_AUTO_TEST_CASE_TEMPLATE(d, T, e)\n"
	  "BOOST_AUTO_TEST_CASE_EXPECTED_FAILURES(a, 1)\n",
	  "boost.test", "\"tests\":3" },
	{ "test/h.cpp", "#include \"x/doctest.h\"\nTEST_CASE(\"a\")\n",
	  "doctest", "\"tests\":1" },
	{ "x/test/gtest/b.cc",
	  "#include <common/test.h>\n#include \"x/acatch.h\"\n"
	  "UCS_TEST_P(a, b)\nX2_TEST(a)\nA_TEST_F(a)\n"
	  "a_TEST(b)\nTEST_PX(a)\nTEST\n_TEST\n",
	  "googletest", "\"tests\":3" },
	{ "a_test.cpp",
	  "#include \"CppUTest/TestHarness.h\"\nTEST_GROUP(A) {};\n"
	  "TEST(A, b) {\n",
	  "cpputest", "\"tests\":1" },
	/* C: a table of tests, places of a line, functions, macros */
	{ "test/a.c",
	  "#include \"../acutest.h\"\nstruct { char *a; } other[] = {\n"
	  "  { \"x\" },\n};\nTEST_LIST = {\n  { \"a\", a },\n"
	  "  {\"b\", b},\n  /* { \"c\", c }, */\n  { NULL, NULL }\n};\n"
	  "struct y z = {\n  { \"d\", 5 },\n};\n",
	  "acutest", "\"tests\":2" },
	{ "test_a.c",
	  "#include <munit.h>\nstatic MunitTest tests[] = {\n"
	  "  { (char*) \"/a\", a },\n  {\n    \"/b\", b\n  },\n"
	  "  { NULL, NULL }\n};\n",
	  "munit", "\"tests\":2" },
	{ "tests/a.c",
	  "#include <cmocka.h>\nstatic void test_a(void **state)\n"
	  "// cmocka_unit_test(a),\n#define X(a) cmocka_unit_test(a)\n"
	  "  tests[] = { cmocka_unit_test(a), cmocka_unit_test(b) };\n"
	  "    cmocka_unit_test_setup_teardown(c, d, e),\n",
	  "cmocka", "\"tests\":3" },
	{ "check_a.c",
	  "#include \"check.h\"\nSTART_TEST(a)\nSTART_TEST (b)\n"
	  "  START_TESTS(c)\n  tcase_add_test(c, a);\n",
	  "check", "\"tests\":2" },
	{ "tests/b.c",
	  "#include <CUnit/Basic.h>\n  if (!CU_add_test(s, \"a\", a) ||\n"
	  "CU_TestInfo tests[] = {\n  { \"b\", b },\n",
	  "cunit", "\"tests\":2" },
	{ "tests/i.c", "  if (CU_ADD_TEST(s, a) == NULL)\n", "cunit",
	  "\"tests\":1" },
	{ "a_test.cxx", "#include <CppUTest/TestHarness.h>\nTEST(A, b) {\n",
	  "cpputest", "\"tests\":1" },
	/* What only uses the length of a table is none. */
	{ "tests/j.c",
	  "int n = TEST_LIST_LEN;\n  { \"a\", 5 },\nSTART_TEST(b)\n", "check",
	  "\"tests\":1" },
	{ "tests/c.c", "  g_test_add_func (\"/a\", a);\n", "glib",
	  "\"tests\":1" },
	{ "test.c",
	  "UTEST(a, b) {\nUTEST_F(a, b) {\nUTEST_I(a, b, 2) {\nUTEST_X(\n",
	  "utest", "\"tests\":3" },
	{ "tests/d.c",
	  "#include <criterion/new/assert.h>\nTest(a, b) {\n"
	  "ParameterizedTest(int *a, b, c) {\nTheory((int a), b, c) {\n",
	  "criterion", "\"tests\":3" },
	{ "tests/e.c",
	  "#include \"lib/greatest.h\"\nTEST b(void);\nTEST a(int b) {\n",
	  "greatest", "\"tests\":1" },
	{ "tests/f.c",
	  "#include <unity_fixture.h>\nTEST_GROUP(A);\nTEST(A, b)\n"
	  "IGNORE_TEST(A, c) { }\nTEST(A, d)\n",
	  "unity", "\"tests\":3,\"skipped\":1" },
	{ "TestA.c",
	  "#include \"unity.h\"\nvoid test_a(void);\nvoid testB() {\n"
	  "static void test_c(void)\nvoid test_d(int a) {\nvoid b(void) {\n",
	  "unity", "\"tests\":2" },
	{ "tests/h.c",
	  "#include \"helpers.h\"\nvoid test_a__initialize_b(void)\n"
	  "void test_a(void)\nvoid test_a__c(void);\nvoid test_a__b(void)\n",
	  "clar", "\"tests\":1" },
	{ "tests/g.c",
	  "#include \"clar_libgit2.h\"\nvoid test_a__initialize(void)\n"
	  "void test_a__cleanup(void)\nvoid test_a__b(void)\n",
	  "clar", "\"tests\":1" },
	{ "ATests.cs", "using NUnit.Framework;\n  [Test]\n  [Fact]\n", "nunit",
	  "\"tests\":2" },
	{ "t/a.bats", "@test \"a\" {\n", "bats", "\"tests\":1" },
};

/* Tests that a line marks. */
static void tests_of_other_languages(void)
{
	for (size_t i = 0; i < sizeof marked_rows / sizeof *marked_rows; i++) {
		char *o = PROBE(F(marked_rows[i].file, marked_rows[i].text));
		char want[256];

		(void)snprintf(want, sizeof want,
			       "{\"framework\":\"%s\",\"kind\":\"unit\",%s}",
			       marked_rows[i].framework, marked_rows[i].counts);
		ok_json(o, "/slice/files/0", want);
		(void)snprintf(want, sizeof want, "\"%s\"",
			       marked_rows[i].framework);
		ok_json(o, "/slice/primary", want);
		free(o);
	}
}

/* A helper with the name of a test contains no tests. */
static void helpers_are_no_tests(void)
{
	char *o = PROBE(F("src/LatestTest.java", "class LatestTest {}\n"),
			F("a/Test.php", "public function testimony\n"),
			F("test/lib.cc", "int TESTED(int a) {\n"),
			F("contest/a.cc", "TEST_CASE(a) {\n"),
			F("test/lib.c", "TEST(a == 5);\nvoid test_a(void)\n"
					"Test(a, b) {\n  { \"a\", 5 },\n"),
			F("contest/b.c", "START_TEST(a)\n"),
			F("test.cc/a.hh", "TEST_CASE(a) {\n"),
			F("lib/testmore.py", "def test_a():\n"),
			F("test/more.py", "def test_a():\n"),
			F("test/testmore.py", "def more():\n"),
			F("test/Base.php", "abstract class Base {\n"
					   "  public function testA()\n}\n"));

	ok_json(o, "/slice/unit/files", "1");
	free(o);
}

/* A name that may mean something else is a test's only with a test in it. */
static void names_that_mean_something_else(void)
{
	char *o = PROBE(
		F("package.json", "{\"devDependencies\":{\"jest\":\"1\"}}"),
		F("src/rangeSpec.ts", "export const rangeSpec = 5\n"),
		F("src/aSpec.ts", "it('a', () => {})\n"),
		F("src/load-test.js", "run()\n"),
		F("src/test-server.js", "run()\n"),
		F("src/b-test.js", "it('a', () => {})\n"), F("pytest.ini", ""),
		F("lib/test_case.py", "x = 5\n"),
		F("lib/test_b.py", "def test_b():\n  pass\n"));

	ok_int(json_count(o, "/slice/files/ANY/source", "\"src/aSpec.ts\""), 1);
	ok_int(json_count(o, "/slice/files/ANY/source", "\"src/b-test.js\""),
	       1);
	ok_int(json_count(o, "/slice/files/ANY/source", "\"lib/test_b.py\""),
	       1);
	ok_json(o, "/slice/unit", "{\"files\":3,\"tests\":3}");
	free(o);
}

/* A directory for end-to-end tests is one for every language. */
static void end_to_end_tests_are_told_apart(void)
{
	char *o = PROBE(F("e2e/test_a.py", "def test_a():\n"),
			F("tests/end2end/a/test_b.py", "def test_b():\n"),
			F("test/e2e/a_test.go", "func TestA(t\n"),
			F("e2e_tests/a_spec.rb", "it 'a' do\n"),
			F("end_to_end/a.rs", "#[test]\nfn a() {}\n"),
			F("test/a_test.go", "func TestA(t\n"),
			F("tests/test_e.py", "def test_a():\n"));

	ok_json(o, "/slice/e2e", "{\"files\":5,\"tests\":5}");
	ok_json(o, "/slice/unit", "{\"files\":2,\"tests\":2}");
	ok_json(o, "/slice/files/ANY",
		"{\"kind\":\"e2e\",\"source\":\"test/e2e/a_test.go\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(tests_of_other_languages),
		CASE(helpers_are_no_tests),
		CASE(what_is_told_by_name_is_declared),
		CASE(names_that_mean_something_else),
		CASE(end_to_end_tests_are_told_apart),
		TAP_END,
	});
}
