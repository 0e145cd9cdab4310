/* tests_lines.c -- counts the tests in Python, Go and Rust, line by line.
 *
 * Lines inside a string of several lines are told apart from code only in
 * Python, where examples stand in such strings. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/tests/tests_scan.h"

/* Of a file of Python; what is beyond them is taken for what came before. */
#define CLASSES_AROUND 16U
#define CLASSES_KNOWN  64U

/* Whether t begins with the word, and no letter follows. */
static bool word_begins(struct json_text t, const char *word)
{
	size_t n = 0;

	if (!text_begins(t, word))
		return false;
	while (word[n] != '\0')
		n++;
	return n == t.len || !text_is_word_byte(t.bytes[n]);
}

static bool is_skip_decorator(struct json_text line)
{
	return word_begins(line, "@pytest.mark.skip") ||
	       word_begins(line, "@unittest.skip") ||
	       word_begins(line, "@skip");
}

/* Whether three quotes stand at byte i. */
static bool is_triple(struct json_text line, size_t i, char quote)
{
	return line.len - i >= 3 && line.bytes[i] == quote &&
	       line.bytes[i + 1] == quote && line.bytes[i + 2] == quote;
}

/* Behind the string that begins at byte i, or behind the line if it has no end. */
static size_t string_end(struct json_text line, size_t i)
{
	char quote = line.bytes[i++];

	while (i < line.len && line.bytes[i] != quote)
		i += line.bytes[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* The quote of the string of several lines in which the line ends; '\0' if it
 * ends in code.
 *
 * @quote	the same, for the line's beginning */
static char quote_after(struct json_text line, char quote)
{
	size_t i = 0;

	while (i < line.len) {
		char c = line.bytes[i];

		if (quote != '\0' && is_triple(line, i, quote)) {
			quote = '\0';
			i += 3;
		} else if (quote != '\0') {
			i += c == '\\' ? 2 : 1;
		} else if (c == '#') {
			break;
		} else if ((c == '"' || c == '\'') && is_triple(line, i, c)) {
			quote = c;
			i += 3;
		} else {
			i = c == '"' || c == '\'' ? string_end(line, i) : i + 1;
		}
	}
	return quote;
}

/* The classes around a line, from the outside in, and the names of all classes of
 * the file that hold tests. */
struct classes {
	struct {
		size_t indent;
		bool has_tests;
	} around[CLASSES_AROUND];
	size_t depth;
	struct json_text known[CLASSES_KNOWN];
	size_t known_len;
};

/* A class of tests, or a base of one, by its name: TestA, ATests, DjangoTestCase,
 * MachineCase. */
static bool names_tests(struct json_text name)
{
	return text_begins(name, "Test") || text_begins(name, "test") ||
	       text_has(name, "TestCase") || text_ends(name, "Test") ||
	       text_ends(name, "Tests") || text_ends(name, "Case");
}

/* The name that is behind the last point of "a.b.C" at the text's beginning. */
static struct json_text last_name(struct json_text t)
{
	size_t from = 0, n = 0;

	while (n < t.len &&
	       (text_is_word_byte(t.bytes[n]) || t.bytes[n] == '.')) {
		n++;
		if (t.bytes[n - 1] == '.')
			from = n;
	}
	return (struct json_text){ t.bytes + from, n - from };
}

static bool is_known(const struct classes *c, struct json_text name)
{
	for (size_t i = 0; i < c->known_len; i++)
		if (c->known[i].len == name.len &&
		    memcmp(c->known[i].bytes, name.bytes, name.len) == 0)
			return true;
	return false;
}

/* Whether the class has tests, by its name or one of its bases.  The bases that stand
 * in further lines may be such. */
static bool class_has_tests(const struct classes *c, struct json_text name,
			    struct json_text head)
{
	struct json_text bases, base;

	if (names_tests(name))
		return true;
	(void)text_cut(head, '(', &bases);
	if (bases.bytes == NULL)
		return false;
	if (!text_has(bases, ")"))
		return true;
	bases = text_cut(bases, ')', NULL);
	while (bases.bytes != NULL) {
		base = last_name(text_trim(text_cut(bases, ',', &bases)));
		if (names_tests(base) || is_known(c, base))
			return true;
	}
	return false;
}

/* Leave the classes that a line with that indent is not in. */
static void classes_leave(struct classes *c, size_t indent)
{
	while (c->depth > 0 && c->around[c->depth - 1].indent >= indent)
		c->depth--;
}

/* What is in more classes than are kept is taken for the last one's. */
static void class_enter(struct classes *c, size_t indent, struct json_text line)
{
	struct json_text head = text_trim(text_from(line, sizeof "class" - 1));
	const struct json_text name = last_name(head);
	const bool has_tests = class_has_tests(c, name, head);

	classes_leave(c, indent);
	if (has_tests && c->known_len < CLASSES_KNOWN)
		c->known[c->known_len++] = name;
	if (c->depth == CLASSES_AROUND)
		return;
	c->around[c->depth].indent = indent;
	c->around[c->depth++].has_tests = has_tests;
}

/* "def test_a():" */
static bool takes_nothing(struct json_text line)
{
	struct json_text rest;

	(void)text_cut(line, '(', &rest);
	return rest.bytes != NULL && text_begins(text_trim(rest), ")");
}

/* Whether a function that is called so is a test in a file of a name that only some
 * runners take.  nose calls functions that take nothing; pytest, where it is told to
 * take such files, those with fixtures, too. */
static bool is_loose_test(const struct classes *c, size_t indent,
			  struct json_text line, const struct scan *scan)
{
	if (c->depth > 0)
		return c->around[c->depth - 1].has_tests;
	return indent > 0 || takes_nothing(line) ||
	       (scan->imports & SCAN_PYTEST) != 0;
}

static size_t indent_of(struct json_text line)
{
	size_t n = 0;

	while (n < line.len && (line.bytes[n] == ' ' || line.bytes[n] == '\t'))
		n++;
	return n;
}

static void import_note(struct json_text line, struct scan *ret)
{
	if (word_begins(line, "import pytest") ||
	    word_begins(line, "from pytest"))
		ret->imports |= SCAN_PYTEST;
	if (word_begins(line, "import unittest") ||
	    word_begins(line, "from unittest"))
		ret->imports |= SCAN_UNITTEST;
}

static void python_scan(const struct parse_input *in, bool is_loose,
			struct scan *ret)
{
	struct classes classes = { .depth = 0 };
	struct lines lines = lines_of(in);
	struct json_text line;
	bool is_skipped = false;
	char quote = '\0';
	size_t offset, indent;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		char before = quote;

		quote = quote_after(line, quote);
		if (before != '\0')
			continue;
		indent = indent_of(line);
		line = text_trim(line);
		import_note(line, ret);
		if (is_skip_decorator(line))
			is_skipped = true;
		if (text_begins(line, "class ")) {
			is_skipped = false;
			class_enter(&classes, indent, line);
		}
		if (text_begins(line, "async def "))
			line = text_from(line, sizeof "async" - 1 + 1);
		if (!text_begins(line, "def "))
			continue;
		classes_leave(&classes, indent);
		if (text_begins(line, "def test") &&
		    (!is_loose || is_loose_test(&classes, indent, line, ret))) {
			ret->tests++;
			ret->skipped += is_skipped;
		}
		is_skipped = false;
	}
}

void tests_scan_python(const struct parse_input *in, struct scan *ret)
{
	python_scan(in, false, ret);
}

void tests_scan_python_loose(const struct parse_input *in, struct scan *ret)
{
	python_scan(in, true, ret);
}

void tests_scan_go(const struct parse_input *in, struct scan *ret)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		if (!text_begins(line, "func Test") ||
		    word_begins(line, "func TestMain"))
			continue;
		line = text_from(line, sizeof "func Test" - 1);
		/* "Testing" is another name; TestX and Test are tests. */
		if (line.len > 0 &&
		    !(line.bytes[0] >= 'a' && line.bytes[0] <= 'z'))
			ret->tests++;
	}
}

/* #[test], #[tokio::test], #[tokio::test(flavor = "x")] */
static bool is_test_attribute(struct json_text line)
{
	struct json_text path;

	if (!text_begins(line, "#["))
		return false;
	path = text_cut(text_from(line, 2), ']', NULL);
	path = text_trim(text_cut(path, '(', NULL));
	return text_is(path, "test") || text_ends(path, "::test");
}

void tests_scan_rust(const struct parse_input *in, struct scan *ret)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	bool is_test = false, is_ignored = false;
	size_t offset;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		line = text_trim(line);
		is_test = is_test || is_test_attribute(line);
		is_ignored = is_ignored || text_begins(line, "#[ignore");
		if (line.len == 0 || text_begins(line, "//") ||
		    (text_begins(line, "#") && !text_has(line, "fn ")))
			continue;
		ret->tests += is_test;
		ret->skipped += is_test && is_ignored;
		is_test = is_ignored = false;
	}
}
