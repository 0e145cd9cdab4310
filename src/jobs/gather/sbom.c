/* sbom.c -- see sbom.h.
 *
 * A component is a package that a lockfile pins, or that a manifest declares
 * when no lockfile gives its version.  Its bom-ref is its package URL.  A
 * package that comes from a directory of the repository has no package URL and
 * is no component. */
#include "jobs/gather/sbom.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/common/gap.h"
#include "jobs/gather/model.h"
#include "jobs/gather/report_text.h"
#include "jobs/gather/sbom_head.h"

/* One item of the slice that may be a component. */
struct part {
	const char *purl, *source, *name, *version; /* version "": none */
	const struct json_value *item;
	size_t order;
};

struct parts {
	struct part *items;
	size_t len;
};

static const char *text_of(const struct json_value *v, const char *key)
{
	const struct json_value *t = json_find(v, key);

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes : "";
}

static bool is_own(const struct json_value *item)
{
	return strcmp(text_of(item, "role"), "own") == 0;
}

/* Append the project's own items of a list that have a package URL. */
static int parts_take(struct parts *p, const struct json_value *slice,
		      const char *key, const char *version)
{
	const struct json_value *list = json_find(slice, key);
	size_t len = items_len(slice, key);
	struct part *more =
		reallocarray(p->items, p->len + len + 1, sizeof *p->items);

	if (more == NULL)
		return -ENOMEM;
	p->items = more;
	for (size_t i = 0; i < len; i++) {
		const struct json_value *v = &list->u.array.items[i];
		struct part part = { .purl = text_of(v, "purl"),
				     .source = text_of(v, "source"),
				     .name = text_of(v, "name"),
				     .version = text_of(v, version),
				     .item = v,
				     .order = p->len };

		if (is_own(v) && part.purl[0] != '\0')
			p->items[p->len++] = part;
	}
	return 0;
}

static int purl_order(const void *x, const void *y)
{
	const struct part *a = x, *b = y;
	int c = strcmp(a->purl, b->purl);

	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

static int name_order(const void *x, const void *y)
{
	const struct part *a = x, *b = y;
	int c = strcmp(a->source, b->source);

	if (c == 0)
		c = strcmp(a->name, b->name);
	if (c == 0)
		c = strcmp(a->version, b->version);
	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

static void parts_sort(struct parts *p,
		       int (*order)(const void *a, const void *b))
{
	if (p->len > 0)
		qsort(p->items, p->len, sizeof *p->items, order);
}

/* Whether an earlier one has the same package URL. */
static bool is_repeat(const struct parts *p, size_t i)
{
	return i > 0 && strcmp(p->items[i - 1].purl, p->items[i].purl) == 0;
}

static int text_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "dependsOn": each once, as the schema wants it. */
static void refs_write(struct jsonw *w, const char **refs, size_t len)
{
	if (len > 0)
		qsort(refs, len, sizeof *refs, text_compare);
	jsonw_array(w, "dependsOn");
	for (size_t i = 0; i < len; i++)
		if (i == 0 || strcmp(refs[i - 1], refs[i]) != 0)
			jsonw_text(w, NULL, refs[i]);
	jsonw_end_array(w);
}

/* The group is the part before the last '/', or before Maven's ':'. */
static void name_write_parts(struct jsonw *w, const struct part *p)
{
	const char mark = strncmp(p->purl, "pkg:maven/", 10) == 0 ? ':' : '/';
	const char *at = strrchr(p->name, mark);

	if (at != NULL && at > p->name && at[1] != '\0') {
		jsonw_bytes(w, "group", p->name, (size_t)(at - p->name));
		jsonw_text(w, "name", at + 1);
	} else {
		jsonw_text(w, "name", p->name);
	}
}

static void component_write(struct jsonw *w, const struct part *p)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "type", "library");
	jsonw_text(w, "bom-ref", p->purl);
	name_write_parts(w, p);
	if (p->version[0] != '\0')
		jsonw_text(w, "version", p->version);
	jsonw_text(w, "purl", p->purl);
	jsonw_array(w, "properties");
	jsonw_object(w, NULL);
	jsonw_text(w, "name", "cupel:source");
	jsonw_text(w, "value", p->source);
	jsonw_end_object(w);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

/* The package of that name, or "name version", in the file source. */
static const struct part *part_find(const struct parts *by_name,
				    const char *source, const char *wanted)
{
	const char *blank = strchr(wanted, ' ');
	size_t len = blank != NULL ? (size_t)(blank - wanted) : strlen(wanted);
	size_t from = 0, to = by_name->len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		const struct part *p = &by_name->items[mid];
		int c = strcmp(p->source, source);

		if (c == 0)
			c = strncmp(p->name, wanted, len);
		if (c == 0)
			c = p->name[len] != '\0';
		if (c == 0 && blank != NULL)
			c = strcmp(p->version, blank + 1);
		if (c < 0)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == by_name->len ||
	    strcmp(by_name->items[from].source, source) != 0 ||
	    strncmp(by_name->items[from].name, wanted, len) != 0 ||
	    by_name->items[from].name[len] != '\0' ||
	    (blank != NULL &&
	     strcmp(by_name->items[from].version, blank + 1) != 0))
		return NULL;
	return &by_name->items[from];
}

/* The dependencies of one package, where its lockfile lists them. */
static int requires_write(struct jsonw *w, const struct part *p,
			  const struct parts *by_name)
{
	const struct json_value *list = json_find(p->item, "requires");
	size_t len = items_len(p->item, "requires"), found = 0;
	const char **refs;

	if (len == 0)
		return 0;
	refs = calloc(len, sizeof *refs);
	if (refs == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		const struct json_value *t = &list->u.array.items[i];
		const struct part *other =
			t->type == JSON_STRING ? part_find(by_name, p->source,
							   t->u.string.bytes)
					       : NULL;

		if (other != NULL && strcmp(other->purl, p->purl) != 0)
			refs[found++] = other->purl;
	}
	jsonw_object(w, NULL);
	jsonw_text(w, "ref", p->purl);
	refs_write(w, refs, found);
	jsonw_end_object(w);
	free(refs);
	return 0;
}

/* What the repository itself declares. */
static int root_write(struct jsonw *w, const struct parts *declared)
{
	const char **refs = calloc(declared->len + 1, sizeof *refs);
	size_t len = 0;

	if (refs == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < declared->len; i++) {
		const struct part *p = &declared->items[i];
		const char *kind = text_of(p->item, "kind");

		if (strcmp(kind, "indirect") != 0 &&
		    strcmp(kind, "managed") != 0)
			refs[len++] = p->purl;
	}
	jsonw_object(w, NULL);
	jsonw_text(w, "ref", SBOM_ROOT_REF);
	refs_write(w, refs, len);
	jsonw_end_object(w);
	free(refs);
	return 0;
}

/* Whether a file is known to be unread, or a list to be cut. */
static bool is_incomplete(const struct gather_run *run)
{
	for (size_t i = 0; i < run->probes_len; i++) {
		const struct gather_probe *p = &run->probes[i];
		const struct json_value *notes;

		if (strcmp(p->probe->name, "dependencies") != 0)
			continue;
		if (p->tree == NULL || items_len(p->tree, "errors") > 0)
			return true;
		notes = json_find(p->tree, "warnings");
		for (size_t k = 0; k < items_len(p->tree, "warnings"); k++)
			if (gap_of_warning(text_of(&notes->u.array.items[k],
						   "code")) > GAP_DOUBT)
				return true;
	}
	return false;
}

static int body_write(struct jsonw *w, const struct parts *all,
		      const struct parts *declared, const struct parts *by_name)
{
	int e;

	jsonw_array(w, "components");
	for (size_t i = 0; i < all->len; i++)
		if (!is_repeat(all, i))
			component_write(w, &all->items[i]);
	jsonw_end_array(w);
	jsonw_array(w, "dependencies");
	e = root_write(w, declared);
	for (size_t i = 0; e == 0 && i < all->len; i++)
		if (!is_repeat(all, i))
			e = requires_write(w, &all->items[i], by_name);
	jsonw_end_array(w);
	return e;
}

int sbom_write(const struct gather_run *run, struct buf *out,
	       struct cupel_error *err)
{
	const struct json_value *slice = slice_of(run, "dependencies");
	struct jsonw w = { .out = out, .indent = 2 };
	struct parts all = { 0 }, declared = { 0 }, by_name = { 0 };
	int e;

	if (slice == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  ENOENT,
				  "--sbom: the probe dependencies found "
				  "nothing to list; nothing was written");
	e = parts_take(&all, slice, "packages", "version");
	if (e == 0)
		e = parts_take(&all, slice, "dependencies", "resolved");
	if (e == 0)
		e = parts_take(&declared, slice, "dependencies", "resolved");
	if (e == 0)
		e = parts_take(&by_name, slice, "packages", "version");
	parts_sort(&all, purl_order);
	parts_sort(&by_name, name_order);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "bomFormat", "CycloneDX");
	jsonw_text(&w, "specVersion", "1.6");
	sbom_head_write(&w, run, slice);
	if (e == 0)
		e = body_write(&w, &all, &declared, &by_name);
	jsonw_array(&w, "compositions");
	jsonw_object(&w, NULL);
	jsonw_text(&w, "aggregate",
		   is_incomplete(run) ? "incomplete" : "unknown");
	jsonw_end_object(&w);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
	free(all.items);
	free(declared.items);
	free(by_name.items);
	if (e == 0 && buf_has_failed(out))
		e = -ENOMEM;
	return e == 0 ? 0
		      : cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				   ENOMEM, "no memory for the --sbom");
}
