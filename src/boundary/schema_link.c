/* schema_link.c -- checks, resolves and compiles everything from the root
 * schema on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "boundary/decimal.h"
#include "boundary/schema_private.h"

/* The most bytes that the place may take in a fault's text; the rest is for the
 * fault itself. */
#define PLACE_BYTES 140

static void enqueue(struct schema_set *set, struct schema_node *node)
{
	if (node == NULL || node->queued)
		return;
	node->queued = true;
	node->next = set->link;
	set->link = node;
}

/* The fault's text, with the place of the keyword before it. */
static int fail_at(const struct schema_node *node, const char *keyword,
		   struct schema_fault *fault, enum schema_code code,
		   const char *what)
{
	owned_buf struct buf place = { 0 };
	size_t n;

	schema_location(node, keyword, &place);
	n = buf_has_failed(&place)
		    ? 0
		    : utf8_cut(place.bytes, place.len, PLACE_BYTES);
	return schema_fail(fault, code, "%.*s%s: %s", (int)n,
			   n > 0 ? place.bytes : "", n < place.len ? "..." : "",
			   what);
}

static struct pattern *compile(struct schema_set *set,
			       const struct json_text *text, char *why,
			       size_t why_bytes)
{
	struct pattern_list *keep = arena_alloc(&set->arena, sizeof *keep);

	if (keep == NULL) {
		(void)snprintf(why, why_bytes, "no memory");
		return NULL;
	}
	keep->pattern = pattern_new(text->bytes, text->len, why, why_bytes);
	keep->next = set->patterns;
	set->patterns = keep;
	return keep->pattern;
}

static int link_patterns(struct schema_set *set, struct schema_node *node,
			 struct schema_rule *rule, struct schema_fault *fault)
{
	bool map = rule->value->type == JSON_OBJECT;
	size_t n = map ? rule->value->u.object.len : 1;
	char why[200];
	char what[400];

	rule->patterns =
		arena_array(&set->arena, n + 1, sizeof *rule->patterns);
	if (rule->patterns == NULL)
		return schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
	for (size_t i = 0; i < n; i++) {
		const struct json_text *text =
			map ? &rule->value->u.object.members[i].name
			    : &rule->value->u.string;

		rule->patterns[i] = compile(set, text, why, sizeof why);
		if (rule->patterns[i] != NULL)
			continue;
		(void)snprintf(what, sizeof what,
			       "the pattern %.100s cannot be used: %s",
			       text->bytes, why);
		return fail_at(node, schema_keywords[rule->id].name, fault,
			       SCHEMA_BAD_PATTERN, what);
	}
	return 0;
}

static int link_reference(struct schema_set *set, struct schema_node *node,
			  struct schema_rule *rule, struct schema_fault *fault)
{
	struct schema_fault local = { 0 };
	struct schema_anchor *anchor;

	rule->subs = arena_array(&set->arena, 1, sizeof *rule->subs);
	if (rule->subs == NULL)
		return schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
	rule->len = 1;
	rule->subs[0] = schema_resolve(set, node, &rule->value->u.string,
				       &anchor, &local);
	if (rule->subs[0] == NULL)
		return fail_at(node, schema_keywords[rule->id].name, fault,
			       local.code, local.text);
	if (rule->id == KW_DYNAMIC_REF && anchor != NULL && anchor->dynamic)
		rule->dynamic = anchor->name;
	return 0;
}

static unsigned type_mask(const struct json_value *v)
{
	unsigned mask = 0;

	if (v->type == JSON_STRING)
		return schema_type_bit(&v->u.string);
	for (size_t i = 0; i < v->u.array.len; i++)
		mask |= schema_type_bit(&v->u.array.items[i].u.string);
	return mask;
}

static int link_rule(struct schema_set *set, struct schema_node *node,
		     struct schema_rule *rule, struct schema_fault *fault)
{
	const char *bad = schema_keyword_check(rule->id, rule->value);
	struct decimal d;

	if (bad != NULL)
		return fail_at(node, schema_keywords[rule->id].name, fault,
			       SCHEMA_INVALID, bad);
	for (size_t i = 0; i < rule->len; i++)
		enqueue(set, rule->subs[i]);
	switch (schema_keywords[rule->id].shape) {
	case SHAPE_PATTERN:
	case SHAPE_PATTERN_MAP:
		return link_patterns(set, node, rule, fault);
	case SHAPE_COUNT:
		if (json_read_u64(rule->value, &rule->count) < 0)
			rule->count = UINT64_MAX;
		return 0;
	case SHAPE_TYPES:
		rule->count = type_mask(rule->value);
		return 0;
	case SHAPE_POSITIVE:
		d = decimal_read(rule->value->u.number.bytes,
				 rule->value->u.number.len);
		return d.n <= DECIMAL_BY_DIGITS
			       ? 0
			       : fail_at(node, "multipleOf", fault,
					 SCHEMA_TOO_COSTLY,
					 "has too many digits for a division");
	default:
		break;
	}
	if (rule->id != KW_REF && rule->id != KW_DYNAMIC_REF)
		return 0;
	if (link_reference(set, node, rule, fault) < 0)
		return -EINVAL;
	enqueue(set, rule->subs[0]);
	return 0;
}

/* A $dynamicRef may land at any schema with a $dynamicAnchor of its name that
 * is in a resource gone through, so all of those must be usable as well. */
static void enqueue_dynamic(struct schema_set *set,
			    const struct schema_resource *r)
{
	for (struct schema_anchor *a = r->anchors; a != NULL; a = a->next)
		if (a->dynamic)
			enqueue(set, a->node);
}

int schema_link(struct schema_set *set, struct schema_node *node,
		struct schema_fault *fault)
{
	enqueue(set, node);
	while (set->link != NULL) {
		struct schema_fault local = { 0 };

		node = set->link;
		set->link = node->next;
		node->next = NULL;
		if (schema_vocabularies(set, node->resource, &local) == 0)
			return fail_at(node->resource->root, NULL, fault,
				       local.code, local.text);
		enqueue_dynamic(set, node->resource);
		for (size_t i = 0; i < node->len; i++)
			if (link_rule(set, node, &node->rules[i], fault) < 0)
				return -EINVAL;
	}
	return 0;
}
