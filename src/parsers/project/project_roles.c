/* project_roles.c -- decides which package.json is a root, a workspace, or
 * neither.
 *
 * Home comes first.  If it is the root of the repository and declares
 * workspaces, no other directory counts; if not, every directory with a
 * package.json may declare workspaces of its own. */
#include <errno.h>
#include <string.h>

#include "parsers/project/project.h"

/* The path of m's directory below dir, which it lies in. */
static struct json_text path_below(const struct manifest *m,
				   struct json_text dir)
{
	size_t skip = dir.len > 0 ? dir.len + 1 : 0;
	size_t len = input_dir_len(m->in);

	return (struct json_text){ m->in->name + skip,
				   len > skip ? len - skip : 0 };
}

/* Mark in every declaration of d that it includes the manifest at place i. */
static void member_find(struct project *p, struct declared *d, size_t i)
{
	struct json_text path = path_below(&p->manifests[i], d->dir);

	for (enum workspace_kind k = 0; k < WORKSPACE_KIND_MAX_; k++) {
		struct workspace *w = &d->workspaces[k];

		if (w->in != NULL && !w->has[i])
			w->has[i] = project_glob_has(p, w, k, path);
	}
}

static void members_decide(struct project *p, struct declared *d)
{
	struct manifest *own = project_manifest_in(p, d->dir.bytes, d->dir.len);
	enum workspace_kind kind = project_decides(d);
	/* With lerna, rush and bolt each package has its own lockfile, or there
	 * is one elsewhere. */
	bool is_locked = kind == WORKSPACE_PNPM || kind == WORKSPACE_MANIFEST;
	size_t from, len = project_manifests_below(p, d->dir, &from);

	for (size_t i = from; i < from + len; i++) {
		struct manifest *m = &p->manifests[i];

		if (m->role == MANIFEST_WORKSPACE)
			continue;
		member_find(p, d, i);
		if (m == own || !d->workspaces[kind].has[i])
			continue;
		m->role = MANIFEST_WORKSPACE;
		m->includer = d->workspaces[kind].in;
		if (is_locked)
			m->home = d->dir;
	}
	if (own == NULL)
		return;
	own->is_home = is_locked;
	if (own->role == MANIFEST_STANDALONE)
		own->role = MANIFEST_ROOT;
}

/* Whether dir declares workspaces (1) or not (0), or -ENOMEM. */
static int dir_decide(struct project *p, struct json_text dir)
{
	struct declared d = { .dir = dir };
	struct arena arena = { 0 };
	int e = project_declared_read(p, &arena, &d);

	if (e == 0 && project_decides(&d) < WORKSPACE_KIND_MAX_) {
		members_decide(p, &d);
		e = 1;
	}
	project_declared_done(&d);
	arena_done(&arena);
	return e;
}

static int others_decide(struct project *p)
{
	unsigned homes = 0;

	for (size_t i = 0; i < p->manifests_len; i++) {
		struct manifest *m = &p->manifests[i];
		struct json_text dir = { m->in->name, input_dir_len(m->in) };
		int e;

		if (m == p->top || m->role == MANIFEST_WORKSPACE)
			continue;
		if (homes == PROJECT_HOMES_MAX) {
			report_note(
				&p->report->warnings, "truncated", m->in, -1,
				"more than 64 workspaces; the rest is ignored");
			break;
		}
		e = dir_decide(p, dir);
		if (e < 0)
			return e;
		homes += (unsigned)e;
	}
	return 0;
}

/* The project's own are home and its workspaces, or all when it has none. */
static void listed_decide(struct project *p)
{
	enum workspace_kind kind = project_decides(&p->declared);

	for (size_t i = 0; i < p->manifests_len; i++) {
		struct manifest *m = &p->manifests[i];

		m->is_listed = kind == WORKSPACE_KIND_MAX_ || m == p->top ||
			       p->declared.workspaces[kind].has[i];
	}
}

#define CLIMB 32U /* directories up to a package.json */

/* The package.json whose directory the input lies in or below, or NULL. */
static const struct manifest *manifest_near(const struct project *p,
					    const struct parse_input *in)
{
	struct json_text dir = { in->name, input_dir_len(in) };

	for (unsigned i = 0; i < CLIMB; i++) {
		const struct manifest *m =
			project_manifest_in(p, dir.bytes, dir.len);
		const char *slash;

		if (m != NULL || dir.len == 0)
			return m;
		slash = memrchr(dir.bytes, '/', dir.len);
		dir.len = slash ? (size_t)(slash - dir.bytes) : 0;
	}
	return NULL;
}

/* A package within a directory for tests is a fixture, with all that is in it:
 * its sources, which would be the project's own there, too.  The package of the
 * tests themselves, "e2e/package.json", is none of these. */
static void packages_spread(struct project *p)
{
	for (size_t i = 0; i < p->own.inputs.len; i++) {
		const struct parse_input *in = &p->own.items[i];
		const struct manifest *m;
		struct json_text dir;

		if (!input_is_own(in))
			continue;
		m = manifest_near(p, in);
		if (m == NULL || input_is_own(m->in))
			continue;
		dir = (struct json_text){ m->in->name, input_dir_len(m->in) };
		if (role_of(dir, ROLE_OF_MANIFEST, &p->homes).kind != ROLE_OWN)
			p->own.roles[i] = *m->in->role;
	}
}

/* What a workspace of the project's own includes is the project's own, too.  A
 * fixture that declares workspaces includes nothing. */
static int homes_decide(struct project *p)
{
	struct role_homes *h = &p->homes;

	h->items =
		arena_array(&p->arena, p->manifests_len + 1, sizeof *h->items);
	if (h->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < p->manifests_len; i++) {
		const struct manifest *m = &p->manifests[i];

		if (m->includer != NULL && input_is_own(m->includer))
			h->items[h->len++] = (struct role_home){
				.dir = { m->in->name, input_dir_len(m->in) },
				.includer = m->includer,
			};
	}
	role_homes_sort(h);
	role_inputs_judge(&p->own, ROLE_OF_SOURCE, h);
	packages_spread(p);
	return 0;
}

int project_roles_decide(struct project *p)
{
	size_t from, below = project_manifests_below(p, p->home, &from);
	bool is_declared;
	int e;

	p->declared.dir = p->home;
	e = project_declared_read(p, &p->arena, &p->declared);
	if (e < 0)
		return e;
	if (p->top != NULL && below == p->manifests_len)
		p->top->role = MANIFEST_ROOT;
	is_declared = project_decides(&p->declared) < WORKSPACE_KIND_MAX_;
	if (is_declared)
		members_decide(p, &p->declared);
	if (!is_declared || p->home.len > 0)
		e = others_decide(p);
	listed_decide(p);
	if (p->work > PROJECT_MATCH_WORK)
		report_note(&p->report->errors, "workspace_work", NULL, -1,
			    "there are too many patterns and packages to "
			    "compare: the workspaces are incomplete");
	return e < 0 ? e : homes_decide(p);
}
