/* merge.c -- see merge.h. */
#include "jobs/gather/merge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/test_wall.h"
#include "boundary/sanitize.h"
#include "boundary/schema.h"
#include "jobs/gather/value.h"
#include "jobs/probe/answer.h"
#include "spec/schemas.h"

#define CONTEXT_SCHEMA  "repo-context"
#define CONTEXT_VERSION "1.0"
/* A slice, its notes and three containers around them. */
#define CONTEXT_DEPTH (ANSWER_SLICE_DEPTH + 3)
#define URI_BYTES     160

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the context");
}

int merge_build(const struct gather_run *run, const char *const *roots,
		struct arena *arena, struct json_value *ret,
		struct cupel_error *err)
{
	const struct sanitize_limits limits = {
		.string_bytes = ANSWER_STRING_BYTES,
		.depth = CONTEXT_DEPTH,
		.roots = test_wall_is_down("scrub") ? NULL : roots,
	};
	struct json_value repo, all;
	struct sanitize_report report = { 0 };

	if (!value_object(arena, 3, ret) || !value_object(arena, 3, &repo) ||
	    !value_object(arena, run->probes_len, &all))
		return no_memory(err);
	value_member(&repo, "digest", value_text(run->digest));
	value_member(&repo, "files", value_number(arena, run->files));
	value_member(&repo, "bytes", value_number(arena, run->bytes));
	for (size_t i = 0; i < run->probes_len; i++)
		value_member(&all, run->probes[i].probe->name,
			     *run->probes[i].tree);
	value_member(ret, "version", value_text(CONTEXT_VERSION));
	value_member(ret, "repo", repo);
	value_member(ret, "probes", all);
	if (sanitize_value(ret, &limits, arena, &report) < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
				  "the context: %s: %.200s",
				  sanitize_code_name(report.code),
				  report.instance ? report.instance : "");
	return 0;
}

/* Every built-in probe's schema under the name that repo-context refers to. */
static int parts_add(struct schema_set *set, struct schema_fault *fault)
{
	int e = 0;

	for (size_t i = 0; i < probes_len && e == 0; i++) {
		const struct data_text *t = schema_text_find(probes[i].schema);
		char uri[URI_BYTES];

		if (t == NULL)
			continue;
		(void)snprintf(uri, sizeof uri, "urn:cupel:schema:%s-%s",
			       probes[i].schema, probes[i].schema_version);
		e = schema_set_add(set, uri, t->bytes, t->len, fault);
	}
	return e;
}

static int unusable(const struct schema_fault *fault, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema " CONTEXT_SCHEMA ": %s", fault->text);
}

int merge_schema(struct schema_set **ret, struct cupel_error *err)
{
	const struct data_text *t = schema_text_find(CONTEXT_SCHEMA);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };

	if (set != NULL && t != NULL && parts_add(set, &fault) == 0 &&
	    schema_set_add(set, NULL, t->bytes, t->len, &fault) == 0 &&
	    schema_set_use(set, NULL, &fault) == 0) {
		*ret = set;
		return 0;
	}
	schema_set_free(set);
	return unusable(&fault, err);
}

int merge_check(const struct json_value *context, struct arena *arena,
		bool *ret_valid, const char **why, struct cupel_error *err)
{
	struct schema_fault fault = { 0 };
	struct schema_report report = { 0 };
	struct schema_set *set = NULL;
	int e = merge_schema(&set, err);

	if (e < 0)
		return e;
	e = schema_validate(set, context, arena, &report, &fault);
	schema_set_free(set);
	if (e < 0)
		return unusable(&fault, err);
	*ret_valid = report.valid;
	*why = report.len == 0 ? ""
			       : arena_format(arena, "%s: %s",
					      report.violations[0].instance,
					      report.violations[0].message);
	return 0;
}
