/* tests_lines.c -- counts the tests in Python, Go and Rust, line by line.
 *
 * Lines inside a string of several lines are told apart from code only in
 * Python, where examples stand in such strings. */
#include "parsers/common/text_piece.h"
#include "parsers/tests/tests_scan.h"

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* Whether t begins with the word, and no letter follows. */
static bool word_begins(struct json_text t, const char *word)
{
	size_t n = 0;

	if (!text_begins(t, word))
		return false;
	while (word[n] != '\0')
		n++;
	return n == t.len || !is_word_byte(t.bytes[n]);
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

void tests_scan_python(const struct parse_input *in, struct scan *ret)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	bool is_skipped = false;
	char quote = '\0';
	size_t offset;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		char before = quote;

		quote = quote_after(line, quote);
		if (before != '\0')
			continue;
		line = text_trim(line);
		if (word_begins(line, "import pytest") ||
		    word_begins(line, "from pytest"))
			ret->imports |= SCAN_PYTEST;
		if (word_begins(line, "import unittest") ||
		    word_begins(line, "from unittest"))
			ret->imports |= SCAN_UNITTEST;
		if (is_skip_decorator(line))
			is_skipped = true;
		if (text_begins(line, "class "))
			is_skipped = false;
		if (text_begins(line, "async def "))
			line = text_from(line, sizeof "async" - 1 + 1);
		if (!text_begins(line, "def "))
			continue;
		if (text_begins(line, "def test")) {
			ret->tests++;
			ret->skipped += is_skipped;
		}
		is_skipped = false;
	}
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
