/* parsers_depend_more.c -- dependencies of programs, and shares of the lists. */
#include "base/glob.h"
#include "jobs/probe/catalogue.h"
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
		    "\"kind\":\"dev\",\"purl\":\"pkg:gem/rake\"}");
	declared(o, "{\"name\":\"shoulda\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"odd\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"rspec\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"fork\",\"origin\":\"git\"}");
	declared(o, "{\"name\":\"last\",\"kind\":\"dev\"}");
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

/* Tables by whose names other lines and files declare. */
static void gradle_declares_by_names(void)
{
	char *o = PROBE(
		F("a/build.gradle",
		  "dependencies {\n  implementation deps.one\n"
		  "  testImplementation(deps.two) {\n  api three\n"
		  "  compile libraries.four, libraries.five\n"
		  "  api deps.unknown\n  api deps.twice\n  api f(one)\n"
		  "  api deps.home\n  api deps.same\n}\n"),
		F("build.gradle",
		  "ext { deps = [\n  one : 'g.h:one:1.2',\n"
		  "  two: \"g.h:two:$v\",\n  twice: 'g.h:twice:1',\n"
		  "  same: 'g.h:same:1',\n  home: 'https://x.example/y'\n]}\n"
		  "def three = 'g.h:three:3'\n"
		  "version = '1.0'\n  one 'g.h:bad:9'\n"),
		F("gradle/deps.gradle",
		  "libraries.four = 'g.h:four:4'\n"
		  "ext.twice = 'g.h:twice:2'\next.same = 'g.h:same:1'\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"a/build.gradle\",\"dependencies\":5}");
	declared(o, "{\"name\":\"g.h:one\",\"constraint\":\"1.2\","
		    "\"kind\":\"runtime\",\"purl\":\"pkg:maven/g.h/one\","
		    "\"source\":\"a/build.gradle\"}");
	declared(o, "{\"name\":\"g.h:two\",\"constraint\":null,"
		    "\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"g.h:three\",\"constraint\":\"3\"}");
	declared(o, "{\"name\":\"g.h:four\",\"constraint\":\"4\"}");
	declared(o, "{\"name\":\"g.h:same\",\"constraint\":\"1\"}");
	ok(strstr(o, "twice") == NULL && strstr(o, "unknown") == NULL &&
	   strstr(o, "g.h:bad") == NULL);
	/* an address is not a version, but packages may come from it */
	ok(strstr(o, "x.example") > strstr(o, "\"registries\":["));
	ok_json(o, "/slice/registries/ANY",
		"{\"text\":\"home: 'https://x.example/y'\"}");
	free(o);
}

/* Versions in variables, and several names in a line. */
static void gradle_versions_by_names(void)
{
	char *o = PROBE(
		F("build.gradle",
		  "dependencies {\n  compile lib.one, lib.two // lib.no\n"
		  "  testRuntime lib.three\n  api \"g.h:four:$four\"\n"
		  "  api \"g.h:five:${v.five}\"\n  api \"g.h:six:${v}.1\"\n"
		  "  api \"g.h:seven:${v.f('x')}\"\n  api lib.one + lib.no\n"
		  "  api \"g.h:eight:$eight\"\n}\n"),
		F("gradle/deps.gradle",
		  "v.one = '1.9'\ndef four = \"4.0\"\nfive: '5.0',\n"
		  "lib.one = \"g.h:one:${v.one}\"\nv = '9'\nx = \"$v\"\n"
		  "lib.two = 'g.h:two:2'\nlib.no = 'g.h:no:2'\n"
		  "lib.three = \"g.h:three:$five:classes\"\n"
		  "eight = '8'\n  eight = '8.1'\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"build.gradle\",\"dependencies\":8}");
	declared(o, "{\"name\":\"g.h:one\",\"constraint\":\"1.9\"}");
	declared(o, "{\"name\":\"g.h:two\",\"constraint\":\"2\"}");
	declared(o, "{\"name\":\"g.h:three\",\"constraint\":\"5.0\","
		    "\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"g.h:four\",\"constraint\":\"4.0\"}");
	declared(o, "{\"name\":\"g.h:five\",\"constraint\":\"5.0\"}");
	declared(o, "{\"name\":\"g.h:six\",\"constraint\":null}");
	declared(o, "{\"name\":\"g.h:seven\",\"constraint\":null}");
	declared(o, "{\"name\":\"g.h:eight\",\"constraint\":null}");
	ok(strstr(o, "g.h:no") == NULL);
	free(o);
}

/* Of several versions that a lockfile has, a member's is the one that the lockfile
 * gives it. */
static void cargo_locks_name_a_members_version(void)
{
	char *o = PROBE(
		F("Cargo.toml",
		  "[package]\nname='me'\nversion='1.0.0'\n[dependencies]\n"
		  "one='0.10.1'\ntwo='1'\nthree_x='3'\nfour='4'\n"),
		F("x/Cargo.toml", "[package]\nname='other'\n"
				  "[dependencies]\none='0.13'\n"),
		F("Cargo.lock",
		  "[[package]]\nname='me'\nversion='9'\nsource='registry+x'\n"
		  "dependencies=['one 0.13.0']\n"
		  "[[package]]\nname='me'\nversion='1.0.0'\ndependencies=[\n"
		  "'one 0.10.5','two','three-x 3.1.0 (registry+x)',\n"
		  "'four 4.0.0','four 4.1.0']\n"
		  "[[package]]\nname='other'\nversion='0.1.0'\n"
		  "dependencies=['one 0.13.0']\n"
		  "[[package]]\nname='one'\nversion='0.10.5'\nsource='r'\n"
		  "[[package]]\nname='one'\nversion='0.13.0'\nsource='r'\n"
		  "[[package]]\nname='two'\nversion='1.2.0'\nsource='r'\n"
		  "[[package]]\nname='three-x'\nversion='3.1.0'\nsource='r'\n"
		  "[[package]]\nname='three-x'\nversion='3.0.0'\nsource='r'\n"
		  "[[package]]\nname='four'\nversion='4.0.0'\nsource='r'\n"
		  "[[package]]\nname='four'\nversion='4.1.0'\nsource='r'\n"));

	declared(o, "{\"name\":\"one\",\"resolved\":\"0.10.5\","
		    "\"source\":\"Cargo.toml\"}");
	declared(o, "{\"name\":\"one\",\"resolved\":\"0.13.0\","
		    "\"source\":\"x/Cargo.toml\"}");
	declared(o, "{\"name\":\"two\",\"resolved\":\"1.2.0\"}");
	declared(o, "{\"name\":\"three_x\",\"resolved\":\"3.1.0\"}");
	declared(o, "{\"name\":\"four\",\"resolved\":null}");
	free(o);
}

/* What a workspace of Cargo gives to its members; the nearest workspace above
 * counts. */
static void cargo_members_inherit(void)
{
	char *o = PROBE(
		F("Cargo.toml",
		  "[workspace]\nmembers=['a','b/c']\n"
		  "[workspace.package]\nversion='3.1'\n"
		  "[workspace.dependencies]\none='1.0'\n"
		  "two={git='https://h.example/two'}\n"
		  "three={path='three'}\nfour={version='4',package='real'}\n"),
		F("a/Cargo.toml",
		  "[package]\nname='a'\nversion.workspace=true\n"
		  "[dependencies]\none.workspace=true\n"
		  "two={workspace=true}\nthree={workspace=true}\n"
		  "five={workspace=true}\n[dev-dependencies]\n"
		  "four={workspace=true}\n"),
		F("b/Cargo.toml", "[workspace]\nmembers=['c']\n"
				  "[workspace.dependencies]\none='2.0'\n"),
		F("b/c/Cargo.toml",
		  "[package]\nname='c'\nversion='0.1'\n[dependencies]\n"
		  "one={workspace=true,optional=true}\n"),
		F("d/Cargo.toml", "[package]\nname='d'\nversion='0.2'\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"a/Cargo.toml\",\"version\":\"3.1\","
		"\"dependencies\":5}");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"d/Cargo.toml\",\"version\":\"0.2\"}");
	declared(o, "{\"name\":\"one\",\"constraint\":\"1.0\","
		    "\"source\":\"a/Cargo.toml\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"two\",\"origin\":\"git\","
		    "\"source\":\"a/Cargo.toml\"}");
	declared(o, "{\"name\":\"three\",\"origin\":\"path\","
		    "\"purl\":null,\"source\":\"a/Cargo.toml\"}");
	declared(o, "{\"name\":\"real\",\"constraint\":\"4\","
		    "\"kind\":\"dev\",\"source\":\"a/Cargo.toml\"}");
	declared(o, "{\"name\":\"five\",\"constraint\":null}");
	declared(o, "{\"name\":\"one\",\"constraint\":\"2.0\","
		    "\"kind\":\"optional\",\"source\":\"b/c/Cargo.toml\"}");
	free(o);
}

/* A file of requirements that is named after tests or tools. */
static void requirements_for_work_are_dev(void)
{
	static const char is_dev[] = "01110011110101111";
	char want[64];
	char *o = PROBE(F("requirements.txt", "a1\n"),
			F("test-requirements.txt", "a2\n"),
			F("requirements_dev.txt", "a3\n"),
			F("requirements/lint.in", "a4\n"),
			F("requirements/latest.txt", "a5\n"),
			F("contest-requirements.txt", "a6\n"),
			F("x-tests-requirements.txt", "a7\n"),
			F("docs/requirements.txt", "a8\n-e ./a9\n"),
			F("a/test/b/requirements.in", "a10\\\n==1\n"),
			F("contest/doc.d/requirements.txt", "a11\n"),
			F("requirements/test.pip", "a12\n"),
			F("requirements.pip", "a13\n"),
			F("requirements/e2e", "a14\n"),
			F("requirements/mintest", "a15\n"),
			F("requirements/bench", "a16\n"),
			F("benchmarks/requirements.txt", "a17\n"));

	for (size_t i = 0; is_dev[i] != '\0'; i++) {
		(void)snprintf(want, sizeof want,
			       "{\"name\":\"a%zu\",\"kind\":\"%s\"}", i + 1,
			       is_dev[i] == '1' ? "dev" : "runtime");
		declared(o, want);
	}
	free(o);
}

/* The probe's declared inputs take what the readers of requirements take. */
static void files_of_requirements_are_declared(void)
{
	static const char *const files[] = { "requirements.pip",
					     "requirements/test.pip",
					     "requirements/x.txt",
					     "a/requirements/tests" };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct probe_input_rule *r =
			probe_find("dependencies")->rules;

		while (r->pattern != NULL &&
		       !glob_match(r->pattern, strlen(r->pattern), files[i],
				   strlen(files[i])))
			r++;
		ok(r->pattern != NULL);
	}
}

/* There are so many names, or so many versions of one, that it is not known
 * which is meant. */
static void names_are_looked_up_in_bounds(void)
{
	for (size_t k = 0; k < 2; k++) {
		struct buf text = { 0 };
		char *o;

		buf_text(&text, "one = 'g.h:one:1'\n");
		for (size_t i = 0; i < 9000; i++)
			buf_format(&text, "n%zu = 'g.h:n:1'\n", k ? 0 : i);
		buf_text(&text, "api one\napi n0\n");
		o = PROBE(F("build.gradle", text.bytes));
		declared(o, "{\"name\":\"g.h:one\"}");
		ok_json(o, "/warnings/ANY", "{\"code\":\"truncated\"}");
		ok((strstr(o, "\"g.h:n\"") != NULL) == (k == 0));
		free(o);
		buf_done(&text);
	}
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

/* Each is reported from the place where npm would take it. */
static void npm_origins_are_those_of_npm(void)
{
	static const struct {
		const char *constraint, *origin;
	} rows[] = {
		{ "owner/repo", "git" },
		{ "owner/repo#semver:^1", "git" },
		{ "gist:11081aaa281", "git" },
		{ "ssh://git@h.example/x", "git" },
		{ "HTTPS://h.example/x.tgz", "url" },
		{ " https://h.example/x.tgz", "url" },
		{ "http:h.example/x.tgz", "url" },
		{ "ftp://h.example/x.tgz", "url" },
		{ "GitHub:owner/repo", "git" },
		{ "^1.0.0 || 2.x", "registry" },
		{ "latest", "registry" },
		{ "~/dir", "registry" },
		{ "catalog:a/b", "registry" },
		{ "", "registry" },
	};
	char root[200];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char want[80];
		char *o;

		(void)snprintf(root, sizeof root,
			       "{\"dependencies\":{\"a\":\"%s\"}}",
			       rows[i].constraint);
		(void)snprintf(want, sizeof want,
			       "{\"name\":\"a\",\"origin\":\"%s\"}",
			       rows[i].origin);
		o = PROBE(F("package.json", root));
		declared(o, want);
		free(o);
	}
}

/* What a file says of itself as literal text, and what stands in for another. */
static void names_of_projects(void)
{
	static const char dist[] = "{\"name\":\"v/p\",\"require\":"
				   "{\"v/of-dist\":\"^1\"}}";
	char *o = PROBE(F("a/setup.cfg",
			  "[x]\nname = no\n[metadata]\nname = n # w\n"
			  "version = attr: n.version\nlicense = file: L\n"),
			F("b/setup.cfg", "[metadata]\nname=m\nversion = 1.2\n"),
			F("requirements/tests", "in-tests\n"),
			F("requirements/README", "in-readme\n"),
			F("composer.json-dist", dist),
			F("c/composer.json.dist", dist),
			F("c/composer.json", "{\"name\":\"v/q\"}"));

	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"n\",\"version\":null,\"source\":\"a/setup.cfg\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"m\",\"version\":\"1.2\",\"source\":"
		"\"b/setup.cfg\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"v/p\",\"source\":\"composer.json-dist\"}");
	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"v/q\",\"source\":\"c/composer.json\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"in-tests\",\"kind\":\"dev\",\"source\":"
		"\"requirements/tests\"}");
	ok_lacks(o, "in-readme");
	ok_lacks(o, "json.dist");
	ok_int(json_count(o, "/slice/dependencies/ANY/name", "\"v/of-dist\""),
	       1);
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(npm_origins_are_those_of_npm),
		CASE(gems_and_gradle_without_a_lockfile),
		CASE(gradle_declares_by_names),
		CASE(gradle_versions_by_names),
		CASE(cargo_locks_name_a_members_version),
		CASE(cargo_members_inherit),
		CASE(requirements_for_work_are_dev),
		CASE(files_of_requirements_are_declared),
		CASE(names_are_looked_up_in_bounds),
		CASE(no_ecosystem_takes_all_the_room),
		CASE(names_of_projects),
		TAP_END,
	});
}
