/* tests_macro.c -- see tests_macro.h. */
#include "parsers/tests/tests_macro.h"

#include <string.h>

#include "parsers/common/text_piece.h"

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* Where what stands in the line from there on, not in the middle of a word.  The
 * length of the line if it does not. */
static size_t word_at(struct json_text line, size_t from, struct json_text what)
{
	for (size_t i = from; i + what.len <= line.len; i++)
		if (line.bytes[i] == what.bytes[0] &&
		    (i == 0 || !is_word_byte(line.bytes[i - 1])) &&
		    memcmp(line.bytes + i, what.bytes, what.len) == 0)
			return i;
	return line.len;
}

/* The name behind "#define", if a parenthesis comes after it; what is behind that is
 * the rest.  Empty otherwise. */
static struct json_text name_of(struct json_text line,
				struct json_text *ret_rest)
{
	const struct json_text none = { "", 0 };
	struct json_text name;

	if (!text_begins(line, "#"))
		return none;
	line = text_trim(text_from(line, 1));
	if (!text_is(text_word(&line), "define"))
		return none;
	name = (struct json_text){ text_trim(line).bytes, 0 };
	line = text_trim(line);
	while (name.len < line.len && is_word_byte(line.bytes[name.len]))
		name.len++;
	if (name.len == line.len || line.bytes[name.len] != '(')
		return none;
	(void)text_cut(line, ')', ret_rest);
	return name;
}

static bool has_macros(const struct marked *m)
{
	return text_in(TEXT("c"), m->ends) || text_in(TEXT("cc"), m->ends);
}

/* Note the marks of one line of the body. */
static void body_read(struct macro *o, struct json_text line,
		      const struct marked *m)
{
	for (size_t i = 0; i < MARKS_MAX && m->marks[i].kind != MARK_NONE_;
	     i++) {
		const struct mark *mark = &m->marks[i];
		const struct json_text text = { mark->text,
						strlen(mark->text) };
		size_t at = 0;

		/* What has the text of such a mark in its name is one anyway. */
		if ((mark->kind != MARK_TEST && mark->kind != MARK_EACH) ||
		    (mark->kind == MARK_EACH && text_has(o->name, mark->text)))
			continue;
		while (o->tests < MACRO_TESTS_MAX &&
		       (at = word_at(line, at, text)) < line.len) {
			o->mark = o->mark != NULL ? o->mark : mark;
			o->tests++;
			at += text.len;
		}
	}
}

static struct macro *named(struct macros *s, struct json_text name)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->items[i].name.len == name.len &&
		    memcmp(s->items[i].name.bytes, name.bytes, name.len) == 0)
			return &s->items[i];
	return NULL;
}

/* The definition ends: keep the macro if it has a mark. */
static void open_end(struct macros *s)
{
	if (s->open != NULL && !s->is_again) {
		if (s->open->tests > 0)
			s->len++;
		else
			s->rest += s->open->body;
	}
	s->open = NULL;
}

struct macro *tests_macro_take(struct macros *s, struct json_text line,
			       const struct marked *m)
{
	struct json_text name, body = line;

	if (s->open != NULL && !s->goes_on)
		open_end(s);
	if (s->open == NULL) {
		if (!has_macros(m))
			return NULL;
		name = name_of(line, &body);
		if (name.len == 0)
			return NULL;
		s->open = named(s, name);
		s->is_again = s->open != NULL;
		if (!s->is_again && s->len == MACROS_MAX)
			return NULL;
		if (!s->is_again) {
			s->open = &s->items[s->len];
			*s->open = (struct macro){ .name = name };
		}
	}
	if (!s->is_again && body.bytes != NULL)
		body_read(s->open, body, m);
	s->goes_on = text_ends(line, "\\");
	return s->open;
}

/* "NAME(" or "NAME (" */
static bool begins_call(struct json_text line, struct json_text name)
{
	return line.len > name.len &&
	       memcmp(line.bytes, name.bytes, name.len) == 0 &&
	       text_begins(text_trim(text_from(line, name.len)), "(");
}

/* How often the line uses the macro: at its beginning, or everywhere. */
static size_t uses_in(struct json_text line, const struct macro *o)
{
	size_t n = 0, at = 0;

	if (o->mark->kind != MARK_EACH)
		return begins_call(line, o->name);
	while ((at = word_at(line, at, o->name)) < line.len) {
		n += begins_call(text_from(line, at), o->name);
		at += o->name.len;
	}
	return n;
}

size_t tests_macro_count(struct macros *s, struct json_text line,
			 const struct mark **ret_mark)
{
	size_t tests = 0;

	if (text_begins(line, "/") || text_begins(line, "*") ||
	    text_begins(line, "#"))
		return 0;
	for (size_t i = 0; i < s->len; i++) {
		struct macro *o = &s->items[i];
		const size_t n = uses_in(line, o);

		if (n == 0)
			continue;
		o->is_used = true;
		*ret_mark = o->mark;
		tests += n * o->tests;
	}
	return tests;
}

size_t tests_macro_sum(const struct macros *s)
{
	size_t sum = s->rest;

	/* One that is still open stands behind the others. */
	for (size_t i = 0; i < s->len; i++)
		sum += s->items[i].is_used ? 0 : s->items[i].body;
	return sum + (s->open != NULL && !s->is_again ? s->open->body : 0);
}
