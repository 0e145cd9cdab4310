/* shrink.c -- see shrink.h.  One walk over the values counts the candidates.
 * When it reaches the one that is asked for, it copies the values on the way
 * down to it. */
#include "jobs/confirm/shrink.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"

struct search {
	struct arena *arena;
	size_t left; /* candidates before the one that is asked for */
	bool is_found;
	bool failed; /* no memory */
};

/* Count one more candidate.  Returns whether it is the one that is asked
 * for. */
static bool is_asked_for(struct search *s)
{
	if (s->is_found || s->failed)
		return false;
	s->is_found = s->left == 0;
	if (!s->is_found)
		s->left--;
	return s->is_found;
}

static void *memory(struct search *s, void *p)
{
	s->failed = s->failed || p == NULL;
	return p;
}

/* -- numbers ------------------------------------------------------------- */

static bool is_whole(struct json_text n)
{
	return memchr(n.bytes, '.', n.len) == NULL &&
	       memchr(n.bytes, 'e', n.len) == NULL &&
	       memchr(n.bytes, 'E', n.len) == NULL;
}

static void number_set(struct search *s, struct json_value *v, const char *text)
{
	char *copy = memory(s, arena_text(s->arena, text));

	if (copy != NULL)
		v->u.number = (struct json_text){ copy, strlen(copy) };
}

/* Shrink a whole number of at most 18 digits: halve it towards 0, or go one
 * nearer to 0. */
static void whole_shrink(struct search *s, struct json_value *v)
{
	long long n = 0;
	bool is_minus = v->u.number.bytes[0] == '-';
	char *text;

	for (size_t i = is_minus; i < v->u.number.len; i++)
		n = n * 10 + (v->u.number.bytes[i] - '0');
	if (n == 0)
		return;
	if (is_asked_for(s)) {
		number_set(s, v, "0");
		return;
	}
	for (unsigned step = 0; step < 2; step++) {
		long long less = step == 0 ? n / 2 : n - 1;

		if (less == 0 || (step == 1 && less == n / 2) ||
		    !is_asked_for(s))
			continue;
		text = memory(s, arena_format(s->arena, "%s%lld",
					      is_minus ? "-" : "", less));
		if (text != NULL)
			number_set(s, v, text);
		return;
	}
}

/* Shrink a longer number to half of its digits. */
static void long_shrink(struct search *s, struct json_value *v)
{
	char *text;

	if (is_asked_for(s)) {
		number_set(s, v, "0");
	} else if (is_asked_for(s)) {
		text = memory(s, arena_copy(s->arena, v->u.number.bytes,
					    v->u.number.len / 2 + 1));
		if (text != NULL)
			number_set(s, v, text);
	}
}

static void number_shrink(struct search *s, struct json_value *v)
{
	struct json_text n = v->u.number;

	if (is_whole(n) && n.len <= 18)
		whole_shrink(s, v);
	else if (is_whole(n))
		long_shrink(s, v);
	else if (strcmp(n.bytes, "0.0") != 0 && is_asked_for(s))
		number_set(s, v, "0.0");
	else if (strcmp(n.bytes, "0.0") != 0 && strcmp(n.bytes, "1.0") != 0 &&
		 is_asked_for(s))
		number_set(s, v, "1.0");
}

/* -- strings ------------------------------------------------------------- */

/* The length in bytes of the first n characters. */
static size_t prefix_of(struct json_text t, size_t n)
{
	size_t at = 0;

	while (n-- > 0 && at < t.len) {
		size_t len = utf8_read(t.bytes + at, t.len - at, NULL);

		at += len > 0 ? len : 1;
	}
	return at;
}

/* unit is the number of characters that belong together (2: hexadecimal
 * bytes). */
static void string_shrink(struct search *s, struct json_value *v, size_t unit)
{
	struct json_text t = v->u.string;
	size_t chars = 0, keep[3];

	for (size_t at = 0; at < t.len; chars++)
		at += prefix_of((struct json_text){ t.bytes + at, t.len - at },
				1);
	chars /= unit;
	keep[0] = 0;
	keep[1] = chars / 2;
	keep[2] = chars > 0 ? chars - 1 : 0;
	for (size_t i = 0; i < 3 && chars > 0; i++) {
		char *text;

		if ((i > 0 && keep[i] == keep[i - 1]) || !is_asked_for(s))
			continue;
		t.len = prefix_of(t, keep[i] * unit);
		text = memory(s, arena_copy(s->arena, t.bytes, t.len));
		if (text != NULL)
			v->u.string = (struct json_text){ text, t.len };
		return;
	}
}

/* -- lists, and what holds them ------------------------------------------ */

static void value_shrink(struct search *s, struct json_value *v);

/* Replace v's items by a copy without those in [from, to). */
static void items_drop(struct search *s, struct json_value *v, size_t from,
		       size_t to)
{
	size_t len = v->u.array.len - (to - from);
	struct json_value *items =
		memory(s, arena_array(s->arena, len, sizeof *items));

	if (items == NULL)
		return;
	memcpy(items, v->u.array.items, from * sizeof *items);
	memcpy(items + from, v->u.array.items + to,
	       (v->u.array.len - to) * sizeof *items);
	v->u.array.items = items;
	v->u.array.len = len;
}

static void length_shrink(struct search *s, struct json_value *v)
{
	size_t len = v->u.array.len;

	if (len > 0 && is_asked_for(s))
		items_drop(s, v, 0, len);
	else if (len > 3 && is_asked_for(s))
		items_drop(s, v, len / 2, len);
	else
		for (size_t i = len; len > 1 && i-- > 0;)
			if (is_asked_for(s)) {
				items_drop(s, v, i, i + 1);
				return;
			}
}

/* Replace v's items by a copy in which the i-th is item. */
static void item_set(struct search *s, struct json_value *v, size_t i,
		     const struct json_value *item)
{
	struct json_value *items =
		memory(s, arena_array(s->arena, v->u.array.len, sizeof *items));

	if (items == NULL)
		return;
	memcpy(items, v->u.array.items, v->u.array.len * sizeof *items);
	items[i] = *item;
	v->u.array.items = items;
}

static void item_shrink(struct search *s, struct json_value *v, size_t i)
{
	struct json_value item = v->u.array.items[i];

	value_shrink(s, &item);
	if (s->is_found)
		item_set(s, v, i, &item);
}

static void items_shrink(struct search *s, struct json_value *v)
{
	for (size_t i = 0; i < v->u.array.len && !s->is_found; i++)
		item_shrink(s, v, i);
}

/* Shrink only the values of [[name, value], ...]. */
static void pairs_shrink(struct search *s, struct json_value *v)
{
	for (size_t i = 0; i < v->u.array.len && !s->is_found; i++) {
		struct json_value pair = v->u.array.items[i];

		if (pair.type != JSON_ARRAY || pair.u.array.len != 2)
			continue;
		item_shrink(s, &pair, 1);
		if (s->is_found)
			item_set(s, v, i, &pair);
	}
}

enum holds {
	HOLDS_ITEMS,      /* a list that may be shorter */
	HOLDS_PAIRS,      /* pairs, fewer of them too */
	HOLDS_ATTRIBUTES, /* pairs, all of which must stay */
	HOLDS_VALUE,
	HOLDS_HEX,
};

static const struct {
	const char *tag;
	enum holds holds;
} tags[] = {
	{ "$tuple", HOLDS_ITEMS },     { "$set", HOLDS_ITEMS },
	{ "$frozenset", HOLDS_ITEMS }, { "$iter", HOLDS_ITEMS },
	{ "$dict", HOLDS_PAIRS },      { "$object", HOLDS_PAIRS },
	{ "$map", HOLDS_PAIRS },       { "$stub", HOLDS_ATTRIBUTES },
	{ "$call", HOLDS_VALUE },      { "$promise", HOLDS_VALUE },
	{ "$bytes", HOLDS_HEX },
};

static void held_shrink(struct search *s, struct json_value *v,
			enum holds holds)
{
	if (holds == HOLDS_VALUE) {
		value_shrink(s, v);
	} else if (holds == HOLDS_HEX) {
		if (v->type == JSON_STRING)
			string_shrink(s, v, 2);
	} else if (v->type == JSON_ARRAY) {
		if (holds != HOLDS_ATTRIBUTES)
			length_shrink(s, v);
		if (holds == HOLDS_ITEMS)
			items_shrink(s, v);
		else
			pairs_shrink(s, v);
	}
}

/* {"$tag": held}: the tag stays the same. */
static void tagged_shrink(struct search *s, struct json_value *v)
{
	struct json_member *m = v->u.object.members;

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		struct json_member copy;

		if (v->u.object.len != 1 ||
		    strcmp(m->name.bytes, tags[i].tag) != 0)
			continue;
		copy = *m;
		held_shrink(s, &copy.value, tags[i].holds);
		if (!s->is_found)
			return;
		m = memory(s, arena_alloc(s->arena, sizeof *m));
		if (m == NULL)
			return;
		*m = copy;
		v->u.object.members = m;
		v->u.object.index = NULL;
		return;
	}
}

/* The depth is that of a payload, which has a cap. */
static void value_shrink(struct search *s, struct json_value *v)
{
	switch (v->type) {
	case JSON_NUMBER:
		number_shrink(s, v);
		break;
	case JSON_STRING:
		string_shrink(s, v, 1);
		break;
	case JSON_ARRAY:
		length_shrink(s, v);
		items_shrink(s, v);
		break;
	case JSON_OBJECT:
		tagged_shrink(s, v);
		break;
	default:
		break;
	}
}

/* -- a witness ----------------------------------------------------------- */

/* Set the member of that name to value, in a copy of the members. */
static void member_set(struct search *s, struct json_value *v, const char *name,
		       const struct json_value *value)
{
	struct json_member *members = memory(
		s, arena_array(s->arena, v->u.object.len, sizeof *members));

	if (members == NULL)
		return;
	memcpy(members, v->u.object.members, v->u.object.len * sizeof *members);
	for (size_t i = 0; i < v->u.object.len; i++)
		if (strcmp(members[i].name.bytes, name) == 0)
			members[i].value = *value;
	v->u.object.members = members;
	v->u.object.index = NULL;
}

static void argument_shrink(struct search *s, struct json_value *argument)
{
	const struct json_value *fixed = json_find(argument, "fixed");
	const struct json_value *was = json_find(argument, "value");
	struct json_value value;

	if (was == NULL ||
	    (fixed != NULL && fixed->type == JSON_BOOL && fixed->u.boolean))
		return;
	value = *was;
	value_shrink(s, &value);
	if (s->is_found)
		member_set(s, argument, "value", &value);
}

static void group_shrink(struct search *s, struct json_value *witness,
			 const char *name)
{
	const struct json_value *was = json_find(witness, name);
	struct json_value group;

	if (was == NULL || was->type != JSON_ARRAY)
		return;
	group = *was;
	for (size_t i = 0; i < group.u.array.len && !s->is_found; i++) {
		struct json_value argument = group.u.array.items[i];

		argument_shrink(s, &argument);
		if (!s->is_found)
			continue;
		item_set(s, &group, i, &argument);
		member_set(s, witness, name, &group);
	}
}

int shrink_candidate(const struct json_value *witness, size_t index,
		     struct arena *arena, const struct json_value **ret)
{
	struct search s = { .arena = arena, .left = index };
	struct json_value copy = *witness;
	struct json_value *kept;

	*ret = NULL;
	group_shrink(&s, &copy, "arguments");
	if (!s.is_found)
		group_shrink(&s, &copy, "receiver");
	if (s.failed)
		return -ENOMEM;
	if (!s.is_found)
		return 0;
	kept = arena_alloc(arena, sizeof *kept);
	if (kept == NULL)
		return -ENOMEM;
	*kept = copy;
	*ret = kept;
	return 0;
}
