/* suite_index.c -- see suite_index.h. */
#include "parsers/suite/suite_index.h"

#include <search.h>
#include <stdint.h>
#include <string.h>

/* The vessel has 512 MiB.  A report of 32 MiB and its tests take less than half
 * of that. */
#define INDEX_BYTES ((size_t)192 << 20)

static int named_order(const void *x, const void *y)
{
	const struct suite_named *a = x, *b = y;
	const uintptr_t in_a = (uintptr_t)a->group, in_b = (uintptr_t)b->group;

	if (in_a != in_b)
		return in_a > in_b ? 1 : -1;
	if (a->name.len != b->name.len)
		return a->name.len > b->name.len ? 1 : -1;
	return a->name.len > 0
		       ? memcmp(a->name.bytes, b->name.bytes, a->name.len)
		       : 0;
}

struct suite_named *suite_index_find(const struct suite_index *x,
				     const struct suite_named *group,
				     struct json_text name)
{
	const struct suite_named key = { .group = group, .name = name };
	struct suite_named *const *at = tfind(&key, &x->root, named_order);

	return at != NULL ? *at : NULL;
}

struct suite_named *suite_index_put(struct suite_index *x,
				    const struct suite_named *group,
				    struct json_text name)
{
	struct suite_named *n = suite_index_find(x, group, name);

	if (n != NULL)
		return n;
	x->arena.cap_bytes = INDEX_BYTES;
	n = arena_alloc(&x->arena, sizeof *n);
	if (n == NULL)
		return NULL;
	n->group = group;
	n->name.len = name.len;
	n->name.bytes = arena_copy(&x->arena, name.bytes, name.len);
	if (n->name.bytes == NULL || tsearch(n, &x->root, named_order) == NULL)
		return NULL;
	return n;
}

bool suite_index_open(struct suite_index *x, struct suite_named *group,
		      struct suite_named *of, size_t test)
{
	struct suite_run *run = arena_alloc(&x->arena, sizeof *run);

	if (run == NULL)
		return false;
	*run = (struct suite_run){ .test = test, .of = of, .under = of->open };
	of->open = run;
	if (group != NULL) {
		run->next = group->runs;
		group->runs = run;
	}
	return true;
}

bool suite_index_close(struct suite_named *of)
{
	if (of->open == NULL)
		return false;
	of->ended = of->open->test + 1;
	of->open = of->open->under;
	return true;
}

/* The arena owns what the tree points to. */
static void nothing_free(void *named)
{
	(void)named;
}

void suite_index_done(struct suite_index *x)
{
	tdestroy(x->root, nothing_free);
	arena_done(&x->arena);
	*x = (struct suite_index){ 0 };
}
