/* yaml_anchor.c -- names of nodes in one document.  See yaml_compose.h.
 *
 * They are in a balanced tree (tsearch(3)): in a sorted array, ten thousand names in
 * falling order would move a gigabyte, and a file may have many documents. */
#include <search.h>
#include <stdlib.h>

#include "parsers/common/text_piece.h"
#include "parsers/yaml/yaml_compose.h"

static int anchor_order(const void *a, const void *b)
{
	const struct yaml_anchor *x = a, *y = b;

	return text_order(x->name, y->name);
}

/* The anchor of that name, or NULL. */
static struct yaml_anchor *anchor_find(const struct yaml_composer *c,
				       struct json_text name)
{
	const struct yaml_anchor key = { name, NULL };
	void *const *found = tfind(&key, &c->anchors, anchor_order);

	return found != NULL ? *found : NULL;
}

const struct yaml_built *yaml_anchor_find(const struct yaml_composer *c,
					  struct json_text name)
{
	const struct yaml_anchor *a = anchor_find(c, name);

	return a != NULL ? a->built : NULL;
}

int yaml_anchor_set(struct yaml_composer *c, struct json_text name,
		    const struct yaml_built *b)
{
	struct yaml_anchor *a = anchor_find(c, name);

	if (a != NULL) {
		a->built = b;
		return 0;
	}
	if (c->anchors_len == YAML_ANCHORS)
		return yaml_compose_refuse(c, "yaml_alias", b->node.offset,
					   "more than 10000 anchors");
	a = arena_alloc(c->arena, sizeof *a);
	if (a != NULL) {
		a->name.bytes = arena_copy(c->arena, name.bytes, name.len);
		a->name.len = name.len;
		a->built = b;
	}
	if (a == NULL || a->name.bytes == NULL ||
	    tsearch(a, &c->anchors, anchor_order) == NULL)
		return yaml_compose_no_memory(c, b->node.offset);
	c->anchors_len++;
	return 0;
}

/* The anchors are in the arena. */
static void nothing_free(void *anchor)
{
	(void)anchor;
}

void yaml_anchors_done(struct yaml_composer *c)
{
	tdestroy(c->anchors, nothing_free);
	c->anchors = NULL;
	c->anchors_len = 0;
}
