/* probe_repo.h -- bytes as a small repository, and a probe over it.
 *
 * A line "== NAME" begins a file, whose text goes up to the next such line;
 * "=- NAME" is a file declared by its name.
 *
 * What must hold: the probe ends well, says the same twice, and what it says is
 * strict JSON within the slice's cap, true to the installed schema, with no
 * field name that the sanitizer refuses. */
#ifndef CUPEL_TESTS_FUZZ_PROBE_REPO_H
#define CUPEL_TESTS_FUZZ_PROBE_REPO_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/sanitize.h"
#include "boundary/schema.h"
#include "parsers/common/parse.h"
#include "spec/schemas.h"

#define REPO_FILES_MAX 32

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

typedef int repo_probe(const struct parse_inputs *in, struct parse_report *r);

static void must(int holds)
{
	if (!holds)
		abort();
}

static struct schema_set *repo_schema(const char *probe)
{
	static struct schema_set *set; /* built once: one probe a target */
	const struct data_text *text = schema_text_find(probe);
	struct schema_fault fault = { 0 };

	if (set != NULL)
		return set;
	set = schema_set_new();
	must(text != NULL && set != NULL);
	must(schema_set_add(set, NULL, text->bytes, text->len, &fault) == 0);
	must(schema_set_use(set, NULL, &fault) == 0);
	return set;
}

static void repo_output_hold(const char *probe, const char *bytes, size_t n)
{
	struct json_caps caps = { .text_bytes = n + 1, .string_bytes = n + 1 };
	struct sanitize_limits limits = { .string_bytes = PARSE_STRING_BYTES,
					  .depth = 32 };
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct sanitize_report cleaned;
	struct json_error e = { 0 };
	struct arena arena = { 0 };
	struct json_value v;

	must(json_parse(bytes, n, &caps, &arena, &v, &e) == 0);
	must(schema_validate(repo_schema(probe), &v, &arena, &report, &fault) ==
	     0);
	must(report.valid);
	must(sanitize_value(&v, &limits, &arena, &cleaned) == 0);
	arena_done(&arena);
}

static int repo_name_compare(const void *x, const void *y)
{
	const struct parse_input *a = x, *b = y;
	size_t len = a->name_len < b->name_len ? a->name_len : b->name_len;
	int c = memcmp(a->name, b->name, len);

	return c != 0 ? c
		      : (a->name_len > b->name_len) -
				(a->name_len < b->name_len);
}

static const char *repo_head_find(const char *at, const char *end)
{
	while (at < end) {
		const char *eol;

		if (end - at >= 3 && at[0] == '=' &&
		    (at[1] == '=' || at[1] == '-') && at[2] == ' ')
			return at;
		eol = memchr(at, '\n', (size_t)(end - at));
		at = eol != NULL ? eol + 1 : end;
	}
	return end;
}

static int repo_is_new(const struct parse_input *items, size_t len,
		       const struct parse_input *in)
{
	for (size_t i = 0; i < len; i++)
		if (repo_name_compare(&items[i], in) == 0)
			return 0;
	return 1;
}

static size_t repo_read(const uint8_t *bytes, size_t n,
			struct parse_input items[REPO_FILES_MAX])
{
	const char *end = (const char *)bytes + n;
	const char *at = repo_head_find((const char *)bytes, end);
	size_t len = 0;

	while (at < end && len < REPO_FILES_MAX) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		struct parse_input *in = &items[len];
		const char *next;

		if (eol == NULL)
			break;
		next = repo_head_find(eol + 1, end);
		*in = (struct parse_input){
			.name = at + 3,
			.name_len = (size_t)(eol - at) - 3,
			.bytes = eol + 1,
			.len = (size_t)(next - eol) - 1,
			.is_name_only = at[1] == '-',
		};
		if (in->is_name_only)
			in->len = 0;
		len += in->name_len > 0 && repo_is_new(items, len, in);
		at = next;
	}
	qsort(items, len, sizeof *items, repo_name_compare);
	return len;
}

static void repo_run(const char *probe, repo_probe *run,
		     const struct parse_inputs *in, struct buf *out)
{
	struct parse_report r;

	parse_report_init(&r);
	must(run(in, &r) == 0);
	must(r.slice.len <= PARSE_SLICE_BYTES && !buf_has_failed(&r.slice));
	report_write(&r, probe, out);
	parse_report_done(&r);
	must(!buf_has_failed(out));
}

static inline void repo_hold(const char *probe, repo_probe *run,
			     const uint8_t *bytes, size_t n)
{
	struct parse_input items[REPO_FILES_MAX];
	struct parse_inputs in = { items,
				   n > 0 ? repo_read(bytes, n, items) : 0 };
	struct buf one = { 0 }, two = { 0 };

	repo_run(probe, run, &in, &one);
	repo_run(probe, run, &in, &two);
	must(one.len == two.len && memcmp(one.bytes, two.bytes, one.len) == 0);
	repo_output_hold(probe, one.bytes, one.len);
	buf_done(&one);
	buf_done(&two);
}

#endif
