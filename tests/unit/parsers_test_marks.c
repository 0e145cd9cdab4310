/* parsers_test_marks.c -- tests that a line marks. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"test_inventory", test_inventory_run,                          \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

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
		TAP_END,
	});
}
