/* depend_npm.c -- npm, pnpm, yarn and bun, with the readers of
 * node_manifest. */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/node/node.h"

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

/* Source: docs.npmjs.com, "package.json", dependencies. */
static const struct {
	const char *prefix;
	enum depend_origin origin;
} protocols[] = {
	{ "git", DEPEND_GIT },      { "github:", DEPEND_GIT },
	{ "gitlab:", DEPEND_GIT },  { "bitbucket:", DEPEND_GIT },
	{ "http://", DEPEND_URL },  { "https://", DEPEND_URL },
	{ "file:", DEPEND_PATH },   { "link:", DEPEND_PATH },
	{ "portal:", DEPEND_PATH }, { "workspace:", DEPEND_PATH },
	{ "./", DEPEND_PATH },      { "../", DEPEND_PATH },
};

static enum depend_origin origin_of(struct json_text t)
{
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
		if (text_begins(t, protocols[i].prefix))
			return protocols[i].origin;
	return DEPEND_REGISTRY;
}

static struct json_text url_of(enum depend_origin origin, struct json_text t)
{
	return origin == DEPEND_GIT || origin == DEPEND_URL
		       ? t
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

static void section_read(struct depend *d, struct depend_file *f,
			 const struct json_value *section, const char *kind)
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
		depend_wish_add(d, &w);
	}
}

static void manifests_read(struct depend *d, const struct node *n)
{
	for (size_t i = 0; i < n->packages_len; i++) {
		const struct node_package *p = &n->packages[i];
		struct depend_file *f = file_find(d, p->in);

		if (f == NULL)
			continue;
		depend_file_begin(d, f);
		f->name = depend_keep(d, p->manifest->name);
		f->version =
			depend_keep_string(d, json_find(&p->tree, "version"));
		for (size_t k = 0; k < NODE_SECTIONS; k++)
			section_read(d, f,
				     json_find(&p->tree, node_sections[k].key),
				     node_sections[k].kind);
	}
}

static void pins_read(struct depend *d, const struct node *n)
{
	for (size_t i = 0; i < n->pins_len; i++) {
		const struct node_pin *from = &n->pins[i];
		struct depend_pin p = { .file = file_find(d, from->in),
					.name = from->name,
					.version = from->version,
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
	manifests_read(d, n);
	pins_read(d, n);
}
