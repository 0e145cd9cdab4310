/* probe_files.h -- a probe run over files in memory, its output held against
 * its installed schema and the sanitizer's pass over field names. */
#ifndef CUPEL_TESTS_PROBE_FILES_H
#define CUPEL_TESTS_PROBE_FILES_H

#include <stdlib.h>

#include "boundary/sanitize.h"
#include "boundary/schema.h"
#include "jobs/probe/catalogue.h"
#include "json_at.h"
#include "parsers/common/parse.h"
#include "spec/schemas.h"

struct probe_file {
	const char *name;
	const char *text; /* NULL: declared by name only */
};

/* A file with its text, and one declared by name only. */
#define F(n, t)                                                                \
	{                                                                      \
		.name = (n), .text = (t)                                       \
	}
#define N(n)                                                                   \
	{                                                                      \
		.name = (n)                                                    \
	}

/* Processor time in which a probe reads some MB, in clock().  With a sanitizer it takes
 * up to five times as long. */
#ifdef __SANITIZE_ADDRESS__
#define PROBE_BOUND (10 * CLOCKS_PER_SEC)
#else
#define PROBE_BOUND (2 * CLOCKS_PER_SEC)
#endif

typedef int probe_fn(const struct parse_inputs *in, struct parse_report *r);

static int probe_file_compare(const void *a, const void *b)
{
	return strcmp(((const struct parse_input *)a)->name,
		      ((const struct parse_input *)b)->name);
}

/* The version is the one that the catalogue has: caches and chains go by that. */
static void probe_version_hold(const char *probe, const struct json_value *v)
{
	const struct probe *p = probe_find(probe);
	const struct json_value *version = json_find(v, "version");

	ok(p != NULL && version != NULL && version->type == JSON_STRING &&
	   version->u.string.len == strlen(p->version) &&
	   memcmp(version->u.string.bytes, p->version, version->u.string.len) ==
		   0);
}

/* Valid by the schema, passed by the sanitizer, and equal when done twice. */
static void probe_hold(const char *probe, const char *bytes, size_t n)
{
	const struct data_text *text = schema_text_find(probe);
	struct sanitize_limits limits = { .bytes = PARSE_SLICE_BYTES * 2,
					  .string_bytes = PARSE_STRING_BYTES,
					  .depth = 32 };
	struct json_caps caps = { .text_bytes = n + 1, .string_bytes = n + 1 };
	struct schema_set *set = schema_set_new();
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct sanitize_report cleaned;
	struct arena arena = { 0 };
	struct json_error e = { 0 };
	struct json_value v;

	ok(text != NULL && set != NULL);
	ok_int(json_parse(bytes, n, &caps, &arena, &v, &e), 0);
	if (text != NULL && e.code == JSON_OK) {
		ok_int(schema_set_add(set, NULL, text->bytes, text->len,
				      &fault),
		       0);
		ok_int(schema_set_use(set, NULL, &fault), 0);
		ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
		ok(report.valid);
		probe_version_hold(probe, &v);
		if (report.len > 0)
			fprintf(stderr, "# %s: %s\n",
				report.violations[0].instance,
				report.violations[0].message);
		ok_int(sanitize_value(&v, &limits, &arena, &cleaned), 0);
	}
	schema_set_free(set);
	arena_done(&arena);
}

/* The probe's output; to be freed. */
static char *probe_inputs(const char *probe, probe_fn *run,
			  const struct parse_inputs *in)
{
	struct parse_report r;
	struct buf out = { 0 };

	parse_report_init(&r);
	ok_int(run(in, &r), 0);
	report_write(&r, probe, &out);
	parse_report_done(&r);
	ok(!buf_has_failed(&out));
	probe_hold(probe, out.bytes, out.len);
	return buf_take(&out);
}

/* files: ended by a NULL name. */
static inline char *probe_files(const char *probe, probe_fn *run,
				const struct probe_file *files)
{
	struct parse_input items[64];
	struct parse_inputs in = { items, 0 };

	for (; files->name != NULL && in.len < 64; files++) {
		const char *text = files->text ? files->text : "";

		items[in.len++] = (struct parse_input){
			files->name,  strlen(files->name), text,
			strlen(text), files->text == NULL, NULL
		};
	}
	ok(files->name == NULL);
	qsort(items, in.len, sizeof *items, probe_file_compare);
	return probe_inputs(probe, run, &in);
}

#define PROBE_FILES(...)                                                       \
	(const struct probe_file[])                                            \
	{                                                                      \
		__VA_ARGS__, N(NULL)                                           \
	}

/* A command of GitLab's is told as the only test, one of that runner, or with NULL
 * as none.  Returns the output of ci; to be freed. */
static inline char *ci_command_holds(const char *runner, const char *command,
				     const struct probe_file *others)
{
	struct probe_file files[8] = { 0 };
	char text[512], want[512];
	size_t n = 0;
	char *o;

	(void)snprintf(text, sizeof text, "a:\n  script:\n  - |\n    %s\n",
		       command);
	files[n].name = ".gitlab-ci.yml";
	files[n++].text = text;
	for (size_t i = 0; others[i].name != NULL; i++) {
		ok(n + 1 < sizeof files / sizeof *files);
		files[n++] = others[i];
	}
	o = probe_files("ci", ci_run, files);
	(void)snprintf(want, sizeof want,
		       "[{\"runners\":[\"%s\"],\"command\":\"%s\"}]",
		       runner != NULL ? runner : "", command);
	if (runner != NULL)
		ok_json(o, "/slice/workflows/0/test_commands", want);
	else
		ok_has(o, "\"test_commands\":[]");
	return o;
}

#endif
