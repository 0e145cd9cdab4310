/* tests_lcov.h -- the totals of an lcov.info. */
#ifndef CUPEL_PARSERS_TESTS_LCOV_H
#define CUPEL_PARSERS_TESTS_LCOV_H

#include "parsers/common/parse.h"

struct lcov_totals {
	uint64_t lines_found, lines_hit;
	uint64_t branches_found, branches_hit;
	uint64_t functions_found, functions_hit;
	uint64_t records; /* source files, as the text counts them */
};

/* tests_lcov_read -- add up every record of the input, in time linear in its length.
 *
 * A record's totals (LF, LH, BRF, BRH, FNF, FNH) are taken where the record has
 * nothing else; where they are missing or are not what its own lines come to,
 * the latter count, and that is a warning ("lcov_totals").  A line that is
 * told twice in one record is one line, hit if it was hit at all.  A line over
 * PARSE_STRING_BYTES is not looked at ("line_too_long"), but for the SF: that it
 * may begin with: that record counts.
 * Source: geninfo(1), "TRACEFILE FORMAT".
 *
 * Returns 0; -EINVAL when there is no record at all (noted as a warning),
 * -ENOMEM (noted as an error). */
int tests_lcov_read(const struct parse_input *in, struct lcov_totals *ret,
		    struct parse_report *r);

#endif
