/* depend_token.c -- the tokens of a Python program. */
#include <string.h>

#include "parsers/depend/depend_token.h"

bool token_is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static bool is_quote(struct json_text t)
{
	return t.len > 0 && (t.bytes[0] == '"' || t.bytes[0] == '\'');
}

static bool has_any(struct json_text t, const char *any)
{
	for (; *any != '\0'; any++)
		if (memchr(t.bytes, *any, t.len) != NULL)
			return true;
	return false;
}

/* Whether t may stand before a quote as a part of the text: r"x", but not
 * if"x". */
static bool is_prefix(struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (memchr("bBfFrRtTuU", t.bytes[i], 10) == NULL)
			return false;
	return t.len <= 2;
}

/* Cut blanks, ends of lines and comments off. */
static void blanks_cut(struct json_text *rest)
{
	size_t n = 0;

	while (n < rest->len) {
		if (rest->bytes[n] == '#')
			while (n < rest->len && rest->bytes[n] != '\n')
				n++;
		else if (rest->bytes[n] == '\0' ||
			 strchr(" \t\r\n\\", rest->bytes[n]) == NULL)
			break;
		else
			n++;
	}
	*rest = text_from(*rest, n);
}

/* rest begins with a quote.  A text that does not end in its line is cut there,
 * unless three quotes begin it. */
static struct json_text quoted_cut(struct json_text *rest)
{
	const char quote = rest->bytes[0];
	const char three[] = { quote, quote, quote, '\0' };
	const bool is_long = text_begins(*rest, three);
	const size_t mark = is_long ? 3 : 1;
	struct json_text t = text_from(*rest, mark);
	size_t n = 0;

	while (n < t.len) {
		if (t.bytes[n] == '\\') {
			n++;
		} else if (is_long ? text_begins(text_from(t, n), three)
				   : t.bytes[n] == quote) {
			*rest = text_from(t, n + mark);
			t.len = n;
			return t;
		} else if (!is_long && t.bytes[n] == '\n') {
			break;
		}
		n++;
	}
	n = n < t.len ? n : t.len;
	*rest = text_from(t, n);
	t.len = n;
	return t;
}

struct token token_next(struct json_text *rest)
{
	struct token t = { .kind = TOKEN_END };
	size_t n = 0;

	blanks_cut(rest);
	if (rest->len == 0)
		return t;
	while (n < rest->len && token_is_word_byte(rest->bytes[n]))
		n++;
	t.text = (struct json_text){ rest->bytes, n };
	if (is_prefix(t.text) && is_quote(text_from(*rest, n))) {
		t.is_formatted = has_any(t.text, "fFtT");
		*rest = text_from(*rest, n);
		t.kind = TOKEN_TEXT;
		t.text = quoted_cut(rest);
		return t;
	}
	t.kind = n > 0 ? TOKEN_WORD : TOKEN_MARK;
	t.text.len = n > 0 ? n : 1;
	*rest = text_from(*rest, t.text.len);
	return t;
}

bool token_is_mark(const struct token *t, const char *any)
{
	return t->kind == TOKEN_MARK && t->text.bytes[0] != '\0' &&
	       strchr(any, t->text.bytes[0]) != NULL;
}

struct token token_ahead(struct json_text rest)
{
	return token_next(&rest);
}

bool token_is_word(const struct token *t, const char *s)
{
	return t->kind == TOKEN_WORD && text_is(t->text, s);
}

size_t token_depth(size_t depth, const struct token *t)
{
	if (token_is_mark(t, "([{"))
		return depth + 1;
	if (token_is_mark(t, ")]}"))
		return depth - (depth > 0);
	return depth;
}

bool token_computed_cut(struct json_text *rest)
{
	struct token t = token_ahead(*rest);
	bool is_computed = false;
	size_t depth;

	for (; token_is_mark(&t, ".(["); t = token_ahead(*rest)) {
		is_computed = true;
		(void)token_next(rest);
		depth = token_depth(0, &t);
		if (depth == 0)
			(void)token_next(rest);
		while (depth > 0 && (t = token_next(rest)).kind != TOKEN_END)
			depth = token_depth(depth, &t);
	}
	return is_computed;
}
