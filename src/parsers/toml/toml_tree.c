/* toml_tree.c -- tables and arrays: lets them grow, and converts them at the
 * end. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/toml/toml_lex.h"

static void *memory_take(struct toml *t, size_t count, size_t size)
{
	void *p = NULL;

	if (t->arena->used - t->before <= t->memory_bytes &&
	    (size == 0 || count <= t->memory_bytes / size))
		p = arena_array(t->arena, count, size);
	if (p == NULL)
		(void)toml_fail(t, "memory", t->at, "no memory to read it");
	return p;
}

struct toml_node *toml_node_new(struct toml *t, enum toml_kind kind,
				unsigned depth, size_t offset)
{
	struct toml_node *n;

	if (depth > PARSE_DEPTH) {
		(void)toml_fail(t, "too_deep", offset,
				"values nest deeper than 64");
		return NULL;
	}
	n = memory_take(t, 1, sizeof *n);
	if (n == NULL)
		return NULL;
	*n = (struct toml_node){
		.kind = kind, .depth = depth, .level = 1, .offset = offset
	};
	return n;
}

struct toml_node *toml_member_find(const struct toml_node *table,
				   struct json_text name)
{
	struct toml_node *n = table->root;

	while (n != NULL) {
		int c = text_order(name, n->name);

		if (c == 0)
			break;
		n = c < 0 ? n->left : n->right;
	}
	return n;
}

/* Move up a left child of the same level. */
static struct toml_node *skew(struct toml_node *n)
{
	struct toml_node *up = n->left;

	if (up == NULL || up->level != n->level)
		return n;
	n->left = up->right;
	up->right = n;
	return up;
}

/* Of two right children of the same level, move up the middle one. */
static struct toml_node *split(struct toml_node *n)
{
	struct toml_node *up = n->right;

	if (up == NULL || up->right == NULL || up->right->level != n->level)
		return n;
	n->right = up->left;
	up->left = n;
	up->level++;
	return up;
}

/* The recursion is as deep as the tree, which is at most twice log2 of its
 * nodes.  Source: A. Andersson, "Balanced search trees made simple". */
static struct toml_node *tree_put(struct toml_node *root,
				  struct toml_node *fresh)
{
	if (root == NULL)
		return fresh;
	if (text_order(fresh->name, root->name) < 0)
		root->left = tree_put(root->left, fresh);
	else
		root->right = tree_put(root->right, fresh);
	return split(skew(root));
}

static void child_add(struct toml_node *parent, struct toml_node *n)
{
	if (parent->last != NULL)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
	parent->len++;
}

struct toml_node *toml_member_add(struct toml *t, struct toml_node *table,
				  struct json_text name, enum toml_kind kind,
				  size_t offset)
{
	struct toml_node *n;

	if (toml_member_find(table, name) != NULL) {
		(void)toml_fail(t, "duplicate_name", offset,
				"the name exists already");
		return NULL;
	}
	n = toml_node_new(t, kind, table->depth + 1, offset);
	if (n == NULL)
		return NULL;
	n->name = name;
	child_add(table, n);
	table->root = tree_put(table->root, n);
	return n;
}

struct toml_node *toml_item_add(struct toml *t, struct toml_node *array,
				enum toml_kind kind, size_t offset)
{
	struct toml_node *n = toml_node_new(t, kind, array->depth + 1, offset);

	if (n != NULL)
		child_add(array, n);
	return n;
}

static bool items_convert(struct toml *t, const struct toml_node *n,
			  struct json_value *ret)
{
	size_t i = 0;

	ret->type = JSON_ARRAY;
	ret->u.array.len = n->len;
	ret->u.array.items = memory_take(t, n->len, sizeof *ret->u.array.items);
	if (ret->u.array.items == NULL)
		return false;
	for (const struct toml_node *c = n->first; c != NULL; c = c->next)
		if (!toml_tree_convert(t, c, &ret->u.array.items[i++]))
			return false;
	return true;
}

static bool members_convert(struct toml *t, const struct toml_node *n,
			    struct json_value *ret)
{
	size_t i = 0;

	ret->type = JSON_OBJECT;
	ret->u.object.len = n->len;
	ret->u.object.members =
		memory_take(t, n->len, sizeof *ret->u.object.members);
	if (ret->u.object.members == NULL)
		return false;
	for (const struct toml_node *c = n->first; c != NULL; c = c->next) {
		struct json_member *m = &ret->u.object.members[i++];

		m->name = c->name;
		if (!toml_tree_convert(t, c, &m->value))
			return false;
	}
	if (n->len <= JSON_INDEX_FROM)
		return true;
	ret->u.object.index =
		memory_take(t, n->len, sizeof(const struct json_member *));
	if (ret->u.object.index == NULL)
		return false;
	(void)json_index_build(ret); /* no name occurs twice */
	return true;
}

/* The recursion is as deep as the nodes, so at most PARSE_DEPTH. */
bool toml_tree_convert(struct toml *t, const struct toml_node *n,
		       struct json_value *ret)
{
	*ret = (struct json_value){ .offset = n->offset };
	switch (n->kind) {
	case TOML_SCALAR:
		*ret = n->scalar;
		ret->offset = n->offset;
		return true;
	case TOML_ARRAY:
	case TOML_TABLES:
		return items_convert(t, n, ret);
	default:
		return members_convert(t, n, ret);
	}
}
