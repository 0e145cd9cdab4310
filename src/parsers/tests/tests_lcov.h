/* tests_lcov.h -- reads the totals of an lcov.info. */
#ifndef CUPEL_PARSERS_TESTS_LCOV_H
#define CUPEL_PARSERS_TESTS_LCOV_H

#include "parsers/common/parse.h"

struct lcov_totals {
	uint64_t lines_found, lines_hit;
	uint64_t branches_found, branches_hit;
	uint64_t functions_found, functions_hit;
	uint64_t records; /* source files, as the text counts them */
};

/* tests_lcov_read -- add up every record of the input, in time linear in its
 * length.
 *
 * A record's totals (LF, LH, BRF, BRH, FNF, FNH) are used if the record has
 * nothing else.  If they are missing, or differ from the sum of the record's
 * own lines, that sum counts, and there is a warning ("lcov_totals").  A line
 * that a record has twice is one line, which was hit if it was hit at all.  A
 * line over PARSE_STRING_BYTES is not read ("line_too_long"), unless it begins
 * with SF: then the record counts.
 * Source: geninfo(1), "TRACEFILE FORMAT".
 *
 * Returns 0; -EINVAL when there is no record at all (noted as a warning),
 * -ENOMEM (noted as an error). */
int tests_lcov_read(const struct parse_input *in, struct lcov_totals *ret,
		    struct parse_report *r);

#endif
