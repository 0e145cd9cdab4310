/* put_list.c -- putting one item into a list; see put.h. */
#include <errno.h>
#include <string.h>

#include "spec/put.h"

static int fail_memory(const struct put *p, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY, ENOMEM,
			  "%s: no memory, or a request over %zu MiB", p->place,
			  SPEC_ARENA_BYTES >> 20);
}

/* Make room for one more item.  Capacities are powers of two. */
static int grow(const struct put *p, struct spec_list *list,
		struct cupel_error *err)
{
	const char **items;

	if (list->len >= SPEC_LIST_MAX)
		return spec_refuse(err, E2BIG, "%s: more than %d entries",
				   p->place, SPEC_LIST_MAX);
	if ((list->len & (list->len - 1)) != 0)
		return 0;
	items = arena_array(&p->spec->arena, list->len ? list->len * 2 : 1,
			    sizeof *items);
	if (items == NULL)
		return fail_memory(p, err);
	if (list->len > 0)
		memcpy(items, list->items, list->len * sizeof *items);
	list->items = items;
	return 0;
}

void put_list_reset(struct spec_list *list)
{
	list->len -= list->lowest;
	if (list->len > 0)
		memmove(list->items, list->items + list->lowest,
			list->len * sizeof *list->items);
	list->low -= list->lowest;
	list->lowest = 0;
}

void put_list_clear(struct spec_list *list)
{
	list->len = list->low = list->lowest = 0;
}

bool put_list_replace(const struct put *p, const struct field *f)
{
	if ((f->flags & FIELD_REPLACES) == 0)
		return true;
	if (p->rank == RANK_PROFILE)
		return !put_is_low(p, f);
	put_list_reset((struct spec_list *)((char *)p->spec + f->offset));
	if (!put_is_low(p, f))
		put_mark(p, f);
	return true;
}

int put_list_add(const struct put *p, const struct field *f, const char *text,
		 struct cupel_error *err)
{
	struct spec_list *list =
		(struct spec_list *)((char *)p->spec + f->offset);
	size_t at;
	char *copy;
	int r;

	if (text[0] == '\0')
		return spec_refuse(err, EINVAL, "%s: the %s is empty", p->place,
				   f->arg);
	if (!put_list_replace(p, f))
		return 0;
	at = p->rank == RANK_OPTION    ? list->len
	     : p->rank == RANK_PROFILE ? list->lowest
				       : list->low;
	r = grow(p, list, err);
	if (r < 0)
		return r;
	copy = arena_text(&p->spec->arena, text);
	if (copy == NULL)
		return fail_memory(p, err);
	memmove(list->items + at + 1, list->items + at,
		(list->len - at) * sizeof *list->items);
	list->items[at] = copy;
	list->len++;
	if (p->rank < RANK_OPTION)
		list->low++;
	if (p->rank == RANK_PROFILE)
		list->lowest++;
	return 0;
}
