/* yaml_compose.h -- what the pieces of the composer share; private to them. */
#ifndef CUPEL_PARSERS_YAML_COMPOSE_H
#define CUPEL_PARSERS_YAML_COMPOSE_H

#include "parsers/yaml/yaml.h"
#include "parsers/yaml/yaml_events.h"

#define YAML_ANCHORS 10000U /* names of anchors in one document */

/* A node with the cost of writing it out.  Every node of a tree is the first
 * member of such a struct. */
struct yaml_built {
	struct yaml_node node;
	size_t count;    /* nodes, aliases written out; 0: not yet complete */
	unsigned height; /* containers within containers; a scalar has 0 */
};

struct yaml_anchor {
	struct json_text name; /* in the arena */
	const struct yaml_built *built;
};

/* An open container; its children are items[first..]. */
struct yaml_frame {
	struct yaml_built *built;
	size_t first;
};

/* One pair that may become part of a mapping.  The mapping's own pairs come
 * first. */
struct yaml_candidate {
	struct yaml_pair pair;
	bool is_string; /* its key, or it is taken for one */
	size_t rank;    /* its rank; of two equal names the lower rank stays */
};

struct yaml_composer {
	struct yaml_events events;
	struct yaml_caps caps;
	struct arena *arena;
	struct yaml_frame frames[PARSE_DEPTH];
	unsigned depth;
	const struct yaml_node **items; /* children of the open containers */
	size_t items_len, items_room;
	const struct yaml_node *root; /* of the document under way */
	void *anchors;                /* of the document: a tree, by name */
	size_t anchors_len;
	struct yaml_candidate *candidates; /* of the mapping being closed */
	size_t candidates_len, candidates_room;
	size_t spent; /* nodes so far, aliases and merges written out */
};

static inline const struct yaml_built *built_of(const struct yaml_node *n)
{
	return (const struct yaml_built *)n;
}

/* yaml_compose_refuse -- note an error of the input; -EINVAL. */
int yaml_compose_refuse(struct yaml_composer *c, const char *code,
			size_t offset, const char *message);

/* yaml_compose_spend -- count nodes; 0, or -EINVAL (noted) over the cap. */
int yaml_compose_spend(struct yaml_composer *c, size_t nodes, size_t offset);

/* yaml_compose_no_memory -- note that; -EINVAL. */
int yaml_compose_no_memory(struct yaml_composer *c, size_t offset);

/* yaml_mapping_close -- items[0..n-1], keys and values by turns, become the pairs of
 * b: merge keys resolved, names that stand twice refused.
 * Returns 0 or -EINVAL (noted). */
int yaml_mapping_close(struct yaml_composer *c, struct yaml_built *b,
		       const struct yaml_node *const *items, size_t n);

/* yaml_anchor_set -- let name mean b from here on.  0 or -EINVAL (noted). */
int yaml_anchor_set(struct yaml_composer *c, struct json_text name,
		    const struct yaml_built *b);

/* yaml_anchors_done -- forget all anchors, at the end of a document. */
void yaml_anchors_done(struct yaml_composer *c);

/* yaml_anchor_find -- what name means, or NULL. */
const struct yaml_built *yaml_anchor_find(const struct yaml_composer *c,
					  struct json_text name);

#endif
