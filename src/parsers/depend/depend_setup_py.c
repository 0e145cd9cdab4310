/* depend_setup_py.c -- setup.py: the requirements that stand in it as literal text.
 * The program is not run, so what it computes is not known.
 *
 * Source: setuptools, "Keywords". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_token.h"

/* Each reads the file again from its place on, so they are limited; and what is
 * read again is, in all files (DEPEND_AGAIN_BYTES). */
#define LISTS_MAX   64U
#define LOOKUPS_MAX 64U /* for a list by the name of a variable */
#define DEEP_MAX    4U  /* tables in tables, and variables for values */

struct setup {
	struct depend *depend;
	struct depend_file *file;
	unsigned lists, lookups;
	bool is_cut; /* there were more than the caps allow */
};

static const struct {
	const char *key, *kind;
} keys[] = {
	{ "install_requires", "runtime" }, { "setup_requires", "build" },
	{ "tests_require", "dev" },        { "test_requires", "dev" },
	{ "extras_require", "optional" },
};

/* --- one requirement ---------------------------------------------------------- */

/* The name at the beginning of a text whose end is computed: known if something
 * else follows it.  "a>=%s", "a ". */
static struct json_text name_cut(struct json_text t)
{
	size_t n = 0;

	t = text_trim(t);
	while (n < t.len && (token_is_word_byte(t.bytes[n]) ||
			     t.bytes[n] == '-' || t.bytes[n] == '.'))
		n++;
	return (struct json_text){ t.bytes, n };
}

static void requirement_take(struct setup *s, struct json_text t, bool is_whole,
			     const char *kind)
{
	struct json_text name = name_cut(t);

	if (text_has(t, "\\") || name.len == 0)
		return;
	if (is_whole)
		depend_requirement_take(s->depend, s->file, t, kind);
	else if (name.bytes + name.len < t.bytes + t.len &&
		 name.bytes[name.len] != '%' && name.bytes[name.len] != '{')
		depend_requirement_take(s->depend, s->file, name, kind);
}

/* t, with the texts that follow it: "a" "b" is one text. */
static void texts_take(struct setup *s, struct json_text *rest, struct token t,
		       const char *kind)
{
	owned_buf struct buf joined = { .cap_bytes = DEPEND_CONSTRAINT_MAX };
	bool is_whole = true;
	struct token next;

	for (;;) {
		if (t.is_formatted && text_has(t.text, "{"))
			is_whole = false;
		if (is_whole || joined.len == 0)
			buf_add(&joined, t.text.bytes, t.text.len);
		next = token_ahead(*rest);
		if (next.kind != TOKEN_TEXT)
			break;
		t = token_next(rest);
	}
	if (buf_has_failed(&joined) || joined.len == 0)
		return;
	is_whole = is_whole &&
		   (token_is_mark(&next, ",])}") ||
		    (next.kind == TOKEN_WORD && text_is(next.text, "if")));
	requirement_take(s, (struct json_text){ joined.bytes, joined.len },
			 is_whole, kind);
}

/* --- lists -------------------------------------------------------------------- */

static void value_take(struct setup *s, struct json_text *rest,
		       const char *kind, unsigned deep);

/* rest begins behind a value.  If "if c else" follows, cut it off: what follows
 * that is the other value.  "if c:" is the next statement. */
static bool other_cut(struct json_text *rest)
{
	struct json_text at = *rest;
	struct token t = token_next(&at);
	size_t depth = 0;

	if (!token_is_word(&t, "if"))
		return false;
	while ((t = token_next(&at)).kind != TOKEN_END) {
		if (depth == 0 && token_is_mark(&t, ":,)]}"))
			return false;
		if (depth == 0 && token_is_word(&t, "else")) {
			*rest = at;
			return true;
		}
		depth = token_depth(depth, &t);
	}
	return false;
}

/* An item that begins with the text t, and what it is instead. */
static void item_take(struct setup *s, struct json_text *rest, struct token t,
		      const char *kind)
{
	texts_take(s, rest, t, kind);
	while (other_cut(rest)) {
		t = token_ahead(*rest);
		if (t.kind == TOKEN_TEXT)
			texts_take(s, rest, token_next(rest), kind);
	}
}

/* rest begins in a list.  Only what stands in the list itself is taken, and of
 * each item what it begins with. */
static void list_take(struct setup *s, struct json_text *rest, const char *kind,
		      unsigned deep)
{
	size_t depth = 1;
	bool is_first = true;
	struct token t;

	while (depth > 0 && (t = token_next(rest)).kind != TOKEN_END) {
		if (depth == 1 && is_first && t.kind == TOKEN_TEXT)
			item_take(s, rest, t, kind);
		else if (depth == 1 && is_first && token_is_mark(&t, "*"))
			value_take(s, rest, kind, deep + 1);
		depth = token_depth(depth, &t);
		is_first = depth == 1 && token_is_mark(&t, ",");
	}
}

/* rest begins in {"name": value}.  An extra without a name, ":python_version < '3'",
 * is always installed, where its marker holds. */
static void table_take(struct setup *s, struct json_text *rest,
		       const char *kind, unsigned deep)
{
	struct token t, key = { .kind = TOKEN_END };
	size_t depth = 1;

	for (; depth > 0 && (t = token_next(rest)).kind != TOKEN_END; key = t) {
		const bool is_always = key.kind == TOKEN_TEXT &&
				       text_begins(key.text, ":") &&
				       strcmp(kind, "optional") == 0;

		if (depth == 1 && token_is_mark(&t, ":"))
			value_take(s, rest, is_always ? "runtime" : kind,
				   deep + 1);
		else
			depth = token_depth(depth, &t);
	}
}

/* Whether n more bytes may be read again; of all files, or two hundred would take
 * two hundred times as long as one. */
static bool again_take(struct setup *s, size_t n)
{
	s->depend->again += n;
	if (s->depend->again <= DEPEND_AGAIN_BYTES)
		return true;
	s->is_cut = true;
	return false;
}

/* Each lookup reads the whole file. */
static bool lookup_begin(struct setup *s)
{
	if (s->lookups == LOOKUPS_MAX) {
		s->is_cut = true;
		return false;
	}
	s->lookups++;
	return again_take(s, s->file->in->len);
}

/* The text behind "name =" at the first place that has it; bytes NULL: none. */
static struct json_text variable_find(struct setup *s, struct json_text name)
{
	struct json_text rest = { s->file->in->bytes, s->file->in->len };
	struct token t, next;

	if (!lookup_begin(s))
		return (struct json_text){ NULL, 0 };
	while ((t = token_next(&rest)).kind != TOKEN_END) {
		if (t.kind != TOKEN_WORD || text_order(t.text, name) != 0)
			continue;
		next = token_ahead(rest);
		if (!token_is_mark(&next, "="))
			continue;
		(void)token_next(&rest);
		next = token_ahead(rest);
		if (next.kind == TOKEN_WORD || token_is_mark(&next, "[({"))
			return rest;
	}
	return (struct json_text){ NULL, 0 };
}

static void variable_take(struct setup *s, struct json_text name,
			  const char *kind, unsigned deep)
{
	struct json_text rest = variable_find(s, name);
	const size_t len = rest.len;

	if (rest.bytes == NULL)
		return;
	value_take(s, &rest, kind, deep + 1);
	(void)again_take(s, len - rest.len);
}

/* Whether a variable is called as the key: "install_requires=install_requires".
 * Where it is set it is taken for the key. */
static bool is_key(struct json_text name, const char *kind)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (text_is(name, keys[i].key) &&
		    strcmp(kind, keys[i].kind) == 0)
			return true;
	return false;
}

/* One operand.  Returns false when none stands there. */
static bool operand_take(struct setup *s, struct json_text *rest,
			 const char *kind, unsigned deep)
{
	struct token t = token_ahead(*rest);

	if (t.kind != TOKEN_WORD && !token_is_mark(&t, "[({"))
		return false;
	(void)token_next(rest);
	if (token_is_mark(&t, "[("))
		list_take(s, rest, kind, deep);
	else if (token_is_mark(&t, "{"))
		table_take(s, rest, kind, deep);
	else if (!token_computed_cut(rest) && !is_key(t.text, kind))
		variable_take(s, t.text, kind, deep);
	return true;
}

/* A list, a table of lists, a variable, or several: "a + b", "a or b", "a if c
 * else b".  All of them are taken, because which one it is is computed. */
static void value_take(struct setup *s, struct json_text *rest,
		       const char *kind, unsigned deep)
{
	struct token t;

	if (deep > DEEP_MAX) {
		s->is_cut = true;
		return;
	}
	while (operand_take(s, rest, kind, deep)) {
		if (other_cut(rest))
			continue;
		t = token_ahead(*rest);
		if (!token_is_mark(&t, "+") && !token_is_word(&t, "or"))
			return;
		(void)token_next(rest);
	}
}

/* --- the file ----------------------------------------------------------------- */

/* rest begins behind a key: "= value", ": value", or "] = value". */
static bool assignment_cut(struct json_text *rest)
{
	struct token t = token_next(rest);

	if (token_is_mark(&t, "]"))
		t = token_next(rest);
	return token_is_mark(&t, "=:") && !text_begins(*rest, "=");
}

static void key_take(struct setup *s, struct json_text key,
		     struct json_text rest)
{
	const size_t len = rest.len;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!text_is(key, keys[i].key) || !assignment_cut(&rest))
			continue;
		if (s->lists == LISTS_MAX || !again_take(s, 0)) {
			s->is_cut = true;
			return;
		}
		s->lists++;
		value_take(s, &rest, keys[i].kind, 0);
		(void)again_take(s, len - rest.len);
	}
}

/* Whether the text t is all that its line has, with rest behind it. */
static bool is_alone(const struct token *t, struct json_text rest)
{
	while (rest.len > 0 && strchr(" \t\r", rest.bytes[0]) != NULL &&
	       rest.bytes[0] != '\0')
		rest = text_from(rest, 1);
	return t->kind == TOKEN_TEXT && !t->is_formatted &&
	       !text_has(t->text, "\\") &&
	       (rest.len == 0 || rest.bytes[0] == '\n' ||
		rest.bytes[0] == '#' || rest.bytes[0] == ';');
}

/* The text that a variable is set to; bytes NULL if it is set to anything
 * else, or twice. */
static struct json_text literal_find(struct setup *s, struct json_text name)
{
	struct json_text rest = { s->file->in->bytes, s->file->in->len };
	struct json_text found = { NULL, 0 }, at;
	struct token t, last = { .kind = TOKEN_END }, next;
	size_t depth = 0;

	if (!lookup_begin(s))
		return found;
	for (; (t = token_next(&rest)).kind != TOKEN_END; last = t) {
		depth = token_depth(depth, &t);
		if (depth > 0 || t.kind != TOKEN_WORD ||
		    text_order(t.text, name) != 0 || token_is_mark(&last, "."))
			continue;
		at = rest;
		next = token_next(&at);
		if (token_is_mark(&next, "+") && text_begins(at, "="))
			return (struct json_text){ NULL, 0 };
		if (!token_is_mark(&next, "=") || text_begins(at, "="))
			continue;
		next = token_next(&at);
		if (found.bytes != NULL || !is_alone(&next, at))
			return (struct json_text){ NULL, 0 };
		found = next.text;
	}
	return found;
}

/* name and version of the package, where they are literal text. */
static void description_take(struct setup *s, struct json_text key,
			     struct json_text rest)
{
	struct json_text *to = text_is(key, "name")      ? &s->file->name
			       : text_is(key, "version") ? &s->file->version
							 : NULL;
	struct json_text text;
	struct token t, next;

	if (to == NULL || to->bytes != NULL || !assignment_cut(&rest))
		return;
	t = token_next(&rest);
	next = token_ahead(rest);
	if (!token_is_mark(&next, ",)}") || t.is_formatted)
		return;
	text = t.kind == TOKEN_WORD ? literal_find(s, t.text) : t.text;
	if (t.kind != TOKEN_MARK && text.bytes != NULL && !text_has(text, "\\"))
		*to = depend_keep(s->depend, text);
}

int depend_setup_py_read(struct depend *d, struct depend_file *f)
{
	struct setup s = { .depend = d, .file = f };
	struct json_text rest = { f->in->bytes, f->in->len };
	struct token t, last = { .kind = TOKEN_END };
	struct json_text word = { NULL, 0 }; /* the last one */
	size_t depth = 0, inside = 0; /* inside: the depth in setup(...) */

	rest = text_from(rest, text_bom(rest));
	while ((t = token_next(&rest)).kind != TOKEN_END) {
		if (t.kind != TOKEN_MARK) {
			key_take(&s, t.text, rest);
			if (inside > 0 && depth == inside)
				description_take(&s, t.text, rest);
		}
		depth = token_depth(depth, &t);
		/* setup(...), setuptools.setup(...), setup_args = {...} */
		if (inside == 0 && text_has(word, "setup") &&
		    ((token_is_mark(&t, "(") && last.kind == TOKEN_WORD) ||
		     (token_is_mark(&t, "{") && token_is_mark(&last, "="))))
			inside = depth;
		else if (depth < inside)
			inside = 0;
		if (t.kind == TOKEN_WORD)
			word = t.text;
		last = t;
	}
	if (s.is_cut)
		report_note(&d->report->errors, "truncated", f->in, -1,
			    "there are more lists of requirements; the rest is "
			    "not examined");
	return 0;
}
