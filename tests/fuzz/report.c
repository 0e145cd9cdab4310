/* report.c -- fuzz: the first line is a path, the rest the output of a probe.
 *
 * What must hold: the report made of it has no Markdown but its own; the path
 * leads to a value, or to one printable line. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "jobs/gather/explain_path.h"
#include "jobs/gather/model.h"
#include "jobs/gather/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const names[] = { "ci",
				     "deployment",
				     "language_detection",
				     "node_build_system",
				     "node_manifest",
				     "test_inventory" };

static void must(int holds)
{
	if (!holds)
		abort();
}

/* Code spans closed on their line; outside of them nothing is markup. */
static void report_check(const struct buf *report)
{
	int is_code = 0;

	for (size_t i = 0; i < report->len;) {
		uint32_t c = 0;
		size_t len = utf8_read(report->bytes + i, report->len - i, &c);

		must(len > 0);
		must(c == '\n' ? !is_code : !utf8_is_control(c));
		if (c == '`')
			is_code = !is_code;
		must(is_code || (c != '<' && c != '[' && c < 0x80));
		i += len;
	}
	must(!is_code);
}

static void report_try(const struct json_value *v)
{
	struct probe asked[6];
	struct gather_probe done[6];
	struct gather_run run = { .probes = done, .probes_len = 6 };
	struct buf out = { 0 };

	for (size_t i = 0; i < 6; i++) {
		asked[i] = (struct probe){ .name = names[i], .version = "1.0" };
		done[i] =
			(struct gather_probe){ .probe = &asked[i], .tree = v };
	}
	gather_report_write(&run, &out);
	must(!buf_has_failed(&out));
	report_check(&out);
	buf_done(&out);
}

static void path_try(const struct json_value *v, const char *path)
{
	struct explain_found f = { 0 };
	struct buf why = { 0 };
	int e = explain_find(v, path, &f, &why);

	must(e == 0 || e == -ENOENT || e == -EINVAL);
	must((e == 0) == (f.value != NULL) && (e == 0) == (why.len == 0));
	for (size_t i = 0; i < why.len; i++)
		must((unsigned char)why.bytes[i] >= 0x20);
	must(why.len < 4096U * 4 + 4096);
	buf_done(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct json_caps caps = { .text_bytes = 100000, .depth = 60 };
	const char *text = (const char *)bytes;
	const char *end = n > 0 ? memchr(text, '\n', n) : NULL;
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error e;

	if (end != NULL && json_parse(end, n - (size_t)(end - text), &caps,
				      &arena, &v, &e) == 0) {
		char *path = arena_copy(&arena, text, (size_t)(end - text));

		report_try(&v);
		if (path != NULL)
			path_try(&v, path);
	}
	arena_done(&arena);
	return 0;
}
