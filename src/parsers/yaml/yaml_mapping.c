/* yaml_mapping.c -- the pairs of one mapping: merge keys and duplicate names.
 * See yaml_compose.h.
 *
 * Names are sorted, not hashed, so that no choice of names makes it slow.
 * Source: YAML 1.1, the "merge" type of its type repository. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/yaml/yaml_compose.h"

#define NAME_SHOWN 80 /* bytes of a name in a message */

/* Compare scalars by length, bytes, then tag.  A node that is no scalar equals
 * nothing. */
static int key_compare(const struct yaml_candidate *x,
		       const struct yaml_candidate *y)
{
	const struct yaml_node *a = x->pair.key, *b = y->pair.key;
	bool a_is = a->type == YAML_SCALAR, b_is = b->type == YAML_SCALAR;
	int by_text;

	if (!a_is || !b_is)
		return b_is - a_is;
	if (a->u.text.len != b->u.text.len)
		return a->u.text.len < b->u.text.len ? -1 : 1;
	by_text = memcmp(a->u.text.bytes, b->u.text.bytes, a->u.text.len);
	return by_text != 0 ? by_text : x->is_string - y->is_string;
}

static int rank_compare(const void *a, const void *b)
{
	const struct yaml_candidate *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int candidate_compare(const void *a, const void *b)
{
	const struct yaml_candidate *x = a, *y = b;
	int by_key = key_compare(x, y);

	return by_key != 0 ? by_key : rank_compare(a, b);
}

static bool is_merge(const struct yaml_node *key)
{
	return key->is_plain && yaml_is_text(key, "<<");
}

static bool is_mergeable(const struct yaml_node *value)
{
	if (value->type != YAML_SEQUENCE)
		return value->type == YAML_MAPPING;
	for (size_t i = 0; i < value->u.sequence.len; i++)
		if (value->u.sequence.items[i]->type != YAML_MAPPING)
			return false;
	return true;
}

static int candidate_add(struct yaml_composer *c, struct yaml_pair pair)
{
	if (!array_grow((void **)&c->candidates, c->candidates_len,
			&c->candidates_room, sizeof *c->candidates))
		return yaml_compose_no_memory(c, pair.key->offset);
	c->candidates[c->candidates_len] = (struct yaml_candidate){
		.pair = pair,
		.is_string = c->caps.are_keys_names || yaml_is_string(pair.key),
		.rank = c->candidates_len,
	};
	c->candidates_len++;
	return 0;
}

static int merge_mapping(struct yaml_composer *c, const struct yaml_node *from)
{
	struct parse_report *r = c->events.report;

	if (from->u.mapping.len > YAML_MERGED - r->merged)
		return yaml_compose_refuse(c, "yaml_nodes", from->offset,
					   "merge keys take too many pairs, in "
					   "all files together");
	r->merged += from->u.mapping.len;
	for (size_t i = 0; i < from->u.mapping.len; i++)
		if (candidate_add(c, from->u.mapping.pairs[i]) < 0)
			return -EINVAL;
	return 0;
}

static int merge_value(struct yaml_composer *c, const struct yaml_node *value)
{
	if (value->type == YAML_MAPPING)
		return merge_mapping(c, value);
	for (size_t i = 0; i < value->u.sequence.len; i++)
		if (merge_mapping(c, value->u.sequence.items[i]) < 0)
			return -EINVAL;
	return 0;
}

/* Own pairs come first.  Among several merge keys the last one counts most, as
 * in widely used readers; within one list the first one does. */
static int candidates_gather(struct yaml_composer *c,
			     const struct yaml_node *const *items, size_t n,
			     size_t *ret_own)
{
	size_t merges = 0;

	c->candidates_len = 0;
	for (size_t i = 0; i < n; i += 2) {
		struct yaml_pair pair = { items[i], items[i + 1] };
		bool merge = is_merge(pair.key);

		if (merge && !is_mergeable(pair.value)) {
			report_note(&c->events.report->warnings, "yaml_merge",
				    c->events.in, (int64_t)pair.key->offset,
				    "the value to merge here is not a mapping");
			merge = false;
		}
		merges += merge;
		if (!merge && candidate_add(c, pair) < 0)
			return -EINVAL;
	}
	*ret_own = c->candidates_len;
	for (size_t i = n; merges > 0 && i > 0; i -= 2) {
		if (!is_merge(items[i - 2]) || !is_mergeable(items[i - 1]))
			continue;
		merges--;
		if (merge_value(c, items[i - 1]) < 0)
			return -EINVAL;
	}
	return 0;
}

static int refuse_duplicate(struct yaml_composer *c,
			    const struct yaml_node *key)
{
	owned_buf struct buf text = { 0 };
	size_t len =
		key->u.text.len < NAME_SHOWN ? key->u.text.len : NAME_SHOWN;

	buf_text(&text, "the name ");
	buf_add(&text, key->u.text.bytes, len);
	buf_text(&text, " occurs twice in one mapping");
	return yaml_compose_refuse(c, "duplicate_name", key->offset,
				   buf_has_failed(&text) ? "a name"
							 : text.bytes);
}

/* Duplicate names are an error among the own pairs, unless all of them are to be
 * kept; otherwise the later one is dropped (its rank becomes SIZE_MAX). */
static int candidates_thin(struct yaml_composer *c, size_t own,
			   size_t *ret_kept)
{
	struct yaml_candidate *list = c->candidates;
	const struct yaml_node *twice = NULL;
	size_t kept = c->candidates_len;

	if (c->candidates_len > 1)
		qsort(list, c->candidates_len, sizeof *list, candidate_compare);
	for (size_t i = 1; i < c->candidates_len; i++) {
		if (list[i].pair.key->type != YAML_SCALAR ||
		    key_compare(&list[i - 1], &list[i]) != 0 ||
		    (c->caps.keeps_duplicates && list[i].rank < own))
			continue;
		if (list[i].rank < own &&
		    (twice == NULL || list[i].pair.key->offset < twice->offset))
			twice = list[i].pair.key;
		list[i].rank = SIZE_MAX;
		kept--;
	}
	*ret_kept = kept;
	return twice != NULL ? refuse_duplicate(c, twice) : 0;
}

int yaml_mapping_close(struct yaml_composer *c, struct yaml_built *b,
		       const struct yaml_node *const *items, size_t n)
{
	size_t own = 0, kept = 0, merged = 0, count = 1;
	struct yaml_pair *pairs;

	if (candidates_gather(c, items, n, &own) < 0 ||
	    candidates_thin(c, own, &kept) < 0)
		return -EINVAL;
	if (c->candidates_len > 1)
		qsort(c->candidates, c->candidates_len, sizeof *c->candidates,
		      rank_compare);
	pairs = arena_array(c->arena, kept, sizeof *pairs);
	if (pairs == NULL)
		return yaml_compose_no_memory(c, b->node.offset);
	for (size_t i = 0; i < kept; i++) {
		const struct yaml_built *key, *value;

		pairs[i] = c->candidates[i].pair;
		key = built_of(pairs[i].key);
		value = built_of(pairs[i].value);
		count += key->count + value->count;
		if (i >= own)
			merged += key->count + value->count;
		if (key->height >= b->height)
			b->height = key->height + 1;
		if (value->height >= b->height)
			b->height = value->height + 1;
	}
	b->node.u.mapping.pairs = pairs;
	b->node.u.mapping.len = kept;
	b->count = count;
	return yaml_compose_spend(c, merged, b->node.offset);
}
