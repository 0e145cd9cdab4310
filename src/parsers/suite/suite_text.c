/* suite_text.c -- what cargo test, go test -v and unittest print for people.
 *
 * These have no report of their own.  A test can print such lines, too; it can
 * as well write any report, so nothing is lost by it. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

static const struct json_text none = { NULL, 0 };

/* --- cargo test --------------------------------------------------------------- */

/* "test NAME ... ok": what stands between, and how it ended. */
static bool cargo_test(struct json_text line, struct json_text *ret_name,
		       enum suite_end *ret_end)
{
	static const char dots[] = " ... ";
	struct json_text end;
	size_t at = line.len;

	if (!text_begins(line, "test "))
		return false;
	while (at > 5 &&
	       (line.len - at < 5 || memcmp(line.bytes + at, dots, 5) != 0))
		at--;
	if (at <= 5)
		return false;
	*ret_name = (struct json_text){ line.bytes + 5, at - 5 };
	end = text_from(line, at + 5);
	if (text_is(end, "ok"))
		*ret_end = SUITE_PASSED;
	else if (text_is(end, "FAILED"))
		*ret_end = SUITE_FAILED;
	else if (text_is(end, "ignored") || text_begins(end, "ignored,"))
		*ret_end = SUITE_SKIPPED;
	else if (text_begins(end, "bench:"))
		*ret_end = SUITE_PASSED;
	else
		return false;
	return true;
}

/* The number before a word: "3 passed;". */
static uint64_t before_word(struct json_text line, const char *word)
{
	struct json_text last = none, w;

	while ((w = text_word(&line)).len > 0) {
		if (text_begins(w, word))
			return suite_number_of(last) > 0
				       ? (uint64_t)suite_number_of(last)
				       : 0;
		last = w;
	}
	return 0;
}

/* "test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; ..." */
static int cargo_hold(struct suite *s, struct json_text line, size_t from,
		      size_t offset)
{
	uint64_t said[] = {
		[SUITE_PASSED] = before_word(line, "passed") +
				 before_word(line, "measured"),
		[SUITE_FAILED] = before_word(line, "failed"),
		[SUITE_SKIPPED] = before_word(line, "ignored"),
	};
	static const char *const names[] = { "passed", "failed", "ignored" };
	uint64_t has[3] = { 0 };

	for (size_t i = from; i < s->len; i++)
		has[s->tests[i].end]++;
	for (int i = 0; i < 3; i++)
		if (said[i] != has[i])
			return suite_disagree(s, offset, names[i], said[i],
					      has[i]);
	return 0;
}

int suite_cargo(struct suite *s)
{
	struct lines lines = lines_of(s->in);
	struct json_text line, name;
	size_t offset = 0, from = 0, results = 0;
	enum suite_end end;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset)) {
		if (cargo_test(line, &name, &end)) {
			r = suite_add(s, none, "", name, end);
		} else if (text_begins(line, "test result: ")) {
			r = cargo_hold(s, line, from, offset);
			from = s->len;
			results++;
		}
	}
	if (r == 0 && (results == 0 || from < s->len))
		r = suite_fail(s, "no_result", s->in->len,
			       "tests without a result: the run was cut short");
	return r;
}

/* --- go test -v ---------------------------------------------------------------- */

/* The open test of that name since from; NULL for none. */
static struct suite_test *go_find(const struct suite *s, size_t from,
				  struct json_text name)
{
	for (size_t i = s->len; i > from; i--) {
		struct suite_test *t = &s->tests[i - 1];

		if (t->end == SUITE_OPEN && t->len == name.len &&
		    memcmp(s->names.bytes + t->at, name.bytes, name.len) == 0)
			return t;
	}
	return NULL;
}

/* "--- PASS: TestX (0.00s)", indented for a subtest. */
static int go_end(struct suite *s, size_t from, struct json_text line,
		  enum suite_end end)
{
	struct json_text name = text_word(&line);
	struct suite_test *t = name.len > 0 ? go_find(s, from, name) : NULL;

	if (t == NULL)
		return 0; /* a line that a test printed */
	t->end = end;
	return 0;
}

/* A package is over: its tests get its name, and what did not end failed. */
static int go_package(struct suite *s, size_t *from, struct json_text name,
		      bool failed)
{
	size_t len = s->len, has_failed = 0;
	struct buf own = { .cap_bytes = SUITE_NAME_BYTES };
	int r = 0;

	for (size_t i = *from; r == 0 && i < len; i++) {
		struct suite_test *t = &s->tests[i];

		own.len = 0;
		buf_add(&own, s->names.bytes + t->at, t->len);
		if (t->end == SUITE_OPEN)
			t->end = SUITE_FAILED;
		has_failed += t->end == SUITE_FAILED;
		r = suite_add(s, name, ".",
			      (struct json_text){ own.bytes, own.len }, t->end);
		s->tests[i] = s->tests[s->len - 1];
		s->len = len;
	}
	if (r == 0 && failed && has_failed == 0)
		r = suite_add(s, none, "", name, SUITE_FAILED);
	*from = s->len;
	buf_done(&own);
	return r;
}

static int go_line(struct suite *s, struct json_text line, size_t *from,
		   size_t *packages)
{
	struct json_text text = text_trim(line), rest;

	if (text_begins(line, "=== RUN ")) {
		rest = text_trim(text_from(line, 8));
		return rest.len > 0 ? suite_add(s, none, "", rest, SUITE_OPEN)
				    : 0;
	}
	if (text_begins(text, "--- PASS: "))
		return go_end(s, *from, text_from(text, 10), SUITE_PASSED);
	if (text_begins(text, "--- FAIL: "))
		return go_end(s, *from, text_from(text, 10), SUITE_FAILED);
	if (text_begins(text, "--- SKIP: "))
		return go_end(s, *from, text_from(text, 10), SUITE_SKIPPED);
	if (!text_begins(line, "ok  \t") && !text_begins(line, "FAIL\t") &&
	    !text_begins(line, "?   \t"))
		return 0;
	*packages += 1;
	rest = text_from(line, 5);
	return go_package(s, from, text_word(&rest), line.bytes[0] == 'F');
}

int suite_go(struct suite *s)
{
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0, from = 0, packages = 0;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset))
		r = go_line(s, line, &from, &packages);
	if (r == 0 && (packages == 0 || from < s->len))
		r = suite_fail(s, "no_result", s->in->len,
			       "tests without a result: the run was cut short, "
			       "or has no -v");
	return r;
}

/* --- python3 -m unittest ---------------------------------------------------------- */

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

static int unittest_end(struct suite *s, struct json_text line, uint64_t ran,
			size_t offset)
{
	uint64_t failed =
		after_word(line, "failures") + after_word(line, "errors");
	uint64_t odd = after_word(line, "unexpected successes");
	uint64_t skipped = after_word(line, "skipped") +
			   after_word(line, "expected failures");
	uint64_t rest = failed + odd + skipped;

	/* before Python 3.12 an unexpected success has no heading */
	if (s->len != failed && s->len != failed + odd)
		return suite_disagree(s, offset, "failures and errors",
				      failed + odd, s->len);
	s->unnamed_failed = failed + odd - s->len;
	s->unnamed_skipped = skipped;
	/* subtests and set-ups fail without having run as a test */
	s->unnamed_passed = ran > rest ? ran - rest : 0;
	return 0;
}

int suite_unittest(struct suite *s)
{
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;
	int64_t ran = -1;
	bool has_ended = false;
	int r = 0;

	while (r == 0 && !has_ended && line_next(&lines, &line, &offset)) {
		if (text_begins(line, "FAIL: ")) {
			r = suite_add(s, none, "", text_from(line, 6),
				      SUITE_FAILED);
		} else if (text_begins(line, "ERROR: ")) {
			r = suite_add(s, none, "", text_from(line, 7),
				      SUITE_FAILED);
		} else if (text_begins(line, "UNEXPECTED SUCCESS: ")) {
			r = suite_add(s, none, "", text_from(line, 20),
				      SUITE_FAILED);
		} else if (text_begins(line, "Ran ")) {
			struct json_text rest = text_from(line, 4);

			ran = suite_number_of(text_word(&rest));
		} else if (ran >= 0 && (text_begins(line, "OK") ||
					text_begins(line, "FAILED") ||
					text_begins(line, "NO TESTS RAN"))) {
			r = unittest_end(s, line, (uint64_t)ran, offset);
			has_ended = true;
		}
	}
	if (r == 0 && !has_ended)
		r = suite_fail(s, "no_result", s->in->len,
			       "no summary: the run was cut short");
	return r;
}
