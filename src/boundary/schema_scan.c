/* schema_scan.c -- finds which values are schemas, and their names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/schema_private.h"
#include "boundary/uri.h"

#define MAP_FIRST 256

static size_t map_slot(const struct schema_set *set, const struct json_value *v)
{
	uint64_t h = (uint64_t)(uintptr_t)v * 0x9e3779b97f4a7c15U;
	size_t i = (size_t)(h >> 20) & (set->map_room - 1);

	while (set->map[i] != NULL && set->map[i]->value != v)
		i = (i + 1) & (set->map_room - 1);
	return i;
}

struct schema_node *schema_node_find(const struct schema_set *set,
				     const struct json_value *v)
{
	return set->map_room > 0 ? set->map[map_slot(set, v)] : NULL;
}

static bool map_grow(struct schema_set *set)
{
	struct schema_node **old = set->map;
	size_t old_room = set->map_room;
	size_t room = old_room > 0 ? old_room * 2 : MAP_FIRST;
	struct schema_node **map = calloc(room, sizeof *map);

	if (map == NULL)
		return false;
	set->map = map;
	set->map_room = room;
	for (size_t i = 0; i < old_room; i++)
		if (old[i] != NULL)
			map[map_slot(set, old[i]->value)] = old[i];
	free(old);
	return true;
}

static struct schema_node *node_new(struct schema_set *set,
				    const struct json_value *v,
				    const struct schema_node *parent,
				    const char *step)
{
	struct schema_node *node = arena_alloc(&set->arena, sizeof *node);

	if (node == NULL || step == NULL)
		return NULL;
	if (set->map_len * 2 >= set->map_room && !map_grow(set))
		return NULL;
	node->value = v;
	node->parent = parent;
	node->step = step;
	node->resource = parent != NULL ? parent->resource : NULL;
	set->map[map_slot(set, v)] = node;
	set->map_len++;
	node->next = set->scan;
	set->scan = node;
	return node;
}

static struct schema_resource *resource_new(struct schema_set *set,
					    struct schema_node *root,
					    const char *uri)
{
	struct schema_resource *r = arena_alloc(&set->arena, sizeof *r);
	struct schema_resource **last = &set->resources;

	if (r == NULL || uri == NULL)
		return NULL;
	*r = (struct schema_resource){ .uri = uri,
				       .root = root,
				       .outer = root->resource };
	while (*last != NULL)
		last = &(*last)->next;
	*last = r;
	root->resource = r;
	return r;
}

static const struct json_text *text_of(const struct schema_node *node,
				       enum keyword_id id)
{
	const struct json_value *v =
		json_find(node->value, schema_keywords[id].name);

	return v != NULL && schema_keyword_check(id, v) == NULL ? &v->u.string
								: NULL;
}

static bool note_names(struct schema_set *set, struct schema_node *node)
{
	const struct json_text *id = text_of(node, KW_ID);
	const enum keyword_id anchors[] = { KW_ANCHOR, KW_DYNAMIC_ANCHOR };

	if (id != NULL) {
		const char *base =
			node->resource != NULL ? node->resource->uri : "";
		char *uri = uri_resolve(&set->arena, base, id->bytes);

		if (uri != NULL)
			(void)uri_cut_fragment(uri);
		if (resource_new(set, node, uri) == NULL)
			return false;
	}
	if (node->resource->root == node)
		node->resource->dialect = text_of(node, KW_SCHEMA);
	for (size_t i = 0; i < 2; i++) {
		const struct json_text *name = text_of(node, anchors[i]);
		struct schema_anchor *a;

		if (name == NULL)
			continue;
		a = arena_alloc(&set->arena, sizeof *a);
		if (a == NULL)
			return false;
		*a = (struct schema_anchor){ .next = node->resource->anchors,
					     .name = *name,
					     .dynamic = i == 1,
					     .node = node };
		node->resource->anchors = a;
	}
	return true;
}

/* The schema at one place of a keyword's value, or the value itself when token
 * is NULL. Returns NULL for what is not a schema as well: linking reports
 * that. */
static struct schema_node *child_new(struct schema_set *set,
				     struct schema_node *parent,
				     enum keyword_id id,
				     const struct json_value *v,
				     const struct json_text *token)
{
	struct buf step = { 0 };
	struct schema_node *out = NULL;
	const char *name = schema_keywords[id].name;

	if (v->type != JSON_OBJECT && v->type != JSON_BOOL)
		return NULL;
	schema_pointer_token(&step, name, strlen(name));
	if (token != NULL)
		schema_pointer_token(&step, token->bytes, token->len);
	if (!buf_has_failed(&step))
		out = node_new(set, v, parent,
			       arena_copy(&set->arena, step.bytes, step.len));
	buf_done(&step);
	return out;
}

static bool add_children(struct schema_set *set, struct schema_node *node,
			 struct schema_rule *rule)
{
	const struct json_value *v = rule->value;
	bool list = schema_keywords[rule->id].shape == SHAPE_SCHEMA_LIST;

	if (schema_keyword_check(rule->id, v) != NULL)
		return true;
	rule->len = 1;
	if (list)
		rule->len = v->u.array.len;
	else if (schema_keywords[rule->id].shape > SHAPE_SCHEMA_LIST)
		rule->len = v->u.object.len;
	rule->subs =
		arena_array(&set->arena, rule->len + 1, sizeof *rule->subs);
	if (rule->subs == NULL)
		return false;
	for (size_t i = 0; i < rule->len; i++) {
		const struct json_value *at = v;
		struct json_text token;
		char digits[24];

		if (list) {
			int n = snprintf(digits, sizeof digits, "%zu", i);

			token = (struct json_text){ digits, (size_t)n };
			at = &v->u.array.items[i];
		} else if (schema_keywords[rule->id].shape != SHAPE_SCHEMA) {
			token = v->u.object.members[i].name;
			at = &v->u.object.members[i].value;
		}
		rule->subs[i] = child_new(set, node, rule->id, at,
					  at != v ? &token : NULL);
		if (rule->subs[i] == NULL)
			return false;
	}
	return true;
}

static bool add_rules(struct schema_set *set, struct schema_node *node)
{
	struct schema_fault ignored;
	unsigned vocabularies =
		schema_vocabularies(set, node->resource, &ignored);

	if (vocabularies == 0)
		vocabularies = VOCAB_ALL;
	node->rules = arena_array(&set->arena,
				  node->value->u.object.len < KW_MAX_
					  ? node->value->u.object.len
					  : KW_MAX_,
				  sizeof *node->rules);
	if (node->rules == NULL)
		return false;
	for (enum keyword_id id = 0; id < KW_MAX_; id++) {
		const struct json_value *v =
			json_find(node->value, schema_keywords[id].name);
		struct schema_rule *rule = &node->rules[node->len];

		if (v == NULL ||
		    (schema_keywords[id].vocabulary & vocabularies) == 0)
			continue;
		*rule = (struct schema_rule){ .id = id, .value = v };
		node->rule_of[id] = (uint8_t)++node->len;
		if (schema_keywords[id].shape >= SHAPE_SCHEMA &&
		    !add_children(set, node, rule))
			return false;
	}
	return true;
}

static int scan_queue(struct schema_set *set, struct schema_fault *fault)
{
	while (set->scan != NULL) {
		struct schema_node *node = set->scan;

		set->scan = node->next;
		node->next = NULL;
		/* A parent is scanned before its children are: its resource
		 * is known by now. */
		if (node->parent != NULL)
			node->resource = node->parent->resource;
		if (node->value->type == JSON_OBJECT &&
		    (!note_names(set, node) || !add_rules(set, node)))
			return schema_fail(fault, SCHEMA_NO_MEMORY,
					   "no memory");
	}
	return 0;
}

int schema_scan_document(struct schema_set *set, struct schema_document *doc,
			 struct schema_fault *fault)
{
	struct schema_node *root = node_new(set, &doc->value, NULL, "");

	if (root == NULL || resource_new(set, root, doc->uri) == NULL ||
	    scan_queue(set, fault) < 0)
		return schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
	/* With an $id this is the resource of the $id. */
	doc->resource = root->resource;
	return 0;
}

struct schema_node *schema_scan_value(struct schema_set *set,
				      const struct json_value *v,
				      const struct schema_node *near,
				      const char *step,
				      struct schema_fault *fault)
{
	struct schema_node *node = node_new(set, v, near, step);

	if (node == NULL) {
		(void)schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
		return NULL;
	}
	return scan_queue(set, fault) == 0 ? node : NULL;
}

struct schema_resource *schema_resource_find(struct schema_set *set,
					     const char *uri)
{
	struct schema_document *doc;
	struct schema_fault ignored;

	for (struct schema_resource *r = set->resources; r; r = r->next)
		if (strcmp(r->uri, uri) == 0)
			return r->root->resource;
	doc = schema_document_find(set, uri);
	if (doc == NULL)
		return NULL;
	if (doc->resource == NULL &&
	    schema_scan_document(set, doc, &ignored) < 0)
		return NULL;
	return doc->resource;
}

struct schema_anchor *schema_anchor_find(const struct schema_resource *r,
					 const char *name, size_t len)
{
	for (struct schema_anchor *a = r->anchors; a != NULL; a = a->next)
		if (a->name.len == len && memcmp(a->name.bytes, name, len) == 0)
			return a;
	return NULL;
}
