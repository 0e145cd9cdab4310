/* node_package.c -- package.json: one package and what it declares. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/name.h"
#include "parsers/common/address_clean.h"
#include "parsers/node/node.h"

static const char *const role_names[] = {
	[MANIFEST_ROOT] = "root",
	[MANIFEST_WORKSPACE] = "workspace",
	[MANIFEST_STANDALONE] = "standalone",
};

/* Whether npm runs something of the package when it is installed, or would
 * compile it.  A dependency such as "file:tools/x" installs one that is in no
 * workspace. */
static bool runs_at_install(const struct node *n, const struct manifest *m)
{
	const struct json_value *scripts = json_find(&m->tree, "scripts");
	size_t len = scripts != NULL && scripts->type == JSON_OBJECT
			     ? scripts->u.object.len
			     : 0;

	for (size_t i = 0; i < len; i++) {
		const struct json_text name = scripts->u.object.members[i].name;

		if (text_has(name, "install") || text_has(name, "prepare") ||
		    text_is(name, "prepublish") ||
		    text_is(name, "dependencies"))
			return true;
	}
	return node_native_has_gyp(n, m->in, &m->tree);
}

/* A workspace at the root of the repository decides which packages are listed,
 * besides those that run something when they are installed. */
static void others_hide(struct node *n)
{
	size_t others = 0;
	char text[80];

	for (size_t i = 0; i < n->packages_len; i++)
		others += !n->packages[i].is_listed;
	if (others == 0)
		return;
	(void)snprintf(
		text, sizeof text,
		"%zu package.json files outside the workspaces are not listed",
		others);
	report_note(&n->report->warnings, "not_in_workspaces",
		    n->project.top != NULL ? n->project.top->in : NULL, -1,
		    text);
}

int node_packages_read(struct node *n)
{
	int e = project_read(n->inputs, n->report, &n->project);

	if (e < 0)
		return e;
	n->inputs = n->project.inputs;
	n->packages_len = n->project.manifests_len;
	n->packages = calloc(n->packages_len + 1, sizeof *n->packages);
	if (n->packages == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n->packages_len; i++) {
		const struct manifest *m = &n->project.manifests[i];

		n->packages[i] = (struct node_package){
			.manifest = m,
			.in = m->in,
			.tree = m->tree,
			.is_listed = n->project.home.len > 0 || m->is_listed ||
				     runs_at_install(n, m),
		};
	}
	others_hide(n);
	return 0;
}

struct node_package *node_package_find(const struct node *n,
				       struct json_text dir)
{
	const struct manifest *m =
		project_manifest_in(&n->project, dir.bytes, dir.len);

	return m != NULL ? &n->packages[m - n->project.manifests] : NULL;
}

const struct json_value *node_section_find(const struct node_package *p,
					   const char *key)
{
	const struct json_value *s = json_find(&p->tree, key);

	return s != NULL && s->type == JSON_OBJECT ? s : NULL;
}

/* One dependency about to be written. */
struct dependency {
	struct json_text name, constraint;
	const char *kind;
	bool is_optional; /* a peer that may be missing */
};

static void dependency_write(struct node *n, const struct parse_input *in,
			     const struct dependency *d)
{
	struct jsonw *w = &n->lists[NODE_PACKAGES].out;
	struct node_mark mark = node_mark_of(w);

	if (d->name.len > PARSE_STRING_BYTES) {
		report_note(&n->report->errors, "string_too_long", in, -1,
			    "the name of a dependency is longer than 64 KiB");
		return;
	}
	jsonw_object(w, NULL);
	address_put(w, "name", d->name, ADDRESS_NAME);
	address_put(w, "constraint", d->constraint, ADDRESS_TEXT);
	jsonw_text(w, "kind", d->kind);
	if (d->is_optional)
		jsonw_bool(w, "optional", true);
	input_name_write(w, "source", in);
	jsonw_end_object(w);
	if (node_mark_cut(w, mark, n->dependencies_cap)) {
		n->dependencies_cap = 0; /* no longer one of this package */
		n->dependencies_cut++;
	}
}

/* peerDependenciesMeta: {"name": {"optional": true}}. */
static bool is_optional_peer(const struct node_package *p,
			     struct json_text name)
{
	const struct json_value *meta =
		node_section_find(p, "peerDependenciesMeta");
	const struct json_value *v =
		meta ? json_find_bytes(meta, name.bytes, name.len) : NULL;

	v = v != NULL ? json_find(v, "optional") : NULL;
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

static void section_write(struct node *n, const struct node_package *p,
			  const struct json_value *section, const char *kind)
{
	bool is_peer = kind == node_sections[NODE_SECTION_PEERS].kind;

	if (section == NULL)
		return;
	if (section->type != JSON_OBJECT) {
		report_note(&n->report->warnings, "bad_dependencies", p->in,
			    (int64_t)section->offset,
			    "expected an object of names and constraints");
		return;
	}
	for (size_t i = 0; i < section->u.object.len; i++) {
		const struct json_member *m = &section->u.object.members[i];

		if (m->value.type != JSON_STRING)
			report_note(&n->report->warnings, "bad_constraint",
				    p->in, (int64_t)m->value.offset,
				    "expected a constraint in quotes");
		dependency_write(
			n, p->in,
			&(struct dependency){
				m->name,
				parse_text(&m->value, p->in, n->report), kind,
				is_peer && is_optional_peer(p, m->name) });
	}
}

/* bundleDependencies: a list of names, or true for all of dependencies. */
static void bundled_write(struct node *n, const struct node_package *p)
{
	const struct json_value *deps = json_find(&p->tree, "dependencies");
	const struct json_value *b = json_find(&p->tree, "bundleDependencies");
	const struct json_value *from;

	if (b == NULL)
		b = json_find(&p->tree, "bundledDependencies");
	if (b == NULL)
		return;
	if (b->type == JSON_BOOL && b->u.boolean) {
		section_write(n, p, deps, "bundled");
		return;
	}
	if (b->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < b->u.array.len; i++) {
		struct json_text name =
			parse_text(&b->u.array.items[i], p->in, n->report);

		if (name.bytes == NULL)
			continue;
		from = json_find_bytes(deps ? deps : b, name.bytes, name.len);
		dependency_write(n, p->in,
				 &(struct dependency){
					 name,
					 parse_text(from, p->in, n->report),
					 "bundled", false });
	}
}

static void package_write(struct node *n, const struct node_package *p)
{
	struct jsonw *w = slice_item(&n->lists[NODE_PACKAGES]);
	owned_buf struct buf dir = { 0 };

	name_write(&dir, p->in->name, input_dir_len(p->in));
	jsonw_text(w, "path", dir.len > 0 ? dir.bytes : ".");
	address_put(w, "name", p->manifest->name, ADDRESS_NAME);
	address_put(
		w, "version",
		parse_text(json_find(&p->tree, "version"), p->in, n->report),
		ADDRESS_TEXT);
	if (input_is_own(p->in))
		jsonw_text(w, "role", role_names[p->manifest->role]);
	source_write(w, "source", p->in);
	node_scripts_write(n, p, w);
	jsonw_array(w, "dependencies");
	n->dependencies_cap = w->out->len + NODE_DEPENDENCIES_ONE;
	if (n->dependencies_cap > NODE_DEPENDENCIES_BYTES)
		n->dependencies_cap = NODE_DEPENDENCIES_BYTES;
	for (size_t i = 0; i < NODE_SECTIONS; i++)
		section_write(n, p, json_find(&p->tree, node_sections[i].key),
			      node_sections[i].kind);
	bundled_write(n, p);
	jsonw_end_array(w);
	slice_item_end(&n->lists[NODE_PACKAGES]);
}

void node_packages_write(struct node *n)
{
	char text[96];

	for (size_t i = 0; i < n->packages_len; i++)
		node_directories_look(n, &n->packages[i]);
	for (size_t i = 0; i < n->packages_len; i++)
		if (n->packages[i].is_listed)
			package_write(n, &n->packages[i]);
	if (n->dependencies_cut == 0)
		return;
	(void)snprintf(text, sizeof text,
		       "dependencies: %zu do not fit (%zu KiB a package, %zu "
		       "KiB in all)",
		       n->dependencies_cut, NODE_DEPENDENCIES_ONE >> 10,
		       NODE_DEPENDENCIES_BYTES >> 10);
	report_note(&n->report->warnings, "truncated", NULL, -1, text);
}
