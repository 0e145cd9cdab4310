/* schema_eval_array.c -- keywords about arrays. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "boundary/schema_eval.h"

bool eval_item_count(const struct frame *f, const struct schema_rule *rule)
{
	size_t len = f->v->u.array.len;
	bool most = rule->id == KW_MAX_ITEMS;

	if (f->v->type != JSON_ARRAY ||
	    (most ? len <= rule->count : len >= rule->count))
		return true;
	return schema_violate(f, rule, "has %zu item%s, %s %llu %s", len,
			      plural_s(len), most ? "at most" : "at least",
			      (unsigned long long)rule->count,
			      most ? "allowed" : "required");
}

struct hashed {
	uint64_t hash;
	size_t index;
};

static int hashed_order(const void *a, const void *b)
{
	const struct hashed *x = a;
	const struct hashed *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

bool eval_unique_items(const struct frame *f, const struct schema_rule *rule)
{
	owned_mem struct hashed *order = NULL;
	const struct json_value *items = f->v->u.array.items;
	size_t n = f->v->u.array.len;

	if (f->v->type != JSON_ARRAY || !rule->value->u.boolean || n < 2)
		return true;
	order = calloc(n, sizeof *order);
	if (order == NULL)
		return schema_stop(f->e, SCHEMA_NO_MEMORY, "no memory");
	for (size_t i = 0; i < n; i++)
		order[i] = (struct hashed){ schema_hash(f->e, &items[i]), i };
	if (f->e->stop)
		return false;
	qsort(order, n, sizeof *order, hashed_order);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && order[k].hash == order[i].hash;
		     k++) {
			if (!schema_spend(f->e, 16))
				return false;
			if (json_equal(&items[order[i].index],
				       &items[order[k].index]))
				return schema_violate(
					f, rule, "items %zu and %zu are equal",
					order[i].index, order[k].index);
		}
	return true;
}

/* Apply node to the items from first on. */
static bool apply_from(const struct frame *f, const struct schema_node *node,
		       size_t first)
{
	bool valid = true;

	for (size_t i = first; i < f->v->u.array.len; i++) {
		struct path at = { .up = f->path, .index = i };

		valid = schema_apply_at(f, node, &f->v->u.array.items[i],
					&at) &&
			valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

bool eval_prefix_items(const struct frame *f, const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_ARRAY)
		return true;
	for (size_t i = 0; i < rule->len && i < f->v->u.array.len; i++) {
		struct path at = { .up = f->path, .index = i };

		valid = schema_apply_at(f, rule->subs[i],
					&f->v->u.array.items[i], &at) &&
			valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
		seen_add(f->seen, i);
	}
	return valid;
}

bool eval_items(const struct frame *f, const struct schema_rule *rule)
{
	const struct schema_rule *prefix =
		schema_sibling(f->node, KW_PREFIX_ITEMS);

	if (f->v->type != JSON_ARRAY)
		return true;
	seen_add_all(f->seen);
	return apply_from(f, rule->subs[0], prefix != NULL ? prefix->len : 0);
}

bool eval_contains(const struct frame *f, const struct schema_rule *rule)
{
	const struct schema_rule *most =
		schema_sibling(f->node, KW_MAX_CONTAINS);
	const struct schema_rule *least =
		schema_sibling(f->node, KW_MIN_CONTAINS);
	uint64_t min = least != NULL ? least->count : 1;
	uint64_t found = 0;

	if (f->v->type != JSON_ARRAY)
		return true;
	for (size_t i = 0; i < f->v->u.array.len; i++) {
		if (schema_apply_quietly(f, rule->subs[0],
					 &f->v->u.array.items[i])) {
			found++;
			seen_add(f->seen, i);
		}
		if (f->e->stop)
			return false;
		if (f->seen == NULL && most == NULL && found >= min)
			break;
	}
	if (found < min)
		return schema_violate(f, least != NULL ? least : rule,
				      "contains %llu matching item%s, at least "
				      "%llu required",
				      (unsigned long long)found,
				      plural_s(found), (unsigned long long)min);
	if (most != NULL && found > most->count)
		return schema_violate(f, most,
				      "contains %llu matching item%s, at most "
				      "%llu allowed",
				      (unsigned long long)found,
				      plural_s(found),
				      (unsigned long long)most->count);
	return true;
}

bool eval_unevaluated_items(const struct frame *f,
			    const struct schema_rule *rule)
{
	bool valid = true;

	if (f->v->type != JSON_ARRAY)
		return true;
	for (size_t i = 0; i < f->v->u.array.len; i++) {
		struct path at = { .up = f->path, .index = i };

		if (seen_has(f->seen, i))
			continue;
		valid = schema_apply_at(f, rule->subs[0],
					&f->v->u.array.items[i], &at) &&
			valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	seen_add_all(f->seen);
	return valid;
}
