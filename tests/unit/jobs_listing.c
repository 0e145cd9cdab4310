/* jobs_listing.c -- reports of analysers as flags: the form of each, and what a
 * lying one costs. */

#include "listing_read.h"

/* Cut from what the tools write: pylint 2.16 and 3, flake8 5 with flake8-json,
 * eslint 8, mypy 1.11. */
#define PYLINT                                                                 \
	"[\n    {\n\"type\": \"error\",\n\"module\": \"m\",\n\"obj\": "        \
	"\"mean\","                                                            \
	"\n\"line\": 2,\n\"column\": 4,\n\"endLine\": 2,\n\"endColumn\": 9,\n" \
	"\"path\": \"m.py\",\n\"symbol\": \"undefined-variable\",\n"           \
	"\"message\": \"Undefined variable 'x'\",\n\"message-id\": "           \
	"\"E0602\"\n"                                                          \
	"}, {\"type\":\"convention\",\"obj\":\"\",\"line\":1,\"column\":0,"    \
	"\"endLine\":null,\"path\":\"m.py\",\"symbol\":\"missing-docstring\"," \
	"\"message\":\"\",\"message-id\":\"C0114\"}]\n"
#define PYLINT2                                                                \
	"{\"messages\":[{\"type\":\"error\",\"symbol\":\"no-member\","         \
	"\"message\":\"w\",\"messageId\":\"E1101\",\"confidence\":"            \
	"\"INFERENCE\","                                                       \
	"\"module\":\"m\",\"obj\":\"\",\"line\":3,\"column\":0,\"endLine\":3," \
	"\"endColumn\":4,\"path\":\"a/m.py\",\"absolutePath\":\"/r/a/"         \
	"m.py\"}],"                                                            \
	"\"statistics\":{\"messageTypeCount\":{\"error\":1},\"score\":5.0}}"
#define FLAKE8                                                                 \
	"{\"./clean.py\": [], \"./m.py\": [{\"code\": \"F821\", "              \
	"\"filename\": "                                                       \
	"\"./m.py\", \"line_number\": 4, \"column_number\": 5, \"text\": \"un" \
	"defined name 'x'\", \"physical_line\": \"x\\n\"}, {\"code\": "        \
	"\"E501\","                                                            \
	" \"filename\": \"./m.py\", \"line_number\": 5, \"column_number\": "   \
	"80, "                                                                 \
	"\"text\": \"line too long\", \"physical_line\": \"\"}]}"
#define ESLINT                                                                 \
	"[{\"filePath\":\"/r/"                                                 \
	"clean.js\",\"messages\":[],\"suppressedMessages\":"                   \
	"[{\"ruleId\":\"no-undef\",\"line\":1}],\"errorCount\":0},"            \
	"{\"filePath\":\"/r/a.js\",\"messages\":[{\"ruleId\":\"no-undef\","    \
	"\"severity\":2,\"message\":\"'x' is not defined.\",\"line\":7,"       \
	"\"column\":3,\"nodeType\":\"Identifier\",\"messageId\":\"undef\"},"   \
	"{\"ruleId\":\"semi\",\"message\":\"\",\"line\":8},"                   \
	"{\"ruleId\":null,\"fatal\":true,\"message\":\"Parsing error\","       \
	"\"line\":9}],\"source\":\"x\"}]"
#define MYPY                                                                   \
	"{\"file\": \"m.py\", \"line\": 3, \"column\": 4, \"message\": "       \
	"\"Item "                                                              \
	"\\\"None\\\" of \\\"str | None\\\" has no attribute \\\"x\\\"\", "    \
	"\"hint\": null, \"code\": \"union-attr\", \"severity\": \"error\"}\n" \
	"{\"file\": \"m.py\", \"line\": 3, \"column\": 4, \"message\": "       \
	"\"see\","                                                             \
	" \"hint\": null, \"code\": null, \"severity\": \"note\"}\n\n"         \
	"{\"file\": \"m.py\", \"line\": 9, \"column\": 0, \"message\": "       \
	"\"no\","                                                              \
	" \"hint\": \"try\", \"code\": \"return-value\", \"severity\": "       \
	"\"error\"}\n"
#define FLAKE8_TEXT                                                            \
	"./a b:1/m.py:2:21: F821 undefined name 'nope'\n"                      \
	"m.py:3:1: E302 expected 2 blank lines, found 1\r\n\n"
#define PYLINT_TEXT                                                            \
	"************* Module m\n"                                             \
	"m.py:2:4: E0602: Undefined variable 'x' (undefined-variable)\n"       \
	"\n------------------------------------\n"                             \
	"Your code has been rated at 0.00/10 (previous run: 5.00/10)\n\n"
/* Below R0801 stand the lines that are alike, one of which looks like nothing. */
#define PYLINT_ALIKE                                                           \
	"************* Module m\n"                                             \
	"m.py:1:0: R0801: Similar lines in 2 files\n"                          \
	"==a.b:[467:474]\n==a.c:[304:311]\n"                                   \
	"            try:\n                x: (duplicate-code)\n"              \
	"m.py:2:4: E0602: Undefined variable 'x' (undefined-variable)\n"       \
	"no message\n"                                                         \
	"m.py:5:0: R0801: Similar lines in 2 files\n--------\nno message\n"
static const struct report_row reports[] = {
	{ PYLINT,
	  0,
	  0,
	  { "1 m.py:2 pylint E0602 name-undefined",
	    "2 m.py:1 pylint C0114 -" } },
	{ PYLINT2, 0, 0, { "1 a/m.py:3 pylint E1101 attr-missing" } },
	{ FLAKE8,
	  0,
	  0,
	  { "1 ./m.py:4 flake8 F821 name-undefined",
	    "2 ./m.py:5 flake8 E501 -" } },
	{ ESLINT,
	  1,
	  0,
	  { "1 /r/a.js:7 eslint no-undef reference",
	    "2 /r/a.js:8 eslint semi -" } },
	{ MYPY,
	  0,
	  1,
	  { "1 m.py:3 mypy union-attr null-deref",
	    "4 m.py:9 mypy return-value -" } },
	{ FLAKE8_TEXT,
	  0,
	  0,
	  { "1 ./a b:1/m.py:2 flake8 F821 name-undefined",
	    "2 m.py:3 flake8 E302 -" } },
	{ PYLINT_TEXT, 0, 0, { "2 m.py:2 pylint E0602 name-undefined" } },
	{ PYLINT_ALIKE,
	  2,
	  0,
	  { "2 m.py:1 pylint R0801 -", "7 m.py:2 pylint E0602 name-undefined",
	    "9 m.py:5 pylint R0801 -" } },
	/* what looks like another tool's message in the words of the first */
	{ "m.py:2:5: F722 syntax error in forward annotation 'x:1: error: y'\n"
	  "m.py:3:1: E302 expected 2 blank lines\n",
	  0,
	  0,
	  { "1 m.py:2 flake8 F722 -", "2 m.py:3 flake8 E302 -" } },
	{ "m.py:2: error: Name \"x:1:2: F821 y\" is not defined  "
	  "[name-defined]\n",
	  0,
	  0,
	  { "1 m.py:2 mypy name-defined name-undefined" } },
	/* names of files that begin as a line around messages does */
	{ "--------/m.py:1:0: E0602: x\n************* Module /m.py:2:0: E0602: "
	  "x\n"
	  "Your code has been rated at m.py:3:0: E0602: x\n",
	  0,
	  0,
	  { "1 --------/m.py:1 pylint E0602 name-undefined",
	    "2 ************* Module /m.py:2 pylint E0602 name-undefined",
	    "3 Your code has been rated at m.py:3 pylint E0602 "
	    "name-undefined" } },
	{ "--------/m.py:1:1: F821 x\n",
	  0,
	  0,
	  { "1 --------/m.py:1 flake8 F821 name-undefined" } },
	{ "\n---------\nYour code has been rated at 10.00/10\n",
	  0,
	  0,
	  { NULL } },
	{ "Success: no issues found in 3 source files\n", 0, 0, { NULL } },
	{ "[]", 0, 0, { NULL } },
	{ "{\"a.py\": [], \"b.py\": []}", 0, 0, { NULL } },
	{ "{\"messages\":[],\"statistics\":{}}", 0, 0, { NULL } },
};

static void each_report_is_told_by_its_shape(void)
{
	reports_check(reports, sizeof reports / sizeof *reports);
}

static void what_is_no_report_is_none(void)
{
	static const char *const texts[] = {
		"",
		"\n \n",
		"{}",
		"7",
		"null",
		"[7]",
		"[[]]",
		"[{}]",
		"{\"file\":\"a\",\"flag_class\":\"c\",\"line\":1}",
		("{\"file\":\"a\",\"flag_class\":\"c\",\"line\":1,"
		 "\"severity\":\"x\",\"message\":\"y\"}"),
		"{\"a.py\": [{}]}",
		"{\"a.py\": 7}",
		"{\"messages\":[],\"statistics\":7}",
		"[{\"filePath\":\"a\",\"messages\":7}]",
		"m.py:2: F821 no column",
		"m.py:2: errors: x",
		"m.py:2: error:x",
		"m.py: error: x",
		":2: error: no path",
		"m.py:2:x: error: no column",
		"m.py:1234567890: error: a line of ten digits",
		"Found nothing",
		"m.py:2:3 F821 no colon",
		"m.py:2:3: f821 small",
		"m.py:2:3: F",
		"m.py:2:3: F821",
		":2:3: F821 no path",
		"m.py:2:3: ABCDE1 five letters",
		"m.py:1234567890:3: F821 a line of ten digits",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		ok(!report_read(texts[i]));
		if (flags.unit != NULL)
			printf("# %s\n", texts[i]);
	}
	ok(!lines_read("m\0.py:2:3: F821 x", 17));
}

static void what_is_wrong_is_said_by_its_number(void)
{
	static const struct {
		const char *text, *message;
		size_t number;
	} rows[] = {
		{ "[{\"path\":\"m.py\",\"message-id\":\"E1\",\"line\":0}]",
		  "line: expected a whole number from 1", 1 },
		{ "[{\"path\":\"m.py\",\"message-id\":\"E1\",\"line\":1},"
		  "{\"message-id\":\"E1\",\"line\":1}]",
		  "path: expected a path in quotes", 2 },
		{ "[{\"path\":\"m.py\",\"message-id\":\"E1\",\"line\":1},"
		  "{\"path\":\"m.py\",\"line\":1}]",
		  "message-id: expected the name of a rule", 2 },
		{ "[{\"path\":\"m\",\"message-id\":\"E1\",\"line\":1},7]",
		  "expected an object", 2 },
		{ "[{\"path\":\"m\\u0000\",\"message-id\":\"E\",\"line\":1}]",
		  "path: expected", 1 },
		{ "[{\"filePath\":\"a.js\",\"messages\":[]},7]",
		  "expected an object with filePath", 1 },
		{ ESLINT, "ruleId: expected the name of a rule", 3 },
		{ "{\"a.py\":[{\"code\":\"F1\",\"filename\":\"a.py\"}]}",
		  "line_number: expected", 1 },
		{ "{\"file\":\"a\",\"line\":-1,\"message\":\"m\",\"code\":"
		  "\"c\","
		  "\"severity\":\"error\"}",
		  "line: expected a whole number", 1 },
		{ "{\"severity\":\"error\",\"message\":\"m\"}\n{\"a\":1,"
		  "\"a\":2}\n",
		  "file: expected", 1 },
		{ "a:1:1: F1 x\n\nFound 7 errors\n",
		  "expected PATH:LINE:COLUMN: CODE", 3 },
		{ "a:0:1: F1 x\n", "line: expected", 1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok(report_read(rows[i].text));
		ok(flags.faults_len >= 1);
		if (flags.faults_len < 1)
			continue;
		ok_int((intmax_t)flags.faults[0].number,
		       (intmax_t)rows[i].number);
		ok_has(flags.faults[0].message, rows[i].message);
	}
}

/* Half a million messages of one rule, then as many lines that are not
 * messages. */
static void many_messages_stay_bounded(void)
{
	struct buf text = { 0 };

	buf_text(&text,
		 "[{\"path\":\"m.py\",\"message-id\":\"E1\",\"line\":1}");
	for (int i = 1; i < 500000; i++)
		buf_text(&text, ",{\"path\":\"m.py\",\"message-id\":\"E1\","
				"\"line\":1}");
	buf_text(&text, "]");
	ok(document_read(text.bytes, text.len));
	ok_int((intmax_t)flags.len, 500000);
	text.len = 0;
	buf_text(&text, "a:1:1: F1 x\n");
	for (int i = 1; i < 500000; i++)
		buf_text(&text, "x\n");
	ok(lines_read(text.bytes, text.len));
	ok_int((intmax_t)flags.len, 1);
	ok_int((intmax_t)flags.faults_all, 499999);
	ok_int((intmax_t)flags.faults_len, FLAG_FAULTS_MAX);
	buf_done(&text);
}

/* A name that stands once in a report is in the record of every message. */
static void long_names_are_no_flags(void)
{
	static const struct {
		size_t file, rule, flags;
	} rows[] = {
		{ 4096, 900, 2 },
		{ 4097, 900, 0 },
		{ 10, 1 << 20, 0 },
		{ 1 << 20, 10, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		owned_buf struct buf text = { 0 };

		buf_text(&text, "[{\"filePath\":\"");
		for (size_t k = 0; k < rows[i].file; k++)
			buf_char(&text, 'f');
		buf_text(&text, "\",\"messages\":[");
		for (size_t m = 0; m < 2; m++) {
			buf_text(&text, m > 0 ? "," : "");
			buf_text(&text, "{\"line\":1,\"ruleId\":\"");
			for (size_t k = 0; k < rows[i].rule; k++)
				buf_char(&text, 'r');
			buf_text(&text, "\"}");
		}
		buf_text(&text, "]}]");
		ok(document_read(text.bytes, text.len));
		ok_int((intmax_t)flags.len, (intmax_t)rows[i].flags);
		ok_int((intmax_t)flags.faults_all, 2 - (intmax_t)rows[i].flags);
	}
}

int main(void)
{
	int r = tap_run(
		(struct tap_case[]){ CASE(each_report_is_told_by_its_shape),
				     CASE(what_is_no_report_is_none),
				     CASE(what_is_wrong_is_said_by_its_number),
				     CASE(many_messages_stay_bounded),
				     CASE(long_names_are_no_flags), TAP_END });

	flags_done(&flags);
	rules_done(&rules);
	return r;
}
