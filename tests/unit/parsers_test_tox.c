/* parsers_test_tox.c -- test_inventory: which commands of tox.ini are tests. */
#include "parsers/common/text_piece.h"
#include "parsers/tests/tests.h"
#include "probe_files.h"

/* What is told of the text; to be freed. */
static char *probe(const char *text)
{
	return probe_files("test_inventory", test_inventory_run,
			   PROBE_FILES(F("tox.ini", text)));
}

/* The only command that is listed of the text; NULL: none is. */
static void only_command(const char *text, const char *want)
{
	char *o = probe(text), part[256];

	if (want == NULL)
		(void)snprintf(part, sizeof part, "\"commands\":[]");
	else
		(void)snprintf(part, sizeof part,
			       "\"commands\":[{\"name\":\"testenv%s\",", want);
	ok_has(o, part);
	ok(want == NULL || strstr(o, "},{\"name\":\"testenv") == NULL);
	free(o);
}

/* Whether a command is listed at all. */
static void is_listed_if(const char *text, bool wanted)
{
	char *o = probe(text);

	ok((strstr(o, "\"commands\":[]") == NULL) == wanted);
	free(o);
}

/* An environment that is for something else has no tests, unless it runs a framework.
 * A word counts wherever it stands, and only whole. */
static void what_is_for_something_else_is_no_test(void)
{
	static const char *const words[] = {
		"lint",    "linters",   "style",   "format",   "fmt",
		"black",   "isort",     "flake8",  "pylint",   "ruff",
		"typing",  "types",     "type",    "mypy",     "pyright",
		"docs",    "doc",       "sphinx",  "spelling", "typecheck",
		"release", "build",     "publish", "package",  "manifest",
		"clean",   "changelog", "commit",  "dev",      "precommit",
		"bandit",  "safety",
	};
	char text[128], name[64];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		(void)snprintf(text, sizeof text,
			       "[testenv:%s]\ncommands = x\n", words[i]);
		only_command(text, NULL);
		(void)snprintf(text, sizeof text,
			       "[testenv:py3-%s-a]\ncommands =\n  x\n",
			       words[i]);
		only_command(text, NULL);
		(void)snprintf(text, sizeof text,
			       "[testenv:%s]\ncommands = x\n mocha\n",
			       words[i]);
		(void)snprintf(name, sizeof name, ":%s", words[i]);
		only_command(text, name);
		(void)snprintf(text, sizeof text,
			       "[testenv:%sx]\ncommands = y\n", words[i]);
		(void)snprintf(name, sizeof name, ":%sx", words[i]);
		only_command(text, name);
	}
}

static void only_commands_of_environments_count(void)
{
	only_command("[testenv]\ncommands_pre = x\n", NULL);
	only_command("[testenv]\ncommands_pre =\n  x\ncommands = y\n", "");
	only_command("[testenv]\ncommands = y\nallowlist_externals =\n x\n",
		     "");
	only_command("[tox]\ncommands = x\n", NULL);
	only_command("[env]\ncommands = x\n", NULL);
	only_command("commands = x\n", NULL);
	only_command("[testenv]\ncommands =\n  # x\n  y\n", "");
	only_command("[testenv]\ncommands =\n\n  y\n", "");
	only_command("[testenv]\ncommands =\n# x\n \n  y\n", "");
	only_command("[testenv]\ncommands =\n\ndeps =\n  y\n", NULL);
}

/* A name or a line that is too long is passed over, with nothing beside it. */
static void what_is_too_long_is_passed_over(void)
{
	for (size_t more = 0; more < 2; more++) {
		owned_buf struct buf name = { 0 }, line = { 0 };

		buf_text(&name, "[testenv:");
		buf_text(&line, "[testenv]\ncommands = ");
		for (size_t i = strlen("testenv:"); i < TEXT_LINE_BYTES + more;
		     i++)
			buf_char(&name, 'a');
		for (size_t i = 0; i < TEXT_LINE_BYTES + more; i++)
			buf_char(&line, 'a');
		buf_text(&name, "]\ncommands = x\n");
		buf_text(&line, "\n");
		is_listed_if(name.bytes, more == 0);
		is_listed_if(line.bytes, more == 0);
	}
}

/* With what is indented below it; what is too long then is told. */
static void a_command_goes_on_behind_a_backslash(void)
{
	owned_buf struct buf text = { 0 };
	char *o = probe("[testenv]\ncommands =\n  pytest \\\n    --cov \\\n"
			"  a\n  # b \\\n  ; b \\\n  c \\\n; x = y\n"
			"deps =\n  d\n");

	ok_json(o, "/slice/commands",
		"[{\"command\":\"pytest --cov a\"},"
		"{\"command\":\"c \\\\\"}]");
	free(o);
	buf_text(&text, "[testenv]\ncommands = a \\\n  ");
	for (size_t i = 0; i < TEXT_LINE_BYTES; i++)
		buf_char(&text, 'a');
	o = probe(text.bytes);
	ok_has(o, "\"commands\":[]");
	ok_json(o, "/warnings/ANY/code", "\"truncated\"");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_is_for_something_else_is_no_test),
		CASE(only_commands_of_environments_count),
		CASE(what_is_too_long_is_passed_over),
		CASE(a_command_goes_on_behind_a_backslash),
		TAP_END,
	});
}
