/* parsers_depend_hostile.c -- the probe dependencies over files that are written to
 * tell too much, or too many things. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/depend/depend.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* Every place of every format in which a URL can stand. */
static void no_password_of_a_url_is_handed_on(void)
{
	static const struct probe_file rows[] = {
		F("pyproject.toml",
		  "[project]\ndependencies=['a']\n[tool.uv.sources]\n"
		  "a={git='https://u:pw@h.example/a.git'}\n"),
		F("pyproject.toml",
		  "[project]\ndependencies=['a']\n[tool.uv.sources]\n"
		  "a={url='https://u:pw@h.example/a.zip'}\n"),
		F("pyproject.toml",
		  "[project]\ndependencies=['a @ https://u:pw@h.example/a']\n"),
		F("pyproject.toml", "[tool.poetry.dependencies]\n"
				    "a={git='https://u:pw@h.example/a.git'}\n"),
		F("pyproject.toml", "[tool.poetry.dependencies]\n"
				    "a='https://x.example https://u:pw@h'\n"),
		F("requirements.txt", "git+https://u:pw@h.example/a#egg=a\n"),
		F("setup.cfg", "[options]\ninstall_requires =\n"
			       " a @ https://u:pw@h.example/a\n"),
		F("Pipfile", "[packages]\na={git='https://u:pw@h/a.git'}\n"),
		F("Cargo.toml", "[dependencies]\n"
				"a={git='https://u:pw@h.example/a'}\n"),
		F("Cargo.lock", "[[package]]\nname='a'\nversion='1'\n"
				"source='git+https://u:pw@h.example/a#1'\n"),
		F("uv.lock", "version=1\n[[package]]\nname='a'\nversion='1'\n"
			     "source={git='https://u:pw@h.example/a'}\n"),
		F("poetry.lock",
		  "[[package]]\nname='a'\nversion='1'\n[package.source]\n"
		  "type='git'\nurl='https://u:pw@h.example/a'\n"),
		F("Gemfile.lock", "GIT\n  remote: https://u:pw@h.example/a\n"
				  "  specs:\n    a (1)\n"),
		F("package.json",
		  "{\"dependencies\":{\"a\":\"git+https://u:pw@h/a\"}}"),
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(rows[i]);

		ok_json(o, "/slice/files/ANY", "{\"role\":\"own\"}");
		ok(strstr(o, "\"a\"") != NULL);
		ok(strstr(o, "pw@") == NULL);
		free(o);
	}
}

static void an_at_sign_behind_the_host_stays(void)
{
	char *o = PROBE(
		F("requirements.txt", "git+https://h.example/a@v1#egg=a\n"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"url\":\"git+https://h.example/a@v1#egg=a\"}");
	free(o);
}

/* Source: the purl specification: no segment of a namespace, and no name, is
 * empty. */
static void a_package_url_has_no_empty_part(void)
{
	char *o = PROBE(F("package.json", "{\"dependencies\":{\"//a///b/\":"
					  "\"1\",\"/\":\"1\"}}"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"//a///b/\",\"purl\":\"pkg:npm/a/b\"}");
	ok_json(o, "/slice/dependencies/ANY", "{\"name\":\"/\",\"purl\":null}");
	free(o);
}

/* A lockfile that comes first by its name and fills the whole slice. */
static void one_lockfile_leaves_room_for_the_others(void)
{
	struct buf big = { 0 };
	char *o;

	for (unsigned i = 0; i < 20000; i++)
		buf_format(&big,
			   "[[package]]\nname='hostile-%u'\nversion='1'\n", i);
	o = PROBE(F("a/Cargo.lock", big.bytes),
		  F("b/Cargo.lock", "[[package]]\nname='mine'\nversion='1'\n"));
	ok_json(o, "/slice/packages/ANY", "{\"name\":\"mine\"}");
	ok_json(o, "/warnings/ANY", "{\"code\":\"truncated\"}");
	free(o);
	buf_done(&big);
}

/* A lockfile with more packages than there is room for leaves some for the one
 * behind it. */
static void a_file_takes_half_of_the_room(void)
{
	owned_buf struct buf lock = { 0 };
	char *o;

	buf_text(&lock, "GEM\n  specs:\n");
	for (size_t i = 0; i < 210000; i++)
		buf_format(&lock, "    p%zu (1)\n", i);
	buf_char(&lock, '\0');
	o = PROBE(F("Gemfile.lock", lock.bytes),
		  F("uv.lock",
		    "[[package]]\nname = \"small\"\nversion = \"1\"\n"
		    "source = {registry = \"r\"}\n"));
	ok_json(o, "/errors/ANY",
		"{\"code\":\"truncated\",\"source\":\"Gemfile.lock\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"small\",\"version\":\"1\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(no_password_of_a_url_is_handed_on),
		CASE(an_at_sign_behind_the_host_stays),
		CASE(a_package_url_has_no_empty_part),
		CASE(one_lockfile_leaves_room_for_the_others),
		CASE(a_file_takes_half_of_the_room),
		TAP_END,
	});
}
