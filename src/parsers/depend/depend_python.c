/* depend_python.c -- pyproject.toml and Pipfile.
 *
 * Source: PEP 621, PEP 735, PEP 518; the documentation of poetry, uv, pdm and
 * pipenv. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/depend/depend.h"
#include "parsers/toml/toml.h"

/* Take a list of requirements. */
static void list_take(struct depend *d, struct depend_file *f,
		      const struct json_value *list, const char *kind)
{
	if (list == NULL || list->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < list->u.array.len; i++)
		if (list->u.array.items[i].type == JSON_STRING)
			depend_requirement_take(
				d, f, list->u.array.items[i].u.string, kind);
}

/* Take {group: [requirements]}. */
static void groups_take(struct depend *d, struct depend_file *f,
			const struct json_value *groups, const char *kind)
{
	if (groups == NULL || groups->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < groups->u.object.len; i++)
		list_take(d, f, &groups->u.object.members[i].value, kind);
}

static bool is_true(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

/* Take "^1", or {version, git, url, path, optional}. */
static void entry_take(struct depend *d, struct depend_file *f,
		       struct json_text name, const struct json_value *v,
		       const char *kind)
{
	static const struct {
		const char *key;
		enum depend_origin origin;
	} places[] = {
		{ "git", DEPEND_GIT },        { "url", DEPEND_URL },
		{ "path", DEPEND_PATH },      { "file", DEPEND_PATH },
		{ "workspace", DEPEND_PATH },
	};
	struct depend_wish w = { .file = f, .kind = kind };

	w.name = depend_keep(d, name);
	w.constraint = depend_keep_string(d, v);
	if (v->type == JSON_OBJECT) {
		w.constraint = depend_keep_string(d, json_find(v, "version"));
		if (is_true(json_find(v, "optional")))
			w.kind = "optional";
	}
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct json_value *at = json_find(v, places[i].key);

		if (at == NULL)
			continue;
		w.origin = places[i].origin;
		if (w.origin != DEPEND_PATH)
			w.url = depend_keep_string(d, at);
		break;
	}
	depend_wish_add(d, &w);
}

/* One constraint, or a list of them, each for some platforms. */
static void member_take(struct depend *d, struct depend_file *f,
			const struct json_member *m, const char *kind)
{
	const struct json_value *v = &m->value;

	if (v->type != JSON_ARRAY)
		entry_take(d, f, m->name, v, kind);
	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		entry_take(d, f, m->name, &v->u.array.items[i], kind);
}

/* Take {name: constraint}; "python" is the interpreter. */
static void table_take(struct depend *d, struct depend_file *f,
		       const struct json_value *table, const char *kind)
{
	if (table == NULL || table->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < table->u.object.len; i++)
		if (!text_is(table->u.object.members[i].name, "python"))
			member_take(d, f, &table->u.object.members[i], kind);
}

static void poetry_take(struct depend *d, struct depend_file *f,
			const struct json_value *poetry)
{
	const struct json_value *groups = json_find(poetry, "group");

	table_take(d, f, json_find(poetry, "dependencies"), "runtime");
	table_take(d, f, json_find(poetry, "dev-dependencies"), "dev");
	if (groups == NULL || groups->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < groups->u.object.len; i++)
		table_take(d, f,
			   json_find(&groups->u.object.members[i].value,
				     "dependencies"),
			   "dev");
}

/* Where uv takes a package from, by the name as PyPI compares it; the name is first:
 * text_place().  The address is not kept. */
struct source {
	struct json_text name;
	enum depend_origin origin;
	struct json_text url;
};

static int source_order(const void *x, const void *y)
{
	return text_order(((const struct source *)x)->name,
			  ((const struct source *)y)->name);
}

/* Read one source; false if it says no place. */
static bool place_read(const struct json_value *v, struct source *ret)
{
	const struct json_value *git = json_find(v, "git");
	const struct json_value *url = git ? git : json_find(v, "url");

	ret->url = (struct json_text){ NULL, 0 };
	if (url != NULL) {
		ret->origin = git != NULL ? DEPEND_GIT : DEPEND_URL;
		if (url->type == JSON_STRING)
			ret->url = url->u.string;
		return true;
	}
	ret->origin = DEPEND_PATH;
	return json_find(v, "path") != NULL ||
	       json_find(v, "workspace") != NULL;
}

/* Read a source, or the first of a list that says a place. */
static bool source_read(const struct json_value *v, struct source *ret)
{
	if (v->type != JSON_ARRAY)
		return place_read(v, ret);
	for (size_t i = 0; i < v->u.array.len; i++)
		if (place_read(&v->u.array.items[i], ret))
			return true;
	return false;
}

/* The folded name, in arena; bytes NULL: too long, or no memory. */
static struct json_text folded(struct arena *arena, struct json_text name)
{
	char text[DEPEND_NAME_BYTES];
	struct json_text t = { NULL, depend_name_fold(DEPEND_PYPI, name, text,
						      sizeof text) };

	if (t.len > 0)
		t.bytes = arena_copy(arena, text, t.len);
	return t;
}

/* Apply uv's table of sources to the requirements of this file, which begin at
 * item `from`.  arena is that of the table. */
static void sources_take(struct depend *d, const struct json_value *sources,
			 size_t from, struct arena *arena)
{
	struct source *items;
	char name[DEPEND_NAME_BYTES];
	size_t len = 0;

	if (sources == NULL || sources->type != JSON_OBJECT)
		return;
	items = arena_array(arena, sources->u.object.len, sizeof *items);
	for (size_t i = 0; items != NULL && i < sources->u.object.len; i++) {
		const struct json_member *m = &sources->u.object.members[i];

		/* once, because a hundred thousand requirements may ask */
		if (!source_read(&m->value, &items[len]))
			continue;
		items[len].name = folded(arena, m->name);
		len += items[len].name.bytes != NULL;
	}
	if (len > 0)
		qsort(items, len, sizeof *items, source_order);
	for (size_t i = from; len > 0 && i < d->wishes_len; i++) {
		struct depend_wish *w = &d->wishes[i];
		const struct json_text want = {
			name, depend_name_fold(DEPEND_PYPI, w->name, name,
					       sizeof name)
		};
		const size_t at = text_place(items, len, sizeof *items, want);

		if (at == len || text_order(items[at].name, want) != 0)
			continue;
		w->origin = items[at].origin;
		if (items[at].url.bytes != NULL)
			w->url = depend_keep(d, items[at].url);
	}
}

/* Files from which setuptools takes requirements: {file = "a"}, or a list. */
static void dynamic_check(struct depend *d, const struct depend_file *f,
			  const struct json_value *v)
{
	const struct json_value *file = json_find(v, "file");

	if (file == NULL)
		return;
	if (file->type == JSON_STRING)
		depend_include_check(d, f, file->u.string, file->offset);
	for (size_t i = 0; file->type == JSON_ARRAY && i < file->u.array.len;
	     i++)
		if (file->u.array.items[i].type == JSON_STRING)
			depend_include_check(d, f,
					     file->u.array.items[i].u.string,
					     file->offset);
}

/* [tool.setuptools.dynamic]: dependencies, and optional-dependencies by group. */
static void setuptools_check(struct depend *d, const struct depend_file *f,
			     const struct json_value *setuptools)
{
	const struct json_value *dynamic = json_find(setuptools, "dynamic");
	const struct json_value *groups =
		json_find(dynamic, "optional-dependencies");

	dynamic_check(d, f, json_find(dynamic, "dependencies"));
	for (size_t i = 0; groups != NULL && groups->type == JSON_OBJECT &&
			   i < groups->u.object.len;
	     i++)
		dynamic_check(d, f, &groups->u.object.members[i].value);
}

/* uv's workspace: folders that end with a '*', or plain folders. */
static void members_take(struct depend *d, struct depend_file *f,
			 const struct json_value *members)
{
	if (members == NULL || members->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < members->u.array.len; i++)
		if (members->u.array.items[i].type == JSON_STRING)
			depend_home_add(d, f,
					members->u.array.items[i].u.string);
}

/* Note which package the file describes, unless that is known. */
static void describe(struct depend *d, struct depend_file *f,
		     const struct json_value *v)
{
	if (f->name.bytes != NULL)
		return;
	f->name = depend_keep_string(d, json_find(v, "name"));
	f->version = depend_keep_string(d, json_find(v, "version"));
}

int depend_pyproject_read(struct depend *d, struct depend_file *f)
{
	const size_t from = d->wishes_len;
	const struct json_value *project, *tool, *uv;
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0) {
		project = json_find(&tree, "project");
		tool = json_find(&tree, "tool");
		uv = json_find(tool, "uv");
		describe(d, f, project);
		describe(d, f, json_find(tool, "poetry"));
		list_take(d, f, json_find(project, "dependencies"), "runtime");
		groups_take(d, f, json_find(project, "optional-dependencies"),
			    "optional");
		groups_take(d, f, json_find(&tree, "dependency-groups"), "dev");
		list_take(
			d, f,
			json_find(json_find(&tree, "build-system"), "requires"),
			"build");
		poetry_take(d, f, json_find(tool, "poetry"));
		list_take(d, f, json_find(uv, "dev-dependencies"), "dev");
		groups_take(
			d, f,
			json_find(json_find(tool, "pdm"), "dev-dependencies"),
			"dev");
		sources_take(d, json_find(uv, "sources"), from, &arena);
		setuptools_check(d, f, json_find(tool, "setuptools"));
		depend_registries_take(d, f, tool, "uv");
		depend_registries_take(d, f, json_find(tool, "poetry"),
				       "source");
		depend_registries_take(d, f, json_find(tool, "pdm"), "source");
		members_take(d, f,
			     json_find(json_find(uv, "workspace"), "members"));
	}
	arena_done(&arena);
	return e;
}

int depend_pipfile_read(struct depend *d, struct depend_file *f)
{
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0) {
		table_take(d, f, json_find(&tree, "packages"), "runtime");
		table_take(d, f, json_find(&tree, "dev-packages"), "dev");
		depend_registries_take(d, f, &tree, "source");
	}
	arena_done(&arena);
	return e;
}
