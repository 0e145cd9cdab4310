/* depend_named.c -- what a workspace of Cargo's declares under a name and its members
 * use by it: [workspace.dependencies] and [workspace.package].
 *
 * Source: the Cargo Book, "Workspaces". */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/depend/depend.h"

#define NAMED_MAX ((size_t)8192)
#define SAME_MAX                                                               \
	64U /* workspaces with one name; of more it is not looked for */

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

	return text_order(a->key, b->key);
}

static struct json_text dir_of(const struct depend_file *f)
{
	return (struct json_text){ f->in->name, input_dir_len(f->in) };
}

/* What the name means in the file f: that of the nearest workspace above; NULL: it
 * is not known. */
static const struct depend_wish *named_find(const struct depend *d,
					    const struct depend_file *f,
					    struct json_text key)
{
	const struct depend_named want = { .key = key };
	const struct depend_wish *best = NULL;
	size_t from = 0, to = d->named_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (named_order(&d->named[mid], &want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	for (; to < d->named_len && named_order(&d->named[to], &want) == 0;
	     to++) {
		const struct depend_wish *w = &d->named[to].wish;
		const struct json_text dir = dir_of(w->file);

		if (to - from == SAME_MAX)
			return NULL;
		if (depend_is_above(dir, dir_of(f)) &&
		    (best == NULL || dir_of(best->file).len <= dir.len))
			best = w;
	}
	return best;
}

static void wish_fill(const struct depend *d, struct depend_wish *w)
{
	const struct depend_wish *n =
		w->from.bytes != NULL ? named_find(d, w->file, w->from) : NULL;

	if (n == NULL)
		return;
	w->name = n->name;
	w->constraint = n->constraint;
	w->origin = n->origin;
	w->url = n->url;
}

void depend_named_fill(struct depend *d)
{
	if (d->named_len > 0)
		qsort(d->named, d->named_len, sizeof *d->named, named_order);
	for (size_t i = 0; i < d->wishes_len; i++)
		wish_fill(d, &d->wishes[i]);
	for (size_t i = 0; i < d->files_len; i++) {
		struct depend_file *f = &d->files[i];
		const struct depend_wish *w =
			f->has_shared_version ? named_find(d, f, TEXT(""))
					      : NULL;

		if (w != NULL)
			f->version = w->constraint;
	}
}
