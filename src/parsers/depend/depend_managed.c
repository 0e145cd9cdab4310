/* depend_managed.c -- versions and scopes that a pom.xml takes from the
 * <dependencyManagement> of its own or of its parents in the repository.
 *
 * Source: maven.apache.org, "POM Reference", "Inheritance"; "Introduction to the
 * Dependency Mechanism", "Dependency Management". */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_pom.h"

#define PARENTS_MAX 16U /* of one file, each the parent of the one before */
#define SAME_MAX    64U /* of one name; with more it is not known which is meant */

static bool is_pom(const struct depend_file *f)
{
	return f->format->read == depend_pom_read;
}

/* Files are in the order of the inputs. */
static int file_order(const void *key, const void *item)
{
	const struct parse_input *in = key;
	const struct depend_file *f = item;

	return (in > f->in) - (in < f->in);
}

/* The path of f's parent; false if it has none in the repository. */
static bool parent_path_write(const struct depend_file *f, struct buf *out)
{
	const struct json_text dir = { f->in->name, input_dir_len(f->in) };
	owned_buf struct buf path = { .cap_bytes = POM_TEXT_BYTES };

	if (f->parent.bytes == NULL)
		return false;
	if (f->parent_path.bytes == NULL)
		buf_text(&path, "..");
	buf_add(&path, f->parent_path.bytes, f->parent_path.len);
	if (!text_ends((struct json_text){ path.bytes, path.len }, ".xml"))
		buf_text(&path, "/pom.xml");
	return !buf_has_failed(&path) &&
	       depend_path_write(
		       dir, (struct json_text){ path.bytes, path.len }, out);
}

/* Maven takes the file at that place only if it is the parent that is named. */
static void parent_find(struct depend *d, struct depend_file *f)
{
	owned_buf struct buf path = { .cap_bytes = 2 * POM_TEXT_BYTES };
	const struct parse_input *in;
	struct depend_file *above;
	const char *slash;
	size_t dir;

	if (!parent_path_write(f, &path))
		return;
	slash = memrchr(path.bytes, '/', path.len);
	dir = slash != NULL ? (size_t)(slash - path.bytes) : 0;
	buf_char(&path, '\0');
	if (buf_has_failed(&path))
		return;
	in = input_find(d->inputs, path.bytes, dir,
			slash != NULL ? slash + 1 : path.bytes);
	above = in != NULL ? bsearch(in, d->files, d->files_len,
				     sizeof *d->files, file_order)
			   : NULL;
	if (above != NULL && text_order(above->name, f->parent) == 0)
		f->above = above;
}

/* How many parents away `at` is from f; UINT_MAX: it is none of its parents. */
static unsigned level_of(const struct depend_file *f,
			 const struct depend_file *at)
{
	unsigned level = 0;

	while (f != NULL && f != at && level < PARENTS_MAX) {
		f = f->above;
		level++;
	}
	return f == at ? level : UINT_MAX;
}

/* What is managed; the name is first: text_place(). */
struct managed_item {
	struct json_text name;
	const struct depend_wish *wish;
};

struct managed {
	struct managed_item *items;
	size_t len;
};

/* By name; what comes first in the files comes first. */
static int item_order(const void *x, const void *y)
{
	const struct managed_item *a = x, *b = y;
	int c = text_order(a->name, b->name);

	return c != 0 ? c
		      : (a->wish->order > b->wish->order) -
				(a->wish->order < b->wish->order);
}

/* What the nearest file says of w; NULL if none does, or if it says two things. */
static const struct depend_wish *managed_find(const struct managed *m,
					      const struct depend_wish *w)
{
	const struct depend_wish *best = NULL;
	const size_t first =
		text_place(m->items, m->len, sizeof *m->items, w->name);
	unsigned nearest = UINT_MAX;
	bool differ = false;

	for (size_t i = first;
	     i < m->len && text_order(m->items[i].name, w->name) == 0; i++) {
		const struct depend_wish *one = m->items[i].wish;
		const unsigned level = level_of(w->file, one->file);

		if (i - first == SAME_MAX)
			return NULL;
		if (level == UINT_MAX || level > nearest)
			continue;
		differ = level == nearest &&
			 (differ ||
			  text_order(one->constraint, best->constraint) != 0 ||
			  strcmp(one->managed_kind, best->managed_kind) != 0);
		best = one;
		nearest = level;
	}
	return differ ? NULL : best;
}

static void wish_fill(const struct managed *m, struct depend_wish *w)
{
	const struct depend_wish *one = managed_find(m, w);

	if (one == NULL)
		return;
	if (w->constraint.bytes == NULL)
		w->constraint = one->constraint;
	if (!w->has_kind)
		w->kind = one->managed_kind;
}

void depend_managed_fill(struct depend *d)
{
	struct managed m = { 0 };

	for (size_t i = 0; i < d->files_len; i++)
		if (is_pom(&d->files[i]))
			parent_find(d, &d->files[i]);
	for (size_t i = 0; i < d->wishes_len; i++)
		m.len += d->wishes[i].managed_kind != NULL;
	m.items = m.len > 0 ? calloc(m.len, sizeof(*m.items)) : NULL;
	if (m.items == NULL)
		return;
	m.len = 0;
	for (size_t i = 0; i < d->wishes_len; i++)
		if (d->wishes[i].managed_kind != NULL)
			m.items[m.len++] =
				(struct managed_item){ d->wishes[i].name,
						       &d->wishes[i] };
	qsort(m.items, m.len, sizeof(*m.items), item_order);
	for (size_t i = 0; i < d->wishes_len; i++) {
		struct depend_wish *w = &d->wishes[i];

		if (is_pom(w->file) && w->managed_kind == NULL &&
		    (w->constraint.bytes == NULL || !w->has_kind))
			wish_fill(&m, w);
	}
	free(m.items);
}
