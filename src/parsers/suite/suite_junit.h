/* suite_junit.h -- what a JUnit report tells of one failure; private to
 * suite_junit*.c. */
#ifndef CUPEL_PARSERS_SUITE_JUNIT_H
#define CUPEL_PARSERS_SUITE_JUNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "parsers/suite/suite.h"

/* Of the current testcase; zero is valid. */
struct junit_told {
	struct buf message, body; /* of its first failure or error */
	struct buf file;          /* that its attributes name */
	int64_t line, duration_ms;
	unsigned failures; /* and errors */
	bool is_in_body;   /* of the first of them */
};

/* suite_junit_attribute -- the value of an attribute as expat hands them over, or
 * NULL. */
const char *suite_junit_attribute(const char **atts, const char *name);

/* suite_junit_open -- a testcase begins: forget the one before, and take what its
 * attributes say. */
void suite_junit_open(struct junit_told *t, const char **atts);

/* suite_junit_mark -- a failure or an error begins.  Returns whether it is the
 * first of its testcase, which is the one that is told. */
bool suite_junit_mark(struct junit_told *t, const char **atts);

/* suite_junit_text -- text within the testcase; kept while is_in_body. */
void suite_junit_text(struct junit_told *t, const char *text, size_t n);

/* suite_junit_close -- say what is known of the test that s got last. */
void suite_junit_close(const struct junit_told *t, struct suite *s);

void suite_junit_done(struct junit_told *t);

#endif
