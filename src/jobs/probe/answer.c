/* answer.c -- see answer.h. */
#include "jobs/probe/answer.h"

#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hooks.h"
#include "boundary/schema.h"
#include "service/vessel_result.h"
#include "spec/schemas.h"

#define URI_BYTES 160

int answer_schema(const struct probe *probe, struct schema_set **ret,
		  struct cupel_error *err)
{
	struct schema_fault fault = { 0 };
	struct schema_set *set = schema_set_new();

	if (set != NULL &&
	    schema_set_add(set, NULL, probe->schema_text, probe->schema_len,
			   &fault) == 0 &&
	    schema_set_use(set, NULL, &fault) == 0) {
		*ret = set;
		return 0;
	}
	schema_set_free(set);
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "probe %s: its schema: %s", probe->name,
			  set ? fault.text : "no memory");
}

static int unusable(const struct probe *probe, const struct schema_fault *fault,
		    struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema %s: %s", probe->schema, fault->text);
}

/* As the schema repo-context refers to it. */
static void uri_of(const struct probe *probe, char ret[URI_BYTES])
{
	(void)snprintf(ret, URI_BYTES, "urn:cupel:schema:%s-%s", probe->schema,
		       probe->schema_version);
}

int answer_schemas_add(struct answer_schemas *s, const struct probe *probe,
		       struct cupel_error *err)
{
	struct schema_fault fault = { .text = "this build does not have it" };
	const struct data_text *t = schema_text_find(probe->schema);
	char uri[URI_BYTES];

	if (s->has[probe - probes])
		return 0;
	if (s->set == NULL)
		s->set = schema_set_new();
	uri_of(probe, uri);
	if (s->set == NULL || t == NULL ||
	    schema_set_add(s->set, uri, t->bytes, t->len, &fault) < 0)
		return unusable(probe, &fault, err);
	s->has[probe - probes] = true;
	return 0;
}

int answer_schemas_use(struct answer_schemas *s, const struct probe *probe,
		       struct cupel_error *err)
{
	struct schema_fault fault = { 0 };
	char uri[URI_BYTES];
	int e = answer_schemas_add(s, probe, err);

	uri_of(probe, uri);
	if (e == 0 && schema_set_use(s->set, uri, &fault) < 0)
		e = unusable(probe, &fault, err);
	return e;
}

void answer_schemas_done(struct answer_schemas *s)
{
	schema_set_free(s->set);
	*s = (struct answer_schemas){ 0 };
}

/* The slice may have 1 MiB, with its notes 2 MiB. */
static bool slice_fits(const struct json_value *slice, size_t text_bytes)
{
	owned_buf struct buf text = { .cap_bytes = ANSWER_SLICE_BYTES };

	if (json_is_below(text_bytes, ANSWER_SLICE_BYTES))
		return true;
	json_write(slice, &text);
	return !buf_has_failed(&text);
}

struct payload_limits answer_limits(const struct probe *probe,
				    const char *const *roots)
{
	bool is_ours = probe->command == NULL;

	return (struct payload_limits){
		.bytes = is_ours ? ANSWER_BYTES : ANSWER_SLICE_BYTES,
		.depth = ANSWER_SLICE_DEPTH + (is_ours ? 1 : 0),
		.string_bytes = ANSWER_STRING_BYTES,
		.roots = test_wall_is_down(TEST_WALL_SCRUB) ? NULL : roots,
	};
}

void answer_take(const struct probe *probe, size_t n, struct answer *ret)
{
	const struct payload *p = &ret->checked;
	bool is_ours = probe->command == NULL;

	if (p->status != PAYLOAD_VALID) {
		vessel_payload_why(p, ret->why, sizeof ret->why);
		return;
	}
	ret->slice = is_ours ? json_find(&p->value, "slice") : &p->value;
	if (ret->slice != NULL && ret->slice->type == JSON_NULL && is_ours)
		ret->slice = NULL;
	ret->is_valid = ret->slice == NULL || slice_fits(ret->slice, n);
	if (!ret->is_valid) {
		(void)snprintf(ret->why, sizeof ret->why,
			       "the slice is over 1 MiB");
		ret->slice = NULL;
	}
}

void answer_done(struct answer *a)
{
	payload_done(&a->checked);
	*a = (struct answer){ 0 };
}
