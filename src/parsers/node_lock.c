/* node_lock.c -- package-lock.json and npm-shrinkwrap.json, versions 1 to 3.
 *
 * Source: docs.npmjs.com, "package-lock.json".  Version 1 nests
 * "dependencies"; 2 has those and "packages"; 3 has "packages" alone, whose
 * names are paths: "" and workspace directories are importers, what lies below
 * a node_modules is an entry, and a "link" points back at a workspace. */
#include <string.h>

#include "base/name.h"
#include "parsers/node.h"

struct lock {
	struct node *node;
	const struct parse_input *in;
	size_t entries;
	struct buf importers_text;
	struct jsonw importers;
};

/* What follows the last "node_modules/" of path; bytes NULL = there is none. */
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

/* One resolved package: its hash for later, and whether it is compiled. */
static void entry_read(struct lock *l, struct json_text name,
		       const struct json_value *entry)
{
	struct parse_report *r = l->node->report;
	struct node_pin pin = { .name = name, .in = l->in };
	struct node_native native = { .in = l->in };

	l->entries++;
	pin.version = parse_text(json_find(entry, "version"), l->in, r);
	pin.integrity = parse_text(json_find(entry, "integrity"), l->in, r);
	if (name.len > PARSE_STRING_BYTES) {
		report_note(&r->errors, "string_too_long", l->in,
			    (int64_t)entry->offset,
			    "a package's name over 64 KiB");
		return;
	}
	if (pin.integrity.bytes != NULL && pin.version.bytes != NULL)
		pin_add(l->node, &pin);
	native.name = name;
	native.version = pin.version;
	if (native_is_known(name))
		native.reason = "catalogue";
	else if (is_true(json_find(entry, "hasInstallScript")))
		native.reason = "install-script";
	if (native.reason != NULL)
		native_add(l->node, &native);
}

static void importer_read(struct lock *l, struct json_text path,
			  const struct json_value *entry)
{
	owned_buf struct buf dir = { .cap_bytes = PARSE_STRING_BYTES };
	owned_buf struct buf shown = { .cap_bytes = PARSE_STRING_BYTES };
	const struct node_package *p = NULL;

	buf_add(&dir, l->in->name, input_dir_len(l->in));
	if (dir.len > 0 && path.len > 0)
		buf_char(&dir, '/');
	buf_add(&dir, path.bytes, path.len);
	name_write(&shown, path.bytes, path.len);
	if (buf_has_failed(&dir) || buf_has_failed(&shown)) {
		report_note(&l->node->report->errors, "string_too_long", l->in,
			    (int64_t)entry->offset, "a path over 64 KiB");
		return;
	}
	jsonw_text(&l->importers, NULL, shown.len > 0 ? shown.bytes : ".");
	p = package_find(l->node, dir.bytes ? dir.bytes : "", dir.len);
	if (p != NULL && entry->type == JSON_OBJECT)
		compare_importer(l->node, l->in, entry, p);
}

static void packages_walk(struct lock *l, const struct json_value *packages)
{
	for (size_t i = 0; i < packages->u.object.len; i++) {
		const struct json_member *m = &packages->u.object.members[i];
		struct json_text name = installed_name(m->name);
		struct json_text alias = { NULL, 0 };

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
		if (is_true(json_find(&m->value, "link")))
			continue;
		alias = parse_text(json_find(&m->value, "name"), l->in,
				   l->node->report);
		entry_read(l, alias.bytes ? alias : name, &m->value);
	}
}

/* Nested as deep as the JSON, so at most PARSE_DEPTH. */
static void nested_walk(struct lock *l, const struct json_value *deps)
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
		entry_read(l, m->name, &m->value);
		nested_walk(l, json_find(&m->value, "dependencies"));
	}
}

static void version_1_read(struct lock *l, const struct json_value *tree)
{
	const struct json_value *deps = json_find(tree, "dependencies");
	const struct node_package *p =
		package_find(l->node, l->in->name, input_dir_len(l->in));

	jsonw_text(&l->importers, NULL, ".");
	nested_walk(l, deps);
	if (p != NULL && deps != NULL && deps->type == JSON_OBJECT)
		compare_top_level(l->node, l->in, deps, p);
}

static void lock_write(struct lock *l, const struct json_value *tree)
{
	const struct json_value *v = json_find(tree, "lockfileVersion");
	struct jsonw *w = &l->node->lockfiles_out;
	uint64_t number;

	jsonw_object(w, NULL);
	jsonw_text(w, "kind", "npm");
	if (v != NULL && json_read_u64(v, &number) == 0)
		jsonw_uint(w, "lockfile_version", number);
	else
		jsonw_null(w, "lockfile_version");
	jsonw_uint(w, "entries", l->entries);
	jsonw_end_array(&l->importers);
	if (buf_has_failed(&l->importers_text))
		w->out->failed = true;
	else
		jsonw_raw(w, "importers", l->importers_text.bytes,
			  l->importers_text.len);
	source_write(w, "source", l->in);
	jsonw_end_object(w);
	if (v == NULL || json_read_u64(v, &number) < 0 || number < 1 ||
	    number > 3)
		report_note(&l->node->report->warnings, "lockfile_version",
			    l->in, v ? (int64_t)v->offset : -1,
			    "expected lockfileVersion 1, 2 or 3");
}

void lock_read(struct node *n, const struct parse_input *in)
{
	struct lock l = { .node = n, .in = in };
	struct arena arena = { 0 };
	const struct json_value *packages;
	struct json_value tree;

	if (parse_json(in, &arena, NODE_LOCK_BYTES, &tree, n->report) < 0) {
		arena_done(&arena);
		return;
	}
	l.importers_text.cap_bytes = PARSE_SLICE_BYTES;
	l.importers.out = &l.importers_text;
	jsonw_array(&l.importers, NULL);
	packages = json_find(&tree, "packages");
	if (packages != NULL && packages->type == JSON_OBJECT)
		packages_walk(&l, packages);
	else
		version_1_read(&l, &tree);
	lock_write(&l, &tree);
	buf_done(&l.importers_text);
	arena_done(&arena);
}
