/* flags.c -- fuzz: bytes as review-flags.jsonl.
 *
 * What must hold: every line is a flag, a fault with its number and words, or
 * blank; the numbers ascend; a flag has what the schema asks for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/confirm/flag.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static size_t lines_of(const uint8_t *bytes, size_t n)
{
	size_t lines = n > 0;

	for (size_t i = 0; i + 1 < n; i++)
		lines += bytes[i] == '\n';
	return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct flags f = { 0 };
	size_t last = 0;

	must(flags_read((const char *)bytes, n, &f) == 0);
	must(f.len + f.faults_all <= lines_of(bytes, n));
	for (size_t i = 0; i < f.len; i++) {
		const struct flag *flag = &f.items[i];

		must(flag->number > last);
		last = flag->number;
		must(flag->file != NULL && flag->file[0] != '\0');
		must(flag->flag_class != NULL);
		must(flag->function != NULL || flag->line > 0);
		must(flag->line <= FLAG_LINE_MAX);
	}
	last = 0;
	for (size_t i = 0; i < f.faults_len; i++) {
		must(f.faults[i].number > last);
		last = f.faults[i].number;
		must(strlen(f.faults[i].message) > 0);
	}
	flags_done(&f);
	return 0;
}
