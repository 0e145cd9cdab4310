/* tests_marks.c -- see tests_marks.h. */
#include "parsers/tests/tests_marks.h"

#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/tests/tests_marked.h"

/* Whether the stem begins (or ends) with one of the words. */
static bool one_fits(struct json_text stem, const char *list, bool at_end)
{
	struct json_text words = { list, strlen(list) }, word;

	while ((word = text_word(&words)).len > 0) {
		size_t at = at_end ? stem.len - word.len : 0;

		if (word.len <= stem.len &&
		    memcmp(stem.bytes + at, word.bytes, word.len) == 0)
			return true;
	}
	return false;
}

/* Whether a directory above the file is one of the list. */
static bool dir_fits(struct json_text path, const char *list)
{
	struct json_text rest = path, dir;

	while (list != NULL && rest.bytes != NULL) {
		dir = text_cut(rest, '/', &rest);
		if (rest.bytes != NULL && text_in(dir, list))
			return true;
	}
	return false;
}

const struct marked *tests_marked_find(struct json_text path)
{
	const char *slash =
		path.len > 0 ? memrchr(path.bytes, '/', path.len) : NULL;
	struct json_text base = text_from(
		path, slash != NULL ? (size_t)(slash + 1 - path.bytes) : 0);
	const char *dot =
		base.len > 0 ? memrchr(base.bytes, '.', base.len) : NULL;
	struct json_text stem, end;

	if (dot == NULL)
		return NULL;
	stem = (struct json_text){ base.bytes, (size_t)(dot - base.bytes) };
	end = text_from(base, stem.len + 1);
	for (size_t i = 0; i < tests_marked_len; i++) {
		const struct marked *m = &tests_marked[i];

		if (text_in(end, m->ends) &&
		    (m->tails[0] == '\0' || one_fits(stem, m->heads, false) ||
		     one_fits(stem, m->tails, true) || dir_fits(path, m->dirs)))
			return m;
	}
	return NULL;
}

/* "*_TEST(": a macro of the project's own with an ending that is known. */
static bool macro_fits(struct json_text line, const char *ending)
{
	size_t n = 0, len = strlen(ending);

	while (n < line.len &&
	       (line.bytes[n] == '_' ||
		(line.bytes[n] >= 'A' && line.bytes[n] <= 'Z') ||
		(line.bytes[n] >= '0' && line.bytes[n] <= '9')))
		n++;
	return n < line.len && n + 1 > len &&
	       memcmp(line.bytes + n + 1 - len, ending, len) == 0;
}

/* "#include ANY/catch": a header by its name, whatever directory it is in. */
static bool header_fits(struct json_text line, const char *name)
{
	struct json_text rest;

	(void)text_cut(line, ' ', &rest);
	rest = text_cut(text_trim(rest), ' ', NULL);
	while (rest.bytes != NULL && text_has(rest, "/"))
		(void)text_cut(rest, '/', &rest);
	if (text_begins(rest, "<") || text_begins(rest, "\""))
		rest = text_from(rest, 1);
	return text_begins(rest, name);
}

/* No letter may follow a mark that ends with a word with '@': "@Test" is not
 * "@TestInstance".  Other marks are only beginnings. */
static bool begin_fits(struct json_text line, const struct mark *m)
{
	static const char header[] = "#include */";
	size_t n = strlen(m->text);
	char c;

	if (strncmp(m->text, "*_", 2) == 0)
		return macro_fits(line, m->text + 1);
	if (strncmp(m->text, header, sizeof header - 1) == 0)
		return text_begins(line, "#include ") &&
		       header_fits(line, m->text + sizeof header - 1);

	if (!text_begins(line, m->text))
		return false;
	if (strchr(m->text, '@') == NULL || line.len == n ||
	    m->text[n - 1] == ' ')
		return true;
	c = line.bytes[n];
	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* A comment of C, or a line of its preprocessor. */
static bool is_no_code(struct json_text line)
{
	return text_begins(line, "/") || text_begins(line, "*") ||
	       text_begins(line, "#");
}

/* "void testA()" of JUnit 3; one with parameters only helps the tests. */
static bool takes_nothing(struct json_text line)
{
	struct json_text rest;

	(void)text_cut(line, '(', &rest);
	return rest.bytes != NULL && text_begins(text_trim(rest), ")");
}

static bool is_function(struct json_text line)
{
	return !text_ends(line, ";") &&
	       (text_has(line, "(void)") || text_has(line, "()"));
}

/* "void test_SUITE__NAME(void)".  Clar runs what has one of the three names before or
 * after the tests of a suite. */
static bool is_clar(struct json_text line)
{
	return is_function(line) && text_has(line, "__") &&
	       !text_has(line, "__initialize(") &&
	       !text_has(line, "__initialize_") &&
	       !text_has(line, "__cleanup(");
}

/* What a file is known by so far. */
struct known {
	/* The framework: first a hint, then an import that says more. */
	enum framework hint, imported;
	bool in_table;
};

static bool mark_fits(struct json_text line, const struct mark *m,
		      const struct known *known)
{
	switch (m->kind) {
	case MARK_EACH:
		return !is_no_code(line) && text_has(line, m->text);
	case MARK_TABLE:
		return !is_no_code(line) && text_has(line, m->text) &&
		       text_has(line, "=") && !text_ends(line, ";");
	case MARK_ENTRY:
		return known->in_table && text_begins(line, m->text);
	case MARK_TEST_OF:
	case MARK_SKIPPED_OF:
	case MARK_FUNCTION_OF:
		return known->imported == m->framework &&
		       text_begins(line, m->text) && !text_ends(line, ";") &&
		       (m->kind != MARK_FUNCTION_OF || is_function(line));
	case MARK_CLAR:
		return known->imported == FRAMEWORK_NONE &&
		       text_begins(line, m->text) && is_clar(line);
	default:
		return begin_fits(line, m);
	}
}

/* The first mark of the language that the line has, or NULL. */
static const struct mark *line_mark(struct json_text line,
				    const struct marked *m,
				    const struct known *known)
{
	for (size_t i = 0; i < MARKS_MAX && m->marks[i].kind != MARK_NONE_; i++)
		if (mark_fits(line, &m->marks[i], known))
			return &m->marks[i];
	return NULL;
}

static void known_add(struct known *known, const struct mark *mark,
		      enum framework usual)
{
	if (mark->framework == 0)
		return;
	if (mark->kind == MARK_IMPORT && known->imported == usual)
		known->imported = mark->framework;
	else if (mark->kind != MARK_IMPORT && known->hint == usual)
		known->hint = mark->framework;
}

static size_t times(struct json_text line, const char *text)
{
	size_t n = 0, len = strlen(text);
	const char *at;

	while (line.len > 0 &&
	       (at = memmem(line.bytes, line.len, text, len)) != NULL) {
		n++;
		line = text_from(line, (size_t)(at - line.bytes) + len);
	}
	return n;
}

/* How many tests a line with the mark stands for. */
static size_t tests_in(struct json_text line, const struct mark *mark,
		       bool is_annotated)
{
	switch (mark->kind) {
	case MARK_TEST:
	case MARK_ANNOTATION:
	case MARK_TEST_OF:
	case MARK_SKIPPED_OF:
	case MARK_FUNCTION_OF:
	case MARK_CLAR:
	case MARK_ENTRY:
		return 1;
	case MARK_METHOD:
		return !is_annotated;
	case MARK_BARE:
		return !is_annotated && takes_nothing(line);
	case MARK_EACH:
		return times(line, mark->text);
	default:
		return 0;
	}
}

/* Whether the comment that the line begins or goes on with lasts into the next
 * line.  One that begins with two stars is not looked at: it may have marks. */
static bool comment_lasts(struct json_text line, const struct marked *m,
			  bool in_comment)
{
	if (m->usual == FRAMEWORK_RSPEC || m->usual == FRAMEWORK_MINITEST ||
	    m->usual == FRAMEWORK_BATS)
		return false;
	if (!in_comment &&
	    (!text_begins(line, "/*") || text_begins(line, "/**")))
		return false;
	return !text_has(line, "*/");
}

/* Whether an annotation before the line was for what the line begins. */
static bool is_method(enum mark_kind kind)
{
	return kind == MARK_METHOD || kind == MARK_BARE || kind == MARK_OTHER;
}

/* What is known of the lines before. */
struct state {
	struct known known;
	bool is_annotated, is_skipped, is_base;
};

static void line_read(struct state *s, struct json_text line,
		      const struct marked *m, struct scan *ret)
{
	static const struct mark none = { MARK_NONE_, "", 0 };
	const struct mark *mark = line_mark(line, m, &s->known);
	enum mark_kind kind;
	size_t tests;

	if (mark == NULL)
		mark = &none;
	tests = s->is_base ? 0 : tests_in(line, mark, s->is_annotated);
	kind = mark->kind;
	known_add(&s->known, mark, m->usual);

	if (kind == MARK_TABLE)
		s->known.in_table = true;
	if (text_begins(line, "}") && text_has(line, ";"))
		s->known.in_table = false;
	if (kind == MARK_BASE || kind == MARK_CLASS)
		s->is_base = kind == MARK_BASE;
	ret->tests += tests;
	ret->has_shared |= kind == MARK_SHARED;
	if (kind == MARK_SKIP || kind == MARK_SKIPPED_OF)
		s->is_skipped = true;
	ret->skipped += s->is_skipped ? tests : 0;
	if (tests > 0 || is_method(kind))
		s->is_skipped = false;
	if (kind == MARK_ANNOTATION || kind == MARK_NO_TEST)
		s->is_annotated = true;
	if (is_method(kind))
		s->is_annotated = false;
}

void tests_marked_scan(const struct parse_input *in, const struct marked *m,
		       struct scan *ret, enum framework *ret_framework)
{
	struct state s = { .known = { m->usual, m->usual, false } };
	struct lines lines = lines_of(in);
	struct json_text line;
	bool in_comment = false;
	size_t offset;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		line = text_trim(line);
		in_comment = comment_lasts(line, m, in_comment);
		if (!in_comment)
			line_read(&s, line, m, ret);
	}
	*ret_framework =
		s.known.imported != m->usual ? s.known.imported : s.known.hint;
}
