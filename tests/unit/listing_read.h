/* listing_read.h -- reports of analysers read as flags, for tests. */
#ifndef CUPEL_TESTS_LISTING_READ_H
#define CUPEL_TESTS_LISTING_READ_H

#include "jobs/confirm/listing.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/confirm/listing_lines.h"
#include "tap.h"

static struct rules rules;
static struct flags flags;

static inline void again(void)
{
	struct cupel_error err = { 0 };

	flags_done(&flags);
	rules_done(&rules);
	ok_int(rules_read_own(&rules, &err), 0);
}

/* Returns false if it is not a report. */
static inline bool document_read(const char *text, size_t n)
{
	const struct json_caps caps = { .text_bytes = FLAGS_BYTES,
					.memory_bytes = FLAGS_MEMORY };
	struct arena arena = { 0 };
	struct json_value doc;
	struct json_error e = { 0 };
	const struct listing *l = NULL;

	again();
	if (json_parse(text, n, &caps, &arena, &doc, &e) == 0)
		l = listing_find(&doc);
	if (l != NULL)
		ok_int(listing_read(l, &doc, &rules, &flags), 0);
	arena_done(&arena);
	return l != NULL;
}

static inline bool lines_read(const char *text, size_t n)
{
	const struct line_form *f;

	again();
	f = line_form_find(text, n);
	if (f != NULL)
		ok_int(line_form_read(f, text, n, &rules, &flags), 0);
	return f != NULL;
}

static inline bool report_read(const char *text)
{
	return document_read(text, strlen(text)) ||
	       lines_read(text, strlen(text));
}

/* Flag i as "number file:line tool rule class". */
static inline void is(size_t i, const char *want)
{
	const struct flag *f = &flags.items[i];
	char got[400] = "none";

	if (i < flags.len)
		(void)snprintf(got, sizeof got, "%zu %s:%u %s %s %s", f->number,
			       f->file, (unsigned)f->line, f->tool, f->rule,
			       f->has_no_class ? "-" : f->flag_class);
	ok(strcmp(got, want) == 0);
	if (strcmp(got, want) != 0)
		printf("# %s, not %s\n", got, want);
}

/* A report, and what must come of it. */
struct report_row {
	const char *text;
	size_t faults, left_out;
	const char *flags[4];
};

static inline void reports_check(const struct report_row *rows, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t n = 0;

		ok(report_read(rows[i].text));
		for (; n < 4 && rows[i].flags[n] != NULL; n++)
			is(n, rows[i].flags[n]);
		ok_int((intmax_t)flags.len, (intmax_t)n);
		ok_int((intmax_t)flags.faults_all, (intmax_t)rows[i].faults);
		ok_int((intmax_t)flags.left_out, (intmax_t)rows[i].left_out);
	}
}

#endif
