/* parsers_depend_gradle.c -- dependencies: what Gradle's settings include, and what its
 * catalogues of versions mean. */
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

/* A project is one directory, a build is all that is in it. */
static void settings_include_no_projects_in_a_project(void)
{
	static const struct {
		const char *text, *role; /* of tests/x/y/build.gradle */
	} rows[] = {
		{ "include 'tests:x'\n", "fixture" },
		{ "include 'tests:x'\ninclude 'tests:x:y'\n", "own" },
		{ "includeBuild 'tests/x'\n", "own" },
		{ "include 'tests:x'\nincludeBuild 'tests/x'\n", "own" },
		{ "includeBuild 'tests/x'\ninclude 'tests:x'\n", "own" },
		{ "include 'tests'\nincludeBuild 'tests/x'\n", "own" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F("settings.gradle", rows[i].text),
				F("tests/x/y/build.gradle", "api 'a:b'\n"));
		char want[128];

		(void)snprintf(want, sizeof want,
			       "{\"source\":\"tests/x/y/build.gradle\","
			       "\"role\":\"%s\"}",
			       rows[i].role);
		ok_json(o, "/slice/files/ANY", want);
		free(o);
	}
}

/* --- catalogues ----------------------------------------------------------------- */

#define CATALOGUE                                                              \
	"[versions]\nv = '1.9'\n[libraries]\n"                                 \
	"one = 'g:one:1'\none-more = { module = 'g:more', version.ref = 'v' "  \
	"}\n"                                                                  \
	"one_more-still = 'g:still:2'\nthree = 'g:three:3'\n"                  \
	"bundles-x = 'g:bad:1'\n"                                              \
	"[bundles]\nb-c = ['one', 'one.more', 'none', 'three']\nd = []\n"      \
	"[plugins]\nthree = { id = 'x.y', version = '4' }\n"

#define DEP(name, kind) ",{\"name\":\"g:" name "\",\"kind\":\"" kind "\"}"

/* The dependencies of a build file are those that are wanted, behind the five libraries
 * and the plugin of the catalogue. */
static void meaning_holds(const char *name, const char *text, const char *want)
{
	const int before = tap_bad;
	char *o =
		PROBE(F(name, text), F("gradle/libs.versions.toml", CATALOGUE));
	char all[1024];

	ok_int(json_count(o, "/slice/dependencies/ANY",
			  "{\"kind\":\"managed\","
			  "\"source\":\"gradle/libs.versions.toml\"}"),
	       5);
	(void)snprintf(all, sizeof all, "[{},{},{},{},{},{}%s]", want);
	ok_json(o, "/slice/dependencies", all);
	ok_json(o, "/errors", "[]");
	if (tap_bad != before)
		fprintf(stderr, "# %s: %s\n", name, text);
	free(o);
}

static void an_alias_means_a_library_of_the_catalogue(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "api(libs.one)\n",
		  ",{\"name\":\"g:one\",\"constraint\":\"1\","
		  "\"kind\":\"runtime\",\"purl\":\"pkg:maven/g/one\"}" },
		{ "testImplementation libs.one.more\n",
		  ",{\"name\":\"g:more\",\"constraint\":\"1.9\","
		  "\"kind\":\"dev\"}" },
		{ "kapt(libs.one_more.still)\n", DEP("still", "build") },
		{ "api(libs.one) { exclude(group = \"a\") }\n",
		  DEP("one", "runtime") },
		{ "api(platform(libs.three))\n", DEP("three", "runtime") },
		{ "api(libs.three.get())\n", DEP("three", "runtime") },
		{ "api(libs.one, 'g:two:1')\n",
		  DEP("one", "runtime") DEP("two", "runtime") },
		{ "api(\n  libs.one, // libs.one.more\n  libs.three\n)\n",
		  DEP("one", "runtime") DEP("three", "runtime") },
		{ "api libs.one, libs.three // libs.one.more\n",
		  DEP("one", "runtime") DEP("three", "runtime") },
		{ "\"api\"(libs.bundles.b.c)\n",
		  DEP("one", "runtime") DEP("more", "runtime")
			  DEP("three", "runtime") },
		/* no libraries */
		{ "api(libs.versions.v)\napi(libs.plugins.three)\n", "" },
		{ "api(libs.bundles.d)\napi(libs.bundles.x)\n", "" },
		{ "api(libs.none)\napi(libs.one.none)\napi(libs)\n", "" },
		{ "api('libs.one')\nx(libs.one)\napi(mylibs.one)\n", "" },
		{ "api(x.libs.one)\n// api(libs.one)\n", "" },
		/* a variable, as long as the catalogue does not have it */
		{ "ext.libs = [two: 'g:two:1', one: 'g:bad:1']\n"
		  "two = 'g:two:1'\napi libs.two\napi libs.one\n",
		  DEP("two", "runtime") DEP("one", "runtime") },
		{ "v = 'g:bad:1'\napi libs.versions.v\n", "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		meaning_holds("a/b/build.gradle.kts", rows[i].text,
			      rows[i].want);
		meaning_holds("build.gradle", rows[i].text, rows[i].want);
	}
}

static void the_nearest_catalogue_counts(void)
{
	char *o = PROBE(
		F("a/b/build.gradle", "api libs.one\napi libs.two\n"),
		F("a/gradle/libs.versions.toml", "[libraries]\none='g:a:1'\n"),
		F("a/gradle/x.gradle", "api libs.one\n"),
		F("b/build.gradle", "api libs.one\n"),
		F("b/libs.versions.toml", "[libraries]\none='g:b:1'\n"),
		F("gradle/libs.versions.toml",
		  "[libraries]\none='g:c:1'\ntwo='g:two:1'\n"),
		F("gradle/test.versions.toml", "[libraries]\none='g:d:1'\n"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"g:a\",\"source\":\"a/b/build.gradle\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"g:a\",\"source\":\"a/gradle/x.gradle\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"g:c\",\"source\":\"b/build.gradle\"}");
	ok_int(json_count(o, "/slice/dependencies/ANY",
			  "{\"kind\":\"runtime\"}"),
	       3);
	ok_int(json_count(o, "/slice/dependencies/ANY",
			  "{\"kind\":\"managed\"}"),
	       5);
	free(o);
}

/* A bundle of thousands of libraries, and of thousands that there are not, in as many
 * files as have room. */
static void bundles_are_taken_in_bounds(void)
{
	static const char *const members[] = { "'a%u',", "'none%u'," };

	for (size_t k = 0; k < 2; k++) {
		struct buf catalogue = { 0 }, text = { 0 };
		const clock_t start = clock();
		char *o;

		buf_text(&catalogue, "[libraries]\n");
		for (unsigned i = 0; i < 15000; i++)
			buf_format(&catalogue, "a%u='g:a%u:1'\n", i, i);
		buf_text(&catalogue, "[bundles]\nb=[");
		for (unsigned i = 0; i < 15000; i++)
			buf_format(&catalogue, members[k], i);
		buf_text(&catalogue, "]\n");
		for (unsigned i = 0; i < 50000; i++)
			buf_text(&text, "api libs.bundles.b, libs.none\n");
		o = PROBE(F("gradle/libs.versions.toml", catalogue.bytes),
			  F("build.gradle", text.bytes));
		tap_time(clock() - start, PROBE_BOUND);
		ok((strstr(o, "no room for more dependencies") != NULL) ==
		   (k == 0));
		free(o);
		buf_done(&catalogue);
		buf_done(&text);
	}
}

static void a_catalogue_with_too_many_names_is_told(void)
{
	struct buf catalogue = { 0 };
	char *o;

	buf_text(&catalogue, "[libraries]\n");
	for (unsigned i = 0; i < 32768; i++)
		buf_format(&catalogue, "a%u='g:a%u:1'\n", i, i);
	for (unsigned k = 0; k < 2; k++) {
		o = PROBE(F("gradle/libs.versions.toml", catalogue.bytes),
			  F("a.gradle", "api libs.a32768\n"));
		ok_int(json_count(o, "/warnings/ANY",
				  "{\"code\":\"truncated\","
				  "\"source\":\"gradle/libs.versions.toml\"}"),
		       (int)k);
		free(o);
		buf_text(&catalogue, "a32768='g:a:1'\n");
	}
	buf_done(&catalogue);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(settings_include_directories),
		CASE(settings_include_nothing_else),
		CASE(settings_include_no_projects_in_a_project),
		CASE(an_alias_means_a_library_of_the_catalogue),
		CASE(the_nearest_catalogue_counts),
		CASE(bundles_are_taken_in_bounds),
		CASE(a_catalogue_with_too_many_names_is_told),
		TAP_END,
	});
}
