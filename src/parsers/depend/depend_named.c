/* depend_named.c -- what one file declares under a name and others use by it:
 * Cargo's [workspace.dependencies] and [workspace.package], and tables of
 * Gradle's, as in `libraries.guava = "group:name:1"`.
 *
 * Source: the Cargo Book, "Workspaces"; docs.gradle.org, "Extra properties". */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/depend/depend.h"

#define NAMED_MAX ((size_t)8192)
#define SAME_MAX  64U /* of one name; with more it is not known which is meant */

bool depend_is_above(struct json_text dir, struct json_text below)
{
	if (dir.len == 0)
		return true;
	return below.len >= dir.len &&
	       memcmp(dir.bytes, below.bytes, dir.len) == 0 &&
	       (below.len == dir.len || below.bytes[dir.len] == '/');
}

void depend_named_add(struct depend *d, struct json_text key,
		      const struct depend_wish *w)
{
	struct depend_named *n;

	if (key.bytes == NULL)
		return;
	if (d->named_len == NAMED_MAX ||
	    !array_grow((void **)&d->named, d->named_len, &d->named_room,
			sizeof *d->named)) {
		if (!d->has_lost_named)
			report_note(
				&d->report->warnings, "truncated", w->file->in,
				-1,
				"more than 8192 names for dependencies; the "
				"rest is not looked up");
		d->has_lost_named = true;
		return;
	}
	n = &d->named[d->named_len++];
	n->key = key;
	n->wish = *w;
}

static int named_order(const void *x, const void *y)
{
	const struct depend_named *a = x, *b = y;
	enum depend_ecosystem i = a->wish.file->format->ecosystem;
	enum depend_ecosystem j = b->wish.file->format->ecosystem;

	return i != j ? (i > j) - (i < j) : text_order(a->key, b->key);
}

static struct json_text dir_of(const struct depend_file *f)
{
	return (struct json_text){ f->in->name, input_dir_len(f->in) };
}

static bool is_same(const struct depend_wish *a, const struct depend_wish *b)
{
	return text_order(a->name, b->name) == 0 &&
	       text_order(a->constraint, b->constraint) == 0;
}

/* Cargo's is that of the nearest directory above.  Gradle's may stand in any
 * file, so they must be the same everywhere. */
static const struct depend_wish *better_of(const struct depend_file *f,
					   const struct depend_wish *best,
					   const struct depend_wish *w,
					   bool *ret_differ)
{
	const struct json_text dir = dir_of(w->file);

	if (f->format->ecosystem != DEPEND_CARGO) {
		*ret_differ |= best != NULL && !is_same(best, w);
		return w;
	}
	if (!depend_is_above(dir, dir_of(f)) ||
	    (best != NULL && dir_of(best->file).len > dir.len))
		return best;
	return w;
}

/* What the name means in the file f; NULL: it is not known.  *ret_differ: it is
 * there, but may mean several things. */
static const struct depend_wish *named_find(const struct depend *d,
					    struct depend_file *f,
					    struct json_text key,
					    bool *ret_differ)
{
	const struct depend_named want = { key, { .file = f } };
	const struct depend_wish *best = NULL;
	size_t from = 0, to = d->named_len;

	*ret_differ = false;
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (named_order(&d->named[mid], &want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	for (; to < d->named_len && named_order(&d->named[to], &want) == 0;
	     to++) {
		*ret_differ |= to - from == SAME_MAX;
		if (*ret_differ)
			return NULL;
		best = better_of(f, best, &d->named[to].wish, ret_differ);
	}
	return *ret_differ ? NULL : best;
}

/* Once for each file; the wishes of a file follow each other. */
static void differ_note(struct depend *d, const struct depend_wish *w,
			const struct depend_file **told)
{
	if (*told != w->file)
		report_note(&d->report->errors, "name_differs", w->file->in, -1,
			    "a name for a dependency is set differently in "
			    "two places, or over 64 times; the dependency is "
			    "left out");
	*told = w->file;
}

/* Returns whether w stays: what Gradle names and nobody knows is left out.  *told is
 * the last file of which differ_note() told. */
static bool wish_fill(struct depend *d, struct depend_wish *w,
		      const struct depend_file **told)
{
	const struct depend_wish *n;
	bool differ;

	if (w->from.bytes == NULL)
		return true;
	n = named_find(d, w->file, w->from, &differ);
	if (n == NULL) {
		if (w->file->format->ecosystem == DEPEND_CARGO)
			return true;
		if (differ)
			differ_note(d, w, told);
		return false;
	}
	w->name = n->name;
	w->constraint = n->constraint;
	w->constraint_from = n->constraint_from;
	w->origin = n->origin;
	w->url = n->url;
	return true;
}

static void constraint_fill(const struct depend *d, struct depend_wish *w)
{
	bool differ;
	const struct depend_wish *n =
		w->constraint_from.bytes != NULL
			? named_find(d, w->file, w->constraint_from, &differ)
			: NULL;

	if (n != NULL)
		w->constraint = n->constraint;
}

void depend_named_fill(struct depend *d)
{
	const struct depend_file *told = NULL;
	bool differ;
	size_t n = 0;

	if (d->named_len > 0)
		qsort(d->named, d->named_len, sizeof *d->named, named_order);
	for (size_t i = 0; i < d->wishes_len; i++)
		if (wish_fill(d, &d->wishes[i], &told)) {
			constraint_fill(d, &d->wishes[i]);
			d->wishes[n++] = d->wishes[i];
		} else {
			d->wishes[i].file->dependencies--;
		}
	d->wishes_len = n;
	for (size_t i = 0; i < d->files_len; i++) {
		struct depend_file *f = &d->files[i];
		const struct depend_wish *w =
			f->has_shared_version
				? named_find(d, f, TEXT(""), &differ)
				: NULL;

		if (w != NULL)
			f->version = w->constraint;
	}
}
