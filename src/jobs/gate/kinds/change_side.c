/* change_side.c -- see change_side.h. */
#include "jobs/gate/kinds/change_side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/common/gap.h"

#define FACTS_MAX 500000U /* the probe dependencies has 400,000 at most */

/* The state of reading one side. */
struct reading {
	struct arena *arena;
	struct side *side;
	bool no_memory;
};

static void fact_add(struct reading *r, struct facts *f, struct fact one)
{
	struct fact *items;
	size_t room = f->room * 2 + 16;

	if (one.key == NULL || f->len == FACTS_MAX) {
		r->no_memory = true;
		return;
	}
	if (f->len == f->room) {
		items = arena_array(r->arena, room, sizeof *items);
		if (items == NULL) {
			r->no_memory = true;
			return;
		}
		if (f->len > 0)
			memcpy(items, f->items, f->len * sizeof *items);
		f->items = items;
		f->room = room;
	}
	f->items[f->len++] = one;
}

static int order(const void *a, const void *b)
{
	return strcmp(((const struct fact *)a)->key,
		      ((const struct fact *)b)->key);
}

static int order_whole(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int r = order(a, b);

	if (r != 0 || x->text == NULL || y->text == NULL)
		return r;
	r = strcmp(x->text, y->text);
	return r != 0 || x->content == NULL || y->content == NULL
		       ? r
		       : strcmp(x->content, y->content);
}

static void facts_sort(struct facts *f)
{
	if (f->len > 0)
		qsort(f->items, f->len, sizeof *f->items, order_whole);
}

const struct fact *facts_find(const struct facts *f, const char *key)
{
	const struct fact wanted = { .key = key };

	return f->len > 0 ? bsearch(&wanted, f->items, f->len, sizeof *f->items,
				    order)
			  : NULL;
}

/* --- values that may be missing ----------------------------------------------------- */

static const struct json_value *array_find(const struct json_value *v,
					   const char *name)
{
	static const struct json_value none = { .type = JSON_ARRAY };
	const struct json_value *list = v != NULL ? json_find(v, name) : NULL;

	return list != NULL && list->type == JSON_ARRAY ? list : &none;
}

static const char *text_find(const struct json_value *v, const char *name)
{
	const struct json_value *t = v != NULL ? json_find(v, name) : NULL;

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes : "";
}

static uint64_t number_find(const struct json_value *v, const char *name)
{
	const struct json_value *n = v != NULL ? json_find(v, name) : NULL;
	uint64_t value = 0;

	return n != NULL && json_read_u64(n, &value) == 0 ? value : 0;
}

/* --- lockfiles and manifests -------------------------------------------------------- */

static void lockfile_read(struct reading *r, const struct json_value *v)
{
	const char *source = text_find(v, "source");
	const struct json_value *origins = array_find(v, "origins");
	const struct json_value *scripts = array_find(v, "install_scripts");

	for (size_t i = 0; i < origins->u.array.len; i++)
		fact_add(
			r, &r->side->origins,
			(struct fact){
				.key = origins->u.array.items[i].u.string.bytes,
				.source = source });
	if (number_find(v, "origins_omitted") > 0)
		fact_add(r, &r->side->gaps,
			 (struct fact){ .key = "more origins than are listed",
					.source = source,
					.count = 1 });
	for (size_t i = 0; i < scripts->u.array.len; i++)
		fact_add(
			r, &r->side->scripts,
			(struct fact){
				.key = scripts->u.array.items[i].u.string.bytes,
				.source = source });
	if (number_find(v, "install_scripts_omitted") > 0)
		fact_add(r, &r->side->gaps,
			 (struct fact){
				 .key = "more install scripts than are listed",
				 .source = source,
				 .count = 1 });
}

static void script_read(struct reading *r, const struct json_value *v,
			const char *source)
{
	const char *name = text_find(v, "name");
	const char *command = text_find(v, "command");
	const char *key =
		arena_format(r->arena, "%s: %s: %s", source, name, command);
	bool is_test = strcmp(name, "test") == 0;
	bool is_hook = strstr(name, "install") != NULL ||
		       strstr(name, "prepare") != NULL ||
		       strcmp(name, "prepublish") == 0 ||
		       strcmp(name, "dependencies") == 0;

	if (strcmp(name, "build") == 0)
		fact_add(r, &r->side->builds,
			 (struct fact){ .key = source,
					.source = source,
					.text = command });

	if (is_hook || is_test)
		fact_add(r, is_test ? &r->side->tests : &r->side->scripts,
			 (struct fact){ .key = key,
					.source = source,
					.text = command });
}

static void manifest_read(struct reading *r, const struct json_value *slice)
{
	const struct json_value *packages = array_find(slice, "packages");
	const struct json_value *lockfiles = array_find(slice, "lockfiles");

	for (size_t i = 0; i < packages->u.array.len; i++) {
		const struct json_value *p = &packages->u.array.items[i];
		const struct json_value *scripts = array_find(p, "scripts");

		for (size_t j = 0; j < scripts->u.array.len; j++)
			script_read(r, &scripts->u.array.items[j],
				    text_find(p, "source"));
	}
	for (size_t i = 0; i < lockfiles->u.array.len; i++)
		lockfile_read(r, &lockfiles->u.array.items[i]);
}

/* --- packages of every language ------------------------------------------------------ */

/* A package that is not from a registry is from a URL or a directory. */
static const char *place_write(struct reading *r, const struct json_value *v)
{
	const char *version = text_find(v, "version");
	const char *origin = text_find(v, "origin");
	const char *url = text_find(v, "url");

	if (strcmp(origin, "registry") == 0)
		return version[0] != '\0' ? version : "?";
	return arena_format(r->arena, "%s from %s",
			    version[0] != '\0' ? version : "?",
			    url[0] != '\0' ? url : "a directory");
}

/* The project's own origins, or those of tests, examples and vendored code. */
static struct facts *origins_of(struct reading *r, const struct json_value *v)
{
	return strcmp(text_find(v, "role"), "own") == 0 ? &r->side->origins
							: &r->side->foreign;
}

static void origin_read(struct reading *r, const struct json_value *v)
{
	const char *url = text_find(v, "url");

	if (url[0] != '\0')
		fact_add(r, origins_of(r, v),
			 (struct fact){ .key = url,
					.source = text_find(v, "source") });
}

static void package_read(struct reading *r, const struct json_value *v)
{
	const char *ecosystem = text_find(v, "ecosystem");
	const char *source = text_find(v, "source");
	const char *name = text_find(v, "name");
	struct fact one = {
		.key = arena_format(r->arena, "%s %zu %s %s", ecosystem,
				    strlen(source), source, name),
		.source = source,
		.text = place_write(r, v),
		.name = name,
		.ecosystem = ecosystem,
		.content = text_find(v, "content"),
	};

	if (one.text == NULL)
		r->no_memory = true;
	else
		fact_add(r, &r->side->packages, one);
	/* node_manifest has the registries of npm's lockfiles */
	if (strcmp(ecosystem, "npm") != 0)
		origin_read(r, v);
}

/* A registry, a mirror or a replacement that a file names.  One that could not be
 * told is a gap. */
static void registry_read(struct reading *r, const struct json_value *v)
{
	const char *text = text_find(v, "text");
	const char *source = text_find(v, "source");

	if (text[0] != '\0')
		fact_add(r, origins_of(r, v),
			 (struct fact){ .key = text, .source = source });
	else
		fact_add(r, &r->side->gaps,
			 (struct fact){ .key = "a registry in a line with a "
					       "password, which is not shown",
					.source = source,
					.count = 1 });
}

/* A program may name any registry, and is not read: its bytes are compared. */
static void program_read(struct reading *r, const struct json_value *v)
{
	const char *source = text_find(v, "source");
	const char *hash = text_find(r->side->files, source);

	fact_add(r, origins_of(r, v),
		 (struct fact){
			 .key = arena_format(
				 r->arena,
				 "%s, a program, which is not read: %s", source,
				 hash[0] != '\0' ? hash : "without a hash"),
			 .source = source });
}

static void programs_read(struct reading *r, const struct json_value *files)
{
	for (size_t i = 0; i < files->u.array.len; i++) {
		const struct json_value *v = &files->u.array.items[i];

		if (json_find(v, "program") != NULL)
			program_read(r, v);
	}
}

static void dependencies_read(struct reading *r, const struct json_value *slice)
{
	const struct json_value *wishes = array_find(slice, "dependencies");
	const struct json_value *packages = array_find(slice, "packages");
	const struct json_value *registries = array_find(slice, "registries");

	programs_read(r, array_find(slice, "files"));
	for (size_t i = 0; i < wishes->u.array.len; i++)
		origin_read(r, &wishes->u.array.items[i]);
	for (size_t i = 0; i < packages->u.array.len; i++)
		package_read(r, &packages->u.array.items[i]);
	for (size_t i = 0; i < registries->u.array.len; i++)
		registry_read(r, &registries->u.array.items[i]);
}

/* --- all probes ------------------------------------------------------------------------ */

static void sources_read(struct reading *r, const struct json_value *v,
			 const char *member)
{
	const struct json_value *list = array_find(v, member);

	for (size_t i = 0; i < list->u.array.len; i++) {
		const char *source =
			text_find(&list->u.array.items[i], "source");

		if (source[0] != '\0')
			fact_add(r, &r->side->ci,
				 (struct fact){ .key = source });
	}
}

/* What a probe could not read, or had no room for.  The files of continuous
 * integration are compared whole, so a doubt about what they mean is none. */
static void gaps_read(struct reading *r, const char *probe, bool is_ci,
		      const struct json_value *output)
{
	static const char *const members[] = { "errors", "warnings" };

	for (size_t m = 0; m < 2; m++) {
		const struct json_value *list = array_find(output, members[m]);

		for (size_t i = 0; i < list->u.array.len; i++) {
			const struct json_value *note = &list->u.array.items[i];
			const char *source = text_find(note, "source");
			const char *code = text_find(note, "code");
			enum gap gap =
				m == 0 ? GAP_UNREAD : gap_of_warning(code);

			const char *more = gap == GAP_DOUBT
						   ? text_find(note, "message")
						   : "";

			if (gap == GAP_NONE || (is_ci && gap == GAP_DOUBT))
				continue;
			/* one file may give rise to several doubts */
			fact_add(r, &r->side->gaps,
				 (struct fact){
					 .key = arena_format(
						 r->arena, "%s: %s: %s%s%s",
						 probe, code, source,
						 more[0] ? ": " : "", more),
					 .source = source,
					 .count = gap == GAP_CUT });
		}
	}
}

static void probes_read(struct reading *r, const struct json_value *probes)
{
	for (size_t i = 0; i < probes->u.object.len; i++) {
		const char *name = probes->u.object.members[i].name.bytes;
		const struct json_value *output =
			&probes->u.object.members[i].value;
		const struct json_value *slice = json_find(output, "slice");
		bool is_ci = strcmp(name, "ci") == 0;
		bool is_node = strcmp(name, "node_manifest") == 0;
		bool is_depend = strcmp(name, "dependencies") == 0;

		if (!is_ci && !is_node && !is_depend)
			continue;
		gaps_read(r, name, is_ci, output);
		if (is_depend) {
			dependencies_read(r, slice);
			continue;
		}
		if (is_node) {
			manifest_read(r, slice);
			continue;
		}
		sources_read(r, slice, "providers");
		sources_read(r, slice, "workflows");
		sources_read(r, output, "errors");
		sources_read(r, output, "warnings");
	}
}

int side_read(const struct json_value *context, struct arena *arena,
	      struct side *ret)
{
	static const struct json_value none = { .type = JSON_OBJECT };
	struct reading r = { .arena = arena, .side = ret };
	const struct json_value *probes = json_find(context, "probes");

	ret->files = json_find(context, "files");
	if (ret->files == NULL || ret->files->type != JSON_OBJECT)
		ret->files = &none;
	if (probes != NULL && probes->type == JSON_OBJECT)
		probes_read(&r, probes);
	facts_sort(&ret->ci);
	facts_sort(&ret->scripts);
	facts_sort(&ret->origins);
	facts_sort(&ret->foreign);
	facts_sort(&ret->tests);
	facts_sort(&ret->builds);
	facts_sort(&ret->packages);
	facts_sort(&ret->gaps);
	return r.no_memory ? -ENOMEM : 0;
}
