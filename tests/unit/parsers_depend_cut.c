/* parsers_depend_cut.c -- what the probe dependencies leaves out because there is too
 * much of it is told. */
#include <stdlib.h>

#include "base/buf.h"
#include "probe_files.h"

#define MOD(t)     F("go.mod", t)
#define PROJECT(t) F("pyproject.toml", t)

/* --- caps ----------------------------------------------------------------------- */

static void replacements_of_go_mod_are_cut_aloud(void)
{
	for (unsigned more = 0; more < 3; more++) {
		struct buf text = { 0 };
		char *o;

		for (unsigned i = 0; i < 512 + more; i++)
			buf_format(&text, "replace a%u => b v1\n", i);
		o = probe_files("dependencies", dependencies_run,
				PROBE_FILES(MOD(text.bytes)));
		ok_int(json_count(o, "/errors/ANY/code", "\"truncated\""),
		       more > 0);
		free(o);
		buf_done(&text);
	}
}

/* Once for each file, so that there is room for what else is told. */
static void includes_are_cut_aloud(void)
{
	struct buf text = { 0 };
	char *o;

	for (unsigned i = 0; i < 70000; i++)
		buf_text(&text, "-rrequirements.txt\n");
	o = probe_files("dependencies", dependencies_run,
			PROBE_FILES(F("a-requirements.txt", "-r b.list\n"),
				    F("requirements.txt", text.bytes),
				    F("z/requirements.txt", "-r b.list\n")));
	ok_json(o, "/errors",
		"[{\"code\":\"include_unread\","
		"\"source\":\"a-requirements.txt\"},"
		"{\"code\":\"truncated\",\"source\":\"requirements.txt\"},"
		"{\"code\":\"truncated\",\"source\":\"z/requirements.txt\"}]");
	free(o);
	buf_done(&text);
}

static void a_long_text_is_told(void)
{
	for (unsigned more = 0; more < 2; more++) {
		struct buf text = { 0 };
		char *o;

		buf_text(&text, "[project]\ndependencies=['evil==");
		for (unsigned i = 0; i < 4093 + more; i++)
			buf_char(&text, ' ');
		buf_text(&text, "1']\n");
		o = probe_files("dependencies", dependencies_run,
				PROBE_FILES(PROJECT(text.bytes)));
		ok_int(json_count(o, "/errors/ANY/code", "\"string_too_long\""),
		       more);
		free(o);
		buf_done(&text);
	}
}

/* What one package requires, in each kind of lockfile: what is before the names, one
 * of them, and what is behind them. */
static const struct {
	const char *file, *before, *each, *after;
} lockfiles[] = {
	{ "Cargo.lock", "[[package]]\nname='a'\nversion='1'\ndependencies=[",
	  "'b%u',",
	  "]\n[[package]]\nname='c'\nversion='1'\ndependencies=['d']\n" },
	{ "uv.lock", "[[package]]\nname='a'\nversion='1'\ndependencies=[",
	  "{name='b%u'},",
	  "]\n[[package]]\nname='c'\nversion='1'\n"
	  "dependencies=[{name='d'}]\n" },
	{ "poetry.lock",
	  "[[package]]\nname='a'\nversion='1'\n[package.dependencies]\n",
	  "b%u='1'\n",
	  "[[package]]\nname='c'\nversion='1'\n[package.dependencies]\n"
	  "d='1'\n" },
	{ "composer.lock",
	  "{\"packages\":[{\"name\":\"c\",\"version\":\"1\",\"require\":{"
	  "\"x/d\":\"1\"}},{\"name\":\"a\",\"version\":\"1\",\"require\":{"
	  "\"x/b\":\"1\"",
	  ",\"x/b%u\":\"1\"", "}}]}" },
	{ "Gemfile.lock", "GEM\n  specs:\n    a (1)\n", "      b%u (1)\n",
	  "    c (1)\n      d\n" },
};

static void requirements_of_a_package_are_cut_aloud(void)
{
	for (size_t i = 0; i < 2 * sizeof lockfiles / sizeof *lockfiles; i++) {
		const char *file = lockfiles[i / 2].file;
		const bool has_more = i % 2 > 0;
		struct buf text = { 0 };
		char *o;

		buf_text(&text, lockfiles[i / 2].before);
		/* composer's first one has no comma before it */
		for (unsigned k = strcmp(file, "composer.lock") == 0;
		     k < 512U + has_more; k++)
			buf_format(&text, lockfiles[i / 2].each, k);
		buf_text(&text, lockfiles[i / 2].after);
		o = probe_files("dependencies", dependencies_run,
				PROBE_FILES(F(file, text.bytes)));
		ok_int(json_count(o, "/errors/ANY/code", "\"truncated\""),
		       has_more);
		ok_has(o, "b511");
		ok_lacks(o, "b512");
		ok_int(json_count(o, "/slice/packages/ANY/name", "\"c\""), 1);
		ok_has(o, "d\"]");
		free(o);
		buf_done(&text);
	}
}

/* A file that is not the project's own, and comes first, leaves room for registries;
 * and if it is cut, that is told. */
static void a_fixture_hides_no_registry(void)
{
	struct buf text = { 0 };
	char *o;

	for (unsigned i = 0; i < 5000; i++)
		buf_format(&text, "registry=://%u\n", i);
	o = probe_files("dependencies", dependencies_run,
			PROBE_FILES(F("examples/.npmrc", text.bytes),
				    F("uv.toml", "[[index]]\nurl='https://"
						 "evil.example'\n")));
	ok_json(o, "/slice/registries/ANY",
		"{\"text\":\"https://evil.example\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"not_own_partly\",\"source\":\"examples/.npmrc\"}");
	ok_json(o, "/errors", "[]");
	free(o);
	o = probe_files("dependencies", dependencies_run,
			PROBE_FILES(F(".npmrc", text.bytes),
				    F("b/.npmrc", text.bytes)));
	ok_int(json_count(o, "/errors/ANY/code", "\"truncated\""), 2);
	free(o);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(replacements_of_go_mod_are_cut_aloud),
		CASE(includes_are_cut_aloud),
		CASE(a_long_text_is_told),
		CASE(requirements_of_a_package_are_cut_aloud),
		CASE(a_fixture_hides_no_registry),
		TAP_END,
	});
}
