/* parsers_test_build.c -- test_inventory: tests that a build system runs. */
#include "jobs/probe/catalogue.h"
#include "parsers/tests/tests.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"test_inventory", test_inventory_run,                          \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static const struct {
	const char *file, *text;
	const char *command; /* NULL: none */
} rows[] = {
	{ "CMakeLists.txt", "project(a)\n  enable_testing()\n", "ctest" },
	{ "CMakeLists.txt", "ENABLE_TESTING ()\n", "ctest" },
	{ "CMakeLists.txt", "INCLUDE( CTest )\n", "ctest" },
	{ "CMakeLists.txt", "include(CTestCustom)\n", NULL },
	{ "CMakeLists.txt", "include(CTest", "ctest" },
	{ "CMakeLists.txt", "# enable_testing()\n", NULL },
	{ "CMakeLists.txt", "enable_testing\n", NULL },
	{ "meson.build", "if a\n  test('a', b)\n", "meson test" },
	{ "meson.build", "test ('a', b)\n", "meson test" },
	{ "meson.build", "tests = ['a']\n", NULL },
	{ "Makefile.am", "TESTS = a \\\n  b\n", "make check" },
	{ "Makefile.am", "TESTS=a\n", "make check" },
	{ "Makefile.am", "TESTS+= a\n", "make check" },
	{ "Makefile.am", "TESTS += a\n", "make check" },
	{ "Makefile.am", "TESTS\n", NULL },
	{ "Makefile.am", "TESTS_ENVIRONMENT = a\n", NULL },
	{ "Makefile.am", "# TESTS = a\n", NULL },
	{ "third_party/CMakeLists.txt", "enable_testing()\n", NULL },
};

static void what_a_file_declares(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F(rows[i].file, rows[i].text));
		char want[256] = "[]";

		if (rows[i].command != NULL)
			(void)snprintf(want, sizeof want,
				       "[{\"command\":\"%s\",\"frameworks\":[],"
				       "\"source\":\"%s\"}]",
				       rows[i].command, rows[i].file);
		ok_json(o, "/slice/commands", want);
		free(o);
	}
}

/* One command of each system, from the file nearest to the top. */
static void one_of_each_system(void)
{
	char *o = PROBE(F("a/b/CMakeLists.txt", "enable_testing()\n"),
			F("c/CMakeLists.txt", "include(CTest)\n"),
			F("d/CMakeLists.txt", "include(CTest)\n"),
			F("CMakeLists.txt", "project(a)\n"),
			F("a/meson.build", "test('a', b)\n"));

	ok_int(json_count(o, "/slice/commands/ANY/name", "\"ctest\""), 1);
	ok_json(o, "/slice/commands/ANY",
		"{\"name\":\"ctest\",\"source\":\"c/CMakeLists.txt\"}");
	ok_json(o, "/slice/commands/ANY",
		"{\"name\":\"test\",\"source\":\"a/meson.build\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_a_file_declares),
		CASE(one_of_each_system),
		TAP_END,
	});
}
