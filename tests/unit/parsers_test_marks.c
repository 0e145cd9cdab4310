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

static void what_is_told_by_name_is_declared(void)
{
	static const char *const files[] = {
		"a.test.js",  "a/b_test.mjs",   "a-test.cts",
		"a.spec.tsx", "aSpec.js",       "a.cy.ts",
		"a.e2e.ts",   "a.e2e-spec.ts",  "test.js",
		"test-a.cjs", "__tests__/a.js", "e2e/x/a.ts",
		"test_a.py",  "a_test.py",      "a_test.go",
		"src/a.rs",   "b/lcov.info",    "Makefile",
		"ATest.java", "TestA.kt",       "ASpec.groovy",
		"ATest.php",  "test_a.rb",      "a_spec.rb",
		"a_test.cc",  "a.test.cpp",     "ATests.cs",
		"a.bats",     "x/tox.ini",      "conftest.py",
	};
	char name[64];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (!is_declared(files[i])) {
			fprintf(stderr, "# %s\n", files[i]);
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

/* Tests that a line marks. */
static void tests_of_other_languages(void)
{
	static const struct {
		const char *file, *text, *framework;
		const char *counts; /* members of the file's entry */
	} rows[] = {
		{ "src/test/java/ATest.java",
		  "import org.junit.Test;\n@Test\npublic void testA() {}\n"
		  "@Disabled\n@ParameterizedTest(name = \"x\")\nvoid b() {}\n"
		  "@TestInstance(x)\n",
		  "junit", "\"tests\":2,\"skipped\":1" },
		{ "a/OldTest.java",
		  "  public void testA() {}\n  public void testB() {}\n",
		  "junit", "\"tests\":2" },
		{ "a/TestB.java", "import org.testng.annotations.*;\n  @Test\n",
		  "testng", "\"tests\":1" },
		{ "ASpec.groovy", "import spock.lang.*\ndef \"a b\"() {\n",
		  "spock", "\"tests\":1" },
		{ "tests/ATest.php",
		  "#[Test]\npublic function a(): void\n"
		  "public function testB()\n",
		  "phpunit", "\"tests\":2" },
		{ "spec/a_spec.rb", "it 'a' do\nitem 'x'\n  it { x }\n",
		  "rspec", "\"tests\":2" },
		{ "test/a_test.rb", "test \"a\" do\ndef test_b\ndef testing\n",
		  "minitest", "\"tests\":2" },
		{ "a_test.cc", "TEST_F(A, b) {\nTEST(A, c) {\n", "googletest",
		  "\"tests\":2" },
		{ "test_a.cpp",
		  "#include <catch2/catch.hpp>\nTEST_CASE(\"a\")\n", "catch2",
		  "\"tests\":1" },
		{ "ATests.cs", "using NUnit.Framework;\n  [Test]\n  [Fact]\n",
		  "nunit", "\"tests\":2" },
		{ "t/a.bats", "@test \"a\" {\n", "bats", "\"tests\":1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F(rows[i].file, rows[i].text));
		char want[256];

		(void)snprintf(want, sizeof want,
			       "{\"framework\":\"%s\",\"kind\":\"unit\",%s}",
			       rows[i].framework, rows[i].counts);
		ok_json(o, "/slice/files/0", want);
		(void)snprintf(want, sizeof want, "\"%s\"", rows[i].framework);
		ok_json(o, "/slice/primary", want);
		free(o);
	}
}

/* A helper that is called like a test holds none. */
static void helpers_are_no_tests(void)
{
	char *o = PROBE(F("src/LatestTest.java", "class LatestTest {}\n"),
			F("a/Test.php", "public function testimony\n"));

	ok_json(o, "/slice/unit/files", "1");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(tests_of_other_languages),
		CASE(helpers_are_no_tests),
		CASE(what_is_told_by_name_is_declared),
		TAP_END,
	});
}
