/* node_workspace.c -- which package.json belongs to which workspace.
 *
 * A workspace at the root decides what is listed; without one, each directory
 * that has patterns is a workspace of its own and everything is listed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "parsers/node/node.h"

/* Steps that matching may take in all: a thousand packages by ten patterns are
 * a hundredth of it. */
#define MATCH_STEPS ((uint64_t)1 << 30)

/* "./packages/x/" -> "packages/x"; a leading '!' is left to the caller. */
static struct json_text pattern_trim(struct json_text t)
{
	while (t.len > 1 && t.bytes[0] == '.' && t.bytes[1] == '/') {
		t.bytes += 2;
		t.len -= 2;
	}
	while (t.len > 0 && t.bytes[0] == '/') {
		t.bytes++;
		t.len--;
	}
	while (t.len > 0 && t.bytes[t.len - 1] == '/')
		t.len--;
	return t;
}

static uint64_t steps_of(struct json_text pattern, size_t path_len)
{
	uint64_t alternatives = 1;

	for (size_t i = 0; i < pattern.len && i < GLOB_PATTERN_BYTES; i++)
		alternatives += pattern.bytes[i] == ',';
	if (pattern.len > GLOB_PATTERN_BYTES)
		return 1;
	return alternatives * (pattern.len + 1) * (path_len + 1);
}

/* The last pattern that matches decides, one with '!' takes away; or, in any
 * order, one that takes away decides. */
static bool is_member(const struct node_globs *g, struct json_text path,
		      uint64_t *steps)
{
	bool member = false, taken = false;

	for (size_t i = 0; i < g->len && *steps < MATCH_STEPS; i++) {
		struct json_text t = g->items[i];
		bool negate = t.len > 0 && t.bytes[0] == '!';

		if (negate) {
			t.bytes++;
			t.len--;
		}
		t = pattern_trim(t);
		*steps += steps_of(t, path.len);
		if (!glob_match(t.bytes, t.len, path.bytes, path.len))
			continue;
		member = !negate;
		taken = taken || negate;
	}
	/* Out of steps: what the patterns that follow would say is not known. */
	return member && !(taken && g->any_order) && *steps < MATCH_STEPS;
}

/* The path of p's directory below dir, which it lies in. */
static struct json_text path_below(const struct node_package *p,
				   struct json_text dir)
{
	size_t skip = dir.len > 0 ? dir.len + 1 : 0;
	size_t len = input_dir_len(p->in);

	return (struct json_text){ p->in->name + skip,
				   len > skip ? len - skip : 0 };
}

static void members_decide(struct node *n, struct node_package *root,
			   const struct node_globs *g, uint64_t *steps)
{
	struct json_text dir = { root->in->name, input_dir_len(root->in) };
	size_t from, len = node_packages_below(n, dir, &from);
	/* Lerna alone leaves each package a lockfile of its own. */
	bool is_lerna = strcmp(g->kind, "lerna") == 0;

	for (size_t i = from; i < from + len; i++) {
		struct node_package *p = &n->packages[i];
		struct json_text path = path_below(p, dir);

		if (p == root || p->role == NODE_WORKSPACE ||
		    !is_member(g, path, steps))
			continue;
		p->role = NODE_WORKSPACE;
		if (!is_lerna)
			p->home = dir;
	}
	root->is_home = !is_lerna;
	if (root->role == NODE_STANDALONE)
		root->role = NODE_ROOT;
	if (*steps >= MATCH_STEPS)
		report_note(&n->report->warnings, "truncated", g->in, -1,
			    "the workspace's patterns take too long; not all "
			    "packages were matched");
}

/* Whether the package at dir has a workspace, and whose packages are in it. */
static bool home_decide(struct node *n, struct node_package *p, uint64_t *steps)
{
	struct json_text dir = { p->in->name, input_dir_len(p->in) };
	struct arena arena = { 0 };
	struct node_globs g;

	globs_read(n, dir, &arena, &g);
	if (g.kind != NULL)
		members_decide(n, p, &g, steps);
	arena_done(&arena);
	return g.kind != NULL;
}

/* Only what the workspace at the root has is listed. */
static void others_hide(struct node *n, const struct node_package *root)
{
	size_t others = 0;
	char text[80];

	for (size_t i = 0; i < n->packages_len; i++) {
		struct node_package *p = &n->packages[i];

		p->is_listed = p->role != NODE_STANDALONE;
		others += !p->is_listed;
	}
	if (others == 0)
		return;
	(void)snprintf(text, sizeof text,
		       "%zu package.json outside the workspaces are not listed",
		       others);
	report_note(&n->report->warnings, "not_in_workspaces", root->in, -1,
		    text);
}

void node_workspaces_decide(struct node *n)
{
	struct node_package *root =
		node_package_find(n, (struct json_text){ "", 0 });
	uint64_t steps = 0;
	unsigned homes = 0;

	for (size_t i = 0; i < n->packages_len; i++) {
		n->packages[i].role = NODE_STANDALONE;
		n->packages[i].is_listed = true;
	}
	if (root != NULL) {
		root->role = NODE_ROOT;
		if (home_decide(n, root, &steps)) {
			others_hide(n, root);
			return;
		}
	}
	for (size_t i = 0; i < n->packages_len; i++) {
		struct node_package *p = &n->packages[i];

		if (p == root || p->role == NODE_WORKSPACE)
			continue;
		if (homes == NODE_HOMES_MAX) {
			report_note(&n->report->warnings, "truncated", p->in,
				    -1,
				    "more than 64 workspaces; the rest is "
				    "not looked for");
			break;
		}
		homes += home_decide(n, p, &steps);
	}
}
