/* depend_resolve.c -- finds the version that a lockfile has for a
 * declaration. */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

/* A pin, by the name as its registry compares it. */
struct entry {
	const struct depend_file *file;
	struct json_text name;
	const struct depend_pin *pin;
	/* Of the first of those with the same file and name: the one that the
	 * lockfile gives for the project, or NULL; and whether there is only one
	 * version. */
	const struct depend_pin *top;
	bool is_one;
};

struct entries {
	struct entry *items;
	size_t len;
};

static char letter_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

size_t depend_name_fold(enum depend_ecosystem e, struct json_text name,
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

/* By file, name and version; what has no pin comes before all of its name. */
static int entry_order(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = (a->file > b->file) - (a->file < b->file);

	if (c == 0)
		c = text_order(a->name, b->name);
	if (c == 0 && a->pin != NULL && b->pin != NULL) {
		c = text_order(a->pin->version, b->pin->version);
		if (c == 0)
			c = (a->pin->order > b->pin->order) -
			    (a->pin->order < b->pin->order);
	}
	return c;
}

static bool is_same_name(const struct entry *a, const struct entry *b)
{
	return a->file == b->file && text_order(a->name, b->name) == 0;
}

/* What all entries of one name say, so that nobody has to look at them again: a
 * manifest may ask for a name a hundred thousand times. */
static void tops_find(struct entries *e)
{
	struct entry *head = NULL;

	for (size_t i = 0; i < e->len; i++) {
		struct entry *one = &e->items[i];

		if (head == NULL || !is_same_name(head, one)) {
			head = one;
			head->is_one = true;
		}
		head->is_one =
			head->is_one &&
			text_order(head->pin->version, one->pin->version) == 0;
		if (one->pin->is_first &&
		    (head->top == NULL || one->pin->order < head->top->order))
			head->top = one->pin;
	}
}

static bool entries_build(struct depend *d, struct entries *ret)
{
	char name[DEPEND_NAME_BYTES];

	ret->items = calloc(d->pins_len + 1, sizeof *ret->items);
	if (ret->items == NULL)
		return false;
	for (size_t i = 0; i < d->pins_len; i++) {
		const struct depend_pin *p = &d->pins[i];
		struct json_text folded = { name, 0 };

		folded.len = depend_name_fold(p->file->format->ecosystem,
					      p->name, name, sizeof name);
		folded = folded.len > 0 ? depend_keep(d, folded) : p->name;
		if (folded.bytes != NULL)
			ret->items[ret->len++] = (struct entry){
				.file = p->file, .name = folded, .pin = p
			};
	}
	if (ret->len > 0)
		qsort(ret->items, ret->len, sizeof *ret->items, entry_order);
	tops_find(ret);
	return true;
}

/* The index of the first entry that is want or behind it. */
static size_t lower_bound(const struct entries *e, const struct entry *want)
{
	size_t from = 0, to = e->len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (entry_order(&e->items[mid], want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* The pin of that name and version, or NULL. */
static const struct depend_pin *version_find(const struct entries *e,
					     const struct entry *name,
					     struct json_text version)
{
	const struct depend_pin pin = { .version = version };
	struct entry want = *name;
	size_t at;

	want.pin = &pin;
	at = version.bytes != NULL ? lower_bound(e, &want) : e->len;
	if (at == e->len || !is_same_name(&e->items[at], name) ||
	    text_order(e->items[at].pin->version, version) != 0)
		return NULL;
	return e->items[at].pin;
}

/* The only version.  If there are several, the one that the lockfile gives for
 * the project, or the one that the constraint names; if both are there, the one that
 * the lockfile has first. */
static struct json_text version_choose(const struct entries *e,
				       const struct entry *want,
				       struct json_text constraint)
{
	const size_t at = lower_bound(e, want);
	const struct depend_pin *top, *named;

	if (at == e->len || !is_same_name(&e->items[at], want))
		return (struct json_text){ NULL, 0 };
	top = e->items[at].top;
	named = version_find(e, want, constraint);
	if (named != NULL && (top == NULL || named->order < top->order))
		return named->version;
	if (top != NULL)
		return top->version;
	return e->items[at].is_one ? e->items[at].pin->version
				   : (struct json_text){ NULL, 0 };
}

const struct depend_file *depend_lock_find(const struct depend *d,
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
		    !depend_is_above(dir, here))
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
	char name[DEPEND_NAME_BYTES];

	for (size_t i = 0; i < d->pins_len; i++) {
		const struct depend_pin *p = &d->pins[i];

		for (size_t k = 0; k < p->requires_len; k++) {
			struct json_text *t = &p->requires[k];
			struct entry want = { .file = p->file,
					      .name = { name, 0 } };
			size_t at;

			want.name.len =
				depend_name_fold(p->file->format->ecosystem, *t,
						 name, sizeof name);
			at = lower_bound(e, &want);
			if (want.name.len > 0 && at < e->len &&
			    e->items[at].file == p->file &&
			    text_order(e->items[at].name, want.name) == 0)
				*t = e->items[at].pin->name;
		}
	}
}

/* The member of the workspace that the file describes, as its lockfile has it,
 * or NULL. */
static const struct depend_pin *member_find(const struct entries *e,
					    const struct depend_file *f,
					    const struct depend_file *lock)
{
	char name[DEPEND_NAME_BYTES];
	struct entry want = { .file = lock, .name = { name, 0 } };
	size_t at;

	if (f->format->ecosystem != DEPEND_CARGO || lock == NULL)
		return NULL;
	want.name.len =
		depend_name_fold(DEPEND_CARGO, f->name, name, sizeof name);
	at = want.name.len > 0 ? lower_bound(e, &want) : e->len;
	for (; at < e->len && e->items[at].file == lock &&
	       text_order(e->items[at].name, want.name) == 0;
	     at++)
		if (e->items[at].pin->origin == DEPEND_PATH)
			return e->items[at].pin;
	return NULL;
}

/* What a member of a workspace gets of packages with several versions, sorted by
 * the folded names. */
struct member {
	const struct depend_pin *pin;
	struct arena arena;
	struct member_item {
		struct json_text name, version;
	} items[DEPEND_REQUIRES_MAX];
	size_t len;
};

static int item_order(const void *x, const void *y)
{
	const struct member_item *a = x, *b = y;

	return text_order(a->name, b->name);
}

/* Fill m from "name version" of pin's; "name" alone says nothing.  pin may be
 * NULL. */
static void member_fill(struct member *m, const struct depend_pin *pin)
{
	char name[DEPEND_NAME_BYTES];

	if (m->pin == pin)
		return;
	arena_done(&m->arena);
	*m = (struct member){ .pin = pin };
	for (size_t i = 0; pin != NULL && i < pin->requires_len; i++) {
		struct member_item *item = &m->items[m->len];
		const struct json_text whole =
			text_cut(pin->requires[i], ' ', &item->version);

		if (item->version.bytes == NULL)
			continue;
		item->name.len = depend_name_fold(DEPEND_CARGO, whole, name,
						  sizeof name);
		item->name.bytes =
			item->name.len > 0
				? arena_copy(&m->arena, name, item->name.len)
				: NULL;
		m->len += item->name.bytes != NULL;
	}
	if (m->len > 0)
		qsort(m->items, m->len, sizeof *m->items, item_order);
}

/* Of several versions Cargo.lock names the one that a member gets: "name
 * version".  It has only one, unless the member renames packages.  name is
 * folded. */
static struct json_text member_version(const struct member *m,
				       struct json_text name)
{
	const size_t at = text_place(m->items, m->len, sizeof *m->items, name);

	if (at == m->len || text_order(m->items[at].name, name) != 0 ||
	    (at + 1 < m->len && text_order(m->items[at + 1].name, name) == 0))
		return (struct json_text){ NULL, 0 };
	return m->items[at].version;
}

static void wishes_resolve(struct depend *d, const struct entries *e)
{
	const struct depend_file *file = NULL, *lock = NULL;
	struct member member = { 0 };
	char name[DEPEND_NAME_BYTES];

	for (size_t i = 0; i < d->wishes_len; i++) {
		struct depend_wish *w = &d->wishes[i];
		struct entry want = { .name = { name, 0 } };

		if (w->file != file) {
			file = w->file;
			lock = file->format->is_lock
				       ? file
				       : depend_lock_find(d, file);
			member_fill(&member, member_find(e, file, lock));
		}
		if (lock == NULL || w->is_resolved || w->resolved.bytes != NULL)
			continue;
		want.file = lock;
		want.name.len = depend_name_fold(file->format->ecosystem,
						 w->name, name, sizeof name);
		if (want.name.len > 0)
			w->resolved = version_choose(e, &want, w->constraint);
		if (w->resolved.bytes == NULL && want.name.len > 0)
			w->resolved = member_version(&member, want.name);
	}
	arena_done(&member.arena);
}

void depend_resolve(struct depend *d)
{
	struct entries e = { 0 };

	if (!entries_build(d, &e)) {
		report_note(&d->report->errors, "memory", NULL, -1,
			    "no memory to compare dependencies with lockfiles");
		return;
	}
	wishes_resolve(d, &e);
	requires_name(d, &e);
	free(e.items);
}
