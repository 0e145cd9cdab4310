/* checked.c -- see checked.h. */
#include "jobs/gate/checked.h"

#include <errno.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "spec/schemas.h"

#define DEPTH 64U

static int unusable(const char *name, const struct schema_fault *fault,
		    struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema %s: %s", name, fault->text);
}

/* References name another schema by its $id. */
static int ref_add(struct schema_set *set, const char *name,
		   struct schema_fault *fault)
{
	const struct data_text *t = schema_text_find(name);
	owned_buf struct buf uri = { 0 };

	buf_format(&uri, "urn:cupel:schema:%s-1.0", name);
	if (t == NULL || buf_has_failed(&uri))
		return -EINVAL;
	return schema_set_add(set, uri.bytes, t->bytes, t->len, fault);
}

int checked_schema_make(const char *name, const char *const *refs,
			struct schema_set **ret, struct cupel_error *err)
{
	const struct data_text *t = schema_text_find(name);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { .text = "this build does not have it" };
	int e = set != NULL && t != NULL ? 0 : -EINVAL;

	for (; e == 0 && *refs != NULL; refs++)
		e = ref_add(set, *refs, &fault);
	if (e == 0 &&
	    schema_set_add(set, NULL, t->bytes, t->len, &fault) == 0 &&
	    schema_set_use(set, NULL, &fault) == 0) {
		*ret = set;
		return 0;
	}
	schema_set_free(set);
	return unusable(name, &fault, err);
}

int checked_read(const struct checked_source *s, const struct schema_set *set,
		 struct arena *arena, struct json_value *ret,
		 struct cupel_error *err)
{
	const struct json_caps caps = {
		.text_bytes = s->len + 1,
		.depth = DEPTH,
		.memory_bytes = 96 * (s->len + 4096),
	};
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct json_error bad = { 0 };

	if (json_parse(s->bytes, s->len, &caps, arena, ret, &bad) < 0)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%.200s: line %zu, column %zu: %s: expected "
			"%s",
			s->what, bad.line, bad.column, json_code_name(bad.code),
			bad.expected != NULL ? bad.expected : "JSON");
	if (schema_validate(set, ret, arena, &report, &fault) < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%.200s: %s", s->what, fault.text);
	if (report.valid)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%.200s: %s: %s", s->what,
			  report.violations[0].instance[0] != '\0'
				  ? report.violations[0].instance
				  : "/",
			  report.violations[0].message);
}
