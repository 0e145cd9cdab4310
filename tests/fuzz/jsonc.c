/* jsonc.c -- fuzz: bytes as JSON with comments.
 *
 * What must hold: what is strict JSON reads the same; an error is noted exactly
 * when the reader says so; the input stays as it is. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/jsonc.h"

#define MEMORY_BYTES ((size_t)16 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct parse_input in = { .name = "f",
				  .name_len = 1,
				  .bytes = (const char *)bytes,
				  .len = n };
	struct parse_report strict, loose;
	struct arena arena = { 0 };
	struct json_value a, b;
	int as_json, as_jsonc;

	parse_report_init(&strict);
	parse_report_init(&loose);
	as_json = parse_json(&in, &arena, MEMORY_BYTES, &a, &strict);
	as_jsonc = jsonc_read(&in, &arena, MEMORY_BYTES, &b, &loose);
	must(as_jsonc == 0 || as_jsonc == -EINVAL);
	must((as_jsonc == 0) == (loose.errors.total == 0));
	if (as_json == 0)
		must(as_jsonc == 0 && json_equal(&a, &b));
	parse_report_done(&strict);
	parse_report_done(&loose);
	arena_done(&arena);
	return 0;
}
