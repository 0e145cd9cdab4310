/* node_workspace.c -- which package.json belongs to the root's workspaces. */
#include <stdio.h>

#include "base/glob.h"
#include "parsers/node.h"

#define GLOBS_MAX 1000U /* a root that lists more has its rest ignored */

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

/* The last pattern that matches decides; one with '!' takes away. */
static bool is_member(const struct json_value *globs, const char *dir,
		      size_t dir_len)
{
	bool member = false;

	for (size_t i = 0; i < globs->u.array.len && i < GLOBS_MAX; i++) {
		const struct json_value *v = &globs->u.array.items[i];
		struct json_text t;
		bool negate;

		if (v->type != JSON_STRING)
			continue;
		t = v->u.string;
		negate = t.len > 0 && t.bytes[0] == '!';
		if (negate) {
			t.bytes++;
			t.len--;
		}
		t = pattern_trim(t);
		if (glob_match(t.bytes, t.len, dir, dir_len))
			member = !negate;
	}
	return member;
}

/* "workspaces": [globs] or {"packages": [globs]}; NULL when there is none. */
static const struct json_value *globs_find(struct node *n,
					   const struct node_package *root)
{
	const struct json_value *w;

	if (root == NULL)
		return NULL;
	w = json_find(&root->tree, "workspaces");
	if (w != NULL && w->type == JSON_OBJECT)
		w = json_find(w, "packages");
	if (w == NULL || w->type == JSON_ARRAY)
		return w;
	report_note(&n->report->warnings, "bad_workspaces", root->in,
		    (int64_t)w->offset, "expected a list of patterns");
	return NULL;
}

void workspaces_decide(struct node *n)
{
	const struct node_package *root = package_find(n, "", 0);
	const struct json_value *globs = globs_find(n, root);
	size_t others = 0;
	char text[80];

	for (size_t i = 0; i < n->packages_len; i++) {
		struct node_package *p = &n->packages[i];

		p->role = p == root ? NODE_ROOT : NODE_STANDALONE;
		if (p != root && globs != NULL &&
		    is_member(globs, p->in->name, input_dir_len(p->in)))
			p->role = NODE_WORKSPACE;
		p->is_listed = globs == NULL || p->role != NODE_STANDALONE;
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
