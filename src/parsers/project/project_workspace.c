/* project_workspace.c -- reads which patterns and folders a directory's files
 * declare.
 *
 * docs/gather.md says which grammar each file has, and why: package.json and
 * pnpm-workspace.yaml are strict, lerna.json and rush.json may have comments and
 * trailing commas. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "parsers/common/jsonc.h"
#include "parsers/project/project.h"
#include "parsers/yaml/yaml.h"

/* The state while one directory is read. */
struct reading {
	struct project *project;
	struct arena *arena;
	size_t before; /* what the arena held */
	struct declared *declared;
};

/* How much of PROJECT_DECLARED_BYTES a tree may still use. */
static size_t memory_left(const struct reading *r)
{
	size_t used = r->arena->used - r->before;

	return used < PROJECT_DECLARED_BYTES ? PROJECT_DECLARED_BYTES - used
					     : 1;
}

/* The file of that name, when its bytes are there. */
static const struct parse_input *file_find(const struct reading *r,
					   const char *base)
{
	const struct json_text dir = r->declared->dir;
	const struct parse_input *in =
		input_find(r->project->inputs, dir.bytes, dir.len, base);

	return in != NULL && !in->is_name_only ? in : NULL;
}

static void bad_note(struct reading *r, const struct parse_input *in,
		     size_t offset)
{
	report_note(&r->project->report->warnings, "bad_workspaces", in,
		    (int64_t)offset, "expected a list of patterns");
}

/* Room for len patterns, or for as many as are read of so many. */
static int workspace_open(struct reading *r, struct workspace *w,
			  const struct parse_input *in, size_t len)
{
	size_t room = len < PROJECT_GLOBS_MAX ? len : PROJECT_GLOBS_MAX;

	w->globs = arena_array(r->arena, room + 1, sizeof *w->globs);
	w->has = calloc(r->project->manifests_len + 1, sizeof *w->has);
	if (w->globs == NULL || w->has == NULL)
		return -ENOMEM;
	w->in = in;
	return 0;
}

/* Returns false when there is no room for it, which is noted. */
static bool glob_add(struct reading *r, struct workspace *w, struct json_text t,
		     size_t offset, size_t place)
{
	if (place == PROJECT_GLOBS_MAX) {
		report_note(&r->project->report->warnings, "workspace_globs",
			    w->in, (int64_t)offset,
			    "more than 1000 patterns; the rest is ignored");
		return false;
	}
	if (t.bytes == NULL || t.len == 0)
		return true;
	project_glob_judge(r->project, w->in, t, offset);
	w->globs[w->globs_len++] = t;
	return true;
}

/* [patterns], or {"packages": [patterns]}. */
static int json_read(struct reading *r, enum workspace_kind kind,
		     const struct parse_input *in, const struct json_value *v)
{
	struct workspace *w = &r->declared->workspaces[kind];
	int e;

	if (v != NULL && v->type == JSON_OBJECT)
		v = json_find(v, "packages");
	if (v == NULL)
		return 0;
	if (v->type != JSON_ARRAY) {
		bad_note(r, in, v->offset);
		return 0;
	}
	e = workspace_open(r, w, in, v->u.array.len);
	for (size_t i = 0; e == 0 && i < v->u.array.len; i++) {
		const struct json_value *item = &v->u.array.items[i];

		if (!glob_add(r, w, parse_text(item, in, r->project->report),
			      item->offset, i))
			break;
	}
	return e;
}

static int manifest_read(struct reading *r)
{
	const struct json_text dir = r->declared->dir;
	const struct manifest *m =
		project_manifest_in(r->project, dir.bytes, dir.len);
	int e;

	if (m == NULL)
		return 0;
	e = json_read(r, WORKSPACE_MANIFEST, m->in,
		      json_find(&m->tree, "workspaces"));
	if (e < 0)
		return e;
	return json_read(r, WORKSPACE_BOLT, m->in,
			 json_find(json_find(&m->tree, "bolt"), "workspaces"));
}

static int pnpm_read(struct reading *r)
{
	const struct parse_input *in = file_find(r, "pnpm-workspace.yaml");
	const struct yaml_caps caps = { .memory_bytes = memory_left(r) };
	struct workspace *w = &r->declared->workspaces[WORKSPACE_PNPM];
	struct parse_report *report = r->project->report;
	struct yaml_documents docs = { 0 };
	const struct yaml_node *list;
	int e;

	if (in == NULL || yaml_read(in, &caps, r->arena, &docs, report) < 0)
		return 0;
	list = yaml_find(docs.len > 0 ? docs.items[0] : NULL, "packages");
	if (yaml_is_null(list))
		return 0; /* settings alone */
	if (list->type != YAML_SEQUENCE) {
		bad_note(r, in, list->offset);
		return 0;
	}
	e = workspace_open(r, w, in, list->u.sequence.len);
	for (size_t i = 0; e == 0 && i < list->u.sequence.len; i++) {
		const struct yaml_node *item = list->u.sequence.items[i];

		if (!glob_add(r, w, yaml_text(item, in, report), item->offset,
			      i))
			break;
	}
	return e;
}

static int lerna_read(struct reading *r)
{
	const struct parse_input *in = file_find(r, "lerna.json");
	struct json_value tree;

	if (in == NULL || jsonc_read(in, r->arena, memory_left(r), &tree,
				     r->project->report) < 0)
		return 0;
	return json_read(r, WORKSPACE_LERNA, in, json_find(&tree, "packages"));
}

/* A folder below the directory, not a pattern. */
static void folder_add(struct reading *r, struct workspace *w,
		       struct json_text folder)
{
	owned_buf struct buf dir = { .cap_bytes = PARSE_STRING_BYTES };
	const struct json_text home = r->declared->dir;
	const struct manifest *m;

	folder = project_glob_trim(folder);
	buf_add(&dir, home.bytes, home.len);
	if (dir.len > 0 && folder.len > 0)
		buf_char(&dir, '/');
	buf_add(&dir, folder.bytes, folder.len);
	if (buf_has_failed(&dir))
		return;
	m = project_manifest_in(r->project, dir.bytes ? dir.bytes : "",
				dir.len);
	if (m != NULL)
		w->has[m - r->project->manifests] = true;
}

static int rush_read(struct reading *r)
{
	struct workspace *w = &r->declared->workspaces[WORKSPACE_RUSH];
	const struct parse_input *in = file_find(r, "rush.json");
	struct json_value *tree = &r->declared->rush_tree;
	const struct json_value *list;

	if (in == NULL || jsonc_read(in, r->arena, memory_left(r), tree,
				     r->project->report) < 0)
		return 0;
	r->declared->rush = in;
	list = json_find(tree, "projects");
	if (list == NULL || list->type != JSON_ARRAY)
		return 0;
	if (workspace_open(r, w, in, 0) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *v =
			json_find(&list->u.array.items[i], "projectFolder");
		struct json_text t = parse_text(v, in, r->project->report);

		if (t.bytes != NULL)
			folder_add(r, w, t);
	}
	return 0;
}

static const enum workspace_kind by_pnpm[] = {
	WORKSPACE_PNPM,  WORKSPACE_RUSH, WORKSPACE_MANIFEST,
	WORKSPACE_LERNA, WORKSPACE_BOLT,
};
static const enum workspace_kind by_manifest[] = {
	WORKSPACE_RUSH, WORKSPACE_MANIFEST, WORKSPACE_LERNA,
	WORKSPACE_BOLT, WORKSPACE_PNPM,
};
static_assert(sizeof by_pnpm / sizeof *by_pnpm == WORKSPACE_KIND_MAX_ &&
		      sizeof by_manifest == sizeof by_pnpm,
	      "every kind has its place");

/* pnpm reads only its own file, and no other manager reads that one.  Whether
 * pnpm is used is decided by "packageManager", or else by a lockfile. */
static const enum workspace_kind *order_find(const struct reading *r)
{
	static const char *const others[] = { "package-lock.json",
					      "npm-shrinkwrap.json",
					      "yarn.lock", "bun.lock",
					      "bun.lockb" };
	const struct json_text dir = r->declared->dir;
	const struct parse_inputs *in = r->project->inputs;
	const struct manifest *m =
		project_manifest_in(r->project, dir.bytes, dir.len);
	struct json_text manager = { NULL, 0 };

	if (m != NULL)
		manager = text_cut(
			project_manifest_text(r->project, m, "packageManager"),
			'@', NULL);
	if (text_in(manager, "npm yarn bun"))
		return by_manifest;
	if (text_is(manager, "pnpm") ||
	    input_find(in, dir.bytes, dir.len, "pnpm-lock.yaml") != NULL)
		return by_pnpm;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (input_find(in, dir.bytes, dir.len, others[i]) != NULL)
			return by_manifest;
	return by_pnpm;
}

int project_declared_read(struct project *p, struct arena *arena,
			  struct declared *d)
{
	static int (*const readers[])(struct reading * r) = {
		manifest_read, pnpm_read, lerna_read, rush_read
	};
	struct reading r = { .project = p,
			     .arena = arena,
			     .before = arena->used,
			     .declared = d };
	int e = 0;

	d->order = order_find(&r);
	for (size_t i = 0; e == 0 && i < sizeof readers / sizeof *readers; i++)
		e = readers[i](&r);
	return e;
}

void project_declared_done(struct declared *d)
{
	for (size_t i = 0; i < WORKSPACE_KIND_MAX_; i++)
		free(d->workspaces[i].has);
}

enum workspace_kind project_decides(const struct declared *d)
{
	for (size_t i = 0; i < WORKSPACE_KIND_MAX_; i++)
		if (d->workspaces[d->order[i]].in != NULL)
			return d->order[i];
	return WORKSPACE_KIND_MAX_;
}
