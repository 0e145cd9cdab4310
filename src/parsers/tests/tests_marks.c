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
	MARK_SKIP,       /* what is annotated is skipped */
	MARK_IMPORT,     /* it shows the framework */
};

struct mark {
	enum mark_kind kind;
	const char *text; /* the beginning of the line */
	enum framework framework;
};

struct marked {
	const char *ends;  /* of file names, without the dot */
	const char *heads; /* what the name without its end begins with, */
	const char *tails; /* or ends with; "" for any */
	enum framework usual;
	struct mark marks[MARKS_MAX];
};

static const struct marked languages[] = {
	{ "java kt groovy scala",
	  "Test",
	  "Test Tests TestCase IT Spec",
	  FRAMEWORK_JUNIT,
	  { { MARK_IMPORT, "import org.testng.", FRAMEWORK_TESTNG },
	    { MARK_IMPORT, "import spock.", FRAMEWORK_SPOCK },
	    { MARK_IMPORT, "import org.scalatest.", FRAMEWORK_SCALATEST },
	    { MARK_IMPORT, "import kotlin.test.", FRAMEWORK_KOTLIN_TEST },
	    { MARK_ANNOTATION, "@Test", 0 },
	    { MARK_ANNOTATION, "@ParameterizedTest", 0 },
	    { MARK_ANNOTATION, "@RepeatedTest", 0 },
	    { MARK_ANNOTATION, "@TestFactory", 0 },
	    { MARK_SKIP, "@Disabled", 0 },
	    { MARK_SKIP, "@Ignore", 0 },
	    { MARK_METHOD, "public void test", 0 },
	    { MARK_OTHER, "public void ", 0 },
	    { MARK_TEST, "def \"", 0 },
	    { MARK_TEST, "def '", 0 } } },
	{ "php",
	  "",
	  "Test TestCase",
	  FRAMEWORK_PHPUNIT,
	  { { MARK_ANNOTATION, "#[Test]", 0 },
	    { MARK_ANNOTATION, "* @test", 0 },
	    { MARK_METHOD, "public function test", 0 },
	    { MARK_METHOD, "function test", 0 },
	    { MARK_OTHER, "public function ", 0 } } },
	{ "rb",
	  "",
	  "_spec",
	  FRAMEWORK_RSPEC,
	  { { MARK_TEST, "it \"", 0 },
	    { MARK_TEST, "it '", 0 },
	    { MARK_TEST, "it {", 0 },
	    { MARK_TEST, "it(", 0 },
	    { MARK_TEST, "specify ", 0 },
	    { MARK_TEST, "scenario ", 0 } } },
	{ "rb",
	  "test_",
	  "_test",
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
	  FRAMEWORK_GOOGLETEST,
	  { { MARK_IMPORT, "#include <catch2/", FRAMEWORK_CATCH2 },
	    { MARK_IMPORT, "#include \"catch", FRAMEWORK_CATCH2 },
	    { MARK_IMPORT, "#include <boost/test/", FRAMEWORK_BOOST_TEST },
	    { MARK_TEST, "TEST(", 0 },
	    { MARK_TEST, "TEST_F(", 0 },
	    { MARK_TEST, "TEST_P(", 0 },
	    { MARK_TEST, "TYPED_TEST(", 0 },
	    { MARK_TEST, "TYPED_TEST_P(", 0 },
	    { MARK_TEST, "TEST_CASE(", 0 },
	    { MARK_TEST, "BOOST_AUTO_TEST_CASE(", 0 } } },
	{ "cs fs vb",
	  "",
	  "Test Tests",
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
	{ "bats", "", "", FRAMEWORK_BATS, { { MARK_TEST, "@test ", 0 } } },
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

const struct marked *tests_marked_find(struct json_text base)
{
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
		     one_fits(stem, m->tails, true)))
			return m;
	}
	return NULL;
}

/* No letter may follow a mark with '@': "@Test" is not "@TestInstance".  Other
 * marks are only beginnings. */
static bool mark_fits(struct json_text line, const struct mark *m)
{
	size_t n = strlen(m->text);
	char c;

	if (!text_begins(line, m->text))
		return false;
	if (m->text[0] != '@' || line.len == n || m->text[n - 1] == ' ')
		return true;
	c = line.bytes[n];
	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static enum mark_kind line_kind(struct json_text line, const struct marked *m,
				enum framework *f)
{
	for (size_t i = 0; i < MARKS_MAX && m->marks[i].kind != MARK_NONE_;
	     i++) {
		if (!mark_fits(line, &m->marks[i]))
			continue;
		if (m->marks[i].kind == MARK_IMPORT && *f == m->usual)
			*f = m->marks[i].framework;
		return m->marks[i].kind;
	}
	return MARK_NONE_;
}

void tests_marked_scan(const struct parse_input *in, const struct marked *m,
		       struct scan *ret, enum framework *ret_framework)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	bool is_annotated = false, is_skipped = false;
	size_t offset;

	*ret = (struct scan){ 0 };
	*ret_framework = m->usual;
	while (line_next(&lines, &line, &offset)) {
		enum mark_kind kind =
			line_kind(text_trim(line), m, ret_framework);
		bool is_test = kind == MARK_TEST || kind == MARK_ANNOTATION ||
			       (kind == MARK_METHOD && !is_annotated);

		ret->tests += is_test;
		if (kind == MARK_SKIP)
			is_skipped = true;
		ret->skipped += is_test && is_skipped;
		if (is_test || kind == MARK_METHOD || kind == MARK_OTHER)
			is_skipped = false;
		if (kind == MARK_ANNOTATION)
			is_annotated = true;
		if (kind == MARK_METHOD || kind == MARK_OTHER)
			is_annotated = false;
	}
}
