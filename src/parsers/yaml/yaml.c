/* yaml.c -- events become trees.  See yaml.h. */
#include "parsers/yaml/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/yaml/yaml_compose.h"

int yaml_compose_refuse(struct yaml_composer *c, const char *code,
			size_t offset, const char *message)
{
	report_note(&c->events.report->errors, code, c->events.in,
		    (int64_t)offset, message);
	return -EINVAL;
}

int yaml_compose_no_memory(struct yaml_composer *c, size_t offset)
{
	return yaml_compose_refuse(c, "memory", offset,
				   "needs more memory than it may use");
}

/* Costs never overflow: each is at most the cap, which was checked before. */
int yaml_compose_spend(struct yaml_composer *c, size_t nodes, size_t offset)
{
	if (nodes > c->caps.nodes - c->spent)
		return yaml_compose_refuse(
			c, "yaml_nodes", offset,
			"has too many nodes once its aliases are expanded");
	c->spent += nodes;
	return 0;
}

/* b is the next child of the container under way, or the root. */
static int child_add(struct yaml_composer *c, const struct yaml_built *b)
{
	if (c->depth == 0) {
		c->root = &b->node;
		return 0;
	}
	if (!array_grow((void **)&c->items, c->items_len, &c->items_room,
			sizeof *c->items))
		return yaml_compose_no_memory(c, b->node.offset);
	c->items[c->items_len++] = &b->node;
	return 0;
}

/* A node and extra bytes behind it; counted, anchored, added; NULL: noted. */
static struct yaml_built *node_new(struct yaml_composer *c,
				   const struct yaml_ev *ev, size_t extra)
{
	struct yaml_built *b;

	if (yaml_compose_spend(c, 1 + ev->text.len / YAML_TEXT_NODE,
			       ev->offset) < 0)
		return NULL;
	b = arena_alloc(c->arena, sizeof *b + extra);
	if (b == NULL) {
		(void)yaml_compose_no_memory(c, ev->offset);
		return NULL;
	}
	b->node.offset = ev->offset;
	if (ev->anchor.bytes != NULL && yaml_anchor_set(c, ev->anchor, b) < 0)
		return NULL;
	return child_add(c, b) < 0 ? NULL : b;
}

static int scalar_add(struct yaml_composer *c, const struct yaml_ev *ev)
{
	struct yaml_built *b = node_new(c, ev, ev->text.len + 1);
	char *bytes;

	if (b == NULL)
		return -EINVAL;
	bytes = (char *)(b + 1);
	memcpy(bytes, ev->text.bytes, ev->text.len);
	b->node.type = YAML_SCALAR;
	b->node.is_plain = ev->is_plain;
	b->node.u.text = (struct json_text){ bytes, ev->text.len };
	b->count = 1 + ev->text.len / YAML_TEXT_NODE;
	return 0;
}

static int container_open(struct yaml_composer *c, const struct yaml_ev *ev)
{
	struct yaml_built *b = node_new(c, ev, 0);

	if (b == NULL)
		return -EINVAL;
	b->node.type =
		ev->kind == YAML_EV_MAPPING ? YAML_MAPPING : YAML_SEQUENCE;
	/* The events' own cap keeps depth within frames. */
	c->frames[c->depth++] = (struct yaml_frame){ b, c->items_len };
	return 0;
}

static int sequence_close(struct yaml_composer *c, struct yaml_built *b,
			  const struct yaml_node *const *items, size_t n)
{
	const struct yaml_node **copy = arena_array(c->arena, n, sizeof *copy);
	size_t count = 1;

	if (copy == NULL)
		return yaml_compose_no_memory(c, b->node.offset);
	for (size_t i = 0; i < n; i++) {
		const struct yaml_built *child = built_of(items[i]);

		copy[i] = items[i];
		count += child->count;
		if (child->height >= b->height)
			b->height = child->height + 1;
	}
	b->node.u.sequence.items = copy;
	b->node.u.sequence.len = n;
	b->count = count;
	return 0;
}

static int container_close(struct yaml_composer *c)
{
	struct yaml_frame *f = &c->frames[--c->depth];
	size_t n = c->items_len - f->first;
	const struct yaml_node *const *items =
		n > 0 ? &c->items[f->first] : NULL;

	c->items_len = f->first;
	f->built->height = 1;
	if (f->built->node.type == YAML_MAPPING)
		return yaml_mapping_close(c, f->built, items, n);
	return sequence_close(c, f->built, items, n);
}

static int alias_add(struct yaml_composer *c, const struct yaml_ev *ev)
{
	const struct yaml_built *b = yaml_anchor_find(c, ev->text);

	if (b == NULL)
		return yaml_compose_refuse(
			c, "yaml_alias", ev->offset,
			"an alias comes before its anchor, or has none");
	if (b->count == 0)
		return yaml_compose_refuse(c, "yaml_alias", ev->offset,
					   "an alias is inside its own anchor");
	if (b->height > PARSE_DEPTH - c->depth)
		return yaml_compose_refuse(
			c, "depth", ev->offset,
			"nested more than 64 deep by aliases");
	if (yaml_compose_spend(c, b->count, ev->offset) < 0)
		return -EINVAL;
	return child_add(c, b);
}

/* The node that first begins, whole; 0 or -EINVAL. */
static int event_take(struct yaml_composer *c, const struct yaml_ev *ev)
{
	switch (ev->kind) {
	case YAML_EV_SCALAR:
		return scalar_add(c, ev);
	case YAML_EV_ALIAS:
		return alias_add(c, ev);
	case YAML_EV_SEQUENCE:
	case YAML_EV_MAPPING:
		return container_open(c, ev);
	case YAML_EV_END:
		return container_close(c);
	default:
		yaml_anchors_done(c);
		c->items_len = 0;
		return 0;
	}
}

struct roots {
	const struct yaml_node **items;
	size_t len, room;
};

static int root_add(struct yaml_composer *c, struct roots *roots, size_t offset)
{
	if (roots->len == c->caps.documents)
		return yaml_compose_refuse(c, "yaml_documents", offset,
					   "too many documents in one file");
	if (!array_grow((void **)&roots->items, roots->len, &roots->room,
			sizeof *roots->items))
		return yaml_compose_no_memory(c, offset);
	roots->items[roots->len++] = c->root;
	return 0;
}

static int documents_read(struct yaml_composer *c, struct roots *roots)
{
	struct yaml_ev ev;
	int n;

	while ((n = yaml_events_next(&c->events, &ev)) > 0) {
		if (event_take(c, &ev) < 0)
			return -EINVAL;
		if (ev.kind == YAML_EV_DOCUMENT_END &&
		    root_add(c, roots, ev.offset) < 0)
			return -EINVAL;
	}
	return n;
}

static void caps_fill(struct yaml_caps *to, const struct yaml_caps *from)
{
	if (from != NULL)
		*to = *from;
	if (to->nodes == 0)
		to->nodes = YAML_NODES;
	if (to->memory_bytes == 0)
		to->memory_bytes = YAML_MEMORY_BYTES;
	if (to->documents == 0)
		to->documents = YAML_DOCUMENTS;
}

int yaml_read(const struct parse_input *in, const struct yaml_caps *caps,
	      struct arena *arena, struct yaml_documents *ret,
	      struct parse_report *r)
{
	struct yaml_composer c = { .arena = arena };
	const size_t cap = arena->cap_bytes;
	struct roots roots = { 0 };
	const struct yaml_node **kept;
	int result;

	caps_fill(&c.caps, caps);
	if (cap == 0 || c.caps.memory_bytes < cap - arena->used)
		arena->cap_bytes = arena->used + c.caps.memory_bytes;
	result = yaml_events_open(&c.events, in, r);
	if (result == 0)
		result = documents_read(&c, &roots);
	arena->cap_bytes = cap;
	kept = arena_array(arena, roots.len, sizeof *kept);
	if (kept == NULL) {
		result = yaml_compose_no_memory(&c, 0);
		roots.len = 0;
	}
	for (size_t i = 0; i < roots.len; i++)
		kept[i] = roots.items[i];
	*ret = (struct yaml_documents){ kept, roots.len, c.spent };
	yaml_events_done(&c.events);
	free(roots.items);
	free(c.items);
	yaml_anchors_done(&c);
	free(c.candidates);
	return result;
}
