/* suite_rows.h -- rows of reports: what a report comes to, or what is refused. */
#ifndef CUPEL_TESTS_SUITE_ROWS_H
#define CUPEL_TESTS_SUITE_ROWS_H

#include "parsers/common/parse.h"

#include <stdlib.h>

#include "json_at.h"

struct row {
	const char *format, *text;
	const char *want; /* in the slice; or the code of the error, with "!" */
};

/* The slice, or "!" and the errors; freed by the caller. */
static char *read_report(const char *format, const char *text, size_t n)
{
	struct parse_input in = {
		format, strlen(format), text, n, false, NULL
	};
	struct parse_inputs all = { &in, 1 };
	struct parse_report r;
	struct buf out = { 0 };

	parse_report_init(&r);
	ok_int(test_report_run(&all, &r), 0);
	ok((r.errors.total == 0) == (r.slice.len > 0));
	ok(!buf_has_failed(&r.slice));
	if (r.errors.total > 0)
		buf_format(&out, "!%s", r.errors.text.bytes);
	else
		buf_add(&out, r.slice.bytes, r.slice.len);
	parse_report_done(&r);
	return buf_take(&out);
}

/* A report of n bytes, and what it comes to, as in a row. */
static void report_try(const char *format, const char *bytes, size_t n,
		       const char *want)
{
	char *got = read_report(format, bytes, n);

	if (want[0] == '{') {
		ok_json(got, "/tests", want);
	} else {
		ok(want[0] == '!' && got[0] == '!');
		ok_has(got, want + 1);
	}
	free(got);
}

static void rows_try(const struct row *rows)
{
	for (; rows->format != NULL; rows++) {
		int before = tap_bad;

		report_try(rows->format, rows->text, strlen(rows->text),
			   rows->want);
		if (tap_bad != before)
			fprintf(stderr, "# %s: %.80s\n", rows->format,
				rows->text);
	}
}

#define COUNTS(t, p, f, s)                                                     \
	"{\"total\":" #t ",\"passed\":" #p ",\"failed\":" #f                   \
	",\"skipped\":" #s "}"

#endif
