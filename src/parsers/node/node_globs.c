/* node_globs.c -- which patterns name the packages of a workspace.
 *
 * pnpm has pnpm-workspace.yaml, npm and yarn have "workspaces" in the
 * package.json, lerna has "packages" in lerna.json unless one of the others is
 * there.  Sources: pnpm.io "pnpm-workspace.yaml", docs.npmjs.com "package.json",
 * lerna.js.org "Configuration". */
#include "parsers/common/jsonc.h"
#include "parsers/node/node.h"
#include "parsers/yaml/yaml.h"

#define GLOBS_MAX   1000U              /* a list has its rest ignored */
#define GLOBS_BYTES ((size_t)16 << 20) /* of one workspace's file, as a tree */

static void cut_note(struct node *n, const struct parse_input *in)
{
	report_note(&n->report->warnings, "truncated", in, -1,
		    "more than 1000 patterns; the rest is not looked at");
}

static void bad_note(struct node *n, const struct parse_input *in, size_t at)
{
	report_note(&n->report->warnings, "bad_workspaces", in, (int64_t)at,
		    "expected a list of patterns");
}

/* The strings of a JSON list. */
static void json_globs(struct node *n, const struct json_value *list,
		       struct arena *arena, struct node_globs *g)
{
	if (list->type != JSON_ARRAY) {
		bad_note(n, g->in, list->offset);
		return;
	}
	if (list->u.array.len > GLOBS_MAX)
		cut_note(n, g->in);
	g->items = arena_array(arena, GLOBS_MAX, sizeof *g->items);
	for (size_t i = 0; i < list->u.array.len && i < GLOBS_MAX; i++) {
		struct json_text t =
			parse_text(&list->u.array.items[i], g->in, n->report);

		if (t.bytes != NULL && g->items != NULL)
			g->items[g->len++] = t;
	}
}

static bool pnpm_globs(struct node *n, struct json_text dir,
		       struct arena *arena, struct node_globs *g)
{
	const struct yaml_caps caps = { .memory_bytes = GLOBS_BYTES };
	const struct yaml_node *list;
	struct yaml_documents docs = { 0 };

	g->in = input_find(n->inputs, dir.bytes, dir.len,
			   "pnpm-workspace.yaml");
	if (g->in == NULL)
		return false;
	g->kind = "pnpm";
	g->any_order = true;
	if (yaml_read(g->in, &caps, arena, &docs, n->report) < 0 ||
	    docs.len == 0)
		return true;
	list = yaml_find(docs.items[0], "packages");
	if (yaml_is_null(list))
		return true; /* settings alone: the root is the only package */
	if (list->type != YAML_SEQUENCE) {
		bad_note(n, g->in, list->offset);
		return true;
	}
	if (list->u.sequence.len > GLOBS_MAX)
		cut_note(n, g->in);
	g->items = arena_array(arena, GLOBS_MAX, sizeof *g->items);
	for (size_t i = 0; i < list->u.sequence.len && i < GLOBS_MAX; i++) {
		struct json_text t =
			yaml_text(list->u.sequence.items[i], g->in, n->report);

		if (t.bytes != NULL && g->items != NULL)
			g->items[g->len++] = t;
	}
	return true;
}

/* "workspaces": [globs] or {"packages": [globs]}. */
static bool manifest_globs(struct node *n, struct json_text dir,
			   struct arena *arena, struct node_globs *g)
{
	const struct node_package *p = node_package_find(n, dir);
	const struct json_value *w =
		p ? json_find(&p->tree, "workspaces") : NULL;

	if (w != NULL && w->type == JSON_OBJECT)
		w = json_find(w, "packages");
	if (w == NULL)
		return false;
	g->in = p->in;
	g->kind = "workspaces";
	json_globs(n, w, arena, g);
	return w->type == JSON_ARRAY;
}

static void lerna_globs(struct node *n, struct json_text dir,
			struct arena *arena, struct node_globs *g)
{
	const struct parse_input *in =
		input_find(n->inputs, dir.bytes, dir.len, "lerna.json");
	const struct json_value *list;
	struct json_value tree;

	if (in == NULL ||
	    jsonc_read(in, arena, GLOBS_BYTES, &tree, n->report) < 0)
		return;
	list = json_find(&tree, "packages");
	if (list == NULL)
		return;
	g->in = in;
	g->kind = "lerna";
	json_globs(n, list, arena, g);
}

void globs_read(struct node *n, struct json_text dir, struct arena *arena,
		struct node_globs *ret)
{
	*ret = (struct node_globs){ 0 };
	if (pnpm_globs(n, dir, arena, ret))
		return;
	*ret = (struct node_globs){ 0 };
	if (manifest_globs(n, dir, arena, ret))
		return;
	*ret = (struct node_globs){ 0 };
	lerna_globs(n, dir, arena, ret);
}
