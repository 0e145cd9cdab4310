/* node_probe.h -- node_manifest over fuzzed inputs, and what must hold of it.
 *
 * It ends well, says the same twice, and what it says is strict JSON, within
 * the slice's cap, true to the installed schema. */
#ifndef CUPEL_TESTS_FUZZ_NODE_PROBE_H
#define CUPEL_TESTS_FUZZ_NODE_PROBE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/schema.h"
#include "parsers/common/parse.h"
#include "spec/schemas.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static struct schema_set *schema_get(void)
{
	static struct schema_set *set; /* built once */
	const struct data_text *text = schema_text_find("node_manifest");
	struct schema_fault fault = { 0 };

	if (set != NULL)
		return set;
	set = schema_set_new();
	must(text != NULL && set != NULL);
	must(schema_set_add(set, NULL, text->bytes, text->len, &fault) == 0);
	must(schema_set_use(set, NULL, &fault) == 0);
	return set;
}

static void output_hold(const char *bytes, size_t n)
{
	struct json_caps caps = { .text_bytes = n + 1, .string_bytes = n + 1 };
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct json_error e = { 0 };
	struct arena arena = { 0 };
	struct json_value v;

	must(json_parse(bytes, n, &caps, &arena, &v, &e) == 0);
	must(schema_validate(schema_get(), &v, &arena, &report, &fault) == 0);
	must(report.valid);
	arena_done(&arena);
}

static int name_compare(const void *x, const void *y)
{
	const struct parse_input *a = x, *b = y;
	size_t len = a->name_len < b->name_len ? a->name_len : b->name_len;
	int c = memcmp(a->name, b->name, len);

	return c != 0 ? c
		      : (a->name_len > b->name_len) -
				(a->name_len < b->name_len);
}

static void probe_run(const struct parse_inputs *in, struct buf *out)
{
	struct parse_report r;

	parse_report_init(&r);
	must(node_manifest_run(in, &r) == 0);
	must(r.slice.len <= PARSE_SLICE_BYTES);
	report_write(&r, "node_manifest", out);
	parse_report_done(&r);
	must(!buf_has_failed(out));
}

/* items are put in order; no name twice. */
static void probe_hold(struct parse_input *items, size_t len)
{
	struct parse_inputs in = { items, len };
	struct buf one = { 0 }, two = { 0 };

	qsort(items, len, sizeof *items, name_compare);
	probe_run(&in, &one);
	probe_run(&in, &two);
	must(one.len == two.len && memcmp(one.bytes, two.bytes, one.len) == 0);
	output_hold(one.bytes, one.len);
	buf_done(&one);
	buf_done(&two);
}

/* One fuzzed lockfile beside a workspace that never changes. */
static inline void lockfile_hold(const char *name, const uint8_t *bytes,
				 size_t n)
{
	static const char root[] =
		"{\"name\":\"r\",\"workspaces\":[\"p/*\"],"
		"\"dependencies\":{\"a\":\"^1\",\"@s/b\":\"npm:c@2\","
		"\"d\":\"file:./d\"},\"resolutions\":{\"**/e\":\"1\"}}";
	static const char member[] =
		"{\"name\":\"w\",\"dependencies\":{\"a\":\"^2\",\"e\":\"3\"},"
		"\"devDependencies\":{\"r\":\"workspace:*\"}}";
	struct parse_input items[] = {
		{ .name = "package.json",
		  .name_len = 12,
		  .bytes = root,
		  .len = sizeof root - 1 },
		{ .name = "p/w/package.json",
		  .name_len = 16,
		  .bytes = member,
		  .len = sizeof member - 1 },
		{ .name = name,
		  .name_len = strlen(name),
		  .bytes = (const char *)bytes,
		  .len = n },
	};

	probe_hold(items, sizeof items / sizeof *items);
}

#endif
