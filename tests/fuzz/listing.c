/* listing.c -- fuzz: bytes as the report of an analyser, a document or lines.
 *
 * What must hold: every message is a flag, a fault with its number and words, or
 * left out; a flag has a file, a line, a tool and a rule, and a class or
 * "tool:rule"; the tally counts the latter. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jobs/confirm/listing.h"
#include "jobs/confirm/listing_lines.h"
#include "jobs/confirm/tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void flags_check(const struct flags *f)
{
	struct tally t = { 0 };
	size_t last = 0, without = 0;

	must(f->faults_len <= f->faults_all);
	for (size_t i = 0; i < f->len; i++) {
		const struct flag *flag = &f->items[i];

		must(flag->number > last);
		last = flag->number;
		must(flag->file[0] != '\0' && flag->function == NULL);
		must(flag->line > 0 && flag->line <= FLAG_LINE_MAX);
		must(flag->tool != NULL && flag->rule[0] != '\0');
		without += flag->has_no_class;
		must(flag->has_no_class ==
		     (strchr(flag->flag_class, ':') != NULL));
	}
	for (size_t i = 0; i < f->faults_len; i++)
		must(strlen(f->faults[i].message) > 0);
	must(tally_read(f, &t) == 0);
	must(t.flags == without && t.rows_len <= t.rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *text = (const char *)bytes;
	const struct line_form *form = n > 0 ? line_form_find(text, n) : NULL;
	struct cupel_error err = { 0 };
	struct arena arena = { 0 };
	struct rules rules = { 0 };
	struct flags f = { 0 };
	struct json_value doc;
	struct json_error e;

	must(rules_read_own(&rules, &err) == 0);
	if (json_parse(text, n, NULL, &arena, &doc, &e) == 0 &&
	    listing_find(&doc) != NULL)
		must(listing_read(listing_find(&doc), &doc, &rules, &f) == 0);
	else if (form != NULL)
		must(line_form_read(form, text, n, &rules, &f) == 0);
	flags_check(&f);
	flags_done(&f);
	rules_done(&rules);
	arena_done(&arena);
	return 0;
}
