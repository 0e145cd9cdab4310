/* parsers_depend_more.c -- dependencies of programs, and shares of the lists. */
#include "parsers/depend/depend.h"
#include "probe_files.h"
#include <stdlib.h>

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void declared(const char *o, const char *want)
{
	ok_json(o, "/slice/dependencies/ANY", want);
}

/* Programs that declare, read a line at a time. */
static void gems_and_gradle_without_a_lockfile(void)
{
	char *o = PROBE(F("Gemfile",
			  "gemspec\ngem \"rake\", \"~> 13.0\", \">= 13.1\"\n"
			  "gem 'shoulda', require: false, group: :test\n"
			  "gem \"x-#{1}\"\nif a\n  gem 'odd'\nend\n"
			  "group :test do\n  gem('rspec')\n"
			  "  gem 'fork', github: 'a/b'\nend\n"
			  "gem 'last'\n# gem 'none'\n"),
			F("a.gemspec",
			  "  s.add_dependency(\"addressable\", \"~> 2.4\")\n"
			  "  s.add_development_dependency 'bundler'\n"
			  "  s.add_runtime_dependency \"c\", version\n"),
			F("build.gradle",
			  "  implementation 'g.h:n:1.2'\n  api(project(':x'))\n"
			  "  testImplementation(\"t:u:$v\")\n"
			  "  classpath \"p:q\"\n  apiKey 'a:b:1'\n"));

	declared(o, "{\"name\":\"rake\",\"constraint\":\"~> 13.0, >= 13.1\","
		    "\"kind\":\"runtime\",\"purl\":\"pkg:gem/rake\"}");
	declared(o, "{\"name\":\"shoulda\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"odd\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"rspec\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"fork\",\"origin\":\"git\"}");
	declared(o, "{\"name\":\"last\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"addressable\",\"constraint\":\"~> 2.4\"}");
	declared(o, "{\"name\":\"bundler\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"c\",\"constraint\":null}");
	declared(o, "{\"name\":\"g.h:n\",\"constraint\":\"1.2\","
		    "\"purl\":\"pkg:maven/g.h/n\"}");
	declared(o, "{\"name\":\"p:q\",\"kind\":\"build\"}");
	declared(o, "{\"name\":\"t:u\",\"constraint\":null}");
	ok(strstr(o, "none") == NULL && strstr(o, "apiKey") == NULL &&
	   strstr(o, "\"a:b\"") == NULL && strstr(o, "x-#") == NULL);
	free(o);
	o = PROBE(F("Gemfile", "gem 'a'\n"),
		  F("Gemfile.lock", "DEPENDENCIES\n  a\n"));
	ok_json(o, "/slice/ecosystems/0", "{\"dependencies\":1}");
	free(o);
}

/* So many packages of npm that the list is cut: the other ecosystem is in it. */
static void no_ecosystem_takes_all_the_room(void)
{
	struct probe_file files[62] = { 0 };
	owned_buf struct buf text = { 0 };
	char names[60][32];
	char *o;

	for (size_t i = 0; i < 190; i++)
		buf_format(&text,
			   "%s\"some-package-with-a-long-name-%zu\":\"^1.0.0\"",
			   i ? "," : "{\"dependencies\":{", i);
	buf_add(&text, "}}", 3);
	for (size_t i = 0; i < 60; i++) {
		(void)snprintf(names[i], sizeof names[i], "p%zu/package.json",
			       i);
		files[i].name = names[i];
		files[i].text = text.bytes;
	}
	files[60] = (struct probe_file)F("pyproject.toml",
					 "[project]\nname = \"x\"\n"
					 "dependencies = [\"tornado\"]\n");
	o = probe_files("dependencies", dependencies_run, files);
	declared(o, "{\"name\":\"tornado\"}");
	ok_json(o, "/warnings/ANY", "{\"code\":\"truncated\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(gems_and_gradle_without_a_lockfile),
		CASE(no_ecosystem_takes_all_the_room),
		TAP_END,
	});
}
