/* suite_junit.c -- reads JUnit's XML with expat.
 *
 * No document type is allowed, so there are no entities except XML's own five,
 * and nothing is fetched or expanded.  Depth has a cap, and expat's own hash
 * has a salt that no report knows.  What was counted is checked against the
 * attributes of each testsuite and testsuites element. */
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"
#include "parsers/suite/suite_junit.h"

enum mark {
	MARK_FAILURE = 1 << 0,
	MARK_ERROR = 1 << 1,
	MARK_SKIPPED = 1 << 2,
	MARK_DISABLED = 1 << 3,
	/* ctest's mark: it should have run and could not, so ctest fails */
	MARK_NOT_RUN = 1 << 4,
};

/* What a suite says about itself, and what it has. */
enum count {
	COUNT_TESTS,
	COUNT_FAILED, /* failures and errors */
	COUNT_SKIPPED,
	COUNT_DISABLED,
	COUNT_MAX_
};

struct counts {
	uint64_t n[COUNT_MAX_];
	uint64_t marks;   /* failure and error elements, of any test */
	uint64_t repeats; /* tests that failed and are listed again */
	uint64_t both;    /* failed and skipped */
	uint64_t more;    /* see more_of() */
};

struct frame {
	unsigned depth; /* of its element; 0 = no element */
	struct counts before;
	uint64_t said[COUNT_MAX_];
	bool has_said[COUNT_MAX_];
};

struct junit {
	struct suite *suite;
	XML_Parser parser;
	struct frame frames[SUITE_DEPTH + 1];
	size_t frames_len;
	unsigned depth, test_depth; /* test_depth 0: in no testcase */
	unsigned marks;             /* enum mark, of this testcase */
	uint64_t failures;          /* failure and error elements in it */
	struct buf name, last;      /* of this testcase, and the one before */
	struct junit_told told;     /* of its first failure or error */
	bool last_failed, has_stopped;
	struct counts counts;
};

static size_t offset_of(const struct junit *j)
{
	long at = (long)XML_GetCurrentByteIndex(j->parser);

	return at > 0 ? (size_t)at : 0;
}

static void stop(struct junit *j, const char *code, const char *message)
{
	if (!j->has_stopped)
		(void)suite_fail(j->suite, code, offset_of(j), message);
	j->has_stopped = true;
	(void)XML_StopParser(j->parser, XML_FALSE);
}

/* --- suites ------------------------------------------------------------------- */

static void said_add(struct junit *j, struct frame *f, const char **atts,
		     const char *name, enum count which)
{
	const char *text = suite_junit_attribute(atts, name);
	int64_t n;

	if (text == NULL)
		return;
	n = suite_number_of((struct json_text){ text, strlen(text) });
	if (n < 0) {
		stop(j, "counts_disagree",
		     "a count is not a number up to 1000000");
		return;
	}
	f->said[which] += (uint64_t)n;
	f->has_said[which] = true;
}

static void suite_open(struct junit *j, const char **atts)
{
	struct frame *f = &j->frames[j->frames_len++];

	*f = (struct frame){ .depth = j->depth, .before = j->counts };
	said_add(j, f, atts, "tests", COUNT_TESTS);
	said_add(j, f, atts, "failures", COUNT_FAILED);
	said_add(j, f, atts, "errors", COUNT_FAILED);
	said_add(j, f, atts, "skipped", COUNT_SKIPPED);
	said_add(j, f, atts, "disabled", COUNT_DISABLED);
}

static void hold(struct junit *j, const char *what, uint64_t said, uint64_t low,
		 uint64_t high)
{
	if ((said >= low && said <= high) || j->has_stopped)
		return;
	(void)suite_disagree(j->suite, offset_of(j), what, said, high);
	j->has_stopped = true;
	(void)XML_StopParser(j->parser, XML_FALSE);
}

/* Runners differ in what they count twice: a test that failed in its body and
 * again in what comes after it, or one that is skipped because it is
 * disabled. */
static void suite_close(struct junit *j)
{
	const struct frame *f = &j->frames[--j->frames_len];
	const struct counts *now = &j->counts, *was = &f->before;
	uint64_t has[COUNT_MAX_];
	uint64_t repeats = now->repeats - was->repeats;
	uint64_t both = now->both - was->both;

	for (int i = 0; i < COUNT_MAX_; i++)
		has[i] = now->n[i] - was->n[i];
	if (f->has_said[COUNT_TESTS]) {
		hold(j, "tests", f->said[COUNT_TESTS],
		     has[COUNT_TESTS] - repeats,
		     has[COUNT_TESTS] + now->more - was->more);
		j->suite->is_counted_otherwise |=
			f->said[COUNT_TESTS] > has[COUNT_TESTS];
	}
	if (f->has_said[COUNT_FAILED])
		hold(j, "failures and errors", f->said[COUNT_FAILED],
		     has[COUNT_FAILED] - repeats, now->marks - was->marks);
	if (f->has_said[COUNT_SKIPPED])
		hold(j, "skipped", f->said[COUNT_SKIPPED],
		     has[COUNT_SKIPPED] - both,
		     has[COUNT_SKIPPED] + has[COUNT_DISABLED]);
	if (f->has_said[COUNT_DISABLED] && f->said[COUNT_DISABLED] > 0)
		hold(j, "disabled", f->said[COUNT_DISABLED],
		     has[COUNT_DISABLED],
		     has[COUNT_SKIPPED] + has[COUNT_DISABLED]);
}

/* --- tests -------------------------------------------------------------------- */

static void test_open(struct junit *j, const char **atts)
{
	const char *class = suite_junit_attribute(atts, "classname");
	const char *name = suite_junit_attribute(atts, "name");
	const char *status = suite_junit_attribute(atts, "status");

	if (j->test_depth > 0 || j->frames_len == 0 || name == NULL) {
		stop(j, "not_junit",
		     "expected a testcase with a name, in a testsuite");
		return;
	}
	j->test_depth = j->depth;
	j->marks = 0;
	j->failures = 0;
	if (status != NULL && strcmp(status, "disabled") == 0)
		j->marks = MARK_DISABLED;
	if (status != NULL && strcmp(status, "notrun") == 0)
		j->marks = MARK_NOT_RUN;
	suite_junit_open(&j->told, atts);
	j->name.len = 0;
	if (class != NULL && class[0] != '\0') {
		buf_text(&j->name, class);
		buf_text(&j->name, "::");
	}
	buf_text(&j->name, name);
	if (buf_has_failed(&j->name))
		stop(j, "no_memory", "no memory");
}

/* "SKIP_RETURN_CODE=7" is how ctest says that a test skipped itself. */
static void skip_mark(struct junit *j, const char **atts)
{
	const char *message = suite_junit_attribute(atts, "message");

	if (message == NULL || strncmp(message, "SKIP_", 5) == 0)
		j->marks &= ~(unsigned)MARK_NOT_RUN;
}

static void test_mark(struct junit *j, const char *element, const char **atts)
{
	static const struct {
		const char *name;
		enum mark mark;
	} rows[] = {
		{ "failure", MARK_FAILURE },
		{ "error", MARK_ERROR },
		{ "skipped", MARK_SKIPPED },
		{ "disabled", MARK_DISABLED },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(element, rows[i].name) != 0)
			continue;
		j->marks |= rows[i].mark;
		if (rows[i].mark == MARK_SKIPPED)
			skip_mark(j, atts);
		/* what ctest could not run has failed, and this is the
		 * reason */
		if (rows[i].mark == MARK_SKIPPED &&
		    (j->marks & MARK_NOT_RUN) != 0)
			(void)suite_junit_mark(&j->told, atts);
		if (i >= 2)
			continue;
		j->counts.marks++;
		j->failures++;
		(void)suite_junit_mark(&j->told, atts);
	}
}

/* Whether it failed and has the name of the test before, which failed too. */
static bool is_repeat(const struct junit *j, bool failed)
{
	return failed && j->last_failed && j->name.len == j->last.len &&
	       j->name.len > 0 &&
	       memcmp(j->name.bytes, j->last.bytes, j->name.len) == 0;
}

/* How often more than once this test may be counted: pytest counts as tests a file's
 * second collection error, and the error after a test that passed. */
static uint64_t more_of(const struct junit *j)
{
	if (j->failures > 1)
		return j->failures - 1;
	return (j->marks & MARK_ERROR) != 0;
}

static void test_close(struct junit *j)
{
	bool failed = (j->marks & (MARK_FAILURE | MARK_ERROR)) != 0;
	bool skipped = (j->marks & MARK_SKIPPED) != 0;
	bool disabled = (j->marks & MARK_DISABLED) != 0 && !skipped;
	bool could_not = skipped && (j->marks & MARK_NOT_RUN) != 0;
	const struct json_text name = { j->name.bytes, j->name.len };
	const struct json_text none = { NULL, 0 };
	struct buf other = j->last;

	j->test_depth = 0;
	j->counts.n[COUNT_TESTS]++;
	j->counts.n[COUNT_FAILED] += failed;
	j->counts.n[COUNT_SKIPPED] += skipped;
	j->counts.n[COUNT_DISABLED] += disabled;
	j->counts.both += failed && skipped;
	j->counts.more += more_of(j);
	if (is_repeat(j, failed)) {
		j->counts.repeats++;
		return; /* it is there already, as failed */
	}
	if (suite_add(j->suite, none, "", name,
		      failed || could_not   ? SUITE_FAILED
		      : skipped || disabled ? SUITE_SKIPPED
					    : SUITE_PASSED) < 0) {
		j->has_stopped = true;
		(void)XML_StopParser(j->parser, XML_FALSE);
	}
	if (!j->has_stopped)
		suite_junit_close(&j->told, j->suite);
	j->last = j->name;
	j->name = other;
	j->last_failed = failed;
}

/* --- elements ----------------------------------------------------------------- */

static bool is_suite(const char *element)
{
	return strcmp(element, "testsuite") == 0 ||
	       strcmp(element, "testsuites") == 0;
}

static void XMLCALL on_start(void *data, const char *element, const char **atts)
{
	struct junit *j = data;

	if (j->has_stopped)
		return;
	if (++j->depth > SUITE_DEPTH)
		stop(j, "too_deep", "elements nest deeper than 64");
	else if (j->depth == 1 && !is_suite(element))
		stop(j, "not_junit",
		     "expected testsuites or testsuite as the root element");
	else if (is_suite(element) && j->test_depth == 0)
		suite_open(j, atts);
	else if (strcmp(element, "testcase") == 0)
		test_open(j, atts);
	else if (j->test_depth > 0 && j->depth == j->test_depth + 1)
		test_mark(j, element, atts);
}

static void XMLCALL on_end(void *data, const char *element)
{
	struct junit *j = data;

	(void)element;
	if (j->has_stopped)
		return;
	if (j->depth <= j->test_depth + 1)
		j->told.is_in_body = false;
	if (j->test_depth == j->depth)
		test_close(j);
	else if (j->frames_len > 0 &&
		 j->frames[j->frames_len - 1].depth == j->depth)
		suite_close(j);
	j->depth--;
}

static void XMLCALL on_text(void *data, const char *text, int n)
{
	struct junit *j = data;

	if (!j->has_stopped && n > 0)
		suite_junit_text(&j->told, text, (size_t)n);
}

static void XMLCALL on_doctype(void *data, const char *name, const char *system,
			       const char *public, int has_internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_internal;
	stop(data, "doctype", "a document type declaration is not allowed");
}

/* Sixteen random bytes that the kernel gave this process.  expat would ask the
 * kernel for more, which the wall does not allow. */
static unsigned long salt(void)
{
	const void *random = (const void *)getauxval(
		AT_RANDOM); // NOLINT(performance-no-int-to-ptr)
	unsigned long value = 0;

	if (random != NULL)
		memcpy(&value, random, sizeof value);
	return value | 1;
}

static void read_all(struct junit *j)
{
	const struct parse_input *in = j->suite->in;
	char message[160];

	XML_SetHashSalt(j->parser, salt());
	XML_SetUserData(j->parser, j);
	XML_SetElementHandler(j->parser, on_start, on_end);
	XML_SetCharacterDataHandler(j->parser, on_text);
	XML_SetStartDoctypeDeclHandler(j->parser, on_doctype);
	if (in->len > INT_MAX ||
	    XML_Parse(j->parser, in->bytes, (int)in->len, XML_TRUE) ==
		    XML_STATUS_OK ||
	    j->has_stopped)
		return;
	(void)snprintf(
		message, sizeof message, "line %llu, column %llu: %s",
		(unsigned long long)XML_GetCurrentLineNumber(j->parser),
		(unsigned long long)XML_GetCurrentColumnNumber(j->parser),
		XML_ErrorString(XML_GetErrorCode(j->parser)));
	stop(j, "not_xml", message);
}

int suite_junit(struct suite *s)
{
	struct junit *j = calloc(1, sizeof *j);
	int r = -EINVAL;

	if (j == NULL)
		return suite_fail(s, "no_memory", 0, "no memory");
	j->suite = s;
	j->parser = XML_ParserCreate(NULL);
	if (j->parser == NULL) {
		r = suite_fail(s, "no_memory", 0, "no memory");
	} else {
		read_all(j);
		XML_ParserFree(j->parser);
		r = j->has_stopped ? -EINVAL : 0;
	}
	buf_done(&j->name);
	buf_done(&j->last);
	suite_junit_done(&j->told);
	free(j);
	return r;
}
