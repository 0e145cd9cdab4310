/* tests_marks.h -- finds tests of languages whose frameworks mark each test
 * with a line: Java, Kotlin, Groovy, PHP, Ruby, C, C++, C#, Bats. */
#ifndef CUPEL_PARSERS_TESTS_MARKS_H
#define CUPEL_PARSERS_TESTS_MARKS_H

#include "parsers/tests/tests.h"
#include "parsers/tests/tests_scan.h"

struct marked; /* a language: its file names and its marks */

/* tests_marked_find -- the language of a file that is a test by its name, or by
 * the directory that it lies in; or NULL. */
const struct marked *tests_marked_find(struct json_text path);

/* tests_marked_scan -- count the tests, a line at a time.  Lines inside a text of
 * several lines, or between #if and #endif, are not told apart from code; neither
 * are those in a comment that begins behind code, or with two stars.
 *
 * @ret_framework	the one that the file imports or whose marks it has,
 *		otherwise the usual one of the language, which may be
 *		FRAMEWORK_NONE */
void tests_marked_scan(const struct parse_input *in, const struct marked *m,
		       struct scan *ret, enum framework *ret_framework);

#endif
