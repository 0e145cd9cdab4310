/* schema_eval_logic.c -- references, allOf to not, if, and the unevaluated
 * keywords. */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "boundary/schema_eval.h"

bool eval_ref(const struct frame *f, const struct schema_rule *rule)
{
	return schema_apply_here(f, rule->subs[0], false);
}

/* If the reference first led to a $dynamicAnchor, it leads on to the outermost
 * resource on the way that has a $dynamicAnchor of the same name. */
bool eval_dynamic_ref(const struct frame *f, const struct schema_rule *rule)
{
	const struct schema_node *target = rule->subs[0];

	for (const struct scope *s = f->scope;
	     s != NULL && rule->dynamic.len > 0; s = s->up) {
		const struct schema_anchor *a = s->resource->anchors;

		if (!schema_spend(f->e, 1))
			return false;
		for (; a != NULL; a = a->next)
			if (a->dynamic && a->name.len == rule->dynamic.len &&
			    memcmp(a->name.bytes, rule->dynamic.bytes,
				   a->name.len) == 0)
				target = a->node;
	}
	return schema_apply_here(f, target, false);
}

bool eval_all_of(const struct frame *f, const struct schema_rule *rule)
{
	bool valid = true;

	for (size_t i = 0; i < rule->len; i++) {
		valid = schema_apply_here(f, rule->subs[i], false) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

bool eval_any_of(const struct frame *f, const struct schema_rule *rule)
{
	bool valid = false;

	for (size_t i = 0; i < rule->len; i++) {
		valid = schema_apply_here(f, rule->subs[i], true) || valid;
		if (f->e->stop)
			return false;
		if (valid && f->seen == NULL)
			return true;
	}
	return valid ||
	       schema_violate(f, rule, "does not match any of %zu schema%s",
			      rule->len, plural_s(rule->len));
}

bool eval_one_of(const struct frame *f, const struct schema_rule *rule)
{
	size_t valid = 0;

	for (size_t i = 0; i < rule->len; i++) {
		valid += schema_apply_here(f, rule->subs[i], true);
		if (f->e->stop)
			return false;
	}
	return valid == 1 ||
	       schema_violate(f, rule,
			      "matches %zu of %zu schema%s, but must match "
			      "exactly one",
			      valid, rule->len, plural_s(rule->len));
}

bool eval_not(const struct frame *f, const struct schema_rule *rule)
{
	if (!schema_apply_quietly(f, rule->subs[0], f->v))
		return !f->e->stop;
	return schema_violate(f, rule,
			      "matches a schema that it must not match");
}

bool eval_if(const struct frame *f, const struct schema_rule *rule)
{
	bool holds = schema_apply_here(f, rule->subs[0], true);
	const struct schema_rule *next =
		schema_sibling(f->node, holds ? KW_THEN : KW_ELSE);

	if (f->e->stop)
		return false;
	return next == NULL || schema_apply_here(f, next->subs[0], false);
}

bool seen_init(struct seen *s, const struct json_value *v)
{
	memset(s, 0, sizeof *s);
	s->n = v->type == JSON_ARRAY ? v->u.array.len : v->u.object.len;
	s->bits = s->few;
	if (s->n > SEEN_FEW)
		s->bits = calloc(s->n / 64 + 1, sizeof *s->bits);
	return s->bits != NULL;
}

void seen_done(struct seen *s)
{
	if (s->bits != s->few)
		free(s->bits);
}

void seen_add(struct seen *s, size_t i)
{
	if (s != NULL)
		s->bits[i / 64] |= (uint64_t)1 << i % 64;
}

void seen_add_all(struct seen *s)
{
	if (s != NULL)
		s->all = true;
}

bool seen_has(const struct seen *s, size_t i)
{
	return s->all || (s->bits[i / 64] >> i % 64 & 1) != 0;
}

void seen_merge(struct seen *into, const struct seen *from)
{
	into->all = into->all || from->all;
	for (size_t i = 0; i < (into->n + 63) / 64; i++)
		into->bits[i] |= from->bits[i];
}
