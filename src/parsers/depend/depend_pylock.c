/* depend_pylock.c -- uv.lock, poetry.lock, pdm.lock and Pipfile.lock.
 *
 * Source: the documentation of uv, poetry, PDM and pipenv. */
#include <errno.h>

#include "parsers/depend/depend.h"
#include "parsers/toml/toml.h"

static bool is_object(const struct json_value *v)
{
	return v != NULL && v->type == JSON_OBJECT;
}

static bool is_array(const struct json_value *v)
{
	return v != NULL && v->type == JSON_ARRAY;
}

static void requires_put(struct depend *d, struct depend_pin *p,
			 struct json_text name)
{
	struct json_text kept = depend_keep(d, name);

	if (kept.bytes != NULL)
	p->requires[p->requires_len++] = kept;
}

/* poetry: a table of names; uv: a list of tables with "name". */
static void requires_read(struct depend *d, struct depend_pin *p,
			  const struct json_value *v)
{
	size_t len;

	if (is_object(v) && v->u.object.len > 0) {
		len = v->u.object.len;
		p->requires = depend_requires_new(d, &len);
		for (size_t i = 0; p->requires != NULL && i < len; i++)
			requires_put(d, p, v->u.object.members[i].name);
	} else if (is_array(v) && v->u.array.len > 0) {
		len = v->u.array.len;
		p->requires = depend_requires_new(d, &len);
		for (size_t i = 0; p->requires != NULL && i < len; i++) {
			const struct json_value *name =
				json_find(&v->u.array.items[i], "name");

			if (name != NULL && name->type == JSON_STRING)
				requires_put(d, p, name->u.string);
		}
	}
}

/* uv: source = {registry|git|url|path|directory|editable|virtual = X};
 * poetry: source.type and source.url. */
static void source_read(struct depend *d, struct depend_pin *p,
			const struct json_value *source)
{
	static const struct {
		const char *word; /* uv's key, poetry's type */
		enum depend_origin origin;
	} words[] = {
		{ "git", DEPEND_GIT },       { "url", DEPEND_URL },
		{ "path", DEPEND_PATH },     { "directory", DEPEND_PATH },
		{ "editable", DEPEND_PATH }, { "virtual", DEPEND_PATH },
		{ "file", DEPEND_PATH },
	};
	const struct json_value *type = json_find(source, "type");

	if (!is_object(source))
		return;
	depend_registries_take(d, p->file, source, "registry");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct json_value *at =
			type != NULL ? json_find(source, "url")
				     : json_find(source, words[i].word);

		if (type != NULL ? !json_is_text(type, words[i].word)
				 : at == NULL)
			continue;
		p->origin = words[i].origin;
		if (p->origin != DEPEND_PATH)
			p->url = depend_keep_string(d, at);
		return;
	}
	if (type != NULL) /* of poetry: another index */
		depend_registries_take(d, p->file, source, "url");
}

static struct json_text string_of(const struct json_value *v, const char *key)
{
	const struct json_value *t = json_find(v, key);

	return t != NULL && t->type == JSON_STRING
		       ? t->u.string
		       : (struct json_text){ NULL, 0 };
}

/* {url, hash} of uv, {file, hash} of poetry and PDM. */
static void archive_read(struct depend *d, struct depend_pin *p,
			 const struct json_value *v)
{
	const struct json_text hash = string_of(v, "hash");
	struct json_text place = string_of(v, "url");

	if (place.bytes == NULL)
		place = string_of(v, "file");
	if (place.bytes == NULL)
		place = string_of(v, "path");
	digest_content_add(&p->content, digest_named_read(hash), hash, place);
	depend_archive_check(d, p, place);
}

static void archives_read(struct depend *d, struct depend_pin *p,
			  const struct json_value *list)
{
	for (size_t i = 0; is_array(list) && i < list->u.array.len; i++)
		archive_read(d, p, &list->u.array.items[i]);
}

/* All that an installer may choose from: the weakest counts.  files: [metadata.files]
 * of an older poetry. */
static void content_read(struct depend *d, struct depend_pin *p,
			 const struct json_value *v,
			 const struct json_value *files)
{
	static const struct json_text none = { NULL, 0 };
	const struct json_value *source = json_find(v, "source");
	const struct json_text commit = string_of(source, "resolved_reference");

	if (is_object(json_find(v, "sdist")))
		archive_read(d, p, json_find(v, "sdist"));
	archives_read(d, p, json_find(v, "wheels"));
	archives_read(d, p, json_find(v, "files"));
	if (is_object(files))
		archives_read(
			d, p,
			json_find_bytes(files,
					p->name.len > 0 ? p->name.bytes : "",
					p->name.len));
	if (p->origin == DEPEND_GIT)
		digest_content_add(&p->content,
				   commit.bytes != NULL
					   ? digest_commit_read(commit)
					   : digest_commit_read(p->url),
				   commit, p->url);
	if (!p->content.is_known)
		digest_content_add(&p->content, DIGEST_NONE, none, p->url);
}

/* Read [[package]] of uv, of poetry and of PDM. */
static int packages_read(struct depend *d, struct depend_file *f)
{
	const struct json_value *list, *files;
	struct arena arena = { 0 };
	struct json_value tree;
	int e = toml_read(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	list = e == 0 ? json_find(&tree, "package") : NULL;
	files = e == 0 ? json_find(json_find(&tree, "metadata"), "files")
		       : NULL;
	for (size_t i = 0; is_array(list) && i < list->u.array.len; i++) {
		const struct json_value *v = &list->u.array.items[i];
		struct depend_pin p = { .file = f };

		p.name = depend_keep_string(d, json_find(v, "name"));
		p.version = depend_keep_string(d, json_find(v, "version"));
		source_read(d, &p, json_find(v, "source"));
		content_read(d, &p, v, files);
		requires_read(d, &p, json_find(v, "dependencies"));
		depend_pin_add(d, &p);
	}
	arena_done(&arena);
	return e;
}

int depend_uv_lock_read(struct depend *d, struct depend_file *f)
{
	return packages_read(d, f);
}

int depend_poetry_lock_read(struct depend *d, struct depend_file *f)
{
	return packages_read(d, f);
}

static void hashes_read(struct depend_pin *p, const struct json_value *list)
{
	static const struct json_text none = { NULL, 0 };

	for (size_t i = 0; is_array(list) && i < list->u.array.len; i++) {
		const struct json_value *v = &list->u.array.items[i];
		const struct json_text hash =
			v->type == JSON_STRING ? v->u.string : none;

		digest_content_add(&p->content, digest_named_read(hash), hash,
				   none);
	}
	if (!p->content.is_known)
		digest_content_add(&p->content,
				   p->origin == DEPEND_GIT
					   ? digest_commit_read(p->version)
					   : DIGEST_NONE,
				   p->version, p->url);
}

/* Read {"default": {name: {version: "==1.0"}}, "develop": ...}. */
int depend_pipfile_lock_read(struct depend *d, struct depend_file *f)
{
	static const char *const sections[] = { "default", "develop" };
	struct arena arena = { 0 };
	struct json_value tree;
	int e = parse_json(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0)
		depend_registries_take(d, f, json_find(&tree, "_meta"),
				       "sources");
	for (size_t k = 0; e == 0 && k < sizeof sections / sizeof *sections;
	     k++) {
		const struct json_value *s = json_find(&tree, sections[k]);

		for (size_t i = 0; is_object(s) && i < s->u.object.len; i++) {
			const struct json_member *m = &s->u.object.members[i];
			const struct json_value *git =
				json_find(&m->value, "git");
			struct depend_pin p = { .file = f };

			p.name = depend_keep(d, m->name);
			p.version = depend_keep_string(
				d,
				json_find(&m->value, git ? "ref" : "version"));
			if (text_begins(p.version, "=="))
				p.version = text_from(p.version, 2);
			if (git != NULL) {
				p.origin = DEPEND_GIT;
				p.url = depend_keep_string(d, git);
			} else if (json_find(&m->value, "path") != NULL) {
				p.origin = DEPEND_PATH;
			}
			hashes_read(&p, json_find(&m->value, "hashes"));
			depend_pin_add(d, &p);
		}
	}
	arena_done(&arena);
	return e;
}
