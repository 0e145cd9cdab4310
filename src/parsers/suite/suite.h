/* suite.h -- what a test runner's report says: a list of tests and their ends.
 *
 * One function for each format; each adds the tests in the order of the report
 * and notes as an error what makes it unusable.  A report is hostile: numbers
 * it gives of itself are held against the tests that it names, and where they
 * disagree that is the error "counts_disagree". */
#ifndef CUPEL_PARSERS_SUITE_H
#define CUPEL_PARSERS_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "parsers/common/parse.h"

#define SUITE_TESTS_MAX  1000000U
#define SUITE_NAME_BYTES ((size_t)96 << 20) /* of all names together */
#define SUITE_DEPTH      64U                /* elements, or subtests */

enum suite_end { SUITE_PASSED, SUITE_FAILED, SUITE_SKIPPED, SUITE_OPEN };

struct suite_test {
	size_t at, len; /* of its name in names */
	enum suite_end end;
};

/* Zero is valid but for in and report. */
struct suite {
	const struct parse_input *in;
	struct parse_report *report;
	struct buf names;
	struct suite_test *tests;
	size_t len, room;
	/* failures, and all tests, that the report counts and does not name */
	uint64_t unnamed_failed, unnamed_skipped, unnamed_passed;
	uint64_t reports; /* that this is the sum of */
	bool disagrees;   /* with the end of the run: failures, and rc 0 */
};

/* suite_add -- one test; its name is name[0..n-1], with prefix before it where
 * prefix.len is not 0 and separator between them.
 * Returns 0, or -EINVAL with the error noted. */
int suite_add(struct suite *s, struct json_text prefix, const char *separator,
	      struct json_text name, enum suite_end end);

/* suite_fail -- note what makes the report unusable.  Returns -EINVAL. */
int suite_fail(struct suite *s, const char *code, size_t offset,
	       const char *message) __attribute__((nonnull(1, 2, 4)));

/* suite_disagree -- note that the report says said of what, where it has
 * has.  Returns -EINVAL. */
int suite_disagree(struct suite *s, size_t offset, const char *what,
		   uint64_t said, uint64_t has);

/* suite_count -- how many ended so. */
uint64_t suite_count(const struct suite *s, enum suite_end end);

/* suite_number_of -- t as a decimal number up to SUITE_TESTS_MAX; -1 for none. */
int64_t suite_number_of(struct json_text t);

/* The formats.  Return 0, or -EINVAL with the error noted. */
int suite_junit(struct suite *s);
int suite_tap(struct suite *s);
int suite_jest(struct suite *s);
int suite_go(struct suite *s);
int suite_cargo(struct suite *s);
int suite_unittest(struct suite *s);

#endif
