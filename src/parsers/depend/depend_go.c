/* depend_go.c -- go.mod, go.sum and go.work.
 *
 * Source: go.dev/ref/mod, "go.mod files", "go.sum files", "Workspaces". */
#include <string.h>

#include "parsers/depend/depend.h"

/* One "replace OLD [v] => NEW [v]". */
struct replacement {
	struct json_text old, old_version, new, new_version;
};

#define REPLACEMENTS_MAX 512U

struct go_mod {
	struct depend *depend;
	struct depend_file *file;
	struct replacement replacements[REPLACEMENTS_MAX];
	size_t replacements_len;
	size_t from; /* the first wish of this file */
};

/* The directive that a line belongs to: its first word, or that of the block
 * that it is in. */
struct directive {
	struct json_text word; /* of the open block; len 0: none */
};

/* Cut off the comment; *ret_comment is its text. */
static struct json_text comment_cut(struct json_text line,
				    struct json_text *ret_comment)
{
	const char *at =
		line.len > 0 ? memmem(line.bytes, line.len, "//", 2) : NULL;

	*ret_comment = (struct json_text){ NULL, 0 };
	/* "//" inside a word belongs to an address */
	if (at == NULL || (at > line.bytes && at[-1] != ' ' && at[-1] != '\t'))
		return text_trim(line);
	*ret_comment =
		text_trim(text_from(line, (size_t)(at - line.bytes) + 2));
	line.len = (size_t)(at - line.bytes);
	return text_trim(line);
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
	if (text_is(line, ")")) {
		d->word = none;
		return none;
	}
	if (d->word.len > 0)
		return d->word;
	word = text_word(ret_rest);
	*ret_rest = text_trim(*ret_rest);
	if (text_is(*ret_rest, "(")) {
		d->word = word;
		return none;
	}
	return word;
}

static struct json_text path_take(struct json_text *rest)
{
	return text_unquote(text_word(rest));
}

static void require_take(struct go_mod *g, struct json_text rest,
			 struct json_text comment)
{
	struct depend_wish w = { .file = g->file, .kind = "runtime" };

	w.name = depend_keep(g->depend, path_take(&rest));
	w.constraint = depend_keep(g->depend, text_word(&rest));
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

	if (g->replacements_len == REPLACEMENTS_MAX)
		return;
	r.old = path_take(&rest);
	word = text_word(&rest);
	if (!text_is(word, "=>")) {
		r.old_version = word;
		word = text_word(&rest);
	}
	if (!text_is(word, "=>"))
		return;
	r.new = path_take(&rest);
	r.new_version = text_word(&rest);
	if (r.new.len > 0)
		g->replacements[g->replacements_len++] = r;
}

static void replacement_apply(struct go_mod *g, const struct replacement *r,
			      struct depend_wish *w)
{
	if (text_order(w->name, r->old) != 0 ||
	    (r->old_version.len > 0 &&
	     text_order(w->constraint, r->old_version) != 0))
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
	for (size_t i = g->from; i < g->depend->wishes_len; i++) {
		struct depend_wish *w = &g->depend->wishes[i];
		struct depend_pin p = { .file = g->file };

		for (size_t k = 0; k < g->replacements_len; k++)
			replacement_apply(g, &g->replacements[k], w);
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
			f->name = depend_keep(d, path_take(&rest));
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
			depend_home_add(d, f, path_take(&rest));
	}
	return 0;
}
