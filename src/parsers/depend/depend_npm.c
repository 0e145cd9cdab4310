/* depend_npm.c -- npm, pnpm, yarn and bun, with the readers of
 * node_manifest. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parsers/depend/depend.h"
#include "parsers/node/node.h"

#define OVERRIDES_DEEP_MAX 12U /* objects in objects */

static struct depend_file *file_find(struct depend *d,
				     const struct parse_input *in)
{
	size_t from = 0, to = d->files_len;

	/* The files and the inputs are in the same order. */
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (d->files[mid].in == in)
			return &d->files[mid];
		if (d->files[mid].in < in)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

/* Source: docs.npmjs.com, "package.json", dependencies; npm's hosted-git-info.
 * npm reads them in either case, and without the blanks around them. */
static const struct {
	const char *prefix;
	enum depend_origin origin;
} protocols[] = {
	{ "git", DEPEND_GIT },         { "github:", DEPEND_GIT },
	{ "gitlab:", DEPEND_GIT },     { "bitbucket:", DEPEND_GIT },
	{ "gist:", DEPEND_GIT },       { "sourcehut:", DEPEND_GIT },
	{ "ssh:", DEPEND_GIT },        { "http:", DEPEND_URL },
	{ "https:", DEPEND_URL },      { "file:", DEPEND_PATH },
	{ "link:", DEPEND_PATH },      { "portal:", DEPEND_PATH },
	{ "workspace:", DEPEND_PATH }, { "./", DEPEND_PATH },
	{ "../", DEPEND_PATH },
};

static bool begins_any_case(struct json_text t, const char *word)
{
	size_t n = strlen(word);

	return t.len >= n && strncasecmp(t.bytes, word, n) == 0;
}

/* Whether it is "owner/name" or "owner/name#branch", a repository of GitHub's:
 * one slash before any '#', and nothing that a path or a protocol has. */
static bool is_repository(struct json_text t)
{
	const struct json_text place = text_cut(t, '#', NULL);
	const char *slash =
		place.len > 0 ? memchr(place.bytes, '/', place.len) : NULL;
	size_t owner = slash != NULL ? (size_t)(slash - place.bytes) : 0;

	return owner > 0 && owner + 1 < place.len &&
	       memchr(slash + 1, '/', place.len - owner - 1) == NULL &&
	       strchr("@.~", place.bytes[0]) == NULL &&
	       memchr(place.bytes, ':', place.len) == NULL;
}

static enum depend_origin origin_of(struct json_text t)
{
	t = text_trim(t);
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
		if (begins_any_case(t, protocols[i].prefix))
			return protocols[i].origin;
	if (text_has(t, "://"))
		return DEPEND_URL;
	return is_repository(t) ? DEPEND_GIT : DEPEND_REGISTRY;
}

static struct json_text url_of(enum depend_origin origin, struct json_text t)
{
	return origin == DEPEND_GIT || origin == DEPEND_URL
		       ? text_trim(t)
		       : (struct json_text){ NULL, 0 };
}

/* "npm:other@^1" asks for another package. */
static void alias_read(struct json_text constraint, struct depend_wish *w)
{
	struct json_text name, range;

	if (!text_begins(constraint, "npm:"))
		return;
	node_text_split(text_from(constraint, 4), &name, &range);
	if (range.bytes == NULL) {
		w->constraint = name; /* berry: "npm:^1" */
		return;
	}
	w->name = name;
	w->constraint = range;
}

/* What the lockfile means by the name.  A version that is an address is left to
 * depend_resolve(), which tells it as a package's. */
static void resolved_take(const struct node_choices *choices,
			  const struct json_member *m, struct depend_wish *w)
{
	const bool is_text = m->value.type == JSON_STRING;
	const struct node_choice *c = node_choice_find(
		choices, m->name,
		is_text ? m->value.u.string : (struct json_text){ NULL, 0 });

	if (c == NULL || (c->version.bytes != NULL &&
			  origin_of(c->version) != DEPEND_REGISTRY))
		return;
	w->resolved = c->version;
	w->is_resolved = true;
}

static void section_read(struct depend *d, struct depend_file *f,
			 const struct json_value *section, const char *kind,
			 const struct node_choices *choices)
{
	if (section == NULL || section->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < section->u.object.len; i++) {
		const struct json_member *m = &section->u.object.members[i];
		struct depend_wish w = { .file = f,
					 .kind = kind,
					 .name = depend_keep(d, m->name) };

		w.constraint = depend_keep_string(d, &m->value);
		w.origin = origin_of(w.constraint);
		w.url = url_of(w.origin, w.constraint);
		alias_read(w.constraint, &w);
		resolved_take(choices, m, &w);
		depend_wish_add(d, &w);
	}
}

/* Take the addresses of v, in which overrides may be nested. */
static void overrides_take(struct depend *d, struct depend_file *f,
			   const struct json_value *v, unsigned deep)
{
	enum depend_origin origin;

	if (v == NULL)
		return;
	if (v->type == JSON_STRING) {
		origin = origin_of(v->u.string);
		if (origin == DEPEND_GIT || origin == DEPEND_URL)
			depend_registry_add(d, f, text_trim(v->u.string));
	}
	if (v->type != JSON_OBJECT)
		return;
	if (deep == OVERRIDES_DEEP_MAX) {
		report_note(&d->report->errors, "truncated", f->in, -1,
			    "overrides in more than 12 objects; the rest is "
			    "left out");
		return;
	}
	for (size_t i = 0; i < v->u.object.len; i++)
		overrides_take(d, f, &v->u.object.members[i].value, deep + 1);
}

/* What replaces dependencies of dependencies, and the package manager. */
static void replacements_take(struct depend *d, struct depend_file *f,
			      const struct json_value *tree)
{
	overrides_take(d, f, json_find(tree, "overrides"), 0);
	overrides_take(d, f, json_find(tree, "resolutions"), 0);
	overrides_take(d, f, json_find(json_find(tree, "pnpm"), "overrides"),
		       0);
	depend_registries_take(d, f, tree, "packageManager");
}

static void manifests_read(struct depend *d, const struct node *n)
{
	for (size_t i = 0; i < n->packages_len; i++) {
		const struct node_package *p = &n->packages[i];
		struct depend_file *f = file_find(d, p->in);
		const struct depend_file *lock;
		struct node_choices choices = { 0 };

		if (f == NULL)
			continue;
		lock = depend_lock_find(d, f);
		if (lock != NULL)
			node_choices_find(n, lock->in, p->in, &choices);
		depend_file_begin(d, f);
		f->name = depend_keep(d, p->manifest->name);
		f->version =
			depend_keep_string(d, json_find(&p->tree, "version"));
		for (size_t k = 0; k < NODE_SECTIONS; k++)
			section_read(d, f,
				     json_find(&p->tree, node_sections[k].key),
				     node_sections[k].kind, &choices);
		replacements_take(d, f, &p->tree);
	}
}

static void pins_read(struct depend *d, const struct node *n)
{
	for (size_t i = 0; i < n->pins_len; i++) {
		const struct node_pin *from = &n->pins[i];
		struct depend_pin p = { .file = file_find(d, from->in),
					.name = from->name,
					.version = from->version,
					.content = from->content,
					.is_first = from->is_top };

		if (p.file == NULL)
			continue;
		if (p.file != d->current)
			depend_file_begin(d, p.file);
		p.origin = origin_of(from->version);
		p.url = url_of(p.origin, from->version);
		if (p.origin != DEPEND_REGISTRY)
			(void)text_cut(from->version, '#', &p.version);
		depend_pin_add(d, &p);
	}
}

void depend_npm_read(struct depend *d, const struct node *n)
{
	for (size_t i = 0; i < n->project.homes.len; i++)
		depend_home_put(d, n->project.homes.items[i].includer,
				n->project.homes.items[i].dir);
	pins_read(d, n); /* first: which lockfiles there are depends on them */
	manifests_read(d, n);
}
