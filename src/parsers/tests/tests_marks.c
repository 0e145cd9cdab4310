/* tests_marks.c -- see tests_marks.h. */
#include "parsers/tests/tests_marks.h"

#include <string.h>

#include "parsers/common/text_piece.h"

#define ENDS_MAX  6U
#define MARKS_MAX 16U

enum mark_kind {
	MARK_NONE_,
	MARK_TEST,       /* the line is a test */
	MARK_ANNOTATION, /* a test; the method after it is the same one */
	MARK_METHOD,     /* a test, unless an annotation comes before it */
	MARK_OTHER,      /* a method: an annotation before it was for it */
	MARK_NO_TEST,    /* what is annotated is something else */
	MARK_SKIP,       /* what is annotated is skipped */
	MARK_IMPORT,     /* it shows the framework */
	MARK_BASE,       /* a class that runs no test itself */
	MARK_CLASS,      /* another class */
	MARK_SHARED,     /* tests that stand elsewhere */
};

struct mark {
	enum mark_kind kind;
	const char *text; /* the beginning of the line */
	/* The one that it shows.  That of a MARK_TEST is only a hint: what is
	 * imported comes first.  0: none. */
	enum framework framework;
};

struct marked {
	const char *ends;  /* of file names, without the dot */
	const char *heads; /* what the name without its end begins with, */
	const char *tails; /* or ends with; "" for any */
	const char *dirs;  /* below which the name does not matter */
	enum framework usual;
	struct mark marks[MARKS_MAX];
};

static const struct marked languages[] = {
	{ "java kt groovy scala",
	  "Test",
	  "Test Tests TestCase IT Spec",
	  "test tests",
	  FRAMEWORK_JUNIT,
	  { { MARK_IMPORT, "import org.testng.", FRAMEWORK_TESTNG },
	    { MARK_IMPORT, "import spock.", FRAMEWORK_SPOCK },
	    { MARK_IMPORT, "import org.scalatest.", FRAMEWORK_SCALATEST },
	    { MARK_IMPORT, "import kotlin.test.", FRAMEWORK_KOTLIN_TEST },
	    { MARK_ANNOTATION, "@Test", 0 },
	    { MARK_ANNOTATION, "@ParameterizedTest", 0 },
	    { MARK_ANNOTATION, "@RepeatedTest", 0 },
	    { MARK_ANNOTATION, "@TestFactory", 0 },
	    { MARK_NO_TEST, "@Benchmark", 0 },
	    { MARK_SKIP, "@Disabled", 0 },
	    { MARK_SKIP, "@Ignore", 0 },
	    { MARK_METHOD, "public void test", 0 },
	    { MARK_METHOD, "void test", 0 },
	    { MARK_OTHER, "public void ", 0 },
	    { MARK_TEST, "def \"", 0 },
	    { MARK_TEST, "def '", 0 } } },
	{ "php",
	  "",
	  "Test TestCase",
	  "test tests Test Tests",
	  FRAMEWORK_PHPUNIT,
	  { { MARK_BASE, "abstract class ", 0 },
	    { MARK_CLASS, "class ", 0 },
	    { MARK_CLASS, "final class ", 0 },
	    { MARK_ANNOTATION, "#[Test]", 0 },
	    { MARK_ANNOTATION, "* @test", 0 },
	    { MARK_METHOD, "public function test", 0 },
	    { MARK_METHOD, "function test", 0 },
	    { MARK_OTHER, "public function ", 0 } } },
	{ "rb",
	  "",
	  "_spec",
	  NULL,
	  FRAMEWORK_RSPEC,
	  { { MARK_TEST, "it \"", 0 },
	    { MARK_TEST, "it '", 0 },
	    { MARK_TEST, "it {", 0 },
	    { MARK_TEST, "it(", 0 },
	    { MARK_TEST, "specify ", 0 },
	    { MARK_TEST, "scenario ", 0 },
	    { MARK_SHARED, "it_behaves_like", 0 },
	    { MARK_SHARED, "it_should_behave_like", 0 },
	    { MARK_SHARED, "include_examples", 0 } } },
	{ "rb",
	  "test_",
	  "_test",
	  NULL,
	  FRAMEWORK_MINITEST,
	  { { MARK_IMPORT, "require \"test/unit\"", FRAMEWORK_TEST_UNIT },
	    { MARK_IMPORT, "require 'test/unit'", FRAMEWORK_TEST_UNIT },
	    { MARK_TEST, "def test_", 0 },
	    { MARK_TEST, "test \"", 0 },
	    { MARK_TEST, "test '", 0 },
	    { MARK_TEST, "it \"", 0 },
	    { MARK_TEST, "it '", 0 },
	    { MARK_TEST, "should \"", 0 },
	    { MARK_TEST, "should '", 0 } } },
	{ "cc cpp cxx",
	  "test_ unittest_",
	  "_test _tests _unittest Test Tests .test -test",
	  "test tests unittest unittests gtest",
	  FRAMEWORK_GOOGLETEST,
	  { { MARK_IMPORT, "#include <catch2/", FRAMEWORK_CATCH2 },
	    { MARK_IMPORT, "#include */catch", FRAMEWORK_CATCH2 },
	    { MARK_IMPORT, "#include */doctest", FRAMEWORK_DOCTEST },
	    { MARK_IMPORT, "#include <boost/test/", FRAMEWORK_BOOST_TEST },
	    { MARK_TEST, "TEST(", 0 },
	    { MARK_TEST, "TEST_F(", 0 },
	    { MARK_TEST, "TEST_P(", 0 },
	    { MARK_TEST, "*_TEST(", 0 },
	    { MARK_TEST, "*_TEST_F(", 0 },
	    { MARK_TEST, "*_TEST_P(", 0 },
	    { MARK_IMPORT, "SUBCASE(", FRAMEWORK_DOCTEST },
	    { MARK_TEST, "TEST_CASE(", FRAMEWORK_CATCH2 },
	    { MARK_TEST, "TEMPLATE_TEST_CASE(", FRAMEWORK_CATCH2 },
	    { MARK_TEST, "TEST_CASE_TEMPLATE(", FRAMEWORK_DOCTEST },
	    { MARK_TEST, "BOOST_AUTO_TEST_CASE(", FRAMEWORK_BOOST_TEST } } },
	{ "cs fs vb",
	  "",
	  "Test Tests",
	  NULL,
	  FRAMEWORK_XUNIT,
	  { { MARK_IMPORT, "using NUnit.", FRAMEWORK_NUNIT },
	    { MARK_IMPORT, "using Microsoft.VisualStudio.TestTools.",
	      FRAMEWORK_MSTEST },
	    { MARK_ANNOTATION, "[Fact", 0 },
	    { MARK_ANNOTATION, "[Theory", 0 },
	    { MARK_ANNOTATION, "[Test]", 0 },
	    { MARK_ANNOTATION, "[Test(", 0 },
	    { MARK_ANNOTATION, "[TestMethod", 0 },
	    { MARK_SKIP, "[Ignore", 0 } } },
	{ "bats",
	  "",
	  "",
	  NULL,
	  FRAMEWORK_BATS,
	  { { MARK_TEST, "@test ", 0 } } },
};

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
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
		const struct marked *m = &languages[i];

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

/* No letter may follow a mark with '@': "@Test" is not "@TestInstance".  Other
 * marks are only beginnings. */
static bool mark_fits(struct json_text line, const struct mark *m)
{
	static const char header[] = "#include */";
	size_t n = strlen(m->text);
	char c;

	if (m->text[0] == '*')
		return macro_fits(line, m->text + 1);
	if (strncmp(m->text, header, sizeof header - 1) == 0)
		return text_begins(line, "#include ") &&
		       header_fits(line, m->text + sizeof header - 1);

	if (!text_begins(line, m->text))
		return false;
	if (m->text[0] != '@' || line.len == n || m->text[n - 1] == ' ')
		return true;
	c = line.bytes[n];
	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* What the framework is known by: first a hint, then an import that says more. */
struct known {
	enum framework hint, imported;
};

static enum mark_kind line_kind(struct json_text line, const struct marked *m,
				struct known *known)
{
	for (size_t i = 0; i < MARKS_MAX && m->marks[i].kind != MARK_NONE_;
	     i++) {
		const struct mark *one = &m->marks[i];

		if (!mark_fits(line, one))
			continue;
		if (one->kind == MARK_IMPORT && known->imported == m->usual)
			known->imported = one->framework;
		else if (one->kind == MARK_TEST && one->framework != 0 &&
			 known->hint == m->usual)
			known->hint = one->framework;
		return one->kind;
	}
	return MARK_NONE_;
}

void tests_marked_scan(const struct parse_input *in, const struct marked *m,
		       struct scan *ret, enum framework *ret_framework)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	struct known known = { m->usual, m->usual };
	bool is_annotated = false, is_skipped = false, is_base = false;
	size_t offset;

	*ret = (struct scan){ 0 };
	while (line_next(&lines, &line, &offset)) {
		enum mark_kind kind = line_kind(text_trim(line), m, &known);
		bool is_test = !is_base &&
			       (kind == MARK_TEST || kind == MARK_ANNOTATION ||
				(kind == MARK_METHOD && !is_annotated));

		if (kind == MARK_BASE || kind == MARK_CLASS)
			is_base = kind == MARK_BASE;
		ret->tests += is_test;
		ret->has_shared |= kind == MARK_SHARED;
		if (kind == MARK_SKIP)
			is_skipped = true;
		ret->skipped += is_test && is_skipped;
		if (is_test || kind == MARK_METHOD || kind == MARK_OTHER)
			is_skipped = false;
		if (kind == MARK_ANNOTATION || kind == MARK_NO_TEST)
			is_annotated = true;
		if (kind == MARK_METHOD || kind == MARK_OTHER)
			is_annotated = false;
	}
	*ret_framework =
		known.imported != m->usual ? known.imported : known.hint;
}
