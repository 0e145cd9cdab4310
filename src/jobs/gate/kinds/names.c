/* names.c -- see names.h. */
#include "jobs/gate/kinds/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static int order(const void *a, const void *b)
{
	const struct json_text *x = a, *y = b;
	size_t n = x->len < y->len ? x->len : y->len;
	int c = n > 0 ? memcmp(x->bytes, y->bytes, n) : 0;

	return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

static size_t list_len(const struct json_value *v, const char *key)
{
	const struct json_value *list = json_find(v, key);

	return list != NULL && list->type == JSON_ARRAY ? list->u.array.len : 0;
}

static void list_add(const struct json_value *v, const char *key,
		     struct names *ret)
{
	const struct json_value *list = json_find(v, key);

	for (size_t i = 0; i < list_len(v, key); i++)
		if (list->u.array.items[i].type == JSON_STRING)
			ret->items[ret->len++] =
				list->u.array.items[i].u.string;
}

/* All names of the lists whose keys are given, sorted. */
static int names_make(const struct json_value *v, const char *const *keys,
		      struct arena *arena, struct names *ret)
{
	size_t n = 0;

	for (size_t i = 0; keys[i] != NULL; i++)
		n += list_len(v, keys[i]);
	ret->items = arena_array(arena, n + 1, sizeof *ret->items);
	if (ret->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; keys[i] != NULL; i++)
		list_add(v, keys[i], ret);
	if (ret->len > 0)
		qsort(ret->items, ret->len, sizeof *ret->items, order);
	return 0;
}

/* The names that a has and b has not, one for one; both are sorted. */
static int names_subtract(const struct names *a, const struct names *b,
			  struct arena *arena, struct names *ret)
{
	size_t at = 0;

	ret->items = arena_array(arena, a->len + 1, sizeof *ret->items);
	if (ret->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < a->len; i++) {
		while (at < b->len && order(&b->items[at], &a->items[i]) < 0)
			at++;
		if (at < b->len && order(&b->items[at], &a->items[i]) == 0)
			at++;
		else
			ret->items[ret->len++] = a->items[i];
	}
	return 0;
}

int names_change_build(const struct json_value *before,
		       const struct json_value *now, struct arena *arena,
		       struct names_change *ret)
{
	static const char *const every[] = { "passed", "failed", "skipped",
					     NULL };
	static const char *const ran[] = { "passed", "failed", NULL };
	struct names all_before = { 0 }, all_now = { 0 }, added = { 0 };
	struct names ran_before = { 0 }, ran_now = { 0 }, not_run = { 0 };
	struct names_change c = { 0 };

	if (names_make(before, every, arena, &all_before) < 0 ||
	    names_make(now, every, arena, &all_now) < 0 ||
	    names_make(before, ran, arena, &ran_before) < 0 ||
	    names_make(now, ran, arena, &ran_now) < 0 ||
	    names_subtract(&all_before, &all_now, arena, &c.gone) < 0 ||
	    names_subtract(&all_now, &all_before, arena, &added) < 0 ||
	    names_subtract(&ran_before, &ran_now, arena, &not_run) < 0 ||
	    names_subtract(&not_run, &c.gone, arena, &c.skipped) < 0)
		return -ENOMEM;
	c.added = added.len;
	*ret = c;
	return 0;
}
