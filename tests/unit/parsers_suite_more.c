/* parsers_suite_more.c -- reports without XML: TAP, jest's JSON, and what
 * runners print for people. */
#include "suite_rows.h"

static void tap_is_counted(void)
{
	static const struct row rows[] = {
		{ "tap", "TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n",
		  COUNTS(2, 1, 1, 0) },
		{ "tap", "1..2\nok\nok\n", COUNTS(2, 2, 0, 0) },
		{ "tap", "1..1\nnot ok\n", "{\"failures\":[\"\"]}" },
		{ "tap", "1..1\nnot ok 1 - b \\# 3\n",
		  "{\"failures\":[\"b # 3\"]}" },
		{ "tap",
		  "ok 1 - a # SKIP no\nnot ok 2 - b # TODO later\n1..2\n",
		  COUNTS(2, 0, 0, 2) },
		{ "tap", "ok 1 - a \\# SKIP\n1..1\n", COUNTS(1, 1, 0, 0) },
		{ "tap", "1..0 # SKIP nothing here\n", COUNTS(0, 0, 0, 0) },
		/* Node: what describe() sums up is a heading */
		{ "tap",
		  "# Subtest: group\n    # Subtest: in\n    not ok 1 - in\n"
		  "      ---\n      type: 'test'\n      ...\n    1..1\n"
		  "not ok 1 - group\n  ---\n  type: 'suite'\n  ...\n1..1\n",
		  COUNTS(1, 0, 1, 0) },
		{ "tap",
		  "# Subtest: group\n    # Subtest: in\n    not ok 1 - in\n"
		  "    1..1\nnot ok 1 - group\n  ---\n  type: 'suite'\n  ...\n"
		  "1..1\n",
		  "{\"failures\":[\"group > in\"]}" },
		/* a test with subtests is a test */
		{ "tap", "    ok 1 - in\n    1..1\nok 1 - out\n1..1\n",
		  COUNTS(2, 2, 0, 0) },
		/* what a test prints is not a test */
		{ "tap", "ok 1 - a\n# ok 2\n  ok 3\nokay\n1..1\n",
		  COUNTS(1, 1, 0, 0) },
		{ "tap", "ok 1 - a\n  ---\n  x: |\n  ok 2 - b\n  ...\n1..1\n",
		  COUNTS(1, 1, 0, 0) },
		{ "tap", "1..1\r\nok 1 - a\r\n", COUNTS(1, 1, 0, 0) },
		{ "tap", "1..1\nnot ok 1 - \xff\x01\n",
		  "{\"failures\":[\"\\\\xff\\\\x01\"]}" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void tap_that_is_cut_or_lies_is_refused(void)
{
	static const struct row rows[] = {
		{ "tap", "", "!no_plan" },
		{ "tap", "<testsuite/>", "!no_plan" },
		{ "tap", "ok 1 - a\n", "!no_plan" },
		{ "tap", "1..2\nok 1 - a\n", "!counts_disagree" },
		{ "tap", "1..0\nok 1 - a\n", "!counts_disagree" },
		{ "tap", "1..1\nok 1\n1..1\n", "!counts_disagree" },
		{ "tap", "    ok 1 - in\n    1..2\nok 1\n1..1\n",
		  "!counts_disagree" },
		{ "tap", "    ok 1 - in\nok 1\n1..1\n", "!no_plan" },
		{ "tap", "1..1\nBail out! no\n", "!bail_out" },
		{ "tap", "1..99999999999999999999\n", "!no_plan" },
		{ NULL, NULL, NULL },
	};
	static const char nul[] = "1..1\nok 1 - a\0b\n";

	rows_try(rows);
	report_try("tap", nul, sizeof nul - 1, "!\"nul\"");
}

#define JEST(counts, tests)                                                    \
	"{" counts "\"testResults\":[{\"name\":\"/repo/a.js\",\"status\":"     \
	"\"failed\",\"assertionResults\":[" tests "]}]}"
#define JEST1 "{\"fullName\":\"g a\",\"status\":\"passed\"}"
#define JEST2 "{\"fullName\":\"g b\",\"status\":\"failed\"}"
#define JEST3 "{\"fullName\":\"g c\",\"status\":\"todo\"}"

static void jest_is_counted(void)
{
	static const struct row rows[] = {
		{ "jest", JEST("", JEST1 "," JEST2 "," JEST3),
		  COUNTS(3, 1, 1, 1) },
		{ "jest",
		  JEST("\"numTotalTests\":1,\"numFailedTests\":1,", JEST2),
		  "{\"failures\":[\"a.js > g b\"]}" },
		{ "jest", JEST("\"numTotalTests\":0,\"numFailedTests\":0,", ""),
		  "{\"failures\":[\"a.js\"]}" },
		{ "jest", "{\"testResults\":[]}", COUNTS(0, 0, 0, 0) },
		{ "jest", JEST("\"numTotalTests\":2,", JEST1),
		  "!counts_disagree" },
		{ "jest", JEST("\"numFailedTests\":0,", JEST2),
		  "!counts_disagree" },
		{ "jest", JEST("\"numPassedTests\":\"1\",", JEST1),
		  "!counts_disagree" },
		{ "jest", JEST("", "{\"fullName\":\"a\",\"status\":\"won\"}"),
		  "!not_jest" },
		{ "jest", JEST("", "{\"status\":\"passed\"}"), "!not_jest" },
		{ "jest", JEST("", "{\"title\":\"b\",\"status\":\"failed\"}"),
		  "{\"failures\":[\"a.js > b\"]}" },
		{ "jest",
		  JEST("", "{\"fullName\":\"a\\u0000\",\"status\":\"passed\"}"),
		  "!not_jest" },
		{ "jest", JEST("", "3"), "!not_jest" },
		{ "jest", "{}", "!not_jest" },
		{ "jest", "[]", "!not_an_object" },
		{ "jest", "", "!empty" },
		{ "jest", JEST("", JEST1) "x", "!trailing" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void what_cargo_prints_is_counted(void)
{
	static const struct row rows[] = {
		{ "cargo",
		  "running 3 tests\ntest a ... ok\ntest b::c ... FAILED\n"
		  "test d ... ignored, why\n\ntest result: FAILED. 1 passed; 1 "
		  "failed; 1 ignored; 0 measured; 0 filtered out\n",
		  COUNTS(3, 1, 1, 1) },
		{ "cargo", "test result: ok. 0 passed; 0 failed; 0 ignored;\n",
		  COUNTS(0, 0, 0, 0) },
		{ "cargo", "test a ... ok\n", "!no_result" },
		{ "cargo", "", "!no_result" },
		{ "cargo",
		  "test a ... ok\ntest result: ok. 2 passed; 0 failed; 0 "
		  "ignored;\n",
		  "!counts_disagree" },
		{ "cargo",
		  "test a ... FAILED\ntest result: ok. 1 passed; 0 failed; 0 "
		  "ignored;\n",
		  "!counts_disagree" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

/* What unittest has before each heading. */
#define RULE                                                                   \
	"================================================================="    \
	"=====\n"

static void what_go_and_unittest_print_is_counted(void)
{
	static const struct row rows[] = {
		{ "go",
		  "=== RUN   A\n=== RUN   A/x\n--- PASS: A (0.00s)\n"
		  "    --- SKIP: A/x (0.00s)\n=== RUN   B\n--- FAIL: B (0.1s)\n"
		  "FAIL\nFAIL\texample.org/p\t0.1s\n",
		  COUNTS(3, 1, 1, 1) },
		{ "go", "=== RUN   B\n--- FAIL: B (0.1s)\nFAIL\tp/q\t0.1s\n",
		  "{\"failures\":[\"p/q.B\"]}" },
		{ "go", "=== RUN   \nok  \tp\t0.1s\n", COUNTS(0, 0, 0, 0) },
		{ "go", "=== RUN   B\npanic: no\nFAIL\tp\t0.1s\n",
		  "{\"failures\":[\"p.B\"]}" },
		{ "go", "FAIL\tp [build failed]\n", "{\"failures\":[\"p\"]}" },
		{ "go", "?   \tp\t[no test files]\n", COUNTS(0, 0, 0, 0) },
		{ "go", "--- PASS: Forged (0.00s)\nok  \tp\t0.1s\n",
		  COUNTS(0, 0, 0, 0) },
		{ "go", "=== RUN   A\n--- PASS: A (0.00s)\n", "!no_result" },
		{ "go", "PASS\n", "!no_result" },
		/* what a subtest prints belongs to the subtest */
		{ "go",
		  "=== RUN   A\n=== RUN   A/x\n    a_test.go:3: no\n"
		  "--- FAIL: A (0.00s)\n    --- FAIL: A/x (0.00s)\n"
		  "FAIL\tp\t0.1s\n",
		  "{\"details\":[{\"name\":\"p.A\",\"message\":null,\"file\":"
		  "null,\"line\":null,\"duration_ms\":0},{\"name\":\"p.A/x\","
		  "\"message\":\"no\",\"file\":\"a_test.go\",\"line\":3,"
		  "\"duration_ms\":0}]}" },
		{ "unittest", "...\nRan 3 tests in 0.001s\n\nOK\n",
		  COUNTS(3, 3, 0, 0) },
		{ "unittest",
		  RULE "FAIL: a (m.C.a)\n" RULE
		       "ERROR: b (m.C.b)\nRan 4 tests in 1s\n\n"
		       "FAILED (failures=1, errors=1, skipped=1)\n",
		  COUNTS(4, 1, 2, 1) },
		{ "unittest",
		  RULE "FAIL: a (m.C.a)\nRan 1 test in 1s\n\nFAILED "
		       "(failures=1)\n",
		  "{\"failures\":[\"a (m.C.a)\"],\"failures_omitted\":0,"
		  "\"inventory_hash\":null}" },
		{ "unittest",
		  "Ran 1 test in 1s\n\nFAILED (unexpected successes=1)\n",
		  "{\"failures_omitted\":1}" },
		{ "unittest", "Ran 1 test in 1s\n\nFAILED (failures=1)\n",
		  "!counts_disagree" },
		{ "unittest", RULE "FAIL: a (m.C.a)\nRan 1 test in 1s\n\nOK\n",
		  "!counts_disagree" },
		{ "unittest", "Ran 1 test in 1s\n", "!no_result" },
		{ "unittest", "OK\n", "!no_result" },
		{ "other", "", "!format" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

#define EVENT(action, test, more)                                              \
	"{\"Action\":\"" action "\",\"Package\":\"p\"" test more "}\n"
#define OF(name) ",\"Test\":\"" name "\""

static void what_go_tells_as_events_is_counted(void)
{
	static const struct row rows[] = {
		{ "go",
		  EVENT("run", OF("A"), "") EVENT("run", OF("B"), "")
			  EVENT("output", OF("B"),
				",\"Output\":\"    b_test.go:4: no 3\\n\"")
				  EVENT("pass", OF("A"), "") EVENT(
					  "fail", OF("B"), ",\"Elapsed\":0.25")
					  EVENT("fail", "", ""),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"p.B\"],"
		  "\"details\":"
		  "[{\"name\":\"p.B\",\"message\":\"no 3\",\"file\":"
		  "\"b_test.go\",\"line\":4,\"duration_ms\":250}]}" },
		/* a panic: what did not end has failed */
		{ "go", EVENT("run", OF("A"), "") EVENT("fail", "", ""),
		  "{\"failures\":[\"p.A\"]}" },
		{ "go", EVENT("pass", "", "") "FAIL\tq [build failed]\n",
		  "{\"failures\":[\"q\"]}" },
		{ "go", EVENT("run", OF("A"), ""), "!no_result" },
		{ "go",
		  EVENT("run", OF("A"),
			"") "{\"Action\":\"pass\",\"Package\":\"q\"}\n",
		  "!no_result" },
		{ "go", EVENT("pass", "", "") "{\"Action\":", "!not_go" },
		{ "go", EVENT("pass", "", "") "{\"Action\":3}\n", "!not_go" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void runs_of_unittest_are_summed(void)
{
	static const struct row rows[] = {
		/* each is compared with its own end */
		{ "unittest",
		  RULE "FAIL: a (m.C.a)\nRan 2 tests in 1s\n\nFAILED "
		       "(failures=1)\nRan 3 tests in 1s\n\nOK (skipped=1)\n",
		  COUNTS(5, 3, 1, 1) },
		{ "unittest",
		  "Ran 2 tests in 1s\n\nOK\n" RULE "ERROR: a (m.C.a)\n",
		  "!no_result" },
		{ "unittest", "Ran 2 tests in 1s\n\nOK\nERROR: not a test\n",
		  COUNTS(2, 2, 0, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void a_test_with_subtests_is_one(void)
{
	static const struct row rows[] = {
		{ "unittest",
		  RULE "FAIL: a (m.C.a) (i=1)\n" RULE
		       "FAIL: a (m.C.a) [b] (i=2)\n"
		       "Ran 2 tests in 1s\n\nFAILED (failures=2)\n",
		  COUNTS(2, 1, 1, 0) },
		{ "unittest",
		  RULE "ERROR: setUpClass (m.C)\nRan 2 tests in 1s\n\nFAILED "
		       "(errors=1)\n",
		  COUNTS(3, 2, 1, 0) },
		{ "unittest",
		  RULE
		  "FAIL: a (m.C.a)\n---\nTraceback (most recent call last):\n"
		  "  File \"/repo/m.py\", line 7, in a\n    x\n"
		  "AssertionError: 1 != 2\n\n---\nRan 1 test in 1s\n\nFAILED "
		  "(failures=1)\n",
		  "{\"details\":[{\"name\":\"a (m.C.a)\",\"message\":"
		  "\"AssertionError: 1 != 2\",\"file\":\"m.py\",\"line\":7,"
		  "\"duration_ms\":null}]}" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

#define SUMMARY(t, p, f)                                                       \
	"# TOTAL: " t "\n# PASS:  " p "\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  " f  \
	"\n# XPASS: 0\n# ERROR: 0\n"

static void what_automake_and_prove_print_is_counted(void)
{
	static const struct row rows[] = {
		{ "automake", "PASS: a\nFAIL: b.sh\n" SUMMARY("2", "1", "1"),
		  "{\"total\":2,\"passed\":1,\"failures\":[\"b.sh\"]}" },
		/* two directories whose output is mixed */
		{ "automake",
		  "PASS: a\nPASS: b\n" SUMMARY("1", "1", "0")
			  SUMMARY("1", "1", "0"),
		  COUNTS(2, 2, 0, 0) },
		{ "automake", "PASS: a\n" SUMMARY("2", "2", "0"),
		  "!counts_disagree" },
		{ "automake", "PASS: a\n" SUMMARY("9", "1", "0"),
		  "!counts_disagree" },
		{ "automake", "PASS: a\n" SUMMARY("x", "1", "0"),
		  "!counts_disagree" },
		{ "automake", "PASS: a\n", "!no_result" },
		{ "prove", "t/a.t .. ok\nFiles=1, Tests=3,  0 wallclock\n",
		  COUNTS(3, 3, 0, 0) },
		{ "prove", "t/a.t .. skipped: no\nFiles=1, Tests=0, 0 w\n",
		  COUNTS(1, 0, 0, 1) },
		{ "prove",
		  "Test Summary Report\n---\nt/f.t (Wstat: 1024 (exited 4) "
		  "Tests: 9 Failed: 3)\n  Failed tests:  3-4, 9\n"
		  "  Non-zero exit status: 4\nFiles=1, Tests=9,  2 w\n",
		  "{\"total\":9,\"passed\":6,\"failures\":[\"t/f.t: 3\","
		  "\"t/f.t: 4\",\"t/f.t: 9\"]}" },
		{ "prove",
		  "Test Summary Report\nt/b.t (Wstat: 0 Tests: 1 Failed: 0)\n"
		  "  Parse errors: No plan\nFiles=1, Tests=1,  2 w\n",
		  "{\"total\":2,\"details\":[{\"name\":\"t/b.t\",\"message\":"
		  "\"Parse errors: No plan\",\"file\":\"t/b.t\",\"line\":null,"
		  "\"duration_ms\":null}]}" },
		{ "prove",
		  "Test Summary Report\nt/d.t (Wstat: 0 Tests: 2 Failed: 0)\n"
		  "  TODO passed:   2\nFiles=1, Tests=2,  2 w\n",
		  COUNTS(2, 2, 0, 0) },
		{ "prove",
		  "Test Summary Report\nt/f.t (Wstat: 1 Tests: 9 Failed: 2)\n"
		  "  Failed tests:  9-1\nFiles=1, Tests=9,  2 w\n",
		  "!not_prove" },
		{ "prove",
		  "Test Summary Report\nt/f.t (Wstat: 1 Tests: 9 Failed: 2)\n"
		  "  Failed tests:  1-2\nFiles=1, Tests=1,  2 w\n",
		  "!counts_disagree" },
		{ "prove", "t/a.t .. ok\n", "!no_result" },
		{ "prove",
		  "t/a.t .. ok\nFiles=1, Tests=3, 0 w\n"
		  "Test Summary Report\nt/f.t (Wstat: 1 Tests: 2 Failed: 1)\n"
		  "  Failed test:  2\nFiles=1, Tests=2,  2 w\n",
		  "{\"total\":5,\"passed\":4,\"failures\":[\"t/f.t: 2\"]}" },
		{ "prove",
		  "Files=1, Tests=3, 0 w\nTest Summary Report\n"
		  "t/f.t (Wstat: 1 Tests: 2 Failed: 1)\n",
		  "!no_result" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(tap_is_counted),
		CASE(tap_that_is_cut_or_lies_is_refused),
		CASE(jest_is_counted),
		CASE(what_cargo_prints_is_counted),
		CASE(what_go_and_unittest_print_is_counted),
		CASE(what_go_tells_as_events_is_counted),
		CASE(runs_of_unittest_are_summed),
		CASE(a_test_with_subtests_is_one),
		CASE(what_automake_and_prove_print_is_counted),
		TAP_END,
	});
}
