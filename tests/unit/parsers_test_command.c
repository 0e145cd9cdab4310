/* parsers_test_command.c -- test_inventory: commands that only report coverage. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("test_inventory", test_inventory_run,                      \
		    PROBE_FILES(__VA_ARGS__))

static const struct {
	const char *name, *command;
	bool is_told;
} rows[] = {
	{ "coverage", "nyc report --reporter=text-lcov | coveralls", false },
	{ "test:coverage", "open coverage/lcov-report/index.html", false },
	{ "coverage", "nyc --reporter=lcov report", false },
	{ "coverage", "npx -y c8 report && xdg-open ./coverage/index.html",
	  false },
	{ "cov", "A=1 cross-env B=2 ./node_modules/.bin/istanbul report; true",
	  false },
	{ "coverage",
	  "cat ./coverage/lcov.info | node "
	  "./node_modules/coveralls/bin/coveralls.js && rm -rf ./coverage",
	  false },
	{ "coverage", "codecov -f a.json || echo none", false },
	{ "coverage", "python -m coverage html", false },
	/* These run something, or may. */
	{ "coverage", "nyc mocha", true },
	{ "coverage", "nyc report && npm test", true },
	{ "coverage", "npm test && nyc report", true },
	{ "coverage", "nyc --reporter lcov report", true },
	{ "coverage", "nyc", true },
	{ "coverage", "nyc node report", true },
	{ "coverage", "jest --coverage && open coverage/index.html", true },
	{ "coverage", "coverage run a.py", true },
	{ "coverage", "coverage", true },
	{ "test", "open test/index.html", true },
	{ "test", "open", true },
	{ "test", "cat a | node test.js", true },
	{ "test", "cat a", true },
	{ "test", "echo \\\"codecov\\\"", true },
	{ "test", "A=1", true },
	{ "test", "npx", true },
	{ "test", "||", true },
	{ "test", "", true },
};

static void what_reports_coverage_is_no_test(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const int before = tap_bad;
		char text[256];
		char *o;

		(void)snprintf(text, sizeof text,
			       "{\"scripts\":{\"%s\":\"%s\"}}", rows[i].name,
			       rows[i].command);
		o = PROBE(F("package.json", text));
		ok_int(json_count(o, "/slice/commands/ANY", "{}"),
		       rows[i].is_told);
		free(o);
		if (tap_bad != before)
			fprintf(stderr, "# %s\n", rows[i].command);
	}
}

static void elsewhere_it_is_none_either(void)
{
	char *o =
		PROBE(F("tox.ini", "[testenv]\ncommands =\n  pytest\n"
				   "  coverage combine\n  coverage report\n"));

	ok_json(o, "/slice/commands", "[{\"command\":\"pytest\"}]");
	free(o);
	/* A target has what its recipe runs, or else all that it has. */
	o = PROBE(F("Makefile", "test:\n\tpytest -q\n\tcoverage report\n"
				"coverage: test\n\tcoverage html\n"));
	ok_json(o, "/slice/commands",
		"[{\"name\":\"test\",\"command\":\"pytest -q\"},"
		"{\"name\":\"coverage\",\"command\":\"coverage html\"}]");
	free(o);
}

static void long_commands_are_read_in_time(void)
{
	static const char *const parts[] = { "nyc report|",   "|",      "A=1 ",
					     "npx ",          "cat a;", "- ",
					     "open coverage&" };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		owned_buf struct buf text = { 0 };
		clock_t begun;

		buf_text(&text, "{\"scripts\":{\"test\":\"");
		while (text.len < 60000)
			buf_text(&text, parts[i]);
		buf_text(&text, "\"}}");
		begun = clock();
		free(PROBE(F("package.json", text.bytes)));
		tap_time(clock() - begun, 5 * CLOCKS_PER_SEC);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_reports_coverage_is_no_test),
		CASE(elsewhere_it_is_none_either),
		CASE(long_commands_are_read_in_time),
		TAP_END,
	});
}
