/* depend_python.c -- pyproject.toml and Pipfile.
 *
 * Source: PEP 621, PEP 735, PEP 518; the documentation of poetry, uv, pdm and
 * pipenv. */
#include <errno.h>

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
		       const struct json_member *m, const char *kind)
{
	static const struct {
		const char *key;
		enum depend_origin origin;
	} places[] = {
		{ "git", DEPEND_GIT },        { "url", DEPEND_URL },
		{ "path", DEPEND_PATH },      { "file", DEPEND_PATH },
		{ "workspace", DEPEND_PATH },
	};
	const struct json_value *v = &m->value;
	struct depend_wish w = { .file = f, .kind = kind };

	if (v->type == JSON_ARRAY && v->u.array.len > 0)
		v = &v->u.array.items[0]; /* by platform: the first one */
	w.name = depend_keep(d, m->name);
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

/* Take {name: constraint}; "python" is the interpreter. */
static void table_take(struct depend *d, struct depend_file *f,
		       const struct json_value *table, const char *kind)
{
	if (table == NULL || table->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < table->u.object.len; i++)
		if (!text_is(table->u.object.members[i].name, "python"))
			entry_take(d, f, &table->u.object.members[i], kind);
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

/* Apply uv's table of sources to the requirements of this file, which begin at
 * item `from`. */
static void sources_take(struct depend *d, const struct json_value *sources,
			 size_t from)
{
	if (sources == NULL || sources->type != JSON_OBJECT)
		return;
	for (size_t i = from; i < d->wishes_len; i++) {
		struct depend_wish *w = &d->wishes[i];
		const struct json_value *s =
			json_find_bytes(sources, w->name.bytes, w->name.len);
		const struct json_value *git = json_find(s, "git");
		const struct json_value *url = json_find(s, "url");

		if (s == NULL)
			continue;
		if (git != NULL || url != NULL) {
			w->origin = git != NULL ? DEPEND_GIT : DEPEND_URL;
			w->url = depend_keep_string(d, git ? git : url);
		} else if (json_find(s, "path") != NULL ||
			   json_find(s, "workspace") != NULL) {
			w->origin = DEPEND_PATH;
		}
	}
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
		sources_take(d, json_find(uv, "sources"), from);
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
	}
	arena_done(&arena);
	return e;
}
