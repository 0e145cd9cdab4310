/* project_workspace.c -- who declares workspaces, and which packages they are.
 *
 * Sources: npm "package.json", workspaces (the last pattern that fits decides);
 * pnpm.io "pnpm-workspace.yaml", Yarn "Workspaces", lerna.json (a pattern with
 * '!' takes away wherever it stands); rushjs.io "rush.json" (a list of
 * folders). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/name.h"
#include "parsers/common/jsonc.h"
#include "parsers/project/project.h"
#include "parsers/yaml/yaml.h"

/* "./packages/x/" -> "packages/x". */
static struct json_text glob_trim(struct json_text t)
{
	while (text_begins(t, "./"))
		t = text_from(t, 2);
	while (text_begins(t, "/"))
		t = text_from(t, 1);
	while (text_ends(t, "/"))
		t.len--;
	return text_is(t, ".") ? TEXT("") : t;
}

/* What a match may cost at most, in bytes compared. */
static uint64_t match_cost(struct json_text glob, size_t path_len)
{
	uint64_t alternatives = 1;

	for (size_t i = 0; i < glob.len; i++)
		alternatives += glob.bytes[i] == ',';
	if (alternatives > GLOB_ALTERNATIVES)
		alternatives = GLOB_ALTERNATIVES;
	return (glob.len + 1) * (path_len + 1) * alternatives;
}

/* The directory of m below home, or false when it lies elsewhere. */
static bool below_home(const struct project *p, const struct manifest *m,
		       struct json_text *ret)
{
	struct json_text dir = { m->in->name, input_dir_len(m->in) };
	size_t n = p->home.len;

	if (n > 0 && (dir.len < n || memcmp(dir.bytes, p->home.bytes, n) != 0 ||
		      (dir.len > n && dir.bytes[n] != '/')))
		return false;
	*ret = text_from(dir, n > 0 && dir.len > n ? n + 1 : n);
	return true;
}

static bool is_member(struct project *p, const struct workspace *w,
		      bool last_wins, struct json_text dir)
{
	bool member = false;

	for (size_t i = 0; i < w->globs_len; i++) {
		struct json_text t = w->globs[i];
		bool negate = text_begins(t, "!");

		if (negate)
			t = text_from(t, 1);
		t = glob_trim(t);
		p->work += match_cost(t, dir.len);
		if (p->work > PROJECT_MATCH_WORK)
			return false;
		if (!glob_match(t.bytes, t.len, dir.bytes, dir.len))
			continue;
		member = !negate;
		if (negate && !last_wins)
			return false;
	}
	return member;
}

/* Negations first, so that the first that fits ends the look. */
static void negations_first(struct workspace *w)
{
	size_t at = 0;

	for (size_t i = 0; i < w->globs_len; i++) {
		struct json_text t = w->globs[i];

		if (!text_begins(t, "!"))
			continue;
		memmove(&w->globs[at + 1], &w->globs[at],
			(i - at) * sizeof *w->globs);
		w->globs[at++] = t;
	}
}

static void members_find(struct project *p, struct workspace *w, bool last_wins)
{
	struct workspace sorted = *w;
	struct json_text dir;

	sorted.globs = arena_array(&p->arena, w->globs_len, sizeof *w->globs);
	if (sorted.globs == NULL)
		return;
	memcpy(sorted.globs, w->globs, w->globs_len * sizeof *w->globs);
	if (!last_wins)
		negations_first(&sorted);
	for (size_t i = 0; i < p->manifests_len; i++) {
		struct manifest *m = &p->manifests[i];

		if (!below_home(p, m, &dir) ||
		    !is_member(p, &sorted, last_wins, dir))
			continue;
		w->has[i] = true;
		if (m != p->top)
			m->role = MANIFEST_WORKSPACE;
	}
}

/* A pattern that says something that is not understood here. */
static void glob_judge(struct project *p, const struct parse_input *in,
		       struct json_text t, size_t offset)
{
	struct json_text g = text_begins(t, "!") ? text_from(t, 1) : t;

	g = glob_trim(g);
	if (text_begins(g, "../") || text_is(g, "..") || text_has(g, "/../") ||
	    text_ends(g, "/.."))
		report_note(&p->report->warnings, "workspace_outside", in,
			    (int64_t)offset,
			    "a pattern that climbs with .. is not followed");
	if (text_has(g, "!(") || text_has(g, "+(") || text_has(g, "@(") ||
	    text_has(g, "?(") || text_has(g, "*("))
		report_note(
			&p->report->warnings, "workspace_glob", in,
			(int64_t)offset,
			"extended patterns such as !(a|b) are not resolved");
	if (g.len > GLOB_PATTERN_BYTES)
		report_note(&p->report->warnings, "workspace_glob", in,
			    (int64_t)offset,
			    "a pattern over 1024 bytes matches nothing");
}

static void glob_add(struct project *p, struct workspace *w, struct json_text t,
		     size_t offset)
{
	if (t.bytes == NULL || t.len == 0)
		return;
	if (w->globs_len == PROJECT_GLOBS_MAX) {
		report_note(&p->report->warnings, "workspace_globs", w->in,
			    (int64_t)offset,
			    "more than 256 patterns; this one is left out");
		return;
	}
	glob_judge(p, w->in, t, offset);
	w->globs[w->globs_len++] = t;
}

static bool workspace_open(struct project *p, struct workspace *w,
			   const struct parse_input *in)
{
	w->in = in;
	w->globs = arena_array(&p->arena, PROJECT_GLOBS_MAX, sizeof *w->globs);
	w->has = calloc(p->manifests_len + 1, sizeof *w->has);
	return w->globs != NULL && w->has != NULL;
}

static int json_globs_read(struct project *p, struct workspace *w,
			   const struct parse_input *in,
			   const struct json_value *v)
{
	if (v != NULL && v->type == JSON_OBJECT)
		v = json_find(v, "packages");
	if (v == NULL)
		return 0;
	if (v->type != JSON_ARRAY) {
		report_note(&p->report->warnings, "bad_workspaces", in,
			    (int64_t)v->offset, "expected a list of patterns");
		return 0;
	}
	if (!workspace_open(p, w, in))
		return -ENOMEM;
	for (size_t i = 0; i < v->u.array.len; i++)
		glob_add(p, w, parse_text(&v->u.array.items[i], in, p->report),
			 v->u.array.items[i].offset);
	return 0;
}

static int pnpm_read(struct project *p, struct workspace *w)
{
	const struct parse_input *in = project_find(p, "pnpm-workspace.yaml");
	struct yaml_caps caps = { .memory_bytes = project_memory(p) };
	struct yaml_documents docs = { 0 };
	const struct yaml_node *list;

	if (in == NULL || in->is_name_only)
		return 0;
	(void)yaml_read(in, &caps, &p->arena, &docs, p->report);
	list = yaml_find(docs.len > 0 ? docs.items[0] : NULL, "packages");
	if (yaml_is_null(list))
		return 0; /* settings alone */
	if (list->type != YAML_SEQUENCE) {
		report_note(&p->report->warnings, "bad_workspaces", in,
			    (int64_t)list->offset,
			    "expected a list of patterns");
		return 0;
	}
	if (!workspace_open(p, w, in))
		return -ENOMEM;
	for (size_t i = 0; i < list->u.sequence.len; i++)
		glob_add(p, w,
			 yaml_text(list->u.sequence.items[i], in, p->report),
			 list->u.sequence.items[i]->offset);
	return 0;
}

static int lerna_read(struct project *p, struct workspace *w)
{
	const struct parse_input *in = project_find(p, "lerna.json");
	struct json_value tree;

	if (in == NULL || in->is_name_only ||
	    parse_json(in, &p->arena, project_memory(p), &tree, p->report) < 0)
		return 0;
	return json_globs_read(p, w, in, json_find(&tree, "packages"));
}

/* A folder below home, not a pattern. */
static void folder_add(struct project *p, struct workspace *w,
		       struct json_text folder)
{
	owned_buf struct buf dir = { .cap_bytes = PARSE_STRING_BYTES };
	struct manifest *m;

	folder = glob_trim(folder);
	buf_add(&dir, p->home.bytes, p->home.len);
	if (dir.len > 0 && folder.len > 0)
		buf_char(&dir, '/');
	buf_add(&dir, folder.bytes, folder.len);
	if (buf_has_failed(&dir))
		return;
	m = project_manifest_in(p, dir.bytes ? dir.bytes : "", dir.len);
	if (m == NULL)
		return;
	w->has[m - p->manifests] = true;
	if (m != p->top)
		m->role = MANIFEST_WORKSPACE;
}

static int rush_read(struct project *p, struct workspace *w)
{
	const struct parse_input *in = project_find(p, "rush.json");
	const struct json_value *list;

	if (in == NULL || in->is_name_only ||
	    jsonc_read(in, &p->arena, project_memory(p), &p->rush_tree,
		       p->report) < 0)
		return 0;
	p->rush = in;
	list = json_find(&p->rush_tree, "projects");
	if (list == NULL || list->type != JSON_ARRAY)
		return 0;
	if (!workspace_open(p, w, in))
		return -ENOMEM;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *v =
			json_find(&list->u.array.items[i], "projectFolder");
		struct json_text t = parse_text(v, in, p->report);

		if (t.bytes != NULL)
			folder_add(p, w, t);
	}
	return 0;
}

static void roles_decide(struct project *p)
{
	bool any = false;

	for (size_t i = 0; i < WORKSPACE_KIND_MAX_; i++)
		any = any || p->workspaces[i].in != NULL;
	for (size_t i = 0; i < p->manifests_len; i++) {
		struct manifest *m = &p->manifests[i];

		m->is_listed = !any || m->role != MANIFEST_STANDALONE;
	}
	if (p->work > PROJECT_MATCH_WORK)
		report_note(&p->report->errors, "workspace_work", NULL, -1,
			    "patterns times packages are too many; workspaces "
			    "are not complete");
}

int project_workspaces_read(struct project *p)
{
	struct workspace *w = p->workspaces;
	int e = 0;

	if (p->top != NULL)
		e = json_globs_read(p, &w[WORKSPACE_MANIFEST], p->top->in,
				    json_find(&p->top->tree, "workspaces"));
	if (e == 0 && p->top != NULL)
		e = json_globs_read(p, &w[WORKSPACE_BOLT], p->top->in,
				    json_find(json_find(&p->top->tree, "bolt"),
					      "workspaces"));
	if (e == 0)
		e = pnpm_read(p, &w[WORKSPACE_PNPM]);
	if (e == 0)
		e = lerna_read(p, &w[WORKSPACE_LERNA]);
	if (e == 0)
		e = rush_read(p, &w[WORKSPACE_RUSH]);
	if (e < 0)
		return e;
	for (size_t i = 0; i < WORKSPACE_KIND_MAX_; i++)
		if (w[i].in != NULL && w[i].globs_len > 0)
			members_find(p, &w[i], i == WORKSPACE_MANIFEST);
	roles_decide(p);
	return 0;
}
