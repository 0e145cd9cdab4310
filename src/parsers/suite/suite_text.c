/* suite_text.c -- reads what cargo test and go test -v print for people.
 *
 * These tools have no report of their own.  A test can print such lines, too,
 * but it could write a false report just as well, so nothing is lost. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"
#include "parsers/suite/suite_index.h"

static const struct json_text none = { NULL, 0 };

/* --- cargo test --------------------------------------------------------------- */

/* Read "test NAME ... ok": the name, and how it ended. */
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

/* Check "test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; ..." */
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

/* The state of reading what go test -v prints. */
struct go {
	struct suite *suite;
	struct suite_index index; /* of this package's tests */
	size_t from;              /* the first one of them */
	size_t packages;
	struct json_text log; /* last output of a test: "x_test.go:3: no" */
	struct json_text log_of, running; /* that test; the one that runs now */
};

static bool is_same(struct json_text a, struct json_text b)
{
	return a.len == b.len && a.len > 0 &&
	       memcmp(a.bytes, b.bytes, a.len) == 0;
}

/* "--- PASS: TestX (0.00s)", indented for a subtest. */
static int go_end(struct go *g, struct json_text line, enum suite_end end)
{
	struct json_text name = text_word(&line), file, rest;
	struct suite_named *named = suite_index_find(&g->index, NULL, name);
	struct suite_test *t;
	int64_t at;

	if (named == NULL || !suite_index_close(named))
		return 0; /* a line that a test printed */
	t = &g->suite->tests[named->ended - 1];
	t->end = end;
	rest = text_cut(text_from(text_trim(line), 1), 's', NULL);
	suite_say_duration(g->suite, t, suite_ms_of(rest));
	/* a test's end comes before the lines with its subtests' ends */
	if (g->log_of.len > 0 && !is_same(g->log_of, name))
		return 0;
	if (end == SUITE_FAILED && suite_place_cut(g->log, &file, &at, &rest)) {
		suite_say_place(g->suite, t, file, at);
		suite_say_message(g->suite, t, text_trim(text_from(rest, 1)));
	}
	g->log = none;
	return 0;
}

/* A package is over: its tests get its name, and those without an end have
 * failed. */
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
		if (r < 0)
			break;
		s->tests[s->len - 1].said = s->tests[i].said;
		s->tests[i] = s->tests[s->len - 1];
		s->len = len;
	}
	if (r == 0 && failed && has_failed == 0)
		r = suite_add(s, none, "", name, SUITE_FAILED);
	*from = s->len;
	buf_done(&own);
	return r;
}

static int go_run(struct go *g, struct json_text name)
{
	struct suite_named *named = suite_index_put(&g->index, NULL, name);

	if (named == NULL ||
	    !suite_index_open(&g->index, NULL, named, g->suite->len))
		return suite_fail(g->suite, "no_memory", 0, "no memory");
	return suite_add(g->suite, none, "", name, SUITE_OPEN);
}

static int go_line(struct go *g, struct json_text line)
{
	struct json_text text = text_trim(line), rest;

	if (text_begins(line, "=== ")) {
		rest = text_trim(text_from(line, 8));
		g->running = rest;
		return text_begins(line, "=== RUN ") && rest.len > 0
			       ? go_run(g, rest)
			       : 0;
	}
	if (text_begins(text, "--- PASS: "))
		return go_end(g, text_from(text, 10), SUITE_PASSED);
	if (text_begins(text, "--- FAIL: "))
		return go_end(g, text_from(text, 10), SUITE_FAILED);
	if (text_begins(text, "--- SKIP: "))
		return go_end(g, text_from(text, 10), SUITE_SKIPPED);
	if (text_begins(line, "    ") && text_has(text, ".go:")) {
		g->log = text;
		g->log_of = g->running;
	}
	if (!text_begins(line, "ok  \t") && !text_begins(line, "FAIL\t") &&
	    !text_begins(line, "?   \t"))
		return 0;
	g->packages++;
	suite_index_done(&g->index);
	rest = text_from(line, 5);
	return go_package(g->suite, &g->from, text_word(&rest),
			  line.bytes[0] == 'F');
}

/* Whether it is output of go test -json, which begins with an event, or with a
 * package that could not be built. */
static bool go_is_json(const struct suite *s)
{
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;

	while (line_next(&lines, &line, &offset)) {
		if (text_begins(line, "{\"") && text_has(line, "\"Action\":"))
			return true;
		if (text_begins(line, "=== RUN ") ||
		    text_begins(line, "ok  \t"))
			return false;
	}
	return false;
}

int suite_go(struct suite *s)
{
	struct lines lines = lines_of(s->in);
	struct go g = { .suite = s };
	struct json_text line;
	size_t offset = 0;
	int r = 0;

	if (go_is_json(s))
		return suite_go_json(s);
	while (r == 0 && line_next(&lines, &line, &offset))
		r = go_line(&g, line);
	suite_index_done(&g.index);
	if (r == 0 && (g.packages == 0 || g.from < s->len))
		r = suite_fail(s, "no_result", s->in->len,
			       "tests without a result: the run was cut short, "
			       "or has no -v");
	return r;
}
