/* depend_catalogue.c -- what `libs.a.b` means in a file of Gradle's: the alias a-b
 * of the nearest gradle/libs.versions.toml.
 *
 * Source: docs.gradle.org, "Version catalogs". */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

#define ALIASES_MAX ((size_t)32768)
#define CLIMB       64U /* directories up to a catalogue */

static const char libs[] = "libs.";

/* "-", "_" and "." are the same in an alias. */
static struct json_text alias_keep(struct depend *d, const char *before,
				   struct json_text t)
{
	owned_buf struct buf key = { .cap_bytes = DEPEND_CONSTRAINT_MAX };

	buf_text(&key, before);
	for (size_t i = 0; i < t.len; i++)
		buf_char(&key, t.bytes[i] == '-' || t.bytes[i] == '_'
				       ? '.'
				       : t.bytes[i]);
	if (t.len == 0 || buf_has_failed(&key))
		return (struct json_text){ NULL, 0 };
	return depend_keep(d, (struct json_text){ key.bytes, key.len });
}

/* These are no libraries, so no alias may begin with one. */
static bool is_reserved(struct json_text t)
{
	return text_in(text_cut(t, '.', NULL), "versions plugins bundles");
}

static void alias_put(struct depend *d, const struct depend_alias *a)
{
	if (a->key.bytes == NULL)
		return;
	if (d->aliases_len == ALIASES_MAX ||
	    !array_grow((void **)&d->aliases, d->aliases_len, &d->aliases_room,
			sizeof *d->aliases)) {
		if (!d->has_lost_alias)
			report_note(&d->report->warnings, "truncated",
				    a->file->in, -1,
				    "more than 32768 names in version "
				    "catalogues; the rest is not looked up");
		d->has_lost_alias = true;
		return;
	}
	d->aliases[d->aliases_len] = *a;
	d->aliases[d->aliases_len].order = d->aliases_len;
	d->aliases_len++;
}

/* Whether other files can name what f declares. */
static bool is_default(const struct depend_file *f)
{
	const struct json_text dir = { f->in->name, input_dir_len(f->in) };

	return input_base_is(f->in, "libs.versions.toml") &&
	       (text_is(dir, "gradle") || text_ends(dir, "/gradle"));
}

void depend_alias_add(struct depend *d, const struct depend_file *f,
		      struct json_text name, const struct depend_wish *w)
{
	struct depend_alias a = { .file = f, .wish = *w };

	if (!is_default(f) || w->name.len == 0)
		return;
	a.key = alias_keep(d, "", name);
	if (a.key.bytes != NULL && !is_reserved(a.key))
		alias_put(d, &a);
}

void depend_bundle_add(struct depend *d, const struct depend_file *f,
		       struct json_text name, struct json_text member)
{
	struct depend_alias a = { .file = f };

	if (!is_default(f))
		return;
	a.member = alias_keep(d, "", member);
	if (a.member.bytes != NULL)
		a.key = alias_keep(d, "bundles.", name);
	alias_put(d, &a);
}

static int alias_order(const void *x, const void *y)
{
	const struct depend_alias *a = x, *b = y;
	int c = (a->file > b->file) - (a->file < b->file);

	if (c == 0)
		c = text_order(a->key, b->key);
	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

/* The place of the first one with that key. */
static size_t alias_place(const struct depend *d, const struct depend_file *f,
			  struct json_text key)
{
	const struct depend_alias want = { .file = f, .key = key };
	size_t from = 0, to = d->aliases_len;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (alias_order(&d->aliases[mid], &want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return to;
}

static bool is_alias(const struct depend *d, size_t i,
		     const struct depend_file *f, struct json_text key)
{
	return i < d->aliases_len && d->aliases[i].file == f &&
	       text_order(d->aliases[i].key, key) == 0;
}

/* What a bundle has that the catalogue does not is left out. */
void depend_aliases_sort(struct depend *d)
{
	size_t kept = 0;

	if (d->aliases_len > 0)
		qsort(d->aliases, d->aliases_len, sizeof *d->aliases,
		      alias_order);
	for (size_t i = 0; i < d->aliases_len; i++) {
		struct depend_alias *a = &d->aliases[i];
		size_t at;

		if (a->member.bytes == NULL)
			continue;
		at = alias_place(d, a->file, a->member);
		if (is_alias(d, at, a->file, a->member))
			a->wish = d->aliases[at].wish;
	}
	for (size_t i = 0; i < d->aliases_len; i++)
		if (d->aliases[i].wish.name.len > 0)
			d->aliases[kept++] = d->aliases[i];
	d->aliases_len = kept;
}

/* Files are in the order of the inputs. */
static int file_order(const void *key, const void *item)
{
	const struct parse_input *in = key;
	const struct depend_file *f = item;

	return (in > f->in) - (in < f->in);
}

const struct depend_file *depend_catalogue_find(const struct depend *d,
						const struct parse_input *in)
{
	struct json_text dir = { in->name, input_dir_len(in) };
	const struct parse_input *found = NULL;

	for (unsigned i = 0; i < CLIMB && found == NULL; i++) {
		const char *slash =
			dir.len > 0 ? memrchr(dir.bytes, '/', dir.len) : NULL;

		found = input_find(d->inputs, dir.bytes, dir.len,
				   "gradle/libs.versions.toml");
		if (dir.len == 0)
			break;
		dir.len = slash != NULL ? (size_t)(slash - dir.bytes) : 0;
	}
	return found != NULL ? bsearch(found, d->files, d->files_len,
				       sizeof *d->files, file_order)
			     : NULL;
}

/* Take what the alias or the bundle name stands for.  Returns whether it is known, or
 * is no library. */
static bool alias_take(struct depend *d, const struct depend_wish *like,
		       struct json_text name)
{
	const struct depend_file *catalogue = like->file->catalogue;
	owned_buf struct buf text = { .cap_bytes = TEXT_LINE_BYTES };
	struct json_text key;
	size_t i;

	for (i = 0; i < name.len; i++)
		buf_char(&text, name.bytes[i] == '_' ? '.' : name.bytes[i]);
	key = (struct json_text){ text.bytes, text.len };
	if (text.len == 0 || buf_has_failed(&text))
		return false;
	i = alias_place(d, catalogue, key);
	if (!is_alias(d, i, catalogue, key))
		return is_reserved(key);
	/* A bundle has several.  When there is no room for more, that is noted. */
	for (; is_alias(d, i, catalogue, key) && !d->has_lost; i++) {
		struct depend_wish w = d->aliases[i].wish;

		w.file = like->file;
		w.kind = like->kind;
		depend_wish_add(d, &w);
	}
	return true;
}

/* t begins with "libs.": cut the name behind that off, without the function of it that
 * is called: "libs.a.get()". */
static struct json_text name_cut(struct json_text *t)
{
	const size_t skip = sizeof libs - 1;
	struct json_text name;
	size_t n = skip;

	while (n < t->len &&
	       (depend_groovy_is_name_byte(t->bytes[n]) || t->bytes[n] == '.'))
		n++;
	name = (struct json_text){ t->bytes + skip, n - skip };
	*t = text_from(*t, n);
	if (text_begins(*t, "("))
		while (name.len > 0 && name.bytes[--name.len] != '.')
			;
	return name;
}

bool depend_groovy_aliases_take(struct depend *d,
				const struct depend_wish *like,
				struct json_text t)
{
	bool has_any = false, is_begin = true;
	char quote = '\0';

	if (like->file->catalogue == NULL)
		return false;
	while (t.len > 0) {
		const char c = t.bytes[0];

		if (is_begin && quote == '\0' && text_begins(t, libs)) {
			has_any |= alias_take(d, like, name_cut(&t));
			is_begin = false;
			continue;
		}
		quote = depend_groovy_quote_after(quote, c);
		is_begin =
			!depend_groovy_is_name_byte(c) && c != '.' && c != '$';
		t = text_from(t, 1);
	}
	return has_any;
}
