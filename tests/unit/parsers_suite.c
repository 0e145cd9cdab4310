/* parsers_suite.c -- reports in JUnit's XML, caps, and the inventory. */
#include "suite_rows.h"

#define SUITE(attributes, body)                                                \
	"<?xml version=\"1.0\"?><testsuites><testsuite name=\"x\" " attributes \
	">" body "</testsuite></testsuites>"
#define CASE1 "<testcase classname=\"m\" name=\"a\"/>"
#define CASE2                                                                  \
	"<testcase name=\"b\"><failure message=\"no\">x</failure></testcase>"
#define CASE3 "<testcase name=\"c\"><skipped/></testcase>"
#define TWICE                                                                  \
	"<testcase name=\"d\"><failure/></testcase>"                           \
	"<testcase name=\"d\"><error/></testcase>"

static void junit_is_counted(void)
{
	static const struct row rows[] = {
		{ "junit", SUITE("tests=\"1\"", CASE1), COUNTS(1, 1, 0, 0) },
		{ "junit", SUITE("", CASE1 CASE2 CASE3), COUNTS(3, 1, 1, 1) },
		{ "junit", SUITE("", CASE2), "{\"failures\":[\"b\"]}" },
		{ "junit",
		  SUITE("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"",
			CASE1 CASE2 CASE3),
		  COUNTS(3, 1, 1, 1) },
		{ "junit", SUITE("tests=\"0\"", ""), COUNTS(0, 0, 0, 0) },
		/* a test that failed in its body and again after it is one */
		{ "junit",
		  SUITE("tests=\"1\" failures=\"1\" errors=\"1\"", TWICE),
		  COUNTS(1, 0, 1, 0) },
		{ "junit",
		  SUITE("tests=\"2\" failures=\"1\" errors=\"1\"", TWICE),
		  "{\"failures\":[\"d\"]}" },
		/* ctest */
		{ "junit",
		  "<testsuite tests=\"2\" failures=\"0\" disabled=\"1\" "
		  "skipped=\"0\"><testcase name=\"x\" "
		  "status=\"disabled\"/>" CASE1 "</testsuite>",
		  COUNTS(2, 1, 0, 1) },
		/* suites within suites */
		{ "junit",
		  "<testsuites tests=\"2\"><testsuite tests=\"2\"><testsuite "
		  "tests=\"1\">" CASE1 "</testsuite>" CASE2
		  "</testsuite></testsuites>",
		  COUNTS(2, 1, 1, 0) },
		/* names are text: kept, on one line */
		{ "junit",
		  SUITE("", "<testcase name=\"&lt;&#10;&amp;\"><error/>"
			    "</testcase>"),
		  "{\"failures\":[\"<\\\\x0a&\"]}" },
		{ "junit",
		  SUITE("", "<testcase name=\"ignore previous\"><error/>"
			    "</testcase>"),
		  "{\"failures\":[\"ignore previous\"]}" },
		/* what stands elsewhere does not end a test */
		{ "junit", SUITE("", "<failure/>" CASE1), COUNTS(1, 1, 0, 0) },
		{ "junit",
		  SUITE("", "<testcase name=\"a\"><p><failure/></p>"
			    "</testcase>"),
		  COUNTS(1, 1, 0, 0) },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void junit_tells_of_failures(void)
{
	static const struct row rows[] = {
		/* pytest counts each error of a file that it cannot read */
		{ "junit",
		  SUITE("tests=\"2\" errors=\"2\"",
			"<testcase name=\"m\"><error message=\"collection "
			"failure\">m.py:1: in x&#10;E   No&#10;</error><error/>"
			"</testcase>"),
		  "{\"total\":1,\"warnings\":[\"counted_otherwise\"],"
		  "\"details\":[{\"name\":\"m\",\"message\":\"No\",\"file\":"
		  "\"m.py\",\"line\":1,\"duration_ms\":null}]}" },
		{ "junit",
		  SUITE("tests=\"3\"", "<testcase name=\"m\"><error/><error/>"
				       "</testcase>"),
		  "!counts_disagree" },
		/* and the error after a test that passed, but no failure */
		{ "junit",
		  SUITE("tests=\"4\" failures=\"0\" errors=\"2\"",
			"<testcase name=\"m\"><error message=\"failed on "
			"teardown with no\"/></testcase><testcase name=\"n\">"
			"<error/></testcase>"),
		  "{\"total\":2,\"passed\":0,\"failed\":2,"
		  "\"warnings\":[\"counted_otherwise\"]}" },
		{ "junit",
		  SUITE("tests=\"3\"",
			"<testcase name=\"m\"><error/></testcase>"),
		  "!counts_disagree" },
		{ "junit",
		  SUITE("tests=\"2\"",
			"<testcase name=\"m\"><failure/></testcase>"),
		  "!counts_disagree" },
		{ "junit",
		  SUITE("", "<testcase name=\"a\" time=\"1.5\"><failure "
			    "message=\"&#10; no&#10;b\">/repo/t.py:1: in x&#10;"
			    "t.py:12: AssertionError</failure></testcase>"),
		  "{\"details\":[{\"name\":\"a\",\"message\":\"no\",\"file\":"
		  "\"t.py\",\"line\":12,\"duration_ms\":1500}]}" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void junit_that_lies_is_refused(void)
{
	static const struct row rows[] = {
		{ "junit", SUITE("tests=\"2\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("tests=\"0\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("failures=\"0\"", CASE2), "!counts_disagree" },
		{ "junit", SUITE("failures=\"1\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("skipped=\"1\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("skipped=\"0\"", CASE3), "!counts_disagree" },
		{ "junit", SUITE("disabled=\"1\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("tests=\"-1\"", CASE1), "!counts_disagree" },
		{ "junit", SUITE("tests=\"99999999999999999999\"", CASE1),
		  "!counts_disagree" },
		{ "junit", SUITE("tests=\"\"", ""), "!counts_disagree" },
		{ "junit",
		  "<testsuites tests=\"5\"><testsuite tests=\"1\">" CASE1
		  "</testsuite></testsuites>",
		  "!counts_disagree" },
		{ NULL, NULL, NULL },
	};

	rows_try(rows);
}

static void what_is_no_junit_is_refused(void)
{
	static const struct row rows[] = {
		{ "junit", "", "!not_xml" },
		{ "junit", "TAP version 13\n1..0\n", "!not_xml" },
		{ "junit", "<html></html>", "!not_junit" },
		{ "junit", "<testsuite>", "!not_xml" },
		{ "junit", "<testsuite></testsuites>", "!not_xml" },
		{ "junit", "<testsuite/><testsuite/>", "!not_xml" },
		{ "junit", SUITE("", "<testcase/>"), "!not_junit" },
		{ "junit",
		  SUITE("", "<testcase name=\"a\">" CASE1 "</testcase>"),
		  "!not_junit" },
		{ "junit", "<testsuite tests=\"1\" tests=\"2\"/>", "!not_xml" },
		{ "junit", "<testsuite name=\"\xff\"/>", "!not_xml" },
		{ "junit", "<testsuite name=\"&#0;\"/>", "!not_xml" },
		{ "junit", "<testsuite name=\"&unknown;\"/>", "!not_xml" },
		{ "junit",
		  "<?xml version=\"1.0\" encoding=\"x-own\"?><testsuite/>",
		  "!not_xml" },
		/* entities of its own: bombs, files, addresses */
		{ "junit",
		  "<!DOCTYPE t [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
		  "\"&a;&a;&a;&a;&a;\">]><testsuite name=\"&b;\"/>",
		  "!doctype" },
		{ "junit",
		  "<!DOCTYPE t [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
		  "<testsuite>&x;</testsuite>",
		  "!doctype" },
		{ "junit",
		  "<!DOCTYPE t SYSTEM "
		  "\"http://example.org/x.dtd\"><testsuite/>",
		  "!doctype" },
		{ "junit",
		  "<!DOCTYPE t [<!ENTITY % p SYSTEM \"file:///x\">%p;]>"
		  "<testsuite/>",
		  "!doctype" },
		{ NULL, NULL, NULL },
	};
	static const char nul[] = "<testsuite name=\"a\0b\"/>";

	rows_try(rows);
	report_try("junit", nul, sizeof nul - 1, "!not_xml");
}

static void depth_and_size_have_caps(void)
{
	struct buf text = { 0 };
	char *got;

	for (int i = 0; i < 70; i++)
		buf_text(&text, "<testsuite>");
	report_try("junit", text.bytes, text.len, "!too_deep");

	text.len = 0;
	for (int i = 0; i < 70 * 4; i++)
		buf_char(&text, ' ');
	buf_text(&text, "ok 1\n");
	report_try("tap", text.bytes, text.len, "!too_deep");

	/* a name of a megabyte is one name, cut where it is shown */
	text.len = 0;
	buf_text(&text, "<testsuite><testcase name=\"");
	for (int i = 0; i < 1 << 20; i++)
		buf_char(&text, 'a');
	buf_text(&text, "\"><error/></testcase></testsuite>");
	got = read_report("junit", text.bytes, text.len);
	ok_json(got, "/tests", COUNTS(1, 0, 1, 0));
	ok(strlen(got) < 2600);
	free(got);

	/* more failures than are named are counted */
	text.len = 0;
	for (int i = 0; i < 1500; i++)
		buf_format(&text, "not ok - %d\n", i);
	buf_text(&text, "1..1500\n");
	report_try("tap", text.bytes, text.len, COUNTS(1500, 0, 1500, 0));
	report_try("tap", text.bytes, text.len, "{\"failures_omitted\":500}");
	buf_done(&text);
}

/* The hash inside the slice of text. */
static void hash_of(const char *format, const char *text, char ret[72])
{
	char *got = read_report(format, text, strlen(text));
	const char *at = strstr(got, "blake3:");

	ok(at != NULL);
	(void)snprintf(ret, 72, "%.71s", at != NULL ? at : "");
	free(got);
}

static void an_inventory_is_its_names(void)
{
	char one[72], two[72], other[72];

	hash_of("tap", "1..2\nok 1 - a\nok 2 - b\n", one);
	hash_of("tap", "1..2\nnot ok 1 - b\nok 2 - a # SKIP\n", two);
	ok(strcmp(one, two) ==
	   0); /* neither the order nor the outcome is in it */
	hash_of("tap", "1..1\nok 1 - a\n", other);
	ok(strcmp(one, other) != 0);
	hash_of("tap", "1..3\nok 1 - a\nok 2 - b\nok 3 - b\n", other);
	ok(strcmp(one, other) != 0);
	hash_of("tap", "1..1\nok 1 - ab\n", other);
	ok(strcmp(one, other) != 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(junit_is_counted),
		CASE(junit_tells_of_failures),
		CASE(junit_that_lies_is_refused),
		CASE(what_is_no_junit_is_refused),
		CASE(depth_and_size_have_caps),
		CASE(an_inventory_is_its_names),
		TAP_END,
	});
}
