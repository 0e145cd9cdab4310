/* suite_junit.h -- collects what a JUnit report says about one failure; private
 * to suite_junit*.c. */
#ifndef CUPEL_PARSERS_SUITE_JUNIT_H
#define CUPEL_PARSERS_SUITE_JUNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "parsers/suite/suite.h"

/* Of the current testcase; zero is valid. */
struct junit_told {
	struct buf message, body; /* of its first failure or error */
	struct buf file;          /* the file that its attributes name */
	int64_t line, duration_ms;
	unsigned failures; /* and errors */
	bool is_in_body;   /* inside the first failure or error */
};

/* suite_junit_attribute -- the value of an attribute in the list that expat
 * gives, or NULL. */
const char *suite_junit_attribute(const char **atts, const char *name);

/* suite_junit_open -- a testcase begins: forget the one before, and take what
 * its attributes say. */
void suite_junit_open(struct junit_told *t, const char **atts);

/* suite_junit_mark -- a failure or an error begins.  Returns whether it is the
 * first of its testcase, which is the one that is reported. */
bool suite_junit_mark(struct junit_told *t, const char **atts);

/* suite_junit_text -- take text inside the testcase; it is kept while
 * is_in_body. */
void suite_junit_text(struct junit_told *t, const char *text, size_t n);

/* suite_junit_close -- add what is known to the last test of s. */
void suite_junit_close(const struct junit_told *t, struct suite *s);

void suite_junit_done(struct junit_told *t);

#endif
