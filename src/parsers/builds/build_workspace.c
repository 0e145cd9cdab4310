/* build_workspace.c -- writes the declarations of workspaces as a fact. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/name.h"
#include "parsers/builds/build_system.h"

static const char *kind_name(enum workspace_kind kind, const char *manager)
{
	static const char *const names[] = {
		[WORKSPACE_PNPM] = "pnpm",   [WORKSPACE_MANIFEST] = "npm",
		[WORKSPACE_LERNA] = "lerna", [WORKSPACE_RUSH] = "rush",
		[WORKSPACE_BOLT] = "bolt",
	};

	static_assert(sizeof names / sizeof *names == WORKSPACE_KIND_MAX_,
		      "a name for every kind");
	if (kind == WORKSPACE_MANIFEST && manager != NULL &&
	    strcmp(manager, "pnpm") != 0)
		return manager;
	return names[kind];
}

struct cut {
	size_t cap_bytes; /* of the slice, from where the list began */
	size_t dropped;
};

static bool is_full(const struct jsonw *w, const struct cut *cut, size_t more)
{
	return w->out->len + 6 * more > cut->cap_bytes;
}

static void globs_put(struct jsonw *w, const struct workspace *ws,
		      struct cut *cut)
{
	jsonw_array(w, "globs");
	for (size_t i = 0; i < ws->globs_len; i++)
		if (is_full(w, cut, ws->globs[i].len))
			cut->dropped++;
		else
			text_put(w, NULL, ws->globs[i]);
	jsonw_end_array(w);
}

static void packages_put(const struct project *p, struct jsonw *w,
			 const struct workspace *ws, struct cut *cut)
{
	jsonw_array(w, "packages");
	for (size_t i = 0; i < p->manifests_len; i++) {
		const struct parse_input *in = p->manifests[i].in;
		owned_buf struct buf dir = { 0 };

		if (!ws->has[i])
			continue;
		name_write(&dir, in->name, input_dir_len(in));
		if (is_full(w, cut, dir.len))
			cut->dropped++;
		else
			jsonw_text(w, NULL, dir.len > 0 ? dir.bytes : ".");
	}
	jsonw_end_array(w);
}

static void workspace_put(const struct project *p, struct jsonw *w,
			  enum workspace_kind kind, const char *manager,
			  struct cut *cut)
{
	const struct workspace *ws = &p->declared.workspaces[kind];

	jsonw_text(w, "kind", kind_name(kind, manager));
	globs_put(w, ws, cut);
	packages_put(p, w, ws, cut);
	source_write(w, "source", ws->in);
}

static void others_put(const struct project *p, struct jsonw *w,
		       const enum workspace_kind *order, size_t first,
		       struct cut *cut)
{
	jsonw_array(w, "others");
	for (size_t i = first + 1; i < WORKSPACE_KIND_MAX_; i++) {
		if (p->declared.workspaces[order[i]].in == NULL)
			continue;
		jsonw_object(w, NULL);
		workspace_put(p, w, order[i], NULL, cut);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

void build_workspaces_write(const struct project *p, const char *manager,
			    size_t cap_bytes, struct jsonw *slice)
{
	const enum workspace_kind *order = p->declared.order;
	struct cut cut = { .cap_bytes = slice->out->len + cap_bytes };
	size_t first = 0;
	char message[96];

	while (first < WORKSPACE_KIND_MAX_ &&
	       p->declared.workspaces[order[first]].in == NULL)
		first++;
	if (first == WORKSPACE_KIND_MAX_) {
		jsonw_null(slice, "workspaces");
		return;
	}
	jsonw_object(slice, "workspaces");
	workspace_put(p, slice, order[first], manager, &cut);
	others_put(p, slice, order, first, &cut);
	jsonw_end_object(slice);
	if (cut.dropped == 0)
		return;
	(void)snprintf(message, sizeof message,
		       "workspaces: patterns and packages left out: %zu",
		       cut.dropped);
	report_note(&p->report->warnings, "truncated", NULL, -1, message);
}
