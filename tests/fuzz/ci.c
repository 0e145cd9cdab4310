/* ci.c -- fuzz: the first byte names a file of CI, the rest is in it.
 *
 * What must hold: the probe ends well, and its output is JSON that its schema
 * takes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/schema.h"
#include "parsers/common/parse.h"
#include "spec/schemas.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const names[] = {
	".github/workflows/a.yml",
	"action.yml",
	".gitlab-ci.yml",
	".circleci/config.yml",
	"azure-pipelines.yml",
	"Jenkinsfile",
	".travis.yml",
	"bitbucket-pipelines.yml",
	".drone.yml",
	".woodpecker.yml",
	".buildkite/p.yml",
};

static void must(int holds)
{
	if (!holds)
		abort();
}

/* Compiled once: that takes longer than most inputs. */
static const struct schema_set *schema(void)
{
	static struct schema_set *set;
	const struct data_text *text = schema_text_find("ci");
	struct schema_fault fault;

	if (set != NULL)
		return set;
	set = schema_set_new();
	must(text != NULL && set != NULL);
	must(schema_set_add(set, NULL, text->bytes, text->len, &fault) == 0);
	must(schema_set_use(set, NULL, &fault) == 0);
	return set;
}

static void output_check(const struct buf *out)
{
	struct json_caps caps = { .text_bytes = out->len + 1 };
	struct schema_report report = { 0 };
	struct schema_fault fault;
	struct arena arena = { 0 };
	struct json_error e;
	struct json_value v;

	must(json_parse(out->bytes, out->len, &caps, &arena, &v, &e) == 0);
	must(schema_validate(schema(), &v, &arena, &report, &fault) == 0);
	must(report.valid);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct parse_input in = { 0 };
	struct parse_inputs inputs = { &in, 1 };
	struct buf out = { 0 };
	struct parse_report r;

	if (n == 0)
		return 0;
	in.name = names[(bytes[0] - (unsigned)'a') %
			(sizeof names / sizeof *names)];
	in.name_len = strlen(in.name);
	in.bytes = (const char *)bytes + 1;
	in.len = n - 1;
	parse_report_init(&r);
	must(ci_run(&inputs, &r) == 0);
	report_write(&r, "ci", &out);
	must(!buf_has_failed(&out));
	output_check(&out);
	parse_report_done(&r);
	buf_done(&out);
	return 0;
}
