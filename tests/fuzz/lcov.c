/* lcov.c -- fuzz: bytes as lcov.info.
 *
 * What must hold: nothing is hit that was not found, and what was found had its
 * line, or was said to be there. */
#include <stdint.h>
#include <stdlib.h>

#include "parsers/tests/tests_lcov.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct parse_input in = { "lcov.info", 9,     (const char *)bytes,
				  n,           false, NULL };
	struct lcov_totals t = { 0 };
	struct parse_report r;
	int e;

	parse_report_init(&r);
	e = tests_lcov_read(&in, &t, &r);
	must((e == 0) == (t.records > 0));
	must(t.lines_hit <= t.lines_found);
	must(t.branches_hit <= t.branches_found);
	must(t.functions_hit <= t.functions_found);
	must(t.records <= n / 3);
	must(r.errors.total == 0);
	parse_report_done(&r);
	return 0;
}
