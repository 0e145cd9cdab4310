/* tests_build.c -- finds the commands by which a build system runs the tests that
 * its files declare: ctest, meson test, make check.
 *
 * The files are read line by line, and nothing in them is evaluated: what stands
 * in an "if" counts. */
#include <string.h>
#include <strings.h>

#include "parsers/common/text_piece.h"
#include "parsers/tests/tests.h"

static bool is_call(struct json_text line, const char *name, const char *arg)
{
	struct json_text rest, word = text_trim(text_cut(line, '(', &rest));

	if (rest.bytes == NULL || word.len != strlen(name) ||
	    strncasecmp(word.bytes, name, word.len) != 0)
		return false;
	return arg == NULL ||
	       text_is(text_trim(text_cut(rest, ')', NULL)), arg);
}

/* CMake has tests for ctest from where a file says so. */
static bool cmake_tests(struct json_text line)
{
	return is_call(line, "enable_testing", NULL) ||
	       is_call(line, "include", "CTest");
}

static bool meson_tests(struct json_text line)
{
	return text_begins(line, "test(") || text_begins(line, "test (");
}

/* "TESTS = a", "TESTS += a"; not "TESTS_ENVIRONMENT = a". */
static bool automake_tests(struct json_text line)
{
	struct json_text word = text_word(&line);

	if (text_is(word, "TESTS"))
		word = text_word(&line);
	else if (text_begins(word, "TESTS=") || text_begins(word, "TESTS+="))
		word = text_from(word, strlen("TESTS"));
	else
		return false;
	return text_begins(word, "=") || text_begins(word, "+=");
}

static const struct {
	const char *base; /* the name of its files */
	const char *name, *command;
	bool (*tests)(
		struct json_text line); /* whether the line declares any */
} systems[] = {
	{ "CMakeLists.txt", "ctest", "ctest", cmake_tests },
	{ "meson.build", "test", "meson test", meson_tests },
	{ "Makefile.am", "check", "make check", automake_tests },
};

static bool declares_tests(const struct parse_input *in, size_t system)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	while (line_next(&lines, &line, &offset))
		if (systems[system].tests(text_trim(line)))
			return true;
	return false;
}

static size_t depth_of(const struct parse_input *in)
{
	struct json_text dir = { in->name, input_dir_len(in) };
	size_t n = dir.len > 0;

	for (size_t i = 0; i < dir.len; i++)
		n += dir.bytes[i] == '/';
	return n;
}

void tests_build_commands_read(struct inventory *inv)
{
	const struct project *p = &inv->project;

	for (size_t s = 0; s < sizeof systems / sizeof *systems; s++) {
		const struct parse_input *best = NULL;

		for (size_t i = 0; i < p->inputs->len; i++) {
			const struct parse_input *in = &p->inputs->items[i];

			if (in->is_name_only || input_is_installed(in) ||
			    !input_is_own(in) ||
			    !input_base_is(in, systems[s].base) ||
			    (best != NULL && depth_of(best) <= depth_of(in)))
				continue;
			if (declares_tests(in, s))
				best = in;
		}
		if (best != NULL)
			tests_command_put(inv, systems[s].name,
					  systems[s].command, best);
	}
}
