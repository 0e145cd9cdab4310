/* parsers_depend_more.c -- dependencies: workspaces, names of files, and shares of the
 * lists. */
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
		CASE(cargo_locks_name_a_members_version),
		CASE(cargo_members_inherit),
		CASE(requirements_for_work_are_dev),
		CASE(files_of_requirements_are_declared),
		CASE(no_ecosystem_takes_all_the_room),
		CASE(names_of_projects),
		TAP_END,
	});
}
