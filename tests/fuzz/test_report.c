/* test_report.c -- fuzz: a report of a test runner; the first line is its
 * format. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/json.h"
#include "parsers/common/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static uint64_t number(const struct json_value *tests, const char *name)
{
	uint64_t value = 0;

	must(json_read_u64(json_find(tests, name), &value) == 0);
	return value;
}

static void hold_text(const struct json_value *detail, const char *name)
{
	const struct json_value *v = json_find(detail, name);

	must(v != NULL);
	must(v->type == JSON_NULL ||
	     (v->type == JSON_STRING && v->u.string.len <= 1024));
}

static void hold_number(const struct json_value *detail, const char *name,
			uint64_t most)
{
	const struct json_value *v = json_find(detail, name);
	uint64_t n = 0;

	must(v != NULL);
	must(v->type == JSON_NULL || (json_read_u64(v, &n) == 0 && n <= most));
}

/* Of failures only, and nothing that a schema or a terminal has no room for. */
static void hold_details(const struct json_value *tests)
{
	const struct json_value *list = json_find(tests, "details");

	must(list != NULL && list->u.array.len <= number(tests, "failed"));
	must(list->u.array.len <= 1000);
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *detail = &list->u.array.items[i];

		must(json_find(detail, "name")->type == JSON_STRING);
		hold_text(detail, "name");
		hold_text(detail, "message");
		hold_text(detail, "file");
		hold_number(detail, "line", 10000000);
		hold_number(detail, "duration_ms", 1000000000);
	}
}

/* Numbers that add up, and names for no more than failed. */
static void hold(const struct json_value *tests)
{
	const struct json_value *names = json_find(tests, "failures");

	must(number(tests, "total") == number(tests, "passed") +
					       number(tests, "failed") +
					       number(tests, "skipped"));
	must(names->u.array.len + number(tests, "failures_omitted") ==
	     number(tests, "failed"));
	for (size_t i = 0; i < names->u.array.len; i++)
		must(names->u.array.items[i].u.string.len <= 1024);
	hold_details(tests);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *eol = n > 0 ? memchr(bytes, '\n', n) : NULL;
	struct parse_input in = { .name = (const char *)bytes };
	struct parse_inputs all = { &in, 1 };
	struct json_caps caps = { .text_bytes = PARSE_SLICE_BYTES };
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	struct parse_report r;

	if (eol == NULL)
		return 0;
	in.name_len = (size_t)(eol - in.name);
	in.bytes = eol + 1;
	in.len = n - in.name_len - 1;
	parse_report_init(&r);
	must(test_report_run(&all, &r) == 0);
	must((r.errors.total == 0) == (r.slice.len > 0));
	if (r.slice.len > 0) {
		must(json_parse(r.slice.bytes, r.slice.len, &caps, &arena, &v,
				&err) == 0);
		hold(json_find(&v, "tests"));
	}
	parse_report_done(&r);
	arena_done(&arena);
	return 0;
}
