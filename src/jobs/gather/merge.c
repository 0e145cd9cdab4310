/* merge.c -- see merge.h. */
#include "jobs/gather/merge.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/value.h"
#include "jobs/probe/answer.h"
#include "spec/schemas.h"

#define CONTEXT_SCHEMA  "repo-context"
#define CONTEXT_VERSION "1.0"

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the context");
}

int merge_build(const struct gather_run *run, struct arena *arena,
		struct json_value *ret, struct cupel_error *err)
{
	struct json_value repo, all;

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
	return 0;
}

static int unusable(const struct schema_fault *fault, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema " CONTEXT_SCHEMA ": %s", fault->text);
}

/* Every schema that repo-context refers to, and repo-context itself, which has
 * no other name. */
static int schemas_use(struct answer_schemas *s, struct cupel_error *err)
{
	const struct data_text *t = schema_text_find(CONTEXT_SCHEMA);
	struct schema_fault fault = { .text = "this build does not have it" };

	for (size_t i = 0; i < probes_len; i++) {
		int e = answer_schemas_add(s, &probes[i], err);

		if (e < 0)
			return e;
	}
	if (t != NULL &&
	    schema_set_add(s->set, NULL, t->bytes, t->len, &fault) == 0 &&
	    schema_set_use(s->set, NULL, &fault) == 0)
		return 0;
	return unusable(&fault, err);
}

int merge_schema(struct schema_set **ret, struct cupel_error *err)
{
	struct answer_schemas all = { 0 };
	int e = schemas_use(&all, err);

	if (e == 0)
		*ret = all.set;
	else
		answer_schemas_done(&all);
	return e;
}

int merge_check(const struct json_value *context, struct answer_schemas *all,
		struct arena *arena, bool *ret_valid, const char **why,
		struct cupel_error *err)
{
	struct schema_fault fault = { 0 };
	struct schema_report report = { 0 };
	int e = schemas_use(all, err);

	if (e == 0 &&
	    schema_validate(all->set, context, arena, &report, &fault) < 0)
		e = unusable(&fault, err);
	answer_schemas_done(all);
	if (e < 0)
		return e;
	*ret_valid = report.valid;
	*why = report.len == 0 ? ""
			       : arena_format(arena, "%s: %s",
					      report.violations[0].instance,
					      report.violations[0].message);
	return 0;
}
