/* tests_scan.h -- counts the tests in a file without running it. */
#ifndef CUPEL_PARSERS_TESTS_SCAN_H
#define CUPEL_PARSERS_TESTS_SCAN_H

#include "parsers/common/parse.h"

struct scan {
	size_t tests;   /* all of them */
	size_t skipped; /* among them */
	size_t todo;    /* among them */
	/* Modules that it imports and module_bit() knows, as bits. */
	uint64_t imports;
	/* Among them, those of which it only takes names as types have them:
	 * import { Page } from ... */
	uint64_t types;
	/* So much of it was not what it seemed to be that the rest was read
	 * without looking ahead. */
	bool is_doubtful;
	bool has_exports; /* it is a module that others take something from */
	bool is_helper;   /* what they take is a function */
	/* It imports something, and all of it is Node's own; assert, which tests
	 * take, is not among that. */
	bool is_of_node;
	/* A describe("...", function) that stands in no other call or block. */
	bool has_suite;
	bool has_done;   /* "test.done()", the end of a test of nodeunit's */
	bool has_shared; /* it runs tests that stand in another file */
};

/* tests_scan_script -- count tests in JavaScript, TypeScript, JSX.
 *
 * It is a scanner of tokens, not a parser.  Comments, strings, templates and
 * regular expressions are skipped.  If it cannot tell what a character begins,
 * it assumes what ends on the same line.  It counts calls of it, test, specify
 * and their kin (it.only, test.each``, Deno.test, t.test) whose first argument
 * can be a name or a function.  With .skip, .fixme, .ignore and x... a test is
 * skipped; with .todo it is todo.  A describe.skip does not change how its
 * tests count.  Time is linear in the length.
 *
 * @module_bit	the bit of a module's name, or 0 */
void tests_scan_script(const struct parse_input *in,
		       uint64_t (*module_bit)(struct json_text name),
		       struct scan *ret);

/* Line by line: "def test_x" and its like, skipped if a decorator says so.  What
 * begins inside a string of three quotes is no code. */
void tests_scan_python(const struct parse_input *in, struct scan *ret);
/* The same for a file like testlib.py, which may be no test: a method counts in a class
 * whose name, or a base's, is one for tests, and a function of the module if it takes
 * nothing, or the file imports pytest. */
void tests_scan_python_loose(const struct parse_input *in, struct scan *ret);
#define SCAN_PYTEST   1U /* bits of imports */
#define SCAN_UNITTEST 2U

/* Line by line: "func TestX(". */
void tests_scan_go(const struct parse_input *in, struct scan *ret);

/* Line by line: #[test], #[tokio::test]; skipped after #[ignore]. */
void tests_scan_rust(const struct parse_input *in, struct scan *ret);

#endif
