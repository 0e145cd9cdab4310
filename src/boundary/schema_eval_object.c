/* schema_eval_object.c -- keywords about objects. */
#include <stddef.h>

#include "base/plural.h"
#include "boundary/schema_eval.h"

bool eval_property_count(const struct frame *f, const struct schema_rule *rule)
{
	size_t len = f->v->u.object.len;
	bool most = rule->id == KW_MAX_PROPERTIES;

	if (f->v->type != JSON_OBJECT ||
	    (most ? len <= rule->count : len >= rule->count))
		return true;
	return schema_violate(f, rule, "has %zu propert%s, %s %llu %s", len,
			      plural_y(len), most ? "at most" : "at least",
			      (unsigned long long)rule->count,
			      most ? "allowed" : "required");
}

/* Every name of the list must be there. */
static bool require(const struct frame *f, const struct schema_rule *rule,
		    const struct json_value *list)
{
	bool valid = true;

	if (!schema_spend(f->e, list->u.array.len))
		return false;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_text *name = &list->u.array.items[i].u.string;

		if (json_find_bytes(f->v, name->bytes, name->len) != NULL)
			continue;
		valid = schema_violate(f, rule, "lacks the property \"%.160s\"",
				       name->bytes);
		if (f->quiet)
			return false;
	}
	return valid;
}

bool eval_required(const struct frame *f, const struct schema_rule *rule)
{
	return f->v->type != JSON_OBJECT || require(f, rule, rule->value);
}

bool eval_dependent_required(const struct frame *f,
			     const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < rule->value->u.object.len; i++) {
		const struct json_member *m = &rule->value->u.object.members[i];

		if (!schema_spend(f->e, 1))
			return false;
		if (json_find_bytes(f->v, m->name.bytes, m->name.len) != NULL)
			valid = require(f, rule, &m->value) && valid;
	}
	return valid;
}

bool eval_dependent_schemas(const struct frame *f,
			    const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < rule->len; i++) {
		const struct json_member *m = &rule->value->u.object.members[i];

		if (!schema_spend(f->e, 1))
			return false;
		if (json_find_bytes(f->v, m->name.bytes, m->name.len) == NULL)
			continue;
		valid = schema_apply_here(f, rule->subs[i], false) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

bool eval_property_names(const struct frame *f, const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < f->v->u.object.len; i++) {
		const struct json_text *name = &f->v->u.object.members[i].name;
		struct json_value as_value = { .type = JSON_STRING,
					       .u.string = *name };
		struct path at = { .up = f->path, .name = name };

		valid = schema_apply_at(f, rule->subs[0], &as_value, &at) &&
			valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

/* Apply node to member i and note that it was looked at. */
static bool apply_member(const struct frame *f, const struct schema_node *node,
			 size_t i)
{
	const struct json_member *m = &f->v->u.object.members[i];
	struct path at = { .up = f->path, .name = &m->name };

	seen_add(f->seen, i);
	return schema_apply_at(f, node, &m->value, &at);
}

/* The schema that rule, a map, has under the name; or NULL. */
static const struct schema_node *find_sub(const struct schema_rule *rule,
					  const struct json_text *name)
{
	const struct json_value *v =
		json_find_bytes(rule->value, name->bytes, name->len);
	const struct json_member *m;

	if (v == NULL)
		return NULL;
	m = (const struct json_member *)((const char *)v -
					 offsetof(struct json_member, value));
	return rule->subs[m - rule->value->u.object.members];
}

bool eval_properties(const struct frame *f, const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < f->v->u.object.len; i++) {
		const struct schema_node *sub =
			find_sub(rule, &f->v->u.object.members[i].name);

		if (!schema_spend(f->e, 1))
			return false;
		if (sub != NULL)
			valid = apply_member(f, sub, i) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

bool eval_pattern_properties(const struct frame *f,
			     const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < f->v->u.object.len; i++) {
		const struct json_text *name = &f->v->u.object.members[i].name;

		for (size_t k = 0; k < rule->len; k++) {
			if (schema_matches(f->e, rule->patterns[k], name))
				valid = apply_member(f, rule->subs[k], i) &&
					valid;
			if (f->e->stop || (!valid && f->quiet))
				return false;
		}
	}
	return valid;
}

static bool is_additional(const struct frame *f, const struct json_text *name)
{
	const struct schema_rule *properties =
		schema_sibling(f->node, KW_PROPERTIES);
	const struct schema_rule *map =
		schema_sibling(f->node, KW_PATTERN_PROPERTIES);

	if (properties != NULL && find_sub(properties, name) != NULL)
		return false;
	for (size_t k = 0; map != NULL && k < map->len; k++)
		if (schema_matches(f->e, map->patterns[k], name))
			return false;
	return true;
}

bool eval_additional_properties(const struct frame *f,
				const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < f->v->u.object.len; i++) {
		if (is_additional(f, &f->v->u.object.members[i].name))
			valid = apply_member(f, rule->subs[0], i) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

bool eval_unevaluated_properties(const struct frame *f,
				 const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_OBJECT)
		return true;
	for (size_t i = 0; i < f->v->u.object.len; i++) {
		if (seen_has(f->seen, i))
			continue;
		valid = apply_member(f, rule->subs[0], i) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	seen_add_all(f->seen);
	return valid;
}
