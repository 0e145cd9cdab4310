/* node_choice.c -- which of several versions of a package a lockfile means for a
 * declaration.
 *
 * npm says it by directories: Node looks for a package in node_modules beside the
 * file that asks for it, and then in each directory above.  pnpm says it for each
 * package of the workspace.  yarn says it for each "name@constraint".
 * Source: nodejs.org/api/modules.html, "Loading from node_modules folders"; the
 * sources that node_npm.c, node_pnpm.c, node_yarn.c and node_berry.c name. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/node/node.h"

void node_choices_start(struct node *n)
{
	n->choices_end =
		n->choices_len + (NODE_CHOICES_MAX - n->choices_len + 1) / 2;
	n->has_cut_choices = false;
}

void node_choice_add(struct node_lock *l, const struct node_choice *c)
{
	struct node *n = l->node;

	if (!n->has_choices || c->key.bytes == NULL || c->place.bytes == NULL)
		return;
	if (n->choices_len >= n->choices_end ||
	    !array_grow((void **)&n->choices, n->choices_len, &n->choices_room,
			sizeof *n->choices)) {
		if (!n->has_cut_choices)
			report_note(&n->report->warnings, "truncated", l->in,
				    -1,
				    "no room for more of what the lockfile "
				    "means for each package");
		n->has_cut_choices = true;
		return;
	}
	n->choices[n->choices_len] = *c;
	if (c->version.bytes == NULL)
		n->choices[n->choices_len].version.len = 0;
	n->choices[n->choices_len++].in = l->in;
}

void node_choice_add_heads(struct node_lock *l, const struct node_record *heads,
			   size_t from, struct json_text version)
{
	for (size_t i = from; i < heads->len; i++)
		node_choice_add(
			l, &(struct node_choice){ .key = heads->items[i].name,
						  .place = TEXT(""),
						  .version = version,
						  .way = NODE_BY_HEAD });
}

static int place_order(const struct node_choice *a, const struct node_choice *b)
{
	const int c = (a->in > b->in) - (a->in < b->in);

	return c != 0 ? c : text_order(a->place, b->place);
}

static int key_order(const struct node_choice *a, const struct node_choice *b)
{
	const int c = place_order(a, b);

	return c != 0 ? c : text_order(a->key, b->key);
}

static bool is_same_version(const struct node_choice *a,
			    const struct node_choice *b)
{
	return (a->version.bytes == NULL) == (b->version.bytes == NULL) &&
	       text_order(a->version, b->version) == 0;
}

static int choice_order(const void *x, const void *y)
{
	return key_order(x, y);
}

/* A key that stands in a lockfile twice, with two versions, says nothing: the
 * package manager reads only one of them. */
void node_choices_sort(struct node *n)
{
	size_t kept = 0, next;

	if (n->choices_len > 0)
		qsort(n->choices, n->choices_len, sizeof *n->choices,
		      choice_order);
	for (size_t i = 0; i < n->choices_len; i = next) {
		const struct node_choice *c = &n->choices[i];
		bool is_one = true;

		for (next = i + 1; next < n->choices_len &&
				   key_order(c, &n->choices[next]) == 0;
		     next++)
			is_one =
				is_one && is_same_version(c, &n->choices[next]);
		if (is_one)
			n->choices[kept++] = *c;
	}
	n->choices_len = kept;
}

/* The index of the first choice of that lockfile and place, or with is_end of the
 * first one behind them. */
static size_t place_bound(const struct node *n, const struct node_choice *want,
			  bool is_end)
{
	size_t from = 0, to = n->choices_len;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;
		const int c = place_order(&n->choices[mid], want);

		if (c < 0 || (is_end && c == 0))
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void level_add(const struct node *n, const struct node_choice *want,
		      bool is_above, struct node_choices *ret)
{
	const size_t from = place_bound(n, want, false);
	const size_t to = place_bound(n, want, true);

	if (from == to ||
	    (is_above && n->choices[from].way == NODE_BY_IMPORTER))
		return;
	ret->levels[ret->len++] =
		(struct node_choice_level){ &n->choices[from], to - from };
}

void node_choices_find(const struct node *n, const struct parse_input *lock,
		       const struct parse_input *manifest,
		       struct node_choices *ret)
{
	const size_t top = input_dir_len(lock);
	struct node_choice want = {
		.in = lock,
		.place = { manifest->name, input_dir_len(manifest) },
	};
	bool is_above = false;

	ret->len = 0;
	if (want.place.len == top)
		want.place.len = 0;
	else if (top > 0)
		want.place = text_from(want.place, top + 1);
	for (size_t i = 0; i < NODE_LEVELS_MAX; i++) {
		const char *slash;

		if (i + 1 == NODE_LEVELS_MAX)
			want.place.len = 0;
		level_add(n, &want, is_above, ret);
		if (want.place.len == 0)
			return;
		slash = memrchr(want.place.bytes, '/', want.place.len);
		want.place.len = slash ? (size_t)(slash - want.place.bytes) : 0;
		is_above = true;
	}
}

static const struct node_choice *key_find(const struct node_choices *c,
					  struct json_text key)
{
	for (size_t i = 0; i < c->len; i++) {
		const struct node_choice_level *l = &c->levels[i];
		const size_t at =
			text_place(l->items, l->len, sizeof *l->items, key);

		if (at < l->len && text_order(l->items[at].key, key) == 0)
			return &l->items[at];
	}
	return NULL;
}

static bool begins(const struct node_choice_level *l, size_t at,
		   struct json_text text)
{
	return at < l->len && l->items[at].key.len >= text.len &&
	       memcmp(l->items[at].key.bytes, text.bytes, text.len) == 0;
}

/* The only head that begins with text, or NULL. */
static const struct node_choice *longer_find(const struct node_choice_level *l,
					     struct json_text text)
{
	const size_t at = text_place(l->items, l->len, sizeof *l->items, text);

	return begins(l, at, text) && !begins(l, at + 1, text) ? &l->items[at]
							       : NULL;
}

/* As it stands or with "npm:", alone or with more behind a "::" (yarn 2). */
static const struct node_choice *head_find(const struct node_choices *c,
					   struct json_text name,
					   struct json_text constraint)
{
	static const char *const protocols[] = { "", "npm:" };
	const struct node_choice *found = NULL;

	for (size_t i = 0; i < 2 && found == NULL; i++) {
		owned_buf struct buf b = { .cap_bytes = NODE_HEAD_BYTES };

		buf_add(&b, name.bytes, name.len);
		buf_char(&b, '@');
		buf_text(&b, protocols[i]);
		buf_add(&b, constraint.bytes, constraint.len);
		if (buf_has_failed(&b))
			return NULL;
		found = key_find(c, (struct json_text){ b.bytes, b.len });
		buf_text(&b, "::");
		if (found == NULL && !buf_has_failed(&b))
			found = longer_find(
				&c->levels[0],
				(struct json_text){ b.bytes, b.len });
	}
	return found;
}

const struct node_choice *node_choice_find(const struct node_choices *c,
					   struct json_text name,
					   struct json_text constraint)
{
	if (c->len == 0)
		return NULL;
	if (c->levels[0].items[0].way != NODE_BY_HEAD)
		return key_find(c, name);
	return constraint.bytes != NULL ? head_find(c, name, constraint) : NULL;
}
