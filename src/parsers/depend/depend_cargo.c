/* depend_cargo.c -- Cargo.toml and Cargo.lock.
 *
 * Source: the Cargo Book, "The Manifest Format", "Specifying Dependencies",
 * "Workspaces". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/toml/toml.h"

static bool is_object(const struct json_value *v)
{
	return v != NULL && v->type == JSON_OBJECT;
}

static bool is_true(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

/* Take "1.0", or {version, git, path, package, optional, workspace}.  With
 * is_shared, members of the workspace may use it by its name. */
static void entry_take(struct depend *d, struct depend_file *f,
		       const struct json_member *m, const char *kind,
		       bool is_shared)
{
	const struct json_value *v = &m->value;
	const struct json_value *package = json_find(v, "package");
	const struct json_value *git = json_find(v, "git");
	struct depend_wish w = { .file = f, .kind = kind };

	w.name = package != NULL ? depend_keep_string(d, package)
				 : depend_keep(d, m->name);
	w.constraint = depend_keep_string(
		d, v->type == JSON_OBJECT ? json_find(v, "version") : v);
	if (is_true(json_find(v, "optional")))
		w.kind = "optional";
	if (git != NULL) {
		w.origin = DEPEND_GIT;
		w.url = depend_keep_string(d, git);
	} else if (json_find(v, "path") != NULL) {
		w.origin = DEPEND_PATH;
	}
	depend_registries_take(d, f, v, "registry");
	depend_registries_take(d, f, v, "registry-index");
	if (is_shared)
		depend_named_add(d, depend_keep(d, m->name), &w);
	else if (is_true(json_find(v, "workspace")))
		w.from = depend_keep(d, m->name);
	depend_wish_add(d, &w);
}

/* Take the tables of dependencies in v. */
static void tables_take(struct depend *d, struct depend_file *f,
			const struct json_value *v, bool is_shared)
{
	static const struct {
		const char *key, *kind;
	} tables[] = {
		{ "dependencies", "runtime" },
		{ "dev-dependencies", "dev" },
		{ "dev_dependencies", "dev" },
		{ "build-dependencies", "build" },
		{ "build_dependencies", "build" },
	};

	for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
		const struct json_value *t = json_find(v, tables[k].key);

		for (size_t i = 0; is_object(t) && i < t->u.object.len; i++)
			entry_take(d, f, &t->u.object.members[i],
				   tables[k].kind, is_shared);
	}
}

static void members_take(struct depend *d, struct depend_file *f,
			 const struct json_value *list)
{
	if (list == NULL || list->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < list->u.array.len; i++)
		if (list->u.array.items[i].type == JSON_STRING)
			depend_home_add(d, f, list->u.array.items[i].u.string);
}

/* "1.0", or {workspace = true}; and what a workspace gives to its members. */
static void versions_take(struct depend *d, struct depend_file *f,
			  const struct json_value *package,
			  const struct json_value *workspace)
{
	const struct json_value *version = json_find(package, "version");
	struct depend_wish w = { .file = f };

	f->version = depend_keep_string(d, version);
	f->has_shared_version = is_true(json_find(version, "workspace"));
	w.constraint = depend_keep_string(
		d, json_find(json_find(workspace, "package"), "version"));
	if (w.constraint.bytes != NULL)
		depend_named_add(d, TEXT(""), &w);
}

int depend_cargo_toml_read(struct depend *d, struct depend_file *f)
{
	const struct json_value *targets, *workspace, *package;
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0) {
		package = json_find(&tree, "package");
		f->name = depend_keep_string(d, json_find(package, "name"));
		workspace = json_find(&tree, "workspace");
		versions_take(d, f, package, workspace);
		tables_take(d, f, &tree, false);
		tables_take(d, f, workspace, true);
		members_take(d, f, json_find(workspace, "members"));
		depend_registries_take(d, f, &tree, "patch");
		depend_registries_take(d, f, &tree, "replace");
		targets = json_find(&tree, "target");
		for (size_t i = 0;
		     is_object(targets) && i < targets->u.object.len; i++)
			tables_take(d, f, &targets->u.object.members[i].value,
				    false);
	}
	arena_done(&arena);
	return e;
}

/* Read "registry+URL" or "git+URL?rev=x#commit".  If it is missing, the package
 * is a member of the workspace. */
static void source_read(struct depend *d, struct depend_pin *p,
			const struct json_value *source)
{
	if (source == NULL || source->type != JSON_STRING) {
		p->origin = DEPEND_PATH;
	} else if (text_begins(source->u.string, "git+")) {
		p->origin = DEPEND_GIT;
		p->url = depend_keep(d, source->u.string);
	} else if (text_begins(source->u.string, "path+")) {
		p->origin = DEPEND_PATH;
	} else {
		depend_registry_add(d, p->file, source->u.string);
	}
}

static void content_read(struct depend_pin *p,
			 const struct json_value *checksum)
{
	const struct json_text text =
		checksum != NULL && checksum->type == JSON_STRING
			? checksum->u.string
			: (struct json_text){ NULL, 0 };
	enum digest_kind kind =
		text.len > 0 ? digest_hex_read(text) : DIGEST_NONE;

	if (p->origin == DEPEND_GIT)
		kind = digest_commit_read(p->url);
	digest_content_add(&p->content, kind, text, p->url);
}

/* Read "name", "name version" or "name version (source)". */
static void requires_read(struct depend *d, struct depend_pin *p,
			  const struct json_value *list)
{
	size_t len = list != NULL && list->type == JSON_ARRAY
			     ? list->u.array.len
			     : 0;

	if (len == 0)
		return;
	p->requires = depend_requires_new(d, &len);
	for (size_t i = 0; p->requires != NULL && i < len; i++) {
		struct json_text t =
			depend_keep_string(d, &list->u.array.items[i]);
		const char *source =
			t.len > 0 ? memmem(t.bytes, t.len, " (", 2) : NULL;

		if (source != NULL)
			t.len = (size_t)(source - t.bytes);
		if (t.bytes != NULL)
		p->requires[p->requires_len++] = t;
	}
}

int depend_cargo_lock_read(struct depend *d, struct depend_file *f)
{
	const struct json_value *list;
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	list = e == 0 ? json_find(&tree, "package") : NULL;
	for (size_t i = 0;
	     list != NULL && list->type == JSON_ARRAY && i < list->u.array.len;
	     i++) {
		const struct json_value *v = &list->u.array.items[i];
		struct depend_pin p = { .file = f };

		p.name = depend_keep_string(d, json_find(v, "name"));
		p.version = depend_keep_string(d, json_find(v, "version"));
		source_read(d, &p, json_find(v, "source"));
		content_read(&p, json_find(v, "checksum"));
		requires_read(d, &p, json_find(v, "dependencies"));
		depend_pin_add(d, &p);
	}
	arena_done(&arena);
	return e;
}
