/* depend_gradle.c -- Gradle's version catalogues (libs.versions.toml).
 *
 * Source: docs.gradle.org, "Version catalogs". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/toml/toml.h"

static bool is_object(const struct json_value *v)
{
	return v != NULL && v->type == JSON_OBJECT;
}

/* The version: "1.0", {strictly, require, prefer}, or {ref = name} of
 * [versions]. */
static struct json_text version_of(struct depend *d,
				   const struct json_value *versions,
				   const struct json_value *v)
{
	static const char *const keys[] = { "strictly", "require", "prefer" };
	const struct json_value *ref = json_find(v, "ref");

	if (ref != NULL && ref->type == JSON_STRING)
		v = json_find_bytes(versions, ref->u.string.bytes,
				    ref->u.string.len);
	for (size_t i = 0; is_object(v) && i < sizeof keys / sizeof *keys;
	     i++) {
		const struct json_value *rich = json_find(v, keys[i]);

		if (rich != NULL)
			return depend_keep_string(d, rich);
	}
	return depend_keep_string(d, v);
}

static struct json_text joined(struct depend *d, struct json_text a,
			       const char *between, struct json_text b)
{
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX };

	buf_add(&out, a.bytes, a.len);
	buf_text(&out, between);
	buf_add(&out, b.bytes, b.len);
	if (a.len == 0 || b.len == 0 || buf_has_failed(&out))
		return (struct json_text){ NULL, 0 };
	return depend_keep(d, (struct json_text){ out.bytes, out.len });
}

/* Read "group:name:version". */
static void short_read(struct depend_wish *w, struct json_text t)
{
	struct json_text name, version;
	struct json_text group = text_cut(t, ':', &name);

	name = text_cut(name, ':', &version);
	if (name.len == 0)
		return;
	w->name = (struct json_text){ t.bytes, group.len + 1 + name.len };
	w->constraint = version;
}

/* What a library is for is said by the programs that use it. */
static void library_take(struct depend *d, struct depend_file *f,
			 const struct json_value *versions,
			 const struct json_member *m)
{
	struct depend_wish w = { .file = f, .kind = "managed" };
	const struct json_value *v = &m->value;

	if (v->type == JSON_STRING) {
		short_read(&w, depend_keep_string(d, v));
	} else {
		w.name = depend_keep_string(d, json_find(v, "module"));
		if (w.name.bytes == NULL)
			w.name = joined(
				d, depend_keep_string(d, json_find(v, "group")),
				":",
				depend_keep_string(d, json_find(v, "name")));
		w.constraint = version_of(d, versions, json_find(v, "version"));
	}
	depend_wish_add(d, &w);
}

/* A plugin ID is the module ID:ID.gradle.plugin. */
static void plugin_take(struct depend *d, struct depend_file *f,
			const struct json_value *versions,
			const struct json_member *m)
{
	struct depend_wish w = { .file = f, .kind = "plugin" };
	const struct json_value *v = &m->value;
	struct json_text id = depend_keep_string(d, json_find(v, "id"));

	if (v->type == JSON_STRING)
		id = text_cut(depend_keep_string(d, v), ':', &w.constraint);
	else
		w.constraint = version_of(d, versions, json_find(v, "version"));
	w.name = joined(d, joined(d, id, ":", id), "", TEXT(".gradle.plugin"));
	depend_wish_add(d, &w);
}

int depend_gradle_read(struct depend *d, struct depend_file *f)
{
	static const struct {
		const char *key;
		void (*take)(struct depend *d, struct depend_file *f,
			     const struct json_value *versions,
			     const struct json_member *m);
	} tables[] = { { "libraries", library_take },
		       { "plugins", plugin_take } };
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	for (size_t k = 0; e == 0 && k < sizeof tables / sizeof *tables; k++) {
		const struct json_value *t = json_find(&tree, tables[k].key);

		for (size_t i = 0; is_object(t) && i < t->u.object.len; i++)
			tables[k].take(d, f, json_find(&tree, "versions"),
				       &t->u.object.members[i]);
	}
	arena_done(&arena);
	return e;
}
