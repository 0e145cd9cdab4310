/* report_hint.c -- see report_hint.h. */
#include "service/report_hint.h"

#include <stddef.h>
#include <string.h>

const char *report_hint(const char *format, bool is_dir)
{
	static const struct {
		const char *format, *hint;
	} rows[] = {
		{ "jest", "the command left no report there; jest writes one "
			  "with --json --outputFile=FILE" },
		{ "junit",
		  "the command left no report there; pytest writes one with "
		  "--junitxml=FILE, vitest with --reporter=junit "
		  "--outputFile=FILE, ctest with --output-junit FILE" },
		{ "tap", "the command left no report there; node --test writes "
			 "one with --test-reporter=tap "
			 "--test-reporter-destination=FILE" },
		{ "any", "node --test, mocha, jest and vitest left no report; "
			 "name another runner's with --report FORMAT:FILE" },
	};

	if (is_dir && strcmp(format, "any") != 0)
		return "no runner left a report there; one that cannot begin "
		       "its tests writes none, and its output says why";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].format, format) == 0)
			return rows[i].hint;
	return "the command left no report there";
}
