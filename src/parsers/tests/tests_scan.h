/* tests_scan.h -- the tests in a file, counted without running it. */
#ifndef CUPEL_PARSERS_TESTS_SCAN_H
#define CUPEL_PARSERS_TESTS_SCAN_H

#include "parsers/common/parse.h"

struct scan {
	size_t tests;   /* all of them */
	size_t skipped; /* of those */
	size_t todo;    /* of those */
	/* Modules that it imports and module_bit() knows, as bits. */
	uint64_t imports;
	/* So much of it is not what it seemed to begin that the rest was read
	 * without looking ahead. */
	bool is_doubtful;
};

/* tests_scan_script -- JavaScript, TypeScript, JSX.
 *
 * A scanner of tokens, not a parser: comments, strings, templates and regular
 * expressions are passed over; where it cannot tell what a character begins,
 * it takes the reading that ends on the same line.  It counts calls of it,
 * test, specify and their kin (it.only, test.each``, Deno.test, t.test) whose
 * first argument can be a name or a function; .skip, .fixme, .ignore and x...
 * are skipped, .todo is todo.  What a describe.skip holds counts as it stands.
 * Time is linear in the length.
 *
 * @module_bit	the bit of a module's name, or 0 */
void tests_scan_script(const struct parse_input *in,
		       uint64_t (*module_bit)(struct json_text name),
		       struct scan *ret);

/* By lines: "def test_x" and its like, skipped where a decorator says so. */
void tests_scan_python(const struct parse_input *in, struct scan *ret);
#define SCAN_PYTEST   1U /* bits of imports */
#define SCAN_UNITTEST 2U

/* By lines: "func TestX(". */
void tests_scan_go(const struct parse_input *in, struct scan *ret);

/* By lines: #[test], #[tokio::test]; skipped behind #[ignore]. */
void tests_scan_rust(const struct parse_input *in, struct scan *ret);

#endif
