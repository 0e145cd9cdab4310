/* parsers_suite_lost.c -- failures that a report lists in a place of its own,
 * and output of tests that looks like a report: nothing is lost, and nothing is
 * invented. */
#include "suite_rows.h"

#include <time.h>

#define E(action, package, more)                                               \
	"{\"Action\":\"" action "\",\"Package\":\"" package "\"" more "}\n"
#define T(action, test) E(action, "p", ",\"Test\":\"" test "\"")
#define P(action)       E(action, "p", "")

static void a_failure_of_go_counts_without_its_beginning(void)
{
	static const struct row rows[] = {
		{ "go", T("run", "A") T("pass", "A") T("fail", "B") P("pass"),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"p.B\"]}" },
		/* it has failed after all, and is one test */
		{ "go", T("run", "A") T("pass", "A") T("fail", "A") P("pass"),
		  COUNTS(1, 0, 1, 0) },
		{ "go", T("run", "A") T("skip", "A") T("fail", "A") P("pass"),
		  COUNTS(1, 0, 1, 0) },
		{ "go",
		  T("run", "A") T("fail", "A") T("fail", "A") T("pass", "A")
			  P("fail"),
		  COUNTS(1, 0, 1, 0) },
		/* go test -count=2; and the same name twice at a time */
		{ "go",
		  T("run", "A") T("pass", "A") T("run", "A") T("fail", "A")
			  P("fail"),
		  COUNTS(2, 1, 1, 0) },
		{ "go",
		  T("run", "A") T("run", "A") T("pass", "A") T("fail", "A")
			  P("fail"),
		  COUNTS(2, 1, 1, 0) },
		/* a test that only passed again is not another test */
		{ "go", T("pass", "A") P("pass"), COUNTS(0, 0, 0, 0) },
		{ "go", T("fail", "A\\u0000") P("pass"), "!not_go" },
		{ "go",
		  "{\"Action\":\"fail\",\"Package\":3,\"Test\":\"A\"}\n" P(
			  "pass"),
		  "!not_go" },
		{ "go", "{\"Action\":\"fail\",\"Test\":\"A\"}\n" P("pass"),
		  "!not_go" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void a_package_of_go_without_an_end_is_cut(void)
{
	static const struct row rows[] = {
		{ "go",
		  P("pass") E("start", "q", "") E("run", "q", ",\"Test\":\"Z\"")
			  E("pass", "q", ",\"Test\":\"Z\""),
		  "!no_result" },
		{ "go", P("pass") E("start", "q", ""), "!no_result" },
		{ "go", P("pass") E("output", "q", ",\"Output\":\"x\""),
		  "!no_result" },
		{ "go", P("start") P("pass") P("start"), "!no_result" },
		{ "go", P("pass") T("fail", "B"), "!no_result" },
		/* nothing runs any more after the end */
		{ "go", P("pass") E("output", "p", ",\"Output\":\"x\""),
		  COUNTS(0, 0, 0, 0) },
		{ "go", P("start") P("skip"), COUNTS(0, 0, 0, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

/* As with yaml and yaml.v3. */
static void a_package_of_go_marks_its_own_tests_alone(void)
{
	static const struct row rows[] = {
		{ "go",
		  E("run", "a.b", ",\"Test\":\"T\"") E("fail", "a", "")
			  E("pass", "a.b", ",\"Test\":\"T\"")
				  E("pass", "a.b", ""),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"a\"]}" },
		{ "go",
		  E("run", "a", ",\"Test\":\"b.T\"") E(
			  "run", "a.b", ",\"Test\":\"T\"") E("fail", "a.b", "")
			  E("pass", "a", ",\"Test\":\"b.T\"")
				  E("pass", "a", ""),
		  COUNTS(2, 1, 1, 0) },
		/* two that are tested at the same time */
		{ "go",
		  E("run", "a", ",\"Test\":\"T\"")
			  E("run", "b", ",\"Test\":\"T\"") E("fail", "a",
							     ",\"Test\":\"T\"")
				  E("pass", "b", ",\"Test\":\"T\"")
					  E("fail", "a", "") E("pass", "b", ""),
		  "{\"passed\":1,\"failures\":[\"a.T\"]}" },
		/* reported as text and as an event */
		{ "go", "FAIL\tp [build failed]\n" P("start") P("fail"),
		  COUNTS(1, 0, 1, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

/* Seconds of this process that reading a report took; it has counts. */
static double seconds_of(const struct buf *text, const char *counts)
{
	clock_t before = clock();

	ok(!buf_has_failed(text));
	report_try("go", text->bytes, text->len, counts);
	return (double)(clock() - before) / CLOCKS_PER_SEC;
}

/* Each took minutes when open tests were searched one by one. */
static void many_open_tests_are_read_quickly(void)
{
	struct buf text = { 0 };

	for (int i = 0; i < 200000; i++)
		buf_format(&text, E("run", "p", ",\"Test\":\"T%d\""), i);
	for (int i = 0; i < 200000; i++)
		buf_format(&text, E("pass", "p", ",\"Test\":\"T%d\""), i);
	buf_text(&text, P("pass"));
	tap_clock("a report", seconds_of(&text, COUNTS(200000, 200000, 0, 0)),
		  20);

	text.len = 0;
	buf_text(&text, T("run", "A"));
	for (int i = 0; i < 50000; i++)
		buf_format(&text, E("fail", "q%d", ""), i);
	buf_text(&text, T("pass", "A") P("pass"));
	tap_clock("a report", seconds_of(&text, COUNTS(50001, 1, 50000, 0)),
		  20);

	text.len = 0;
	for (int i = 0; i < 200000; i++)
		buf_format(&text, "=== RUN   T%d\n", i);
	for (int i = 0; i < 200000; i++)
		buf_format(&text, "--- PASS: T%d (0.00s)\n", i);
	buf_text(&text, "ok  \tp\t1s\n");
	tap_clock("a report", seconds_of(&text, COUNTS(200000, 200000, 0, 0)),
		  20);
	buf_done(&text);
}

#define RULE                                                                   \
	"================================================================="    \
	"=====\n"
#define DASHES                                                                 \
	"-----------------------------------------------------------------"    \
	"-----\n"
#define GOOD "Ran 3 tests in 1s\n\nOK\n"
#define BAD                                                                    \
	RULE "FAIL: a (m.C.a)\n" DASHES "Ran 3 tests in 1s\n\n"                \
	     "FAILED (failures=1)\n"

static void what_python_tests_print_is_no_report(void)
{
	static const struct row rows[] = {
		{ "unittest", "ERROR: could not connect\n" GOOD,
		  COUNTS(3, 3, 0, 0) },
		{ "unittest", "=====\nFAIL: x\n" GOOD, COUNTS(3, 3, 0, 0) },
		{ "unittest", RULE "\nFAIL: x\n" GOOD, COUNTS(3, 3, 0, 0) },
		{ "unittest", "FAIL: x\n" BAD,
		  "{\"total\":3,\"failures\":[\"a (m.C.a)\"]}" },
		/* text without an end of its line before it */
		{ "unittest", "done" BAD, COUNTS(3, 2, 1, 0) },
		/* a summary that a test printed is one more run */
		{ "unittest", "Ran 5 tests in 1s\n\nOK\n" BAD,
		  COUNTS(8, 7, 1, 0) },
		{ "unittest", "Ran 5 tests in 1s\n\nOK\n" GOOD,
		  COUNTS(8, 8, 0, 0) },
		{ "unittest", "Ran out of tests\nOKAY\nOK\n" GOOD,
		  COUNTS(3, 3, 0, 0) },
		{ "unittest", "Ran 5 tests in 1s\n\nOK\n" DASHES,
		  COUNTS(5, 5, 0, 0) },
		/* printed by what runs at the end */
		{ "unittest", BAD "Ran 5 tests in 1s\n\nOK\n",
		  COUNTS(8, 7, 1, 0) },
		{ "unittest",
		  "Ran 3 tests in 1s\n\nFAILED (unexpected successes=1)\n" GOOD,
		  COUNTS(6, 5, 1, 0) },
		{ "unittest", GOOD RULE "FAIL: a (m.C.a)\n", "!no_result" },
		{ "unittest", "Ran 3 tests in 1s\n\nOKAY\n", "!no_result" },
		/* one line of '=' for all that succeeded unexpectedly */
		{ "unittest",
		  RULE "UNEXPECTED SUCCESS: a (m.C.a)\nWhat it does\n"
		       "UNEXPECTED SUCCESS: b (m.C.b)\n" DASHES
		       "UNEXPECTED SUCCESS: c\nRan 3 tests in 1s\n\n"
		       "FAILED (unexpected successes=2)\n",
		  "{\"passed\":1,\"failures\":[\"a (m.C.a)\","
		  "\"b (m.C.b)\"]}" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

#define JEST(more, status, tests)                                              \
	"{" more                                                               \
	"\"testResults\":[{\"name\":\"/repo/a.js\",\"status\":\"" status       \
	"\",\"message\":\"afterAll threw\",\"assertionResults\":[" tests       \
	"]}]}"
#define JEST1 "{\"fullName\":\"g a\",\"status\":\"passed\"}"
#define JEST2 "{\"fullName\":\"g b\",\"status\":\"failed\"}"

static void a_file_of_jest_that_failed_is_a_failure(void)
{
	static const struct row rows[] = {
		{ "jest",
		  JEST("\"success\":false,\"numTotalTests\":1,"
		       "\"numPassedTests\":1,\"numFailedTests\":0,",
		       "failed", JEST1),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"a.js\"],"
		  "\"details\":[{\"name\":\"a.js\",\"message\":\"afterAll "
		  "threw\",\"file\":\"a.js\",\"line\":null,\"duration_ms\":"
		  "null}]}" },
		{ "jest", JEST("\"success\":false,", "failed", JEST1 "," JEST2),
		  COUNTS(2, 1, 1, 0) },
		{ "jest", JEST("\"success\":false,", "passed", JEST1),
		  "!counts_disagree" },
		{ "jest", JEST("\"success\":true,", "passed", JEST1),
		  COUNTS(1, 1, 0, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

/* Node's describe() with one test, and the counts of that. */
#define GROUP(in, out, more)                                                   \
	"# Subtest: g\n    # Subtest: in\n    " in " 1 - in\n    1..1\n" out   \
	" 1 - g\n  ---\n  duration_ms: 1\n  type: 'suite'\n" more              \
	"  ...\n1..1\n"
#define HOOK   "  failureType: 'hookFailed'\n  error: 'no hook'\n"
#define BELOW  "  failureType: 'subtestsFailed'\n"
#define AT(it) "not ok 1 - a\n  ---\n  location: '" it "'\n  ...\n1..1\n"

static void a_heading_of_tap_that_failed_itself_is_a_failure(void)
{
	static const struct row rows[] = {
		{ "tap", GROUP("ok", "not ok", HOOK),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"g\"],\"details\":"
		  "[{\"name\":\"g\",\"message\":\"no hook\",\"file\":null,"
		  "\"line\":null,\"duration_ms\":1}]}" },
		{ "tap", GROUP("not ok", "not ok", HOOK), COUNTS(2, 0, 2, 0) },
		{ "tap", GROUP("not ok", "not ok", BELOW), COUNTS(1, 0, 1, 0) },
		{ "tap", GROUP("not ok", "not ok", ""), COUNTS(1, 0, 1, 0) },
		/* nothing below it failed, although it says so */
		{ "tap", GROUP("ok", "not ok", BELOW), COUNTS(2, 1, 1, 0) },
		{ "tap", GROUP("ok", "not ok", ""), COUNTS(2, 1, 1, 0) },
		{ "tap", GROUP("ok", "ok", ""), COUNTS(1, 1, 0, 0) },
		/* a message that has the words in it */
		{ "tap",
		  "not ok 1 - a\n  ---\n  error: |-\n    type: 'suite'\n"
		  "    type: 'suite'\n  ...\n1..1\n",
		  COUNTS(1, 0, 1, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void a_directive_of_tap_is_a_whole_word(void)
{
	static const struct row rows[] = {
		{ "tap", "not ok 1 - a # TODOx\n1..1\n", COUNTS(1, 0, 1, 0) },
		{ "tap", "not ok 1 # skipping the rest\n1..1\n",
		  COUNTS(1, 0, 1, 0) },
		{ "tap", "not ok 1 # sKiP\nnot ok 2 # todo: x\n1..2\n",
		  COUNTS(2, 0, 0, 2) },
		{ "tap", "not ok 1 #SKIP no\n1..1\n", COUNTS(1, 0, 0, 1) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void a_number_that_is_no_lines_is_no_place(void)
{
	static const struct row rows[] = {
		{ "tap", AT("a.js:99999999999999999999:1"),
		  "{\"details\":[{\"name\":\"a\",\"message\":null,\"file\":"
		  "null,"
		  "\"line\":null,\"duration_ms\":null}]}" },
		{ "tap", AT("a.js:0:1"),
		  "{\"details\":[{\"name\":\"a\",\"message\":null,\"file\":"
		  "null,"
		  "\"line\":null,\"duration_ms\":null}]}" },
		{ "tap", AT("C:\\a.js:7:1"),
		  "{\"details\":[{\"name\":\"a\",\"message\":null,\"file\":"
		  "\"C:\\\\\\\\a.js\",\"line\":7,\"duration_ms\":null}]}" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

#define PROVE(file, end)                                                       \
	"Test Summary Report\n---\n" file end                                  \
	"Files=1, Tests=9,  2 w\nResult: FAIL\n"

static void prove_names_what_failed(void)
{
	static const struct row rows[] = {
		{ "prove",
		  PROVE("t/my test.t", " (Wstat: 256 (exited 1) Tests: 9 "
				       "Failed: 1)\n  Failed test:  2\n"),
		  "{\"failures\":[\"t/my test.t: 2\"]}" },
		{ "prove",
		  PROVE("t/a (Wstat: 0 Failed: 0", "   (Wstat: 256 Tests: 9 "
						   "Failed: 0)\n"),
		  "{\"failures\":[\"t/a (Wstat: 0 Failed: 0\"]}" },
		{ "prove", "t/a.t .. ok\nFiles=1, Tests=3, 0 w\nResult: FAIL\n",
		  "!counts_disagree" },
		{ "prove", "t/a.t .. ok\nFiles=1, Tests=3, 0 w\nResult: PASS\n",
		  COUNTS(3, 3, 0, 0) },
		{ "prove", "Result: FAIL\nFiles=1, Tests=3, 0 w\n",
		  COUNTS(3, 3, 0, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_failure_of_go_counts_without_its_beginning),
		CASE(a_package_of_go_without_an_end_is_cut),
		CASE(a_package_of_go_marks_its_own_tests_alone),
		CASE(many_open_tests_are_read_quickly),
		CASE(what_python_tests_print_is_no_report),
		CASE(a_file_of_jest_that_failed_is_a_failure),
		CASE(a_heading_of_tap_that_failed_itself_is_a_failure),
		CASE(a_directive_of_tap_is_a_whole_word),
		CASE(a_number_that_is_no_lines_is_no_place),
		CASE(prove_names_what_failed),
		TAP_END,
	});
}
