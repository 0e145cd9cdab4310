/* yaml_anchor.c -- names of nodes in one document.  See yaml_compose.h. */
#include <stdlib.h>
#include <string.h>

#include "parsers/yaml/yaml_compose.h"

static int name_compare(struct json_text a, struct json_text b)
{
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return memcmp(a.bytes, b.bytes, a.len);
}

/* The first anchor that is not before name. */
static size_t place_of(const struct yaml_composer *c, struct json_text name)
{
	size_t from = 0, to = c->anchors_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (name_compare(c->anchors[mid].name, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static bool is_at(const struct yaml_composer *c, size_t at,
		  struct json_text name)
{
	return at < c->anchors_len &&
	       name_compare(c->anchors[at].name, name) == 0;
}

const struct yaml_built *yaml_anchor_find(const struct yaml_composer *c,
					  struct json_text name)
{
	size_t at = place_of(c, name);

	return is_at(c, at, name) ? c->anchors[at].built : NULL;
}

int yaml_anchor_set(struct yaml_composer *c, struct json_text name,
		    const struct yaml_built *b)
{
	size_t at = place_of(c, name);
	struct yaml_anchor anchor = { { NULL, name.len }, b };

	if (is_at(c, at, name)) {
		c->anchors[at].built = b;
		return 0;
	}
	if (c->anchors_len == YAML_ANCHORS)
		return yaml_compose_refuse(c, "yaml_alias", b->node.offset,
					   "more than 10000 anchors");
	if (c->anchors == NULL)
		c->anchors = calloc(YAML_ANCHORS, sizeof *c->anchors);
	anchor.name.bytes = arena_copy(c->arena, name.bytes, name.len);
	if (c->anchors == NULL || anchor.name.bytes == NULL)
		return yaml_compose_no_memory(c, b->node.offset);
	memmove(&c->anchors[at + 1], &c->anchors[at],
		(c->anchors_len - at) * sizeof *c->anchors);
	c->anchors[at] = anchor;
	c->anchors_len++;
	return 0;
}
