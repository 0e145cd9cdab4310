/* context.c -- fuzz: a JSON value written as YAML and read back.
 *
 * What must hold: what the parser composes from what was written is the value;
 * where it is refused, it is over a cap of the parser. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "jobs/gather/yaml_write.h"
#include "parsers/common/parse.h"

#define DEPTH 60U /* the parser's is 64 */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

/* Names that hold a NUL are refused by the parser. */
static int has_nul_name(const struct json_value *v)
{
	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		if (has_nul_name(&v->u.array.items[i]))
			return 1;
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		if (memchr(m->name.bytes, 0, m->name.len) != NULL ||
		    has_nul_name(&m->value))
			return 1;
	}
	return 0;
}

static void read_back(const struct json_value *v, const struct buf *yaml,
		      struct arena *arena)
{
	struct parse_input item = { .name = "c",
				    .name_len = 1,
				    .bytes = yaml->bytes,
				    .len = yaml->len };
	struct parse_inputs in = { .items = &item, .len = 1 };
	struct parse_report r;
	struct json_value back;
	struct json_error e;

	parse_report_init(&r);
	must(context_read_run(&in, &r) == 0);
	if (has_nul_name(v)) {
		must(r.errors.total > 0);
	} else {
		must(r.errors.total == 0 && r.warnings.total == 0);
		must(json_parse(r.slice.bytes, r.slice.len, NULL, arena, &back,
				&e) == 0);
		must(json_equal(v, &back));
	}
	parse_report_done(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct json_caps caps = { .text_bytes = 100000, .depth = DEPTH };
	struct arena arena = { 0 };
	struct buf yaml = { 0 };
	struct json_value v;
	struct json_error e;

	if (json_parse((const char *)bytes, n, &caps, &arena, &v, &e) == 0) {
		yaml_write(&v, &yaml);
		must(!buf_has_failed(&yaml));
		read_back(&v, &yaml, &arena);
	}
	buf_done(&yaml);
	arena_done(&arena);
	return 0;
}
