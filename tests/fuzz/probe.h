/* probe.h -- bytes as the inputs of a probe.
 *
 * "==> NAME" on a line of its own begins a file, as head(1) writes them; a file
 * without a line is declared by its name only.  What must hold: the probe ends
 * well, and its output is one strict JSON object of at most 1 MiB and its
 * notes. */
#ifndef CUPEL_TESTS_FUZZ_PROBE_H
#define CUPEL_TESTS_FUZZ_PROBE_H

#include <stdlib.h>
#include <string.h>

#include "boundary/json.h"
#include "parsers/common/parse.h"

#define FUZZ_FILES 32U

typedef int fuzz_probe(const struct parse_inputs *in, struct parse_report *r);

static void must(int holds)
{
	if (!holds)
		abort();
}

static int fuzz_compare(const void *a, const void *b)
{
	const struct parse_input *x = a, *y = b;
	size_t n = x->name_len < y->name_len ? x->name_len : y->name_len;
	int c = memcmp(x->name, y->name, n);

	return c != 0 ? c
		      : (x->name_len > y->name_len) -
				(x->name_len < y->name_len);
}

/* Files sorted by name; of two with one name, the first in memory. */
static size_t fuzz_split(const char *bytes, size_t n, struct parse_input *items)
{
	const char *at = bytes, *end = bytes + n;
	size_t len = 0, kept = 0;

	while (len < FUZZ_FILES && end - at > 4 && memcmp(at, "==> ", 4) == 0) {
		struct parse_input *in = &items[len++];
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		const char *next;

		*in = (struct parse_input){ .name = at + 4 };
		if (eol == NULL)
			eol = end;
		in->name_len = (size_t)(eol - in->name);
		in->bytes = eol < end ? eol + 1 : end;
		next = memmem(in->bytes, (size_t)(end - in->bytes), "\n==> ",
			      5);
		in->is_name_only = eol == end;
		in->len = (size_t)((next ? next + 1 : end) - in->bytes);
		at = next ? next + 1 : end;
	}
	if (len > 0)
		qsort(items, len, sizeof *items, fuzz_compare);
	for (size_t i = 0; i < len; i++)
		if (kept == 0 || fuzz_compare(&items[kept - 1], &items[i]) != 0)
			items[kept++] = items[i];
	return kept;
}

static void fuzz_try(fuzz_probe *run, const char *name, const char *bytes,
		     size_t n)
{
	struct parse_input items[FUZZ_FILES];
	struct parse_inputs in = { items, fuzz_split(bytes, n, items) };
	struct json_caps caps = { .text_bytes = (size_t)4 << 20 };
	struct json_error err;
	struct parse_report r;
	struct arena arena = { 0 };
	struct buf out = { 0 };
	struct json_value v;

	parse_report_init(&r);
	must(run(&in, &r) == 0);
	must(r.slice.len <= PARSE_SLICE_BYTES);
	report_write(&r, name, &out);
	must(!buf_has_failed(&out));
	must(json_parse(out.bytes, out.len, &caps, &arena, &v, &err) == 0);
	must(json_find(&v, "slice") != NULL);
	parse_report_done(&r);
	arena_done(&arena);
	buf_done(&out);
}

#endif
