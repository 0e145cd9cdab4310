/* json.c -- fuzz: bytes as strict JSON.
 *
 * What must hold: a refusal has a code, a place within the text and words; what
 * is accepted reads back equal from both writers, and the canonical form is its
 * own canonical form. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void read_again(const struct json_value *v, const struct buf *text)
{
	struct arena arena = { 0 };
	struct json_value again;
	struct json_error err;
	const struct json_caps caps = { .text_bytes = 1 << 24,
					.depth = JSON_DEPTH_MAX };

	must(!buf_has_failed(text));
	must(json_parse(text->bytes, text->len, &caps, &arena, &again, &err) ==
	     0);
	must(v == NULL || json_equal(v, &again));
	if (v == NULL) {
		struct buf twice = { 0 };

		must(json_write_canonical(&again, &twice) == 0);
		must(twice.len == text->len);
		must(memcmp(twice.bytes, text->bytes, text->len) == 0);
		buf_done(&twice);
	}
	arena_done(&arena);
}

static void try_caps(const char *bytes, size_t n, const struct json_caps *caps)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;
	struct buf plain = { 0 };
	struct buf canonical = { 0 };
	uint64_t number;

	if (json_parse(bytes, n, caps, &arena, &v, &err) < 0) {
		must(err.code > JSON_OK && err.code < JSON_CODE_MAX_);
		must(err.offset <= n && err.line > 0 && err.column > 0);
		must(err.expected != NULL);
		arena_done(&arena);
		return;
	}
	must(err.code == JSON_OK);
	(void)json_read_u64(&v, &number);
	must(json_equal(&v, &v));
	json_write(&v, &plain);
	read_again(&v, &plain);
	if (json_write_canonical(&v, &canonical) == 0)
		read_again(NULL, &canonical);
	buf_done(&plain);
	buf_done(&canonical);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct json_caps deep = { .depth = UINT32_MAX };
	const struct json_caps small = { .text_bytes = 200,
					 .string_bytes = 5,
					 .depth = 3,
					 .memory_bytes = 2000 };

	try_caps((const char *)bytes, n, NULL);
	try_caps((const char *)bytes, n, &deep);
	try_caps((const char *)bytes, n, &small);
	return 0;
}
