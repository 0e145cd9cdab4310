/* parsers_depend_ruby.c -- dependencies: gemspecs, and the Gemfiles beside them. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void a_gemspec_has_its_name(void)
{
	char *o = PROBE(F("a.gemspec",
			  "Gem::Specification.new do |s|\n"
			  "  s.named = \"bad\"\n  s.name        = \"pack\"\n"
			  "  s.version = version\n"
			  "  s.add_dependency \"one\", version\nend\n"),
			F("b/b.gemspec", "  spec.name = 'b'.freeze # bad\n"
					 "  spec.version = '1.2' # why\n"),
			F("c/c.gemspec", "  spec.name = \"c-#{bad}\"\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"pack\",\"version\":null,\"source\":\"a."
		"gemspec\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"name\":null,\"version\":\"1.2\","
		"\"source\":\"b/b.gemspec\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"name\":null,\"source\":\"c/c.gemspec\"}");
	free(o);
}

/* Beside a gemspec a Gemfile has what those need who work on the gem. */
static void a_gemfile_with_a_gemspec_is_for_development(void)
{
	static const char gems[] = "gem 'groupdate'\n"
				   "group :production do\n  gem 'two'\n"
				   "  if x\n    gem 'three'\n  end\nend\n"
				   "gem 'four', group: :default\n"
				   "gem 'more', :group => :x\n"
				   "gem 'five', :groups => [:a, :test]\n"
				   "group(:development) do\n  gem 'six'\nend\n"
				   "gem 'seven'\n";
	static const struct {
		const char *line, *kind; /* of a gem without a group */
	} rows[] = {
		{ "", "runtime" },
		{ "# gemspec\n", "runtime" },
		{ "gemspecs\n", "runtime" },
		{ "gemspec\n", "dev" },
		{ "  gemspec # the gem\r\n", "dev" },
		{ "gemspec(name: 'a')\n", "dev" },
		{ "gemspec path: 'b'\n", "dev" },
	};
	char text[512], want[512];

	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		const char *line = rows[i / 2].line, *kind = rows[i / 2].kind;
		char *o;

		(void)snprintf(text, sizeof text, "%s%s%s", i % 2 ? line : "",
			       gems, i % 2 ? "" : line);
		(void)snprintf(want, sizeof want,
			       "[{\"name\":\"groupdate\",\"kind\":\"%s\"},"
			       "{\"name\":\"two\",\"kind\":\"runtime\"},"
			       "{\"name\":\"three\",\"kind\":\"runtime\"},"
			       "{\"name\":\"four\",\"kind\":\"runtime\"},"
			       "{\"name\":\"more\",\"kind\":\"runtime\"},"
			       "{\"name\":\"five\",\"kind\":\"dev\"},"
			       "{\"name\":\"six\",\"kind\":\"dev\"},"
			       "{\"name\":\"seven\",\"kind\":\"%s\"}]",
			       kind, kind);
		o = PROBE(F("Gemfile", text));
		ok_json(o, "/slice/dependencies", want);
		free(o);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_gemspec_has_its_name),
		CASE(a_gemfile_with_a_gemspec_is_for_development),
		TAP_END,
	});
}
