/* schema.c -- fuzz: the first line is a schema, the rest a value.
 *
 * What must hold: a schema that cannot be used says why; a verdict comes with
 * a violation exactly when it is no; asking twice gives the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void judge(const struct schema_set *set, const struct json_value *v)
{
	struct arena arena = { 0 };
	struct schema_report one, two;
	struct schema_fault fault = { 0 };
	int r = schema_validate(set, v, &arena, &one, &fault);

	if (r == 0) {
		must(one.valid == (one.total == 0) && one.len <= one.total);
		must(schema_validate(set, v, &arena, &two, &fault) == 0);
		must(two.valid == one.valid && two.total == one.total);
	} else {
		must(fault.code != SCHEMA_OK && fault.text[0] != '\0');
	}
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *text = (const char *)bytes;
	const char *end = n > 0 ? memchr(text, '\n', n) : NULL;
	size_t len = end != NULL ? (size_t)(end - text) : n;
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	struct arena arena = { 0 };
	struct json_error err;
	struct json_value v;
	int r = schema_set_add(set, NULL, text, len, &fault);

	(void)schema_set_add(set, "http://h/other", text, len, &fault);
	if (r == 0)
		r = schema_set_use(set, NULL, &fault);
	must(r == 0 || (fault.code != SCHEMA_OK && fault.text[0] != '\0'));
	if (r == 0 && json_parse(text, len, NULL, &arena, &v, &err) == 0)
		judge(set, &v);
	if (r == 0 && end != NULL &&
	    json_parse(end, n - len, NULL, &arena, &v, &err) == 0)
		judge(set, &v);
	arena_done(&arena);
	schema_set_free(set);
	return 0;
}
