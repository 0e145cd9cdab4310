/* junit.h -- what a run's tests came to, as JUnit XML of our own. */
#ifndef CUPEL_CLI_JUNIT_H
#define CUPEL_CLI_JUNIT_H

struct buf;
struct json_value;

/* junit_write -- tests, which satisfies the schema of "tests".  Every name and
 * message in it is hostile: what XML cannot hold becomes U+FFFD, the rest is
 * escaped, so that no text ends its attribute or element.
 *
 * The counts are of the tests that stand in the file; those which the payload
 * counts and does not name are properties of the suite. */
void junit_write(const struct json_value *tests, struct buf *out);

#endif
