/* evidence.c -- see evidence.h. */
#include "jobs/gate/ledger/evidence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"

static const struct json_value *list_find(const struct json_value *record,
					  const char *name)
{
	const struct json_value *list = json_find(record, name);

	return list != NULL && list->type == JSON_ARRAY ? list : NULL;
}

static size_t list_len(const struct json_value *list)
{
	return list != NULL ? list->u.array.len : 0;
}

static void name_add(struct evidence_names *n, const struct json_value *path,
		     size_t line, bool is_removed)
{
	/* a mention without a path names nothing that could exist */
	n->items[n->len++] = (struct evidence_name){
		.path = path != NULL && path->type == JSON_STRING
				? path->u.string.bytes
				: "",
		.line = line,
		.is_removed = is_removed,
	};
}

static int name_order(const void *a, const void *b)
{
	const struct evidence_name *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (order != 0)
		return order;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void record_find(const struct json_value *record, size_t line,
			struct evidence_names *n)
{
	const struct json_value *named = list_find(record, "evidence");
	const struct json_value *gone = list_find(record, "removed");

	for (size_t i = 0; i < list_len(named); i++)
		name_add(n, json_find(&named->u.array.items[i], "path"), line,
			 false);
	for (size_t i = 0; i < list_len(gone); i++)
		name_add(n, &gone->u.array.items[i], line, true);
}

/* A removal applies to what was named before it, and is itself no mention. */
static void removed_mark(struct evidence_names *n)
{
	const char *path = NULL;
	size_t gone = 0, kept = 0;

	for (size_t i = n->len; i-- > 0;) {
		struct evidence_name *name = &n->items[i];

		if (path == NULL || strcmp(path, name->path) != 0)
			gone = 0;
		path = name->path;
		if (!name->is_removed) {
			name->is_removed = gone > name->line;
			continue;
		}
		if (gone == 0)
			gone = name->line;
		name->line = 0; /* the removal itself */
	}
	for (size_t i = 0; i < n->len; i++)
		if (n->items[i].line > 0)
			n->items[kept++] = n->items[i];
	n->len = kept;
}

int evidence_find(const struct ledger_book *b, struct arena *arena,
		  struct evidence_names *ret)
{
	size_t room = 0;

	*ret = (struct evidence_names){ 0 };
	for (size_t i = 0; i < b->len; i++)
		room += list_len(list_find(&b->records[i], "evidence")) +
			list_len(list_find(&b->records[i], "removed"));
	ret->items = arena_array(arena, room, sizeof *ret->items);
	if (ret->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < b->len; i++)
		record_find(&b->records[i], i + 1, ret);
	qsort(ret->items, ret->len, sizeof *ret->items, name_order);
	removed_mark(ret);
	return 0;
}

static int broken(const struct evidence_name *name, const char *why,
		  struct cupel_error *err)
{
	(void)cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			 "line %zu: its %.80s %s", name->line,
			 name->path[0] != '\0' ? name->path : "evidence", why);
	return LEDGER_BROKEN;
}

int evidence_verify(const struct state *s, const struct ledger_book *b,
		    struct cupel_error *err)
{
	struct arena arena = { 0 };
	struct evidence_names names;
	const char *last = NULL;
	int e = evidence_find(b, &arena, &names);

	if (e < 0)
		e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			       "the ledger: no memory");
	for (size_t i = 0; e == 0 && i < names.len; i++) {
		const struct evidence_name *name = &names.items[i];
		owned_buf struct buf bytes = { 0 };
		const char *why = NULL;

		if (name->is_removed ||
		    (last != NULL && strcmp(last, name->path) == 0))
			continue;
		last = name->path;
		why = state_read(s, name->path, &bytes);
		if (why != NULL)
			e = broken(name, why, err);
	}
	arena_done(&arena);
	return e;
}
