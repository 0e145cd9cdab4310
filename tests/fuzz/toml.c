/* toml.c -- fuzz: bytes as TOML.
 *
 * What must hold: it ends well; what is read is strict JSON when it is written,
 * and what is refused has one error. */
#include <stdlib.h>

#include "parsers/toml/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct parse_input in = { .name = "a",
				  .name_len = 1,
				  .bytes = (const char *)bytes,
				  .len = n };
	struct json_caps caps = { .text_bytes = (size_t)64 << 20,
				  .string_bytes = (size_t)64 << 20 };
	struct arena arena = { 0 };
	struct parse_report r;
	struct json_value v, again;
	struct json_error err;
	struct buf out = { 0 };

	parse_report_init(&r);
	if (toml_read(&in, &arena, (size_t)8 << 20, &v, &r) < 0) {
		must(r.errors.total == 1);
	} else {
		must(r.errors.total == 0);
		json_write(&v, &out);
		must(!buf_has_failed(&out));
		must(json_parse(out.bytes, out.len, &caps, &arena, &again,
				&err) == 0);
	}
	parse_report_done(&r);
	arena_done(&arena);
	buf_done(&out);
	return 0;
}
