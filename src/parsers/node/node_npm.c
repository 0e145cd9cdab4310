/* node_npm.c -- package-lock.json and npm-shrinkwrap.json, versions 1 to 3.
 *
 * Source: docs.npmjs.com, "package-lock.json".  Version 1 nests
 * "dependencies"; 2 has those and "packages"; 3 has "packages" alone, whose
 * names are paths: "" and workspace directories are importers, what lies below
 * a node_modules is an entry, and a "link" points back at a workspace. */
#include <inttypes.h>
#include <string.h>

#include "parsers/node/node.h"

#define PLACE_BYTES ((size_t)4096) /* no directory has a longer path */

/* The part behind the last "node_modules/" of path; bytes NULL = there is
 * none. */
static struct json_text installed_name(struct json_text path)
{
	static const char mark[] = "node_modules/";
	const size_t len = sizeof mark - 1;
	struct json_text name = { NULL, 0 };
	const char *at = path.bytes, *end = path.bytes + path.len;

	while ((at = memmem(at, (size_t)(end - at), mark, len)) != NULL) {
		if (at == path.bytes || at[-1] == '/')
			name = (struct json_text){ at + len,
						   (size_t)(end - at) - len };
		at += len;
	}
	return name;
}

static bool is_true(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

/* npm asks for truth as JavaScript does, so that a number or a text counts. */
static bool is_truth(const struct json_value *v)
{
	return v != NULL && v->type != JSON_NULL &&
	       (v->type != JSON_BOOL || v->u.boolean);
}

/* The string of a member, kept. */
static struct json_text member_keep(struct node_lock *l,
				    const struct json_value *entry,
				    const char *key)
{
	const struct json_value *v = json_find(entry, key);

	return node_text_keep(l->node, l->in, v ? v->offset : 0,
			      parse_text(v, l->in, l->node->report));
}

/* is_top: it lies in the node_modules beside the lockfile.  is_bundled: it lies in
 * that of a package that may bring it.  Returns the version, kept. */
static struct json_text entry_read(struct node_lock *l, struct json_text name,
				   const struct json_value *entry, bool is_top,
				   bool is_bundled)
{
	struct node_entry e = { .is_top = is_top };

	e.name = node_text_keep(l->node, l->in, entry->offset, name);
	e.version = member_keep(l, entry, "version");
	e.integrity = member_keep(l, entry, "integrity");
	e.digest = digest_sri_read(e.integrity);
	e.resolved = member_keep(l, entry, "resolved");
	e.is_inside = is_bundled && e.resolved.bytes == NULL &&
		      (is_true(json_find(entry, "inBundle")) ||
		       is_true(json_find(entry, "bundled")));
	e.has_script = is_truth(json_find(entry, "hasInstallScript"));
	e.is_built = e.has_script && node_native_has_builder(entry);
	node_lock_entry(l, &e);
	return e.version;
}

/* What lies in the node_modules of a directory of the repository is found from
 * there; what lies in that of a package is the package's own.  name is the end of
 * path. */
static void choice_read(struct node_lock *l, struct json_text path,
			struct json_text name, size_t at,
			struct json_text version)
{
	struct json_text dir = { path.bytes, path.len - name.len -
						     strlen("node_modules/") };

	if (!l->node->has_choices || dir.len > PLACE_BYTES ||
	    installed_name(dir).bytes != NULL)
		return;
	dir.len -= dir.len > 0; /* the slash */
	node_choice_add(
		l, &(struct node_choice){
			   .key = node_text_keep(l->node, l->in, at, name),
			   .place = node_text_keep(l->node, l->in, at, dir),
			   .version = version,
			   .way = NODE_BY_DIRECTORY });
}

static void importer_read(struct node_lock *l, struct json_text path,
			  const struct json_value *entry)
{
	const struct node_package *p = node_lock_importer(l, path);

	if (p != NULL && entry->type == JSON_OBJECT)
		node_compare_importer(l->node, l->in, entry, p);
}

/* An entry that stands for a directory. */
static void link_look(struct node_lock *l, const struct json_value *entry)
{
	const struct json_value *to = json_find(entry, "resolved");

	if (to != NULL && to->type == JSON_STRING)
		node_directory_look(l->node, l->in, to->offset, to->u.string);
}

#define BUNDLERS_MAX 256U

/* The paths of packages whose archives have others within them. */
struct bundlers {
	struct json_text paths[BUNDLERS_MAX];
	size_t len;
};

static void bundlers_read(const struct json_value *packages,
			  struct bundlers *ret)
{
	static const char *const keys[] = { "bundleDependencies",
					    "bundledDependencies" };

	ret->len = 0;
	for (size_t i = 0; i < packages->u.object.len; i++) {
		const struct json_member *m = &packages->u.object.members[i];

		if (installed_name(m->name).bytes == NULL)
			continue; /* the project's own are fetched */
		for (size_t k = 0; k < 2 && ret->len < BUNDLERS_MAX; k++) {
			const struct json_value *v =
				json_find(&m->value, keys[k]);

			if (is_true(v) || (v != NULL && v->type == JSON_ARRAY &&
					   v->u.array.len > 0))
				ret->paths[ret->len++] = m->name;
		}
	}
}

/* Whether path lies in a package that bundles something. */
static bool has_bundler(const struct bundlers *b, struct json_text path)
{
	for (size_t i = 0; i < b->len; i++)
		if (path.len > b->paths[i].len &&
		    memcmp(path.bytes, b->paths[i].bytes, b->paths[i].len) ==
			    0 &&
		    path.bytes[b->paths[i].len] == '/')
			return true;
	return false;
}

static void packages_walk(struct node_lock *l,
			  const struct json_value *packages)
{
	struct bundlers b;

	bundlers_read(packages, &b);
	for (size_t i = 0; i < packages->u.object.len; i++) {
		const struct json_member *m = &packages->u.object.members[i];
		struct json_text name = installed_name(m->name);
		struct json_text alias = { NULL, 0 }, version;

		if (m->value.type != JSON_OBJECT) {
			report_note(&l->node->report->warnings, "bad_entry",
				    l->in, (int64_t)m->value.offset,
				    "expected an object");
			continue;
		}
		if (name.bytes == NULL) {
			importer_read(l, m->name, &m->value);
			continue;
		}
		if (is_true(json_find(&m->value, "link"))) {
			link_look(l, &m->value);
			choice_read(l, m->name, name, m->value.offset,
				    (struct json_text){ NULL, 0 });
			continue;
		}
		alias = parse_text(json_find(&m->value, "name"), l->in,
				   l->node->report);
		version = entry_read(l, alias.bytes ? alias : name, &m->value,
				     m->name.len ==
					     name.len + strlen("node_modules/"),
				     has_bundler(&b, m->name));
		choice_read(l, m->name, name, m->value.offset, version);
	}
}

/* A directory of the repository, which version 1 lists among the rest. */
static bool is_directory(const struct json_value *entry)
{
	const struct json_value *v = json_find(entry, "version");

	return v != NULL && v->type == JSON_STRING && v->u.string.len >= 5 &&
	       memcmp(v->u.string.bytes, "file:", 5) == 0 &&
	       json_find(entry, "integrity") == NULL;
}

/* Nested as deep as the JSON, so at most PARSE_DEPTH. */
static void nested_walk(struct node_lock *l, const struct json_value *deps,
			bool is_top)
{
	if (deps == NULL || deps->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < deps->u.object.len; i++) {
		const struct json_member *m = &deps->u.object.members[i];

		if (m->value.type != JSON_OBJECT) {
			report_note(&l->node->report->warnings, "bad_entry",
				    l->in, (int64_t)m->value.offset,
				    "expected an object");
			continue;
		}
		if (!is_directory(&m->value))
			(void)entry_read(l, m->name, &m->value, is_top,
					 !is_top);
		nested_walk(l, json_find(&m->value, "dependencies"), false);
	}
}

static void version_1_read(struct node_lock *l, const struct json_value *tree)
{
	const struct json_value *deps = json_find(tree, "dependencies");
	const struct node_package *p =
		node_lock_importer(l, (struct json_text){ "", 0 });

	nested_walk(l, deps, true);
	if (p != NULL && deps != NULL && deps->type == JSON_OBJECT)
		node_compare_top_level(l->node, l->in, deps, p);
}

/* Source: docs.npmjs.com, "lockfileVersion". */
static void version_read(struct node_lock *l, const struct json_value *tree)
{
	const struct json_value *v = json_find(tree, "lockfileVersion");
	static const unsigned majors[] = { 1, 2, 3, 0 };
	uint64_t number;

	l->is_number = true;
	if (v != NULL && json_read_u64(v, &number) == 0) {
		l->version.bytes =
			arena_format(&l->node->facts, "%" PRIu64, number);
		l->version.len =
			l->version.bytes ? strlen(l->version.bytes) : 0;
	}
	node_lock_check_version(l, majors,
				"expected lockfileVersion 1, 2 or 3");
}

int node_npm_read(struct node_lock *l)
{
	struct arena arena = { 0 };
	const struct json_value *packages;
	struct json_value tree;
	int e = parse_json(l->in, &arena, NODE_LOCK_BYTES, &tree,
			   l->node->report);

	if (e == 0) {
		packages = json_find(&tree, "packages");
		version_read(l, &tree);
		if (packages != NULL && packages->type == JSON_OBJECT)
			packages_walk(l, packages);
		else
			version_1_read(l, &tree);
	}
	arena_done(&arena);
	return e;
}
