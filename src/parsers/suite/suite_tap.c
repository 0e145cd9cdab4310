/* suite_tap.c -- reads the Test Anything Protocol, versions 12 to 14.
 *
 * Subtests are indented by four spaces for each level, and come before the test
 * that sums them up.  The name in "# Subtest: NAME" is put before their names.
 * A test whose diagnostics say "type: 'suite'" (Node's describe) is a heading
 * and is not counted, unless it failed for another reason than a test below it.
 * Each level's plan is checked against its tests.
 * Source: testanything.org, TAP 14 specification. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

#define INDENT 4

struct level {
	bool has_plan;
	uint64_t planned, points;
	uint64_t failed; /* of all tests, before this level */
	size_t name_len; /* of path, including this level's subtest */
	size_t offset;   /* of the plan */
};

struct tap {
	struct suite *suite;
	struct level levels[SUITE_DEPTH];
	size_t top;      /* the deepest level that is open */
	struct buf path; /* names of the open subtests, " > " between them */
	/* there is a test whose diagnostics may follow */
	bool has_point;
	size_t point_level, point_index;
	bool is_heading, has_own_failure; /* what they say about it */
	bool is_in_yaml, is_in_error;     /* a text of several lines follows */
	uint64_t failed;                  /* tests, so far */
	struct buf name;
};

static size_t indent_of(struct json_text t)
{
	size_t n = 0;

	while (n < t.len && t.bytes[n] == ' ')
		n++;
	return n;
}

/* --- levels ------------------------------------------------------------------- */

static int level_close(struct tap *t, size_t offset)
{
	const struct level *l = &t->levels[t->top];

	if (l->has_plan && l->planned != l->points)
		return suite_disagree(t->suite, l->offset, "plan", l->planned,
				      l->points);
	if (!l->has_plan && (l->points > 0 || t->top == 0))
		return suite_fail(t->suite, "no_plan", offset,
				  "the report or a subtest ends without its "
				  "plan: it was cut short");
	t->levels[t->top] = (struct level){ 0 };
	return 0;
}

/* Close the levels below that of this line, and open those up to it. */
static int level_enter(struct tap *t, size_t level, size_t offset)
{
	int r = 0;

	if (level >= SUITE_DEPTH)
		return suite_fail(t->suite, "too_deep", offset,
				  "subtests are nested more than 64 deep");
	for (; r == 0 && t->top > level; t->top--)
		r = level_close(t, offset);
	while (r == 0 && t->top < level) {
		t->top++;
		t->levels[t->top] = (struct level){ .failed = t->failed };
	}
	return r;
}

/* The text before the names of this level. */
static struct json_text prefix_of(const struct tap *t, size_t level)
{
	size_t n = level > 0 ? t->levels[level - 1].name_len : 0;

	return (struct json_text){ t->path.bytes, n };
}

/* --- lines -------------------------------------------------------------------- */

/* Remove TAP's backslashes before '#' and '\'. */
static struct json_text unescape(struct tap *t, struct json_text text)
{
	t->name.len = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (text.bytes[i] == '\\' && i + 1 < text.len &&
		    (text.bytes[i + 1] == '#' || text.bytes[i + 1] == '\\'))
			i++;
		buf_char(&t->name, text.bytes[i]);
	}
	return (struct json_text){ t->name.bytes, t->name.len };
}

static int subtest_take(struct tap *t, size_t level, struct json_text name,
			size_t offset)
{
	struct json_text prefix;
	int r = level_enter(t, level, offset);

	if (r < 0)
		return r;
	prefix = prefix_of(t, level);
	t->path.len = prefix.len;
	if (prefix.len > 0)
		buf_text(&t->path, " > ");
	name = unescape(t, text_trim(name));
	if (name.len > 0)
		buf_add(&t->path, name.bytes, name.len);
	t->levels[level].name_len = t->path.len;
	return buf_has_failed(&t->path) || buf_has_failed(&t->name)
		       ? suite_fail(t->suite, "no_memory", offset, "no memory")
		       : 0;
}

/* Read "1..N", which a directive may follow. */
static bool plan_read(struct json_text t, uint64_t *ret)
{
	struct json_text number;
	int64_t n;

	if (!text_begins(t, "1..") && !text_begins(t, "0..0"))
		return false;
	number = text_trim(text_cut(text_from(t, 3), '#', NULL));
	n = suite_number_of(number);
	*ret = n > 0 ? (uint64_t)n : 0;
	return n >= 0;
}

/* Cut at the first '#' without a backslash before it; returns the word after
 * it. */
static struct json_text directive_cut(struct json_text *t)
{
	struct json_text none = { NULL, 0 };

	for (size_t i = 0; i < t->len; i++) {
		struct json_text rest;

		if (t->bytes[i] == '\\') {
			i++;
			continue;
		}
		if (t->bytes[i] != '#' || i == 0 || t->bytes[i - 1] != ' ')
			continue;
		rest = text_from(*t, i + 1);
		t->len = i;
		return text_word(&rest);
	}
	return none;
}

/* A whole word, which ':' may end, as in "# SKIP: no network". */
static bool is_word(struct json_text t, const char *word)
{
	const size_t n = strlen(word);

	if (text_ends(t, ":"))
		t.len--;
	return t.len == n && strncasecmp(t.bytes, word, n) == 0;
}

/* Take what follows "ok" or "not ok". */
static int point_take(struct tap *t, size_t level, struct json_text rest,
		      bool is_ok, size_t offset)
{
	struct json_text directive = directive_cut(&rest);
	struct json_text after = rest, number = text_word(&after);
	bool is_skipped =
		is_word(directive, "skip") || is_word(directive, "todo");
	bool is_failed = !is_ok && !is_skipped;
	struct json_text prefix = { NULL, 0 };
	bool has_below =
		t->top > level && t->failed > t->levels[level + 1].failed;
	int r = level_enter(t, level, offset);

	if (r < 0)
		return r;
	if (suite_number_of(number) >= 0)
		rest = after;
	rest = text_trim(rest);
	if (text_begins(rest, "- "))
		rest = text_trim(text_from(rest, 2));
	t->levels[level].points++;
	t->failed += is_failed;
	t->has_point = true;
	t->is_heading = false;
	t->has_own_failure = is_failed && !has_below;
	t->point_level = level;
	t->point_index = t->suite->len;
	/* a description is the name: without one, no subtest above gives one */
	if (rest.len > 0 || is_failed)
		prefix = prefix_of(t, level);
	return suite_add(t->suite, prefix, " > ", unescape(t, rest),
			 is_skipped  ? SUITE_SKIPPED
			 : is_failed ? SUITE_FAILED
				     : SUITE_PASSED);
}

static void place_take(struct suite *s, struct suite_test *test,
		       struct json_text text)
{
	struct json_text file, rest;
	int64_t at;

	if (suite_place_cut(text, &file, &at, &rest))
		suite_say_place(s, test, file, at);
}

/* Take what the diagnostics of node, mocha and others say about a failure. */
static void told_take(struct tap *t, struct json_text line)
{
	struct suite_test *test = &t->suite->tests[t->point_index];
	struct json_text value, key = text_cut(line, ':', &value);

	if (t->is_in_error) {
		suite_say_message(t->suite, test, line);
		t->is_in_error = false;
		return;
	}
	value = text_unquote(text_trim(value));
	if (text_is(key, "duration_ms"))
		suite_say_duration(t->suite, test, suite_whole_of(value));
	else if (text_is(key, "location") || text_is(key, "at"))
		place_take(t->suite, test, value);
	else if (text_in(key, "error message")) {
		t->is_in_error =
			text_begins(value, "|") || text_begins(value, ">");
		if (!t->is_in_error)
			suite_say_message(t->suite, test, value);
	}
}

/* The diagnostics are over.  A heading is not a test, but if it failed by
 * itself (in a hook) it is a failure that no test below it shows. */
static void yaml_end(struct tap *t)
{
	struct suite *s = t->suite;

	t->is_in_yaml = false;
	t->is_in_error = false;
	if (t->has_point && t->is_heading && !t->has_own_failure) {
		const struct suite_test *heading = &s->tests[t->point_index];

		t->failed -= heading->end == SUITE_FAILED;
		if (heading->said > 0 && heading->said == s->said_len)
			s->said_len--; /* make room for a test's */
		s->len = t->point_index;
		t->has_point = false;
	}
	t->is_heading = false;
}

/* Take a line of the diagnostics of the last test. */
static void yaml_take(struct tap *t, struct json_text line)
{
	struct json_text value, key = text_cut(line, ':', &value);

	if (text_is(line, "...")) {
		yaml_end(t);
	} else if (t->has_point && text_is(line, "type: 'suite'")) {
		t->is_heading = true;
	} else if (t->has_point) {
		value = text_unquote(text_trim(value));
		t->has_own_failure |=
			t->suite->tests[t->point_index].end == SUITE_FAILED &&
			text_is(key, "failureType") &&
			!text_is(value, "subtestsFailed");
		told_take(t, line);
	}
}

static int line_take(struct tap *t, struct json_text line, size_t offset)
{
	size_t indent = indent_of(line), level = indent / INDENT;
	struct json_text text = text_trim(line);
	uint64_t planned;
	int r;

	if (t->is_in_yaml) {
		yaml_take(t, text);
		return 0;
	}
	if (t->has_point && text_is(text, "---") &&
	    indent == t->point_level * INDENT + 2) {
		t->is_in_yaml = true;
		return 0;
	}
	if (indent % INDENT != 0)
		return 0; /* it is output of a test */
	if (text_begins(text, "# Subtest: "))
		return subtest_take(t, level, text_from(text, 11), offset);
	if (text_is(text, "ok") || text_begins(text, "ok "))
		return point_take(t, level, text_from(text, 2), true, offset);
	if (text_is(text, "not ok") || text_begins(text, "not ok "))
		return point_take(t, level, text_from(text, 6), false, offset);
	if (text_begins(text, "Bail out!"))
		return suite_fail(t->suite, "bail_out", offset,
				  "the suite stopped with Bail out!");
	if (!plan_read(text, &planned))
		return 0;
	r = level_enter(t, level, offset);
	if (r < 0)
		return r;
	if (t->levels[level].has_plan)
		return suite_fail(t->suite, "counts_disagree", offset,
				  "a second plan");
	t->levels[level].has_plan = true;
	t->levels[level].planned = planned;
	t->levels[level].offset = offset;
	return 0;
}

int suite_tap(struct suite *s)
{
	struct tap t = { .suite = s };
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;
	int r = 0;

	t.path.cap_bytes = PARSE_STRING_BYTES;
	while (r == 0 && line_next(&lines, &line, &offset))
		r = line_take(&t, line, offset);
	if (t.is_in_yaml)
		yaml_end(&t);
	if (r == 0)
		r = level_enter(&t, 0, s->in->len);
	if (r == 0)
		r = level_close(&t, s->in->len);
	buf_done(&t.path);
	buf_done(&t.name);
	return r;
}
