/* parsers_depend_programs.c -- dependencies: programs are told and not read; what
 * they declare is known as far as a lockfile or a catalogue has it. */
#include <stdlib.h>

#include "base/glob.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* A program, its format, and its ecosystem. */
static const struct {
	struct probe_file file;
	const char *format, *ecosystem;
} rows[] = {
	{ F("setup.py", "setup(name='x', install_requires=['evil'],\n"
			"dependency_links=['https://evil.example'])\n"),
	  "setup.py", "pypi" },
	{ F("build.gradle", "maven { url 'https://evil.example' }\n"
			    "implementation 'a:evil:1'\n"),
	  "build.gradle", "maven" },
	{ F("settings.gradle.kts", "include(\"tests:evil\")\n"), "build.gradle",
	  "maven" },
	{ F("gradle/evil.gradle", "ext.evil = 'a:b:1'\n"), "build.gradle",
	  "maven" },
	{ F("Gemfile", "source 'https://evil.example'\ngem 'evil'\n"),
	  "Gemfile", "gem" },
	{ F("gems.rb", "gem 'evil'\n"), "Gemfile", "gem" },
	{ F("x.gemspec", "s.name = 'x'\ns.add_dependency 'evil'\n"), "gemspec",
	  "gem" },
};

static void programs_are_told_and_not_read(void)
{
	char want[256];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(rows[i].file);

		(void)snprintf(want, sizeof want,
			       "[{\"source\":\"%s\",\"format\":\"%s\","
			       "\"ecosystem\":\"%s\",\"program\":true,"
			       "\"kind\":\"manifest\",\"dependencies\":0,"
			       "\"name\":null,\"role\":\"own\"}]",
			       rows[i].file.name, rows[i].format,
			       rows[i].ecosystem);
		ok_json(o, "/slice/files", want);
		(void)snprintf(want, sizeof want,
			       "{\"primary\":\"%s\",\"dependencies\":[],"
			       "\"packages\":[],\"registries\":[]}",
			       rows[i].ecosystem);
		ok_json(o, "/slice", want);
		ok_json(o, "/slice/ecosystems/0", "{\"manifests\":1}");
		ok_json(o, "",
			"{\"errors\":[],\"warnings\":[],"
			"\"confidence\":\"high\"}");
		free(o);
	}
}

/* Other files are not programs. */
static void others_are_read(void)
{
	char *o = PROBE(F("go.mod", "module a\n"),
			F("Gemfile.lock", "DEPENDENCIES\n  a\n"));

	ok_lacks(o, "\"program\"");
	free(o);
}

/* What a gate compares has to be an input: nothing else says that it changed. */
static void programs_are_inputs_with_their_bytes(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct probe_input_rule *r =
			probe_find("dependencies")->rules;
		const char *name = rows[i].file.name;

		while (r->pattern != NULL &&
		       !glob_match(r->pattern, strlen(r->pattern), name,
				   strlen(name)))
			r++;
		ok(r->pattern != NULL && r->cap_bytes > 0 &&
		   (r->cap_bytes & PROBE_HASHED) == 0);
	}
}

static void lockfiles_of_gradle_pin(void)
{
	char *o = PROBE(
		F("build.gradle", "implementation 'g.h:one'\n"),
		F("gradle.lockfile",
		  "# This is a Gradle generated file for dependency locking.\n"
		  "g.h:one:1.2=compileClasspath,runtimeClasspath\n"
		  "g.h:two:2.0=testRuntimeClasspath\r\n"
		  "empty=annotationProcessor\n"
		  "g.h:bad\ng.h:bad:1:x=a\n:bad:1=a\ng.h::1=a\ng.h:bad:=a\n"),
		F("gradle/libs.versions.toml",
		  "[libraries]\none={module='g.h:one'}\n"),
		F("buildscript-gradle.lockfile", "g.h:three:3=classpath\n"));

	ok_json(o, "/slice/packages",
		"[{\"name\":\"g.h:three\",\"version\":\"3\","
		"\"source\":\"buildscript-gradle.lockfile\"},"
		"{\"name\":\"g.h:one\",\"version\":\"1.2\","
		"\"ecosystem\":\"maven\",\"purl\":\"pkg:maven/g.h/one@1.2\","
		"\"source\":\"gradle.lockfile\"},"
		"{\"name\":\"g.h:two\",\"version\":\"2.0\"}]");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"gradle.lockfile\",\"kind\":\"lockfile\","
		"\"packages\":2}");
	ok_json(o, "/errors", "[]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(programs_are_told_and_not_read),
		CASE(others_are_read),
		CASE(programs_are_inputs_with_their_bytes),
		CASE(lockfiles_of_gradle_pin),
		TAP_END,
	});
}
