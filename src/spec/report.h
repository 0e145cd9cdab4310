/* report.h -- which report of a test runner is read, and from where. */
#ifndef CUPEL_SPEC_REPORT_H
#define CUPEL_SPEC_REPORT_H

#include <stdbool.h>

enum report_format {
	REPORT_NONE,
	REPORT_JUNIT,    /* XML, of pytest, vitest, ctest and most others */
	REPORT_TAP,      /* of node --test */
	REPORT_JEST,     /* JSON, of jest and vitest */
	REPORT_GO,       /* what go test -v prints, or go test -json */
	REPORT_CARGO,    /* what cargo test prints */
	REPORT_UNITTEST, /* what python3 -m unittest prints */
	REPORT_AUTOMAKE, /* what automake's make check prints */
	REPORT_PROVE,    /* what Perl's prove prints */
	REPORT_ANY, /* by the name of each file: .xml JUnit, .tap, .json jest */
	REPORT_FORMAT_MAX_
};

enum report_from { REPORT_FROM_FILE, REPORT_FROM_STDOUT, REPORT_FROM_STDERR };

struct report_source {
	enum report_format format;
	enum report_from from;
	const char *path; /* inside; points into the text that was read */
	bool is_dir;      /* path ends with '/': each file in it is one */
	bool has_names;   /* every test is named; not part of that text */
};

/* report_format_name -- "junit", ...; "none" for REPORT_NONE. */
const char *report_format_name(enum report_format format);

/* report_source_read -- read "FORMAT:PATH", "FORMAT:DIR/", "FORMAT:stdout",
 * "FORMAT:stderr" or "none"; NULL means none, too.  REPORT_ANY needs a
 * directory.  The form of PATH is not checked.
 * Returns whether it is one of these. */
bool report_source_read(const char *text, struct report_source *ret);

#endif
