/* suite_unittest.c -- reads what python3 -m unittest prints for people.
 *
 * A failure has a heading and a trace.  A test may have several failures, of
 * its subtests and of what cleans up after it, and is still one test.  Only
 * failures are named.
 *
 * Runs after each other are added up, and each is checked against its own
 * summary.  The output of tests and their programs comes in between.  So a
 * heading only counts with a line of '=' before it, as unittest writes it.  A
 * summary that a test prints counts as one more run, which hides no failure of
 * another run.
 * Source: Lib/unittest/runner.py of CPython, printErrors() and run(). */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

#define RULE_LEN 70 /* of a line of '=' or '-' */

struct unittest {
	struct suite *suite;
	int64_t ran;       /* of the summary being read; -1: none */
	uint64_t headings; /* of failures and errors */
	uint64_t unran;    /* failures that are no test: a class's set-up */
	struct json_text file;
	int64_t line;
	bool has_test, has_trace;
	bool is_behind; /* after a line of '=' */
	bool is_list; /* of unexpected successes, which have one line of '=' */
	size_t first; /* index of the first test of this run */
	size_t ends;  /* runs that have ended */
};

static const struct json_text none = { NULL, 0 };

/* "failures=2" and its like in "FAILED (failures=2, errors=1)". */
static uint64_t after_word(struct json_text line, const char *word)
{
	struct json_text rest = line, part;

	(void)text_cut(line, '(', &rest);
	while (rest.bytes != NULL) {
		struct json_text digits;
		size_t n = strlen(word);

		part = text_trim(text_cut(rest, ',', &rest));
		if (!text_begins(part, word) || part.len <= n ||
		    part.bytes[n] != '=')
			continue;
		digits = text_cut(text_from(part, n + 1), ')', NULL);
		return suite_number_of(digits) > 0
			       ? (uint64_t)suite_number_of(digits)
			       : 0;
	}
	return 0;
}

/* "OK" or "FAILED (failures=2)": a run has ended. */
static int end_take(struct unittest *u, struct json_text line, size_t offset)
{
	struct suite *s = u->suite;
	const uint64_t failed =
		after_word(line, "failures") + after_word(line, "errors");
	const uint64_t odd = after_word(line, "unexpected successes");
	const uint64_t skipped = after_word(line, "skipped") +
				 after_word(line, "expected failures");
	uint64_t unnamed, rest;

	/* before Python 3.12 an unexpected success has no heading */
	if (u->headings != failed && u->headings != failed + odd)
		return suite_disagree(s, offset, "failures and errors",
				      failed + odd, u->headings);
	unnamed = failed + odd - u->headings;
	s->unnamed_failed += unnamed;
	s->unnamed_skipped += skipped;
	rest = s->len - u->first + unnamed + skipped - u->unran;
	/* a skipped subtest is not counted among the tests that ran */
	s->unnamed_passed +=
		(uint64_t)u->ran > rest ? (uint64_t)u->ran - rest : 0;
	*u = (struct unittest){
		.suite = s, .ran = -1, .first = s->len, .ends = u->ends + 1
	};
	return 0;
}

/* "test_a (m.C.test_a) [a message] (i=1)": a subtest has the name of its
 * test. */
static struct json_text test_of(struct json_text name)
{
	for (size_t i = 0; i + 1 < name.len; i++) {
		if (name.bytes[i] != ' ' || name.bytes[i + 1] != '(')
			continue;
		for (; i < name.len; i++)
			if (name.bytes[i] == ')')
				return (struct json_text){ name.bytes, i + 1 };
	}
	return name;
}

static bool is_last(const struct unittest *u, struct json_text name)
{
	const struct suite *s = u->suite;
	const struct suite_test *t =
		s->len > u->first ? &s->tests[s->len - 1] : NULL;

	return t != NULL && t->len == name.len && name.len > 0 &&
	       memcmp(s->names.bytes + t->at, name.bytes, name.len) == 0;
}

static int heading_take(struct unittest *u, struct json_text name)
{
	static const char *const set_ups[] = { "setUpClass (",
					       "tearDownClass (",
					       "setUpModule (",
					       "tearDownModule (" };

	u->headings++;
	name = test_of(name);
	u->file = none;
	u->line = -1;
	u->has_trace = false;
	u->has_test = true;
	if (is_last(u, name))
		return 0;
	for (size_t i = 0; i < sizeof set_ups / sizeof *set_ups; i++)
		u->unran += text_begins(name, set_ups[i]);
	return suite_add(u->suite, none, "", name, SUITE_FAILED);
}

/* Take a trace's line " File "PATH", line N, in ...".  The last one is the
 * place.  The first line after it that is not indented says what happened. */
static void trace_take(struct unittest *u, struct json_text line)
{
	struct suite_test *t = &u->suite->tests[u->suite->len - 1];
	struct json_text rest, number;

	if (text_begins(line, "  File \"")) {
		u->file = text_cut(text_from(line, 8), '"', &rest);
		rest = text_from(rest, sizeof ", line " - 1);
		number = text_cut(rest, ',', NULL);
		u->line = suite_number_of(number);
		u->has_trace = true;
	} else if (u->has_trace && line.len > 0 && line.bytes[0] != ' ') {
		suite_say_message(u->suite, t, line);
		suite_say_place(u->suite, t, u->file, u->line);
		u->has_test = false;
	}
}

/* "OK", which "(skipped=1)" may follow. */
static bool is_end(struct json_text line)
{
	static const char *const words[] = { "OK", "FAILED", "NO TESTS RAN" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct json_text rest = text_from(line, strlen(words[i]));

		if (text_begins(line, words[i]) &&
		    (rest.len == 0 || text_begins(rest, " (")))
			return true;
	}
	return false;
}

/* Whether the line ends with RULE_LEN times c.  Before that it may have output
 * of a test that did not end its line. */
static bool is_rule(struct json_text line, char c)
{
	for (size_t i = 0; i < RULE_LEN; i++)
		if (i >= line.len || line.bytes[line.len - 1 - i] != c)
			return false;
	return true;
}

/* What follows the words of a heading; bytes NULL: it is no heading. */
static struct json_text heading_find(struct unittest *u, struct json_text line)
{
	static const char odd[] = "UNEXPECTED SUCCESS: ";

	if (text_begins(line, odd) && (u->is_behind || u->is_list)) {
		u->is_list = true;
		return text_from(line, strlen(odd));
	}
	if (u->is_behind && text_begins(line, "FAIL: "))
		return text_from(line, 6);
	return u->is_behind && text_begins(line, "ERROR: ") ? text_from(line, 7)
							    : none;
}

static int line_take(struct unittest *u, struct json_text line, size_t offset)
{
	struct json_text rest, name = heading_find(u, line);

	u->is_behind = is_rule(line, '=');
	u->is_list &= !u->is_behind && !is_rule(line, '-');
	if (name.bytes != NULL)
		return heading_take(u, name);
	rest = text_from(line, 4);
	if (text_begins(line, "Ran ") && text_has(line, " test")) {
		u->ran = suite_number_of(text_word(&rest));
	} else if (u->ran >= 0 && is_end(line)) {
		return end_take(u, line, offset);
	} else if (u->has_test) {
		trace_take(u, line);
	}
	return 0;
}

int suite_unittest(struct suite *s)
{
	struct unittest u = { .suite = s, .ran = -1 };
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset))
		r = line_take(&u, line, offset);
	if (r == 0 && (u.ends == 0 || u.headings > 0))
		r = suite_fail(s, "no_result", s->in->len,
			       "no summary: the run was cut short");
	return r;
}
