/* jobs_listing_mypy.c -- mypy's two forms of a report as flags: messages of several
 * lines, caps, NUL. */

#include "listing_read.h"

/* mypy 0.9, 1.0 and 1.11, with and without columns. */
#define MYPY_TEXT                                                              \
	"a b/m.py:3: error: Item \"None\" of \"Optional[str]\" has no "        \
	"attribute \"x\"  [union-attr]\n"                                      \
	"m.py:3:5: note: See more\n"                                           \
	"m.py:9:5:9:12: error: \"A\" has no attribute \"b\" [c]  "             \
	"[attr-defined]\n"                                                     \
	"    x.b\n    ^\n"                                                     \
	"m.py:7: error: no code [here]\n"                                      \
	"m.py: error: no line\n"                                               \
	"m.py:8: error: an empty code  []\n"                                   \
	"Found 3 errors in 2 files (checked 9 source files)\n"

/* mypy 1.0 with --pretty, 60 columns wide.  A message may be broken at each space
 * outside quotes: before its code, between the two spaces there, before its first
 * word. */
#define MYPY_PRETTY                                                            \
	"m.py:6: error: Item \"None\" of \"Optional[str]\" has no\n"           \
	"attribute \"x\"  [union-attr]\n"                                      \
	"        return a.x\n               ^~~\n"                             \
	"m.py:9: note: See more\n"                                             \
	"m.py:10: error: \"A\" has no attribute\n\"b\"\n [attr-defined]\n"     \
	"    x.b\n    ^\n"                                                     \
	"m.py:11: error: Name \"name_of_a_variable\" is not defined \n"        \
	"[name-defined]\n    y\n    ^\n"                                       \
	"a/path/which/is/longer/than/this/line.py:12: error:\n"                \
	"Name \"z\" is not defined  [name-defined]\n    z\n    ^\n"            \
	"Found 4 errors in 1 file (checked 1 source file)\n"
/* With --hide-error-codes the source ends it.  What nothing ends is no part of it. */
#define MYPY_PRETTY_BARE                                                       \
	"m.py:6: error: Item \"None\" of \"Optional[str]\" has no\n"           \
	"attribute \"x\"\n        return a.x\n               ^~~\n"            \
	"m.py:7: error: words\nno more words\n"                                \
	"m.py:8: error: words\nno more words\nm.py:9: error: words  [misc]\n"  \
	"m.py:10: error:\n  odd\n"

/* A code that is the last of all lines, and what is no more of a message. */
#define MYPY_EDGES                                                             \
	"m.py:1: error: words\n [misc]\n"                                      \
	"m.py:3: error: words\nm.py:4: note: words\n    x\n"                   \
	"m.py:6: error: words\nFound 1 error in 1 file\n    x\n"               \
	"m.py:9: error: words  [no code]\n"

/* Names of files that begin as the last line does, or as a source does. */
#define MYPY_NAMES                                                             \
	"Found 1.py:1: error: words  [misc]\n"                                 \
	"    m.py:2: error: words\n"                                           \
	"    x.y\n    ^\n"                                                     \
	"Success: no issues found in /m.py:3: error: words  [misc]\n"          \
	"Found 3 errors in 3 files\n"

static const struct report_row reports[] = {
	{ MYPY_NAMES,
	  0,
	  0,
	  { "1 Found 1.py:1 mypy misc -", "2     m.py:2 mypy no-code -",
	    "5 Success: no issues found in /m.py:3 mypy misc -" } },
	{ "Found 1.py:1: error: words  [misc]\n",
	  0,
	  0,
	  { "1 Found 1.py:1 mypy misc -" } },
	/* such a message decides which tool wrote the report */
	{ "Found 1.py:1: error: words  [misc]\nm.py:1:1: F821 x\n",
	  1,
	  0,
	  { "1 Found 1.py:1 mypy misc -" } },
	{ MYPY_PRETTY,
	  0,
	  1,
	  { "1 m.py:6 mypy union-attr null-deref",
	    "6 m.py:10 mypy attr-defined attr-missing",
	    "11 m.py:11 mypy name-defined name-undefined",
	    "15 a/path/which/is/longer/than/this/line.py:12 mypy "
	    "name-defined name-undefined" } },
	{ MYPY_PRETTY_BARE,
	  4,
	  0,
	  { "1 m.py:6 mypy no-code -", "5 m.py:7 mypy no-code -",
	    "7 m.py:8 mypy no-code -", "9 m.py:9 mypy misc -" } },
	{ MYPY_EDGES,
	  0,
	  1,
	  { "1 m.py:1 mypy misc -", "3 m.py:3 mypy no-code -",
	    "6 m.py:6 mypy no-code -", "9 m.py:9 mypy no-code -" } },
	{ MYPY_TEXT,
	  1,
	  1,
	  { "1 a b/m.py:3 mypy union-attr null-deref",
	    "3 m.py:9 mypy attr-defined attr-missing",
	    "6 m.py:7 mypy no-code -", "8 m.py:8 mypy no-code -" } },
};

static void each_message_is_one_flag(void)
{
	reports_check(reports, sizeof reports / sizeof *reports);
}

/* Half a million lines that might go on with a message, and do not. */
static void many_lines_stay_bounded(void)
{
	struct buf text = { 0 };

	buf_text(&text, "m.py:1: error: a\n");
	for (int i = 1; i < 500000; i++)
		buf_text(&text, "a]\n");
	ok(lines_read(text.bytes, text.len));
	ok_int((intmax_t)flags.len, 1);
	ok_int((intmax_t)flags.faults_all, 499999);
	buf_done(&text);
}

/* Lines that are not JSON: beyond the faults that are kept, none costs memory. */
static void lines_that_are_no_objects_cost_no_memory(void)
{
	static const size_t lines[] = { FLAG_FAULTS_MAX, 20 * FLAG_FAULTS_MAX };
	size_t used[2];

	for (size_t i = 0; i < 2; i++) {
		owned_buf struct buf text = { 0 };

		buf_text(&text, "{\"file\":\"m.py\",\"line\":1,\"severity\":"
				"\"error\",\"message\":\"a\",\"code\":"
				"\"misc\"}\n");
		for (size_t k = 0; k < lines[i]; k++)
			buf_text(&text, "x\n");
		ok(lines_read(text.bytes, text.len));
		ok_int((intmax_t)flags.faults_all, (intmax_t)lines[i]);
		ok_int((intmax_t)flags.faults_len, FLAG_FAULTS_MAX);
		used[i] = flags.arena.used;
	}
	ok(used[0] > FLAG_FAULTS_MAX * sizeof "syntax at column 1");
	ok_int((intmax_t)used[1], (intmax_t)used[0]);
}

/* Read a report whose third part is n times the byte c. */
static void lines_read_with(const char *before, char c, size_t n,
			    const char *after)
{
	owned_buf struct buf text = { 0 };

	buf_text(&text, before);
	for (size_t i = 0; i < n; i++)
		buf_char(&text, c);
	buf_text(&text, after);
	ok(lines_read(text.bytes, text.len));
}

/* Both of mypy's forms, and flake8's; the line that is wrong is the second of three. */
static void a_line_has_a_cap_and_no_nul(void)
{
	static const struct {
		const char *before, *after;
	} forms[] = {
		{ "m.py:1: error: a  [misc]\nm.py:2: error: ",
		  "  [misc]\nm.py:3: error: c  [misc]\n" },
		{ "{\"file\":\"m.py\",\"line\":1,\"severity\":\"error\","
		  "\"message\":\"a\",\"code\":\"misc\"}\n"
		  "{\"file\":\"m.py\",\"line\":2,\"severity\":\"error\","
		  "\"code\":\"misc\",\"message\":\"",
		  "\"}\n{\"file\":\"m.py\",\"line\":3,\"severity\":"
		  "\"error\",\"message\":\"c\",\"code\":\"misc\"}\n" },
		{ "m.py:1:1: F1 a\nm.py:2:1: F1 ", "\nm.py:3:1: F1 c\n" },
	};
	static const struct {
		char c;
		size_t n, flags;
	} rows[] = {
		{ 'x', 1, 3 },
		{ '\0', 1, 2 },
		{ 'x', FLAG_LINE_BYTES - 200, 3 },
		{ 'x', FLAG_LINE_BYTES, 2 },
	};

	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			lines_read_with(forms[f].before, rows[i].c, rows[i].n,
					forms[f].after);
			ok_int((intmax_t)flags.len, (intmax_t)rows[i].flags);
			ok_int((intmax_t)flags.faults_all,
			       3 - (intmax_t)rows[i].flags);
		}
}

/* The lines of one message together have the cap of one line, and no NUL. */
static void nor_have_lines_that_go_on(void)
{
	static const char before[] = "m.py:1: error: a\n";
	static const char after[] = "\nb  [name-defined]\nm.py:9: error: c  "
				    "[misc]\n";

	lines_read_with(before, 'x', FLAG_LINE_BYTES - 200, after);
	ok_int((intmax_t)flags.faults_all, 0);
	is(0, "1 m.py:1 mypy name-defined name-undefined");
	is(1, "4 m.py:9 mypy misc -");
	lines_read_with(before, 'x', FLAG_LINE_BYTES, after);
	ok_int((intmax_t)flags.faults_all, 2);
	is(0, "1 m.py:1 mypy no-code -");
	is(1, "4 m.py:9 mypy misc -");
	lines_read_with(before, '\0', 1, after);
	ok_int((intmax_t)flags.faults_all, 2);
	is(0, "1 m.py:1 mypy no-code -");
	is(1, "4 m.py:9 mypy misc -");
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(each_message_is_one_flag), CASE(many_lines_stay_bounded),
		CASE(lines_that_are_no_objects_cost_no_memory),
		CASE(a_line_has_a_cap_and_no_nul),
		CASE(nor_have_lines_that_go_on), TAP_END });

	flags_done(&flags);
	rules_done(&rules);
	return r;
}
