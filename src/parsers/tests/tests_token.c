/* tests_token.c -- see tests_token.h.
 *
 * Source: ECMA-262, 12 "Lexical Grammar".  The token before a '/' decides
 * whether it begins a regular expression, as in most highlighters.  After ')'
 * and '}' it is taken as a division. */
#include "parsers/tests/tests_token.h"

#include <string.h>

#include "parsers/common/text_piece.h"

#define PATIENCE_MIN ((size_t)64 << 10)

struct tokens tests_tokens_of(const char *bytes, size_t len)
{
	struct tokens t = { .bytes = bytes,
			    .len = len,
			    .patience = len + PATIENCE_MIN };

	if (len > 1 && bytes[0] == '#' && bytes[1] == '!')
		while (t.at < len && bytes[t.at] != '\n')
			t.at++;
	return t;
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || (c & 0x80) != 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The length of the comment at s, which begins with a slash and a star. */
static size_t comment_len(const char *s, size_t left)
{
	const char *end = s + left, *at = s + 2;

	while ((at = memchr(at, '*', (size_t)(end - at))) != NULL) {
		at++;
		if (at < end && *at == '/')
			return (size_t)(at - s) + 1;
	}
	return left;
}

/* Skip white space and comments.  Returns whether there was a new line. */
static bool space_skip(struct tokens *t)
{
	bool broke = false;

	while (t->at < t->len) {
		const char *s = t->bytes + t->at;
		size_t left = t->len - t->at;
		const char *end;

		if (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n' ||
		    *s == '\v' || *s == '\f' || *s == '\0') {
			broke = broke || *s == '\n';
			t->at++;
		} else if (left > 1 && s[0] == '/' && s[1] == '/') {
			end = memchr(s, '\n', left);
			t->at += end ? (size_t)(end - s) : left;
		} else if (left > 1 && s[0] == '/' && s[1] == '*') {
			t->at += comment_len(s, left);
		} else {
			break;
		}
	}
	return broke;
}

/* The length, with both ends, of what begins with the quote or '/' at s and
 * ends on the same line; otherwise 0. */
static size_t quoted_len(struct tokens *t, const char *s, size_t left)
{
	bool in_class = false;
	size_t i = 1;

	while (i < left && t->patience > i && s[i] != '\n') {
		if (s[i] == '\\') {
			i += 2;
			continue;
		}
		if (s[0] == '/' && s[i] == '[')
			in_class = true;
		else if (s[0] == '/' && s[i] == ']')
			in_class = false;
		else if (s[i] == s[0] && !in_class)
			return i + 1;
		i++;
	}
	t->patience -= i < t->patience ? i : t->patience;
	return 0;
}

/* Skip the part of the template that begins at t->at, up to and including the
 * '`', or the "${" that opens an expression. */
static void template_skip(struct tokens *t)
{
	while (t->at < t->len) {
		char c = t->bytes[t->at++];

		if (c == '\\' && t->at < t->len) {
			t->at++;
		} else if (c == '`') {
			return;
		} else if (c == '$' && t->at < t->len &&
			   t->bytes[t->at] == '{') {
			t->at++;
			/* Deeper templates are read as if they were code. */
			if (t->templates < TOKEN_TEMPLATES)
				t->braces[t->templates++] = 0;
			return;
		}
	}
}

static bool may_be_regex(const struct token *last)
{
	switch (last->kind) {
	case TOKEN_END:
		return true;
	case TOKEN_SIGN:
		/* "</b>" is the end of a JSX element */
		return strchr(")]}<", last->sign) == NULL;
	case TOKEN_NAME:
		return text_in(last->text,
			       "return typeof case in of delete void throw "
			       "new else do instanceof await yield");
	default:
		return false;
	}
}

static struct token sign_take(struct tokens *t, char c)
{
	struct token token = { .kind = TOKEN_SIGN, .sign = c };
	size_t *braces = t->templates > 0 ? &t->braces[t->templates - 1] : NULL;

	t->at++;
	if (braces == NULL)
		return token;
	if (c == '{') {
		++*braces;
	} else if (c == '}' && *braces > 0) {
		--*braces;
	} else if (c == '}') {
		t->templates--;
		template_skip(t);
		token.kind = TOKEN_TEMPLATE;
	}
	return token;
}

static struct token name_take(struct tokens *t, enum token_kind kind)
{
	const char *from = t->bytes + t->at;

	while (t->at < t->len &&
	       (is_name_start(t->bytes[t->at]) || is_digit(t->bytes[t->at])))
		t->at++;
	return (struct token){
		.kind = kind,
		.text = { from, (size_t)(t->bytes + t->at - from) },
	};
}

static struct token quoted_take(struct tokens *t, enum token_kind kind)
{
	const char *s = t->bytes + t->at;
	size_t n = quoted_len(t, s, t->len - t->at);

	if (n == 0)
		return sign_take(t, *s);
	t->at += n;
	return (struct token){ .kind = kind, .text = { s + 1, n - 2 } };
}

struct token tests_token_next(struct tokens *t)
{
	bool broke = space_skip(t);
	struct token token = { .kind = TOKEN_END };
	char c = t->at < t->len ? t->bytes[t->at] : '\0';

	if (t->at >= t->len) {
		t->last = token;
		return token;
	}
	if (is_name_start(c)) {
		token = name_take(t, TOKEN_NAME);
	} else if (is_digit(c)) {
		token = name_take(t, TOKEN_NUMBER);
	} else if (c == '"' || c == '\'') {
		token = quoted_take(t, TOKEN_STRING);
	} else if (c == '/' && may_be_regex(&t->last)) {
		token = quoted_take(t, TOKEN_REGEX);
	} else if (c == '`') {
		t->at++;
		template_skip(t);
		token.kind = TOKEN_TEMPLATE;
	} else {
		token = sign_take(t, c);
	}
	token.after_break = broke;
	t->last = token;
	return token;
}
