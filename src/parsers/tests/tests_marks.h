/* tests_marks.h -- tests of languages whose frameworks mark each of them with a
 * line: Java, Kotlin, Groovy, PHP, Ruby, C++, C#, Bats. */
#ifndef CUPEL_PARSERS_TESTS_MARKS_H
#define CUPEL_PARSERS_TESTS_MARKS_H

#include "parsers/tests/tests.h"
#include "parsers/tests/tests_scan.h"

struct marked; /* a language: its names of files and its marks */

/* tests_marked_find -- the language of a file that is a test by its name, or
 * NULL. */
const struct marked *tests_marked_find(struct json_text base);

/* tests_marked_scan -- count the tests, a line at a time.  What stands in a text
 * of several lines is taken as it looks.
 *
 * @ret_framework	the one that the file imports or whose marks it has, else
 *			the language's usual one */
void tests_marked_scan(const struct parse_input *in, const struct marked *m,
		       struct scan *ret, enum framework *ret_framework);

#endif
