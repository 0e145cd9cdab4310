/* outside_closed.c -- checks the schemas of other people's answers: they must
 * be closed, and have no words for how sure somebody is.  See outside.h.
 *
 * Only keywords whose meaning is known here are allowed, because an unknown one
 * could allow names that nobody has looked at. */
#include <string.h>

#include "jobs/gate/outside.h"

#define DEPTH 24U

#define DIALECT "https://json-schema.org/draft/2020-12/schema"
#define DEFS    "#/$defs/"

/* The members of a schema that hold schemas by name, or hold a list of
 * schemas. */
static const char *const by_name[] = { "properties", "$defs", NULL };
static const char *const in_list[] = { "anyOf", "oneOf", "allOf", "prefixItems",
				       NULL };
/* The members that only narrow what fits, or say nothing about it. */
static const char *const plain[] = {
	"type",
	"enum",
	"const",
	"required",
	"dependentRequired",
	"additionalProperties",
	"items",
	"$ref",
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"minLength",
	"maxLength",
	"pattern",
	"format",
	"minItems",
	"maxItems",
	"uniqueItems",
	"minProperties",
	"maxProperties",
	"title",
	"description",
	"$comment",
	"default",
	"examples",
	"deprecated",
	NULL,
};

static const char *schema_judge(const struct json_value *s, unsigned depth);

static bool is_false(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && !v->u.boolean;
}

/* Whether "type" is that type, alone or among others. */
static bool has_type(const struct json_value *s, const char *type)
{
	const struct json_value *v = json_find(s, "type");

	if (v == NULL || v->type != JSON_ARRAY)
		return v != NULL && json_is_text(v, type);
	for (size_t i = 0; i < v->u.array.len; i++)
		if (json_is_text(&v->u.array.items[i], type))
			return true;
	return false;
}

/* Whether the schema says anything about the values that fit. */
static bool is_told(const struct json_value *s)
{
	static const char *const tells[] = { "type",  "const", "enum", "$ref",
					     "anyOf", "oneOf", "allOf" };

	for (size_t i = 0; i < sizeof tells / sizeof *tells; i++)
		if (json_find(s, tells[i]) != NULL)
			return true;
	return false;
}

static const char *below_judge(const struct json_value *s, unsigned depth)
{
	const char *why = NULL;

	for (size_t i = 0; by_name[i] != NULL; i++) {
		const struct json_value *v = json_find(s, by_name[i]);
		size_t n = v != NULL && v->type == JSON_OBJECT ? v->u.object.len
							       : 0;

		for (size_t k = 0; why == NULL && k < n; k++)
			why = schema_judge(&v->u.object.members[k].value,
					   depth + 1);
	}
	for (size_t i = 0; in_list[i] != NULL; i++) {
		const struct json_value *v = json_find(s, in_list[i]);
		size_t n =
			v != NULL && v->type == JSON_ARRAY ? v->u.array.len : 0;

		for (size_t k = 0; why == NULL && k < n; k++)
			why = schema_judge(&v->u.array.items[k], depth + 1);
	}
	if (why == NULL && json_find(s, "items") != NULL)
		why = schema_judge(json_find(s, "items"), depth + 1);
	return why;
}

static bool is_among(const char *const words[], const struct json_text *name)
{
	for (size_t i = 0; words[i] != NULL; i++)
		if (strlen(words[i]) == name->len &&
		    memcmp(words[i], name->bytes, name->len) == 0)
			return true;
	return false;
}

/* Only the root may have definitions and the dialect: a $ref looks for
 * definitions there, and another dialect would not assert all of this. */
static bool is_known(const struct json_member *m, unsigned depth)
{
	static const char *const of_root[] = { "$defs", NULL };
	static const char *const dialect[] = { "$schema", NULL };

	if (is_among(of_root, &m->name))
		return depth == 0;
	if (is_among(dialect, &m->name))
		return depth == 0 && json_is_text(&m->value, DIALECT);
	return is_among(plain, &m->name) || is_among(in_list, &m->name) ||
	       is_among(by_name, &m->name);
}

/* A definition by its plain name.  What lies inside one may be no schema. */
static bool is_definition(const struct json_value *ref)
{
	size_t n = strlen(DEFS);

	return ref->type == JSON_STRING && ref->u.string.len > n &&
	       memcmp(ref->u.string.bytes, DEFS, n) == 0 &&
	       strlen(ref->u.string.bytes) == ref->u.string.len &&
	       strpbrk(ref->u.string.bytes + n, "/~%") == NULL;
}

static const char *schema_judge(const struct json_value *s, unsigned depth)
{
	const struct json_value *ref;

	if (is_false(s))
		return NULL;
	if (s->type != JSON_OBJECT || depth > DEPTH)
		return "it allows any value";
	for (size_t i = 0; i < s->u.object.len; i++)
		if (!is_known(&s->u.object.members[i], depth))
			return "it has a keyword that a kind may not use";
	ref = json_find(s, "$ref");
	if (ref != NULL && !is_definition(ref))
		return "a $ref points outside its $defs";
	if (!is_told(s))
		return "it allows any value";
	if (has_type(s, "object") &&
	    !is_false(json_find(s, "additionalProperties")))
		return "an object in it is open: additionalProperties is not "
		       "false";
	if (has_type(s, "array") && json_find(s, "items") == NULL)
		return "an array in it is open: it has no items";
	return below_judge(s, depth);
}

/* --- words ---------------------------------------------------------------------- */

/* A name with a control character counts too, because no person has read it
 * properly. */
static bool is_sure_word(const struct json_text *name)
{
	static const char *const words[] = { "confidence", "score",
					     "rank",       "llm",
					     "model",      "self_reported" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(name->bytes, words[i]) != NULL)
			return true;
	for (size_t i = 0; i < name->len; i++)
		if ((unsigned char)name->bytes[i] < 0x20)
			return true;
	return false;
}

static bool has_sure_word(const struct json_value *v)
{
	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		if (has_sure_word(&v->u.array.items[i]))
			return true;
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		if (is_sure_word(&m->name) || has_sure_word(&m->value))
			return true;
	}
	return false;
}

const char *outside_is_closed(const struct json_value *schema)
{
	if (!has_type(schema, "object"))
		return "its type is not object";
	if (has_sure_word(schema))
		return "a member says how sure somebody is, or has a control "
		       "character in its name";
	return schema_judge(schema, 0);
}
