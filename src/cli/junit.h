/* junit.h -- writes the outcome of a run's tests as JUnit XML of our own. */
#ifndef CUPEL_CLI_JUNIT_H
#define CUPEL_CLI_JUNIT_H

struct buf;
struct json_value;

/* junit_write -- write tests, which satisfies the schema of "tests".  Every
 * name and message in it is hostile: characters that XML cannot hold become
 * U+FFFD, and the others are escaped, so that no text can end its attribute or
 * element.
 *
 * The counts are those of the tests that the file lists.  Tests that the payload
 * counts and does not name appear as properties of the suite. */
void junit_write(const struct json_value *tests, struct buf *out);

#endif
