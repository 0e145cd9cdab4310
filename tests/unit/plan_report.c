/* plan_report.c -- to which commands the words for ctest's report are added. */
#include "tap.h"

#include "base/buf.h"
#include "base/error.h"
#include "golden/fake_plan.h"

#define WORDS_MAX 8

static struct cupel_error err;

struct row {
	const char *backend, *report;
	const char *command[WORDS_MAX], *planned[WORDS_MAX];
};

static void words_join(const char *const words[], size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++)
		buf_format(ret, "%s|", words[i]);
}

static size_t words_count(const char *const words[])
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return n;
}

static void row_hold(const struct row *row)
{
	const char *const options[][2] = { { "backend", row->backend },
					   { "report", row->report },
					   { NULL } };
	struct fake_plan p;
	struct buf planned = { 0 }, wanted = { 0 };

	ok_int(fake_plan_make(options, row->command, &p, &err), 0);
	words_join(p.plan.argv, p.plan.argc, &planned);
	words_join(row->planned, words_count(row->planned), &wanted);
	ok(strcmp(planned.bytes, wanted.bytes) == 0);
	ok(p.plan.argv[p.plan.argc] == NULL);
	buf_done(&planned);
	buf_done(&wanted);
	fake_plan_done(&p);
}

#define REPORT "junit:/scratch/report.xml"
#define ADDED  "--output-junit", "/scratch/report.xml"

static void ctest_gets_them_before_its_own(void)
{
	static const struct row rows[] = {
		{ "namespaces", REPORT, { "ctest" }, { "ctest", ADDED } },
		{ "namespaces",
		  REPORT,
		  { "/opt/cmake/bin/ctest", "-j", "2" },
		  { "/opt/cmake/bin/ctest", ADDED, "-j", "2" } },
		{ "namespaces",
		  "junit:/scratch/a/r.xml",
		  { "ctest", "-R", "a" },
		  { "ctest", "--output-junit", "/scratch/a/r.xml", "-R",
		    "a" } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		row_hold(&rows[i]);
}

static void other_commands_stay_as_they_are(void)
{
	static const struct row rows[] = {
		{ "namespaces",
		  REPORT,
		  { "ctest", "-V", "--output-junit", "/repo/own.xml" },
		  { "ctest", "-V", "--output-junit", "/repo/own.xml" } },
		{ "namespaces",
		  REPORT,
		  { "sh", "-c", "ctest" },
		  { "sh", "-c", "ctest" } },
		{ "namespaces", REPORT, { "ctest.sh" }, { "ctest.sh" } },
		{ "namespaces", REPORT, { "pytest" }, { "pytest" } },
		{ "namespaces", "none", { "ctest" }, { "ctest" } },
		{ "rlimits", REPORT, { "ctest" }, { "ctest" } },
		{ "namespaces",
		  "junit:/scratch/reports/",
		  { "ctest" },
		  { "ctest" } },
		{ "namespaces", "junit:stdout", { "ctest" }, { "ctest" } },
		{ "namespaces",
		  "tap:/scratch/a.tap",
		  { "ctest" },
		  { "ctest" } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		row_hold(&rows[i]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(ctest_gets_them_before_its_own),
		CASE(other_commands_stay_as_they_are),
		TAP_END,
	});
}
