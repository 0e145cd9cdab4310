/* outside_closed.c -- schemas of what others may say: closed, and without words for
 * how sure they are.  See outside.h. */
#include <string.h>

#include "jobs/gate/outside.h"

#define DEPTH 24U

/* Members of a schema that hold schemas by name, in a list, or are one. */
static const char *const by_name[] = { "properties", "$defs", NULL };
static const char *const in_list[] = { "anyOf", "oneOf", "allOf", "prefixItems",
				       NULL };
/* Members that name what they allow another way, or mean another document. */
static const char *const refused[] = {
	"patternProperties", "unevaluatedItems", "unevaluatedProperties", "$id",
	"$anchor",           "$dynamicRef",      "$dynamicAnchor",        NULL
};

static const char *schema_judge(const struct json_value *s, unsigned depth);

static bool is_false(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && !v->u.boolean;
}

/* Whether "type" says that, alone or among others. */
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

/* Whether the values that fit are told of at all. */
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

/* Only to a member of $defs itself, which is judged as they all are: behind another
 * slash, also a "%2f", lies what a keyword of it holds that nobody looks into. */
static bool is_own_ref(const struct json_value *ref)
{
	static const char start[] = "#/$defs/";
	const char *name;

	if (ref->type != JSON_STRING ||
	    strlen(ref->u.string.bytes) != ref->u.string.len ||
	    strncmp(ref->u.string.bytes, start, sizeof start - 1) != 0)
		return false;
	name = ref->u.string.bytes + sizeof start - 1;
	return name[0] != '\0' && strpbrk(name, "/%") == NULL;
}

static const char *schema_judge(const struct json_value *s, unsigned depth)
{
	const struct json_value *ref;

	if (is_false(s))
		return NULL;
	if (s->type != JSON_OBJECT || depth > DEPTH)
		return "it lets anything through";
	for (size_t i = 0; refused[i] != NULL; i++)
		if (json_find(s, refused[i]) != NULL)
			return "it has a keyword that a kind may not use";
	ref = json_find(s, "$ref");
	if (ref != NULL && !is_own_ref(ref))
		return "a $ref leads out of its $defs";
	if (!is_told(s))
		return "it lets anything through";
	if (has_type(s, "object") &&
	    !is_false(json_find(s, "additionalProperties")))
		return "an object of it is open: additionalProperties is not "
		       "false";
	if (has_type(s, "array") && json_find(s, "items") == NULL)
		return "an array of it is open: it has no items";
	return below_judge(s, depth);
}

/* --- words ---------------------------------------------------------------------- */

static bool is_sure_word(const char *name)
{
	static const char *const words[] = { "confidence", "score",
					     "rank",       "llm",
					     "model",      "self_reported" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(name, words[i]) != NULL)
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

		if (is_sure_word(m->name.bytes) || has_sure_word(&m->value))
			return true;
	}
	return false;
}

const char *outside_is_closed(const struct json_value *schema)
{
	if (!has_type(schema, "object"))
		return "its type is not object";
	if (has_sure_word(schema))
		return "a member says how sure somebody is";
	return schema_judge(schema, 0);
}
