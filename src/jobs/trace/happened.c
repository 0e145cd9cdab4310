/* happened.c -- see happened.h. */
#include "jobs/trace/happened.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "boundary/schema.h"
#include "spec/schemas.h"

#define RESULT_SCHEMA "urn:cupel:schema:result-1.0"

/* Only the members that are read here, because later versions add walls to a
 * result. */
static const char schema[] =
	"{\"type\":\"object\",\"required\":[\"status\"],\"properties\":{"
	"\"egress\":{\"$ref\":\"" RESULT_SCHEMA "#/properties/egress\"},"
	"\"egress_omitted\":{\"$ref\":\"" RESULT_SCHEMA
	"#/properties/egress_omitted\"},"
	"\"trace\":{\"$ref\":\"" RESULT_SCHEMA "#/properties/trace\"}}}";

static int refuse(const char *name, const char *why, const char *more,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%.200s: %.200s%.200s", name, why, more);
}

static int check(const char *name, const struct schema_set *set,
		 struct happened *h, struct cupel_error *err)
{
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };

	if (schema_validate(set, &h->root, &h->arena, &report, &fault) < 0)
		return refuse(name, "cannot be checked: ", fault.text, err);
	if (!report.valid)
		return refuse(name, "is not a result: ",
			      report.len > 0 ? report.violations[0].instance
					     : "",
			      err);
	return 0;
}

static int validate(const char *name, struct happened *h,
		    struct cupel_error *err)
{
	const struct data_text *text = schema_text_find("result");
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	int r;

	if (set == NULL || text == NULL ||
	    schema_set_add(set, RESULT_SCHEMA, text->bytes, text->len, &fault) <
		    0 ||
	    schema_set_add(set, NULL, schema, sizeof schema - 1, &fault) < 0 ||
	    schema_set_use(set, NULL, &fault) < 0)
		r = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			       "the schema of results: %s", fault.text);
	else
		r = check(name, set, h, err);
	schema_set_free(set);
	return r;
}

static const struct json_value *find_type(const struct json_value *in,
					  const char *name, enum json_type type)
{
	const struct json_value *v = in != NULL ? json_find(in, name) : NULL;

	return v != NULL && v->type == type ? v : NULL;
}

/* Whether a trace was asked for and stood.  If the result does not say, nothing
 * is known. */
static void kinds_read(struct happened *h)
{
	const struct json_value *at =
		find_type(&h->root, "enforced", JSON_OBJECT);
	const struct json_value *details;

	at = find_type(at, "trace", JSON_OBJECT);
	details = find_type(at, "details", JSON_OBJECT);
	if (at == NULL || details == NULL || !happened_bool(at, "applied"))
		return;
	h->exec = happened_bool(details, "exec");
	h->connect = happened_bool(details, "connect");
}

static int parts_find(const char *name, struct happened *h,
		      struct cupel_error *err)
{
	int r = validate(name, h, err);

	if (r < 0)
		return r;
	h->egress = find_type(&h->root, "egress", JSON_ARRAY);
	h->trace = find_type(&h->root, "trace", JSON_OBJECT);
	kinds_read(h);
	return 0;
}

int happened_read(const char *name, const char *bytes, size_t n,
		  struct happened *ret, struct cupel_error *err)
{
	const struct json_caps caps = {
		.text_bytes = HAPPENED_BYTES,
		.string_bytes = HAPPENED_BYTES,
		.depth = JSON_DEPTH_RESULT,
		.memory_bytes = 4 * HAPPENED_BYTES,
	};
	struct json_error bad = { 0 };

	if (json_parse(bytes, n, &caps, &ret->arena, &ret->root, &bad) < 0)
		return refuse(name,
			      "is not a result: ", json_code_name(bad.code),
			      err);
	return parts_find(name, ret, err);
}

int happened_take(const char *name, const struct json_value *root,
		  struct happened *ret, struct cupel_error *err)
{
	ret->root = *root;
	return parts_find(name, ret, err);
}

void happened_done(struct happened *h)
{
	arena_done(&h->arena);
	*h = (struct happened){ 0 };
}

const char *happened_text(const struct json_value *v, const char *name)
{
	const struct json_value *text = find_type(v, name, JSON_STRING);

	return text != NULL && strlen(text->u.string.bytes) ==
				       text->u.string.len
		       ? text->u.string.bytes
		       : NULL;
}

unsigned long long happened_number(const struct json_value *v, const char *name)
{
	const struct json_value *number = find_type(v, name, JSON_NUMBER);
	uint64_t value = 0;

	if (number == NULL || json_read_u64(number, &value) < 0)
		return 0;
	return value;
}

bool happened_bool(const struct json_value *v, const char *name)
{
	const struct json_value *b = find_type(v, name, JSON_BOOL);

	return b != NULL && b->u.boolean;
}

const struct json_text *happened_word(const struct json_value *v,
				      const char *name, size_t i)
{
	static const struct json_text none = { "", 0 };
	const struct json_value *list = find_type(v, name, JSON_ARRAY);

	if (list == NULL || i >= list->u.array.len)
		return NULL;
	return list->u.array.items[i].type == JSON_STRING
		       ? &list->u.array.items[i].u.string
		       : &none;
}
