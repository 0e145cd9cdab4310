/* depend_resolve.c -- finds the version that a lockfile has for a
 * declaration. */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

#define NAME_BYTES 512U /* no package has a longer name */

/* A pin, by the name as its registry compares it. */
struct entry {
	const struct depend_file *file;
	struct json_text name;
	const struct depend_pin *pin;
};

struct entries {
	struct entry *items;
	size_t len;
};

static char letter_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* In PyPI the case of letters does not matter, and runs of "-", "_" and "." are
 * one "-" (PEP 503).  In cargo "_" is "-".  In composer the case of letters
 * does not matter.  The others ignore no differences.  Returns the length, 0 if
 * it is over cap. */
static size_t name_fold(enum depend_ecosystem e, struct json_text name,
			char *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.bytes[i];

		if (e == DEPEND_PYPI && memchr("-_.", c, 3) != NULL)
			c = '-';
		else if (e == DEPEND_CARGO && c == '_')
			c = '-';
		else if (e == DEPEND_PYPI || e == DEPEND_COMPOSER)
			c = letter_fold(c);
		if (e == DEPEND_PYPI && c == '-' && n > 0 && out[n - 1] == '-')
			continue;
		if (n == cap)
			return 0;
		out[n++] = c;
	}
	return n;
}

static int entry_order(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = (a->file > b->file) - (a->file < b->file);

	if (c == 0)
		c = text_order(a->name, b->name);
	if (c == 0 && a->pin != NULL && b->pin != NULL)
		c = (a->pin->order > b->pin->order) -
		    (a->pin->order < b->pin->order);
	return c;
}

static bool entries_build(struct depend *d, struct entries *ret)
{
	char name[NAME_BYTES];

	ret->items = calloc(d->pins_len + 1, sizeof *ret->items);
	if (ret->items == NULL)
		return false;
	for (size_t i = 0; i < d->pins_len; i++) {
		const struct depend_pin *p = &d->pins[i];
		struct json_text folded = { name, 0 };

		folded.len = name_fold(p->file->format->ecosystem, p->name,
				       name, sizeof name);
		folded = folded.len > 0 ? depend_keep(d, folded) : p->name;
		if (folded.bytes != NULL)
			ret->items[ret->len++] =
				(struct entry){ p->file, folded, p };
	}
	if (ret->len > 0)
		qsort(ret->items, ret->len, sizeof *ret->items, entry_order);
	return true;
}

/* The index of the first entry with that file and name, or where it would
 * be. */
static size_t lower_bound(const struct entries *e, const struct entry *want)
{
	size_t from = 0, to = e->len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		const struct entry key = { e->items[mid].file,
					   e->items[mid].name, NULL };

		if (entry_order(&key, want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* The only version.  If there are several, the one that the lockfile gives for
 * the project, or the one that the constraint names. */
static struct json_text version_choose(const struct entries *e, size_t at,
				       const struct entry *want,
				       struct json_text constraint)
{
	struct json_text found = { NULL, 0 };
	bool is_one = true;

	for (; at < e->len && e->items[at].file == want->file &&
	       text_order(e->items[at].name, want->name) == 0;
	     at++) {
		const struct depend_pin *p = e->items[at].pin;

		if (p->is_first || (constraint.bytes != NULL &&
				    text_order(p->version, constraint) == 0))
			return p->version;
		if (found.bytes != NULL && text_order(found, p->version) != 0)
			is_one = false;
		found = p->version;
	}
	return is_one ? found : (struct json_text){ NULL, 0 };
}

/* Whether the file in dir applies to what lies in below. */
static bool is_above(struct json_text dir, struct json_text below)
{
	if (dir.len == 0)
		return true;
	return below.len >= dir.len &&
	       memcmp(dir.bytes, below.bytes, dir.len) == 0 &&
	       (below.len == dir.len || below.bytes[dir.len] == '/');
}

/* The lockfile in the directory of f or the nearest one above it. */
static const struct depend_file *lock_find(const struct depend *d,
					   const struct depend_file *f)
{
	const struct json_text here = { f->in->name, input_dir_len(f->in) };
	const struct depend_file *found = NULL;
	size_t found_len = 0;

	for (size_t i = 0; i < d->files_len; i++) {
		const struct depend_file *l = &d->files[i];
		const struct json_text dir = { l->in->name,
					       input_dir_len(l->in) };

		if (!l->format->is_lock || l->packages == 0 ||
		    l->format->ecosystem != f->format->ecosystem ||
		    (found != NULL && dir.len <= found_len) ||
		    !is_above(dir, here))
			continue;
		found = l;
		found_len = dir.len;
	}
	return found;
}

/* Replace what a package requires by the name that its lockfile has for it;
 * "name version" stays. */
static void requires_name(struct depend *d, const struct entries *e)
{
	char name[NAME_BYTES];

	for (size_t i = 0; i < d->pins_len; i++) {
		const struct depend_pin *p = &d->pins[i];

		for (size_t k = 0; k < p->requires_len; k++) {
			struct json_text *t = &p->requires[k];
			struct entry want = { p->file, { name, 0 }, NULL };
			size_t at;

			want.name.len = name_fold(p->file->format->ecosystem,
						  *t, name, sizeof name);
			at = lower_bound(e, &want);
			if (want.name.len > 0 && at < e->len &&
			    e->items[at].file == p->file &&
			    text_order(e->items[at].name, want.name) == 0)
				*t = e->items[at].pin->name;
		}
	}
}

static void wishes_resolve(struct depend *d, const struct entries *e)
{
	const struct depend_file *file = NULL, *lock = NULL;
	char name[NAME_BYTES];

	for (size_t i = 0; i < d->wishes_len; i++) {
		struct depend_wish *w = &d->wishes[i];
		struct entry want = { .name = { name, 0 } };

		if (w->file != file) {
			file = w->file;
			lock = file->format->is_lock ? file
						     : lock_find(d, file);
		}
		if (lock == NULL || w->resolved.bytes != NULL)
			continue;
		want.file = lock;
		want.name.len = name_fold(file->format->ecosystem, w->name,
					  name, sizeof name);
		if (want.name.len > 0)
			w->resolved = version_choose(e, lower_bound(e, &want),
						     &want, w->constraint);
	}
}

void depend_resolve(struct depend *d)
{
	struct entries e = { 0 };

	if (!entries_build(d, &e)) {
		report_note(&d->report->errors, "memory", NULL, -1,
			    "no memory to find what is resolved");
		return;
	}
	wishes_resolve(d, &e);
	requires_name(d, &e);
	free(e.items);
}
