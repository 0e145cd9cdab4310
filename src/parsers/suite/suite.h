/* suite.h -- what a test runner's report says: a list of tests and how each
 * ended.
 *
 * There is one function for each format.  It adds the tests in the order of the
 * report, and notes as an error what makes the report unusable.  A report is
 * hostile: the numbers that it gives about itself are checked against the tests
 * that it names, and if they differ that is the error "counts_disagree". */
#ifndef CUPEL_PARSERS_SUITE_H
#define CUPEL_PARSERS_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"
#include "parsers/common/parse.h"

#define SUITE_TESTS_MAX  1000000U
#define SUITE_NAME_BYTES ((size_t)96 << 20) /* of all names together */
#define SUITE_DEPTH      64U                /* elements, or subtests */
#define SUITE_SAID_MAX   1000U              /* failures that have details */
#define SUITE_LINE_MAX   10000000           /* of a file's lines */

enum suite_end { SUITE_PASSED, SUITE_FAILED, SUITE_SKIPPED, SUITE_OPEN };

struct suite_test {
	size_t at, len; /* of its name in names */
	enum suite_end end;
	unsigned said; /* which of the suite's said, from 1; 0 = none */
};

/* What a report says about one failure: places in said_text, and numbers. */
struct suite_said {
	size_t message_at, message_len, file_at, file_len;
	int64_t line, duration_ms; /* -1: none */
};

/* Zero is valid, except for in and report. */
struct suite {
	const struct parse_input *in;
	struct parse_report *report;
	struct buf names;
	struct suite_test *tests;
	size_t len, room;
	struct suite_said *said;
	size_t said_len, said_room;
	struct buf said_text;
	/* tests that the report counts and does not name */
	uint64_t unnamed_failed, unnamed_skipped, unnamed_passed;
	uint64_t reports; /* how many reports were added up */
	bool disagrees;   /* with how the run ended: failures, and rc 0 */
	bool is_counted_otherwise; /* a report counts errors as tests */
};

/* suite_add -- add a test with the name name[0..n-1].  If prefix.len is not 0,
 * prefix and separator come before it.
 * Returns 0, or -EINVAL with the error noted. */
int suite_add(struct suite *s, struct json_text prefix, const char *separator,
	      struct json_text name, enum suite_end end);

/* suite_fail -- note what makes the report unusable.  Returns -EINVAL. */
int suite_fail(struct suite *s, const char *code, size_t offset,
	       const char *message) __attribute__((nonnull(1, 2, 4)));

/* suite_disagree -- note that the report claims `said` of what, and has `has`.
 * Returns -EINVAL. */
int suite_disagree(struct suite *s, size_t offset, const char *what,
		   uint64_t said, uint64_t has);

/* suite_name_of -- the name of one of its tests; bytes NULL: it has no name. */
struct json_text suite_name_of(const struct suite *s,
			       const struct suite_test *t);

/* suite_count -- how many tests ended like this. */
uint64_t suite_count(const struct suite *s, enum suite_end end);

/* suite_number_of -- t as a decimal number up to SUITE_TESTS_MAX, or -1. */
int64_t suite_number_of(struct json_text t);

/* Add what is known about a failure.  There is room for SUITE_SAID_MAX
 * failures.  What has no room, and what is said about a test that did not fail,
 * is left out.
 *
 * suite_say_message -- keep the first line of text that is not empty, without
 * the colours of a terminal.  Only the first message counts.
 * suite_say_place -- keep the place, without the /repo/ that all files are in.
 * line: -1 for none.
 * suite_say_duration -- keep the milliseconds. */
void suite_say_message(struct suite *s, struct suite_test *t,
		       struct json_text text);
void suite_say_place(struct suite *s, struct suite_test *t,
		     struct json_text file, int64_t line);
void suite_say_duration(struct suite *s, struct suite_test *t, int64_t ms);

/* suite_say_again -- add what another suite says about one of its tests. */
void suite_say_again(struct suite *s, struct suite_test *t,
		     const struct suite *from, const struct suite_test *other);

/* suite_said_write -- write "details" of the failures, in the order of
 * tests. */
void suite_said_write(const struct suite *s, struct jsonw *w);

/* suite_ms_of -- decimal seconds ("0.25") as milliseconds; -1 for none. */
int64_t suite_ms_of(struct json_text seconds);

/* suite_whole_of -- a decimal number without its fraction; -1 for none. */
int64_t suite_whole_of(struct json_text t);

/* suite_place_of -- find the place that a trace names: the last line
 * "FILE:LINE: ...", as pytest writes it, otherwise the first one outside
 * node_modules in a stack of JavaScript.  Returns whether there is one. */
bool suite_place_of(struct json_text text, struct json_text *ret_file,
		    int64_t *ret_line);

/* suite_place_cut -- cut "FILE:LINE" or "FILE:LINE:COLUMN", which more may
 * follow. */
bool suite_place_cut(struct json_text text, struct json_text *ret_file,
		     int64_t *ret_line, struct json_text *ret_rest);

/* suite_name_put -- write a name or a message of at most 1000 bytes, as an item
 * or a member. */
void suite_name_put(struct jsonw *w, const char *key, struct json_text t);

/* The formats.  They return 0, or -EINVAL with the error noted. */
int suite_junit(struct suite *s);
int suite_tap(struct suite *s);
int suite_jest(struct suite *s);
int suite_go(struct suite *s);
int suite_cargo(struct suite *s);
int suite_go_json(struct suite *s);
int suite_unittest(struct suite *s);
int suite_automake(struct suite *s);
int suite_prove(struct suite *s);

#endif
