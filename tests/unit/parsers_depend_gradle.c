/* parsers_depend_gradle.c -- dependencies: what Gradle's settings include, what its
 * catalogues of versions mean, and where its packages come from. */
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* --- directories ---------------------------------------------------------------- */

/* Whether the settings of that name include tests/x. */
static void inclusion_holds(const char *name, const char *text, bool is_home)
{
	const int before = tap_bad;
	char *o =
		PROBE(F(name, text), F("tests/x/build.gradle", "api 'a:b'\n"));
	char want[256];

	(void)snprintf(want, sizeof want,
		       "{\"source\":\"tests/x/build.gradle\",\"role\":\"%s\","
		       "\"role_reason\":\"%s\"}",
		       is_home ? "own" : "fixture",
		       is_home ? name : "directory tests");
	ok_json(o, "/slice/files/ANY", want);
	ok_json(o, "/errors", "[]");
	if (tap_bad != before)
		fprintf(stderr, "# %s: %s\n", name, text);
	free(o);
}

static void settings_include_directories(void)
{
	static const char *const kotlin[] = {
		"include(\"tests:x\")\n",
		"include(\":tests:x\") // why\n",
		"include(\"a\", \"tests:x\")",
		"include(\n  \"a\", // \"b\"\n  \"tests:x\",\n)\n",
		"pluginManagement { includeBuild(\"tests/x\") { name = \"y\" } "
		"}",
		"includeBuild(\"./tests//x/\")\n",
		"project(\":y\").projectDir = file(\"tests/x\")\n",
		"project(\":y\").projectDir = File(rootDir, \"tests/x\")\n",
		"/* a\n */\ninclude(\"tests:x\")\n",
		"a = \"\"\"\n\"\"\"; include(\"tests:x\")\n\n"
		"include(\"tests:x\")\n",
	};
	static const char *const groovy[] = {
		"include 'tests:x'\n",
		"include ':a', ':tests:x'\n",
		"include 'a',\n  // why\n  'b',\n  'tests:x'\n",
		"include('tests:x')\n",
		"include 'tests/x'\n",
		"includeBuild 'tests/x'\n",
		"project(':y').projectDir = new File(settingsDir, 'tests/x')\n",
		"include 'a'; include 'tests:x'\n",
	};

	for (size_t i = 0; i < sizeof kotlin / sizeof *kotlin; i++)
		inclusion_holds("settings.gradle.kts", kotlin[i], true);
	for (size_t i = 0; i < sizeof groovy / sizeof *groovy; i++)
		inclusion_holds("settings.gradle", groovy[i], true);
}

static void settings_include_nothing_else(void)
{
	static const char *const rows[] = {
		"// include 'tests:x'\n",
		"/*\ninclude 'tests:x'\n*/\n",
		"a = '''\ninclude 'tests:x'\n'''\n",
		"include 'a' // 'tests:x'\n",
		"include 'a'\n'tests:x'\n",
		"include(\n'a'\n)\nf('tests:x')\n",
		"include 'tests:x' + y\n",
		"include y + 'tests:x'\n",
		"include \"tests:x${y}\"\n",
		"include \"$y:tests:x\"\n",
		"include 'tests:*'\n",
		"include '../tests:x'\n",
		"include '/tests/x'\n",
		"includeBuild '/tests/x'\n",
		"includeBuild '../tests/x'\n",
		"includeBuild 'C:/tests/x'\n",
		"includeBuild '.'\n",
		"includeFlat 'tests:x'\n",
		"includes 'tests:x'\n",
		"project(':tests:x').projectDir = f('tests/x')\n",
		"project(':tests:x').name = file('tests/x')\n",
		"include ''\ninclude ':'\ninclude '::'\ninclude(\n",
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		inclusion_holds("settings.gradle", rows[i], false);
	inclusion_holds("build.gradle", "include 'tests:x'\n", false);
	inclusion_holds("tests/settings.gradle", "include 'x'\n", false);
	inclusion_holds("a/settings.gradle", "include 'tests:x'\n", false);
	inclusion_holds("a/settings.gradle", "includeBuild '../tests/x'\n",
			true);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(settings_include_directories),
		CASE(settings_include_nothing_else),
		TAP_END,
	});
}
