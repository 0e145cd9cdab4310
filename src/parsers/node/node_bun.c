/* node_bun.c -- bun.lock: JSON with trailing commas.
 *
 * "workspaces" has the directories with the sections of their package.json;
 * "packages" has by name a list whose first item is "name@version" and whose
 * last one, for what comes from a registry, is the hash.
 * Source: bun.sh/docs "Lockfile". */
#include <string.h>

#include "parsers/common/jsonc.h"
#include "parsers/node/node.h"

static struct json_text keep(struct node_lock *l, const struct json_value *v)
{
	return node_text_keep(l->node, l->in, v->offset,
			      parse_text(v, l->in, l->node->report));
}

static void package_read(struct node_lock *l, const struct json_value *v)
{
	struct node_entry e = { 0 };
	const struct json_value *last;
	struct json_text range;

	if (v->type != JSON_ARRAY || v->u.array.len == 0) {
		report_note(&l->node->report->warnings, "bad_entry", l->in,
			    (int64_t)v->offset, "expected a list");
		return;
	}
	node_text_split(keep(l, &v->u.array.items[0]), &e.name, &range);
	if (range.len >= 10 && memcmp(range.bytes, "workspace:", 10) == 0)
		return; /* a directory, which is an importer */
	e.version = range;
	last = &v->u.array.items[v->u.array.len - 1];
	if (v->u.array.len > 1 && v->u.array.items[1].type == JSON_STRING &&
	    v->u.array.items[1].u.string.len > 0)
		e.resolved = keep(l, &v->u.array.items[1]);
	if (last->type == JSON_STRING && last->u.string.len > 4 &&
	    memcmp(last->u.string.bytes, "sha", 3) == 0)
		e.integrity = keep(l, last);
	e.digest = digest_sri_read(e.integrity);
	node_lock_entry(l, &e);
}

static void importers_read(struct node_lock *l, const struct json_value *tree)
{
	const struct json_value *w = json_find(tree, "workspaces");

	if (w == NULL || w->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < w->u.object.len; i++) {
		const struct json_member *m = &w->u.object.members[i];
		const struct node_package *p = node_lock_importer(l, m->name);

		if (p != NULL && m->value.type == JSON_OBJECT)
			node_compare_importer(l->node, l->in, &m->value, p);
	}
}

int node_bun_read(struct node_lock *l)
{
	static const unsigned majors[] = { 1, 2, 0 };
	const struct json_value *v;
	struct arena arena = { 0 };
	struct json_value tree;
	int e = jsonc_read(l->in, &arena, NODE_LOCK_BYTES, &tree,
			   l->node->report);

	if (e == 0) {
		l->is_number = true;
		v = json_find(&tree, "lockfileVersion");
		if (v != NULL && v->type == JSON_NUMBER && v->u.number.len < 20)
			l->version = node_text_keep(l->node, l->in, v->offset,
						    v->u.number);
		if (!text_is(l->version, "0"))
			node_lock_check_version(
				l, majors, "expected lockfileVersion 0 to 2");
		importers_read(l, &tree);
		v = json_find(&tree, "packages");
		for (size_t i = 0;
		     v != NULL && v->type == JSON_OBJECT && i < v->u.object.len;
		     i++)
			package_read(l, &v->u.object.members[i].value);
	}
	arena_done(&arena);
	return e;
}
