/* node_record.c -- names with constraints, kept in a sorted array. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/node/node.h"

void node_record_add(struct node_record *r, struct json_text name,
		     struct json_text constraint)
{
	if (name.bytes == NULL || r->len == NODE_WISHES_MAX) {
		r->is_cut = true;
		return;
	}
	if (!array_grow((void **)&r->items, r->len, &r->room,
			sizeof *r->items)) {
		r->is_cut = true;
		return;
	}
	r->items[r->len++] = (struct node_wish){ name, constraint };
}

static int wish_compare(const void *x, const void *y)
{
	const struct node_wish *a = x, *b = y;
	int c = text_order(a->name, b->name);

	return c != 0 ? c : text_order(a->constraint, b->constraint);
}

void node_record_sort(struct node_record *r)
{
	if (r->len > 0)
		qsort(r->items, r->len, sizeof *r->items, wish_compare);
}

const struct node_wish *node_record_find(const struct node_record *r,
					 struct json_text name)
{
	size_t i = text_place(r->items, r->len, sizeof *r->items, name);

	if (i == r->len || text_order(r->items[i].name, name) != 0)
		return NULL;
	return &r->items[i];
}

bool node_record_has_prefix(const struct node_record *r, struct json_text text)
{
	size_t i = text_place(r->items, r->len, sizeof *r->items, text);

	return i < r->len && r->items[i].name.len >= text.len &&
	       memcmp(r->items[i].name.bytes, text.bytes, text.len) == 0;
}

void node_record_note_twice(const struct node_record *r, struct node *n,
			    const struct parse_input *in)
{
	owned_buf struct buf text = { .cap_bytes = PARSE_STRING_BYTES };
	size_t i = 1;

	while (i < r->len &&
	       text_order(r->items[i - 1].name, r->items[i].name) != 0)
		i++;
	if (i >= r->len)
		return;
	buf_text(&text, "the lockfile has this name more than once: ");
	buf_add(&text, r->items[i].name.bytes, r->items[i].name.len);
	report_note(&n->report->warnings, "duplicate_name", in, -1,
		    buf_has_failed(&text) ? "a name occurs twice" : text.bytes);
}

void node_record_clear(struct node_record *r)
{
	r->len = 0;
	r->is_cut = false;
}

void node_record_done(struct node_record *r)
{
	free(r->items);
	*r = (struct node_record){ 0 };
}

/* pnpm has "parent>name"; a '>' behind a blank, '|' or '@' is of a range.
 * Source: pnpm, parse-overrides. */
static struct json_text after_parent(struct json_text key)
{
	size_t from = 0;

	for (size_t i = 1; i < key.len; i++)
		if (key.bytes[i] == '>' &&
		    memchr(" |@", key.bytes[i - 1], 3) == NULL)
			from = i + 1;
	return (struct json_text){ key.bytes + from, key.len - from };
}

/* Length of the name at the front of a path of names: "a", "@b/c", "d@1". */
static size_t element_len(struct json_text path)
{
	size_t i = 0, slashes = path.len > 0 && path.bytes[0] == '@' ? 2 : 1;

	for (; i < path.len; i++) {
		if (i > 0 && path.bytes[i] == '@')
			return path.len; /* the rest is a range */
		if (path.bytes[i] == '/' && --slashes == 0)
			break;
	}
	return i;
}

void node_record_add_override(struct node_record *r, struct json_text key)
{
	struct json_text rest = after_parent(key), name, range;

	for (;;) {
		size_t len = element_len(rest);

		if (len + 1 >= rest.len)
			break;
		rest.bytes += len + 1;
		rest.len -= len + 1;
	}
	node_text_split(rest, &name, &range);
	node_record_add(r, name, range);
}
