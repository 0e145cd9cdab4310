/* depend_go.c -- go.mod, go.sum and go.work.
 *
 * Source: go.dev/ref/mod, "go.mod files", "go.sum files", "Workspaces". */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

/* One "replace OLD [v] => NEW [v]". */
struct replacement {
	struct json_text old, old_version, new, new_version;
	size_t order;
};

#define REPLACEMENTS_MAX 512U

struct go_mod {
	struct depend *depend;
	struct depend_file *file;
	struct replacement replacements[REPLACEMENTS_MAX];
	size_t replacements_len;
	bool is_cut; /* there are more, which was noted */
	size_t from; /* the first wish of this file */
};

/* The directive that a line belongs to: its first word, or that of the block
 * that it is in. */
struct directive {
	struct json_text word; /* of the open block; len 0: none */
};

/* How many bytes the quoted text at the beginning of t has. */
static size_t quoted_len(struct json_text t)
{
	size_t n = 1;

	while (n < t.len && t.bytes[n] != t.bytes[0])
		n++;
	return n < t.len ? n + 1 : n;
}

static bool is_quoted(struct json_text t)
{
	return text_begins(t, "\"") || text_begins(t, "`");
}

/* Cut off the comment; *ret_comment is its text.  It may begin inside a word. */
static struct json_text comment_cut(struct json_text line,
				    struct json_text *ret_comment)
{
	size_t n = 0;

	*ret_comment = (struct json_text){ NULL, 0 };
	while (n < line.len && !text_begins(text_from(line, n), "//"))
		n += is_quoted(text_from(line, n))
			     ? quoted_len(text_from(line, n))
			     : 1;
	if (n < line.len)
		*ret_comment = text_trim(text_from(line, n + 2));
	return text_trim(text_first(line, n));
}

/* Cut the next word off *rest, without its quotes.  A bracket is one by itself.
 * Source: golang.org/x/mod/modfile. */
static struct json_text token_cut(struct json_text *rest)
{
	const struct json_text t = text_trim(*rest);
	size_t n = text_length_before(t, " \t\r()[]{},");

	if (is_quoted(t)) {
		n = quoted_len(t);
		*rest = text_from(t, n);
		return (struct json_text){ t.bytes + 1, n > 1 ? n - 2 : 0 };
	}
	n += n == 0 && t.len > 0;
	*rest = text_from(t, n);
	return text_first(t, n);
}

/* Set *rest to what a line of the directive says.  Returns an empty word if the
 * line opens or closes a block. */
static struct json_text directive_next(struct directive *d,
				       struct json_text line,
				       struct json_text *ret_rest)
{
	const struct json_text none = { NULL, 0 };
	struct json_text word;

	*ret_rest = line;
	if (text_begins(line, ")")) {
		d->word = none;
		return none;
	}
	if (d->word.len > 0)
		return d->word;
	word = token_cut(ret_rest);
	*ret_rest = text_trim(*ret_rest);
	if (text_is(*ret_rest, "(")) {
		d->word = word;
		return none;
	}
	return word;
}

static void require_take(struct go_mod *g, struct json_text rest,
			 struct json_text comment)
{
	struct depend_wish w = { .file = g->file, .kind = "runtime" };

	w.name = depend_keep(g->depend, token_cut(&rest));
	w.constraint = depend_keep(g->depend, token_cut(&rest));
	if (w.constraint.len == 0)
		return;
	w.resolved = w.constraint;
	if (text_begins(comment, "indirect"))
		w.kind = "indirect";
	depend_wish_add(g->depend, &w);
}

static void replace_take(struct go_mod *g, struct json_text rest)
{
	struct replacement r = { 0 };
	struct json_text word;

	depend_registry_add(g->depend, g->file, rest);
	if (g->replacements_len == REPLACEMENTS_MAX) {
		if (!g->is_cut)
			report_note(&g->depend->report->errors, "truncated",
				    g->file->in, -1,
				    "more than 512 replacements; the rest is "
				    "not applied");
		g->is_cut = true;
		return;
	}
	r.old = token_cut(&rest);
	word = token_cut(&rest);
	if (!text_is(word, "=>")) {
		r.old_version = word;
		word = token_cut(&rest);
	}
	if (!text_is(word, "=>"))
		return;
	r.new = token_cut(&rest);
	r.new_version = token_cut(&rest);
	r.order = g->replacements_len;
	if (r.new.len > 0)
		g->replacements[g->replacements_len++] = r;
}

static int replacement_order(const void *x, const void *y)
{
	const struct replacement *a = x, *b = y;
	int c = text_order(a->old, b->old);

	if (c == 0)
		c = text_order(a->old_version, b->old_version);
	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

/* The replacement of exactly that; version.len 0: of every version. */
static const struct replacement *replacement_find(const struct go_mod *g,
						  struct json_text old,
						  struct json_text version)
{
	const struct replacement want = { .old = old, .old_version = version };
	size_t from = 0, to = g->replacements_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (replacement_order(&g->replacements[mid], &want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == g->replacements_len ||
	    text_order(g->replacements[from].old, old) != 0 ||
	    text_order(g->replacements[from].old_version, version) != 0)
		return NULL;
	return &g->replacements[from];
}

/* One of that version is before one of every version; what replaces a module is not
 * replaced again. */
static void replacement_apply(struct go_mod *g, struct depend_wish *w)
{
	const struct json_text every = { NULL, 0 };
	const struct replacement *r =
		replacement_find(g, w->name, w->constraint);

	if (r == NULL)
		r = replacement_find(g, w->name, every);
	if (r == NULL)
		return;
	if (r->new_version.len == 0) {
		w->origin = DEPEND_PATH; /* a directory has no version */
		w->resolved = (struct json_text){ NULL, 0 };
		return;
	}
	w->name = depend_keep(g->depend, r->new);
	w->resolved = depend_keep(g->depend, r->new_version);
}

static void packages_put(struct go_mod *g)
{
	if (g->replacements_len > 0)
		qsort(g->replacements, g->replacements_len,
		      sizeof *g->replacements, replacement_order);
	for (size_t i = g->from; i < g->depend->wishes_len; i++) {
		struct depend_wish *w = &g->depend->wishes[i];
		struct depend_pin p = { .file = g->file };

		replacement_apply(g, w);
		p.name = w->name;
		p.version = w->resolved;
		p.origin = w->origin;
		if (p.version.bytes != NULL)
			depend_pin_add(g->depend, &p);
	}
}

int depend_go_mod_read(struct depend *d, struct depend_file *f)
{
	struct go_mod g = { .depend = d, .file = f, .from = d->wishes_len };
	struct lines l = lines_of(f->in);
	struct directive at = { 0 };
	struct json_text line, comment, word, rest;
	size_t offset;

	while (line_next(&l, &line, &offset)) {
		line = comment_cut(line, &comment);
		if (line.len == 0)
			continue;
		word = directive_next(&at, line, &rest);
		if (text_is(word, "module"))
			f->name = depend_keep(d, token_cut(&rest));
		else if (text_is(word, "require"))
			require_take(&g, rest, comment);
		else if (text_is(word, "replace"))
			replace_take(&g, rest);
	}
	packages_put(&g);
	return 0;
}

/* go.sum has hashes of more than is built, so it pins nothing: what go.mod
 * requires is built.  The slice only says that it exists and how many modules
 * it has. */
int depend_go_sum_read(struct depend *d, struct depend_file *f)
{
	struct lines l = lines_of(f->in);
	struct json_text line, name, version;
	size_t offset;

	(void)d;
	while (line_next(&l, &line, &offset)) {
		name = text_word(&line);
		version = text_word(&line);
		if (name.len > 0 && version.len > 0 &&
		    !text_ends(version, "/go.mod"))
			f->hashes++;
	}
	return 0;
}

int depend_go_work_read(struct depend *d, struct depend_file *f)
{
	struct lines l = lines_of(f->in);
	struct directive at = { 0 };
	struct json_text line, comment, word, rest;
	size_t offset;

	while (line_next(&l, &line, &offset)) {
		line = comment_cut(line, &comment);
		if (line.len == 0)
			continue;
		word = directive_next(&at, line, &rest);
		if (text_is(word, "use"))
			depend_home_add(d, f, token_cut(&rest));
		else if (text_is(word, "replace"))
			depend_registry_add(d, f, rest);
	}
	return 0;
}
