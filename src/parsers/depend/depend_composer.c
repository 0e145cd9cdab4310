/* depend_composer.c -- composer.json and composer.lock.
 *
 * Source: getcomposer.org, "The composer.json schema". */
#include <string.h>

#include "parsers/depend/depend.h"

/* "php", "ext-json" and the like belong to the platform and are not
 * packages. */
static bool is_package(struct json_text name)
{
	return name.len > 0 && memchr(name.bytes, '/', name.len) != NULL;
}

int depend_composer_read(struct depend *d, struct depend_file *f)
{
	static const struct {
		const char *key, *kind;
	} sections[] = { { "require", "runtime" }, { "require-dev", "dev" } };
	struct arena arena = { 0 };
	struct json_value tree;
	int e = parse_json(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	if (e == 0) {
		f->name = depend_keep_string(d, json_find(&tree, "name"));
		f->version = depend_keep_string(d, json_find(&tree, "version"));
		depend_registries_take(d, f, &tree, "repositories");
	}
	for (size_t k = 0; e == 0 && k < sizeof sections / sizeof *sections;
	     k++) {
		const struct json_value *s = json_find(&tree, sections[k].key);

		for (size_t i = 0;
		     s != NULL && s->type == JSON_OBJECT && i < s->u.object.len;
		     i++) {
			const struct json_member *m = &s->u.object.members[i];
			struct depend_wish w = { .file = f,
						 .kind = sections[k].kind };

			if (!is_package(m->name))
				continue;
			w.name = depend_keep(d, m->name);
			w.constraint = depend_keep_string(d, &m->value);
			depend_wish_add(d, &w);
		}
	}
	arena_done(&arena);
	return e;
}

static void requires_read(struct depend *d, struct depend_pin *p,
			  const struct json_value *v)
{
	size_t len = v != NULL && v->type == JSON_OBJECT ? v->u.object.len : 0;

	if (len == 0)
		return;
	p->requires = depend_requires_new(d, &len);
	for (size_t i = 0; p->requires != NULL && i < len; i++) {
		struct json_text name = v->u.object.members[i].name;

		name = is_package(name) ? depend_keep(d, name)
					: (struct json_text){ NULL, 0 };
		if (name.bytes != NULL)
		p->requires[p->requires_len++] = name;
	}
}

static void host_take(struct depend *d, struct depend_file *f,
		      const struct json_value *url)
{
	if (url != NULL && url->type == JSON_STRING)
		depend_registry_host_add(d, f, url->u.string);
}

/* An archive has a SHA-1 or is made of a commit, which its address has as well. */
static void content_read(struct depend_pin *p, const struct json_value *v)
{
	static const struct json_text none = { NULL, 0 };
	const struct json_value *sum = json_find(v, "shasum");
	const struct json_value *url = json_find(v, "url");
	enum digest_kind kind = DIGEST_NONE;
	bool is_sum = false;

	if (v == NULL || v->type != JSON_OBJECT)
		return;
	if (sum == NULL || sum->type != JSON_STRING || sum->u.string.len == 0)
		sum = json_find(v, "reference");
	else
		is_sum = true;
	if (sum == NULL || sum->type != JSON_STRING)
		sum = NULL;
	if (sum != NULL)
		kind = is_sum ? digest_hex_read(sum->u.string)
			      : digest_commit_read(sum->u.string);
	digest_content_add(
		&p->content, kind, sum != NULL ? sum->u.string : none,
		url != NULL && url->type == JSON_STRING ? url->u.string : none);
}

/* A package from packagist has a "dist"; if the package is from a directory,
 * the type of that is "path". */
static void package_read(struct depend *d, struct depend_file *f,
			 const struct json_value *v)
{
	const struct json_value *dist = json_find(v, "dist");
	const struct json_value *source = json_find(v, "source");
	struct depend_pin p = { .file = f };

	p.name = depend_keep_string(d, json_find(v, "name"));
	p.version = depend_keep_string(d, json_find(v, "version"));
	if (json_is_text(json_find(dist, "type"), "path"))
		p.origin = DEPEND_PATH;
	content_read(&p, dist);
	content_read(&p, source);
	host_take(d, f, json_find(dist, "url"));
	host_take(d, f, json_find(source, "url"));
	depend_registries_take(d, f, dist, "mirrors");
	depend_registries_take(d, f, source, "mirrors");
	requires_read(d, &p, json_find(v, "require"));
	depend_pin_add(d, &p);
}

int depend_composer_lock_read(struct depend *d, struct depend_file *f)
{
	static const char *const lists[] = { "packages", "packages-dev" };
	struct arena arena = { 0 };
	struct json_value tree;
	int e = parse_json(f->in, &arena, DEPEND_TREE_BYTES, &tree, d->report);

	for (size_t k = 0; e == 0 && k < sizeof lists / sizeof *lists; k++) {
		const struct json_value *list = json_find(&tree, lists[k]);

		for (size_t i = 0; list != NULL && list->type == JSON_ARRAY &&
				   i < list->u.array.len;
		     i++)
			package_read(d, f, &list->u.array.items[i]);
	}
	arena_done(&arena);
	return e;
}
