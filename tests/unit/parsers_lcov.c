/* parsers_lcov.c -- totals of lcov.info texts. */
#include "parsers/tests/tests_lcov.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "tap.h"

struct row {
	const char *text;
	uint64_t
		totals[7]; /* lines, branches, functions: found, hit; records */
	const char *warning;
};

static char *warnings_of(struct parse_report *r)
{
	struct buf out = { 0 };

	buf_add(&out, r->warnings.text.bytes, r->warnings.text.len);
	buf_char(&out, ']');
	return buf_take(&out);
}

static void row_try(const struct row *row)
{
	struct parse_input in = { "lcov.info",       9,     row->text,
				  strlen(row->text), false, NULL };
	struct lcov_totals t = { 0 };
	struct parse_report r;
	char *notes;

	parse_report_init(&r);
	ok_int(tests_lcov_read(&in, &t, &r), row->totals[6] > 0 ? 0 : -EINVAL);
	ok_int(t.lines_found, row->totals[0]);
	ok_int(t.lines_hit, row->totals[1]);
	ok_int(t.branches_found, row->totals[2]);
	ok_int(t.branches_hit, row->totals[3]);
	ok_int(t.functions_found, row->totals[4]);
	ok_int(t.functions_hit, row->totals[5]);
	ok_int(t.records, row->totals[6]);
	notes = warnings_of(&r);
	if (row->warning != NULL)
		ok_has(notes, row->warning);
	else
		ok(strcmp(notes, "[]") == 0);
	ok_int(r.errors.total, 0);
	free(notes);
	parse_report_done(&r);
}

static void rows_try(const struct row *rows)
{
	for (; rows->text != NULL; rows++) {
		int before = tap_bad;

		row_try(rows);
		if (tap_bad != before)
			fprintf(stderr, "# in: %.60s\n", rows->text);
	}
}

static void records_are_added_up(void)
{
	static const struct row rows[] = {
		{ "TN:\nSF:a.js\nFN:1,f\nFN:2,g\nFNDA:3,f\nFNDA:0,g\nFNF:2\n"
		  "FNH:1\nDA:1,1\nDA:2,0\nDA:4,9,sum\nLF:3\nLH:2\n"
		  "BRDA:1,0,0,-\nBRDA:1,0,1,4\nBRF:2\nBRH:1\nend_of_record\n"
		  "TN:x\nSF:b.js\nDA:1,0\nLF:1\nLH:0\nend_of_record\n",
		  { 4, 2, 2, 1, 2, 1, 2 },
		  NULL },
		{ "SF:a\r\nDA:1,1\r\nLF:1\r\nLH:1\r\nend_of_record\r\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  NULL },
		{ "SF:a\nLF:10\nLH:7\nBRF:4\nBRH:2\nFNF:3\nFNH:1\n"
		  "end_of_record\n",
		  { 10, 7, 4, 2, 3, 1, 1 },
		  NULL },
		{ "SF:a\nend_of_record\n", { 0, 0, 0, 0, 0, 0, 1 }, NULL },
		{ "SF:a\nFNL:1,2\nFNA:1,3,f\nFNA:1,0,g\nFNF:1\nFNH:1\n"
		  "end_of_record\n",
		  { 0, 0, 0, 0, 1, 1, 1 },
		  NULL },
		{ "SF:a\nFN:1,f\nFN:2,g\nFNDA:1,f\nFNA:1,3,f\nFNF:1\nFNH:1\n"
		  "end_of_record\n",
		  { 0, 0, 0, 0, 1, 1, 1 },
		  NULL },
		{ "SF:a\nBRDA:1,1,1,-\nBRF:1\nBRH:0\nend_of_record\n",
		  { 0, 0, 1, 0, 0, 0, 1 },
		  NULL },
		{ "SF:a\nBRDA:1,e0,a, b,2\nBRF:1\nBRH:1\nend_of_record\n",
		  { 0, 0, 1, 1, 0, 0, 1 },
		  NULL },
		{ .text = NULL },
	};

	rows_try(rows);
}

static void totals_are_not_believed_blindly(void)
{
	static const struct row rows[] = {
		{ "SF:a\nDA:1,1\nDA:2,0\nLF:9\nLH:9\nend_of_record\n",
		  { 2, 1, 0, 0, 0, 0, 1 },
		  "records without totals or with wrong ones: 1 of 1" },
		{ "SF:a\nDA:1,1\nDA:2,0\nend_of_record\n",
		  { 2, 1, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ "SF:a\nDA:1,1\nLF:1\nend_of_record\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ "SF:a\nBRDA:1,0,0,1\nBRF:1\nBRH:0\nend_of_record\n",
		  { 0, 0, 1, 1, 0, 0, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ "SF:a\nFN:1,f\nFNDA:1,f\nFNF:1\nFNH:0\nend_of_record\n",
		  { 0, 0, 0, 0, 1, 1, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ "SF:a\nLF:3\nLH:5\nend_of_record\n",
		  { 3, 3, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ "SF:a\nFNDA:1,f\nFNDA:1,g\nend_of_record\n",
		  { 0, 0, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_totals\"" },
		{ .text = NULL },
	};

	rows_try(rows);
}

static void a_line_told_twice_is_one_line(void)
{
	static const struct row rows[] = {
		{ "SF:a\nDA:2,0\nDA:1,0\nDA:2,1\nDA:2,0\nLF:2\nLH:1\n"
		  "end_of_record\n",
		  { 2, 1, 0, 0, 0, 0, 1 },
		  NULL },
		{ "SF:a\nDA:1,1\nDA:1,0\nLF:1\nLH:1\nend_of_record\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  NULL },
		{ .text = NULL },
	};

	rows_try(rows);
}

static void odd_counts_are_read(void)
{
	static const struct row rows[] = {
		{ "SF:a\nDA:1,-1\nDA:2,99999999999999999999999\nDA:3,1.5e9\n"
		  "DA:4,000\nDA:5, 2\nLF:5\nLH:3\nend_of_record\n",
		  { 5, 3, 0, 0, 0, 0, 1 },
		  NULL },
		{ .text = NULL },
	};

	rows_try(rows);
}

static void what_is_no_lcov_is_told(void)
{
	static const struct row rows[] = {
		{ "", { 0 }, "\"code\":\"lcov_empty\"" },
		{ "hello\nworld\n",
		  { 0 },
		  "\"code\":\"lcov_line\",\"source\":\"lcov.info\","
		  "\"offset\":0,\"message\":\"lines that are not lcov: 2;" },
		{ "SF:a\nDA:1,1\nLF:1\nLH:1\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_unfinished\"" },
		{ "SF:a\nDA:x,1\nDA:1\nDA:,1\nDA:1,1\nLF:1\nLH:1\n"
		  "end_of_record\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  "\"offset\":5,\"message\":\"lines that are not lcov: 3;" },
		{ "DA:1,1\nSF:a\nDA:1,1\nLF:1\nLH:1\nend_of_record\n",
		  { 1, 1, 0, 0, 0, 0, 1 },
		  "\"offset\":0" },
		{ "SF:a\nend_of_record\nend_of_record\n",
		  { 0, 0, 0, 0, 0, 0, 1 },
		  "\"code\":\"lcov_line\"" },
		{ "SF:a\nLF:99999999999999999999\nLF:\nend_of_record\n",
		  { 0, 0, 0, 0, 0, 0, 1 },
		  "lines that are not lcov: 2;" },
		{ .text = NULL },
	};

	rows_try(rows);
}

/* SF: or another line of len bytes, with lines of its own behind it. */
static void long_line_try(const char *head, size_t len, const char *tail,
			  uint64_t lines, const char *warning)
{
	char *text = malloc(len + strlen(tail) + 1);

	memset(text, 'a', len);
	memcpy(text, head, strlen(head));
	strcpy(text + len, tail);
	row_try(&(struct row){
		text, { lines, lines, 0, 0, 0, 0, 1 }, warning });
	free(text);
}

static void a_line_too_long_is_told(void)
{
	static const char tail[] = "\nDA:7,1\nLF:1\nLH:1\nend_of_record\n";
	static const char told[] = "{\"code\":\"line_too_long\","
				   "\"source\":\"lcov.info\",\"offset\":0,"
				   "\"message\":\"lines left out because they "
				   "are longer than 64 KiB: 1;";

	long_line_try("SF:", PARSE_STRING_BYTES, tail, 1, NULL);
	long_line_try("SF:", PARSE_STRING_BYTES + 1, tail, 1, told);
	long_line_try("SF:", 9000000, "\nend_of_record\n", 0, told);
	long_line_try("SF:a\nDA:1,1,", PARSE_STRING_BYTES + 6, tail, 1,
		      "\"code\":\"line_too_long\",\"source\":\"lcov.info\","
		      "\"offset\":5,");
}

/* 50 MB of one record whose lines come backwards, and one line of 50 MB. */
static void fifty_megabytes_are_linear(void)
{
	const size_t cap = (size_t)50 << 20;
	char *text = malloc(cap + 64);
	struct parse_input in = { "lcov.info", 9, text, 0, false, NULL };
	struct lcov_totals t = { 0 };
	struct parse_report r;
	clock_t from = clock();
	unsigned line = 9999999;

	in.len = (size_t)snprintf(text, cap, "SF:a\n");
	while (in.len < cap)
		in.len += (size_t)snprintf(text + in.len, 32, "DA:%07u,1\n",
					   line--);
	parse_report_init(&r);
	ok_int(tests_lcov_read(&in, &t, &r), 0);
	ok_int(t.lines_found, 9999999 - line);
	parse_report_done(&r);
	memset(text + 5, ',', cap - 5);
	in.len = cap;
	parse_report_init(&r);
	ok_int(tests_lcov_read(&in, &t, &r), 0);
	parse_report_done(&r);
	ok((clock() - from) / CLOCKS_PER_SEC < 20);
	free(text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(records_are_added_up),
		CASE(totals_are_not_believed_blindly),
		CASE(a_line_told_twice_is_one_line), CASE(odd_counts_are_read),
		CASE(what_is_no_lcov_is_told), CASE(a_line_too_long_is_told),
		CASE(fifty_megabytes_are_linear), TAP_END });
}
