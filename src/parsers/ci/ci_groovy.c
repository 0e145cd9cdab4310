/* ci_groovy.c -- see ci_groovy.h.
 * Source: the Groovy documentation, "Syntax": 4 (strings), 1 (comments).
 * Slashy strings are not told from divisions; quotes in them end with their
 * line. */
#include "parsers/ci/ci_groovy.h"

#include <string.h>

#include "parsers/common/text_piece.h"

#define EXPRESSION_BYTES 512 /* looked at for the end of ${...} */

static bool is_word(char c)
{
	return text_is_word_byte(c) || c == '$' || (unsigned char)c >= 0x80;
}

static bool begins(const struct groovy *g, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(g->end - g->at) >= n && memcmp(g->at, with, n) == 0;
}

static void line_skip(struct groovy *g)
{
	const char *end = memchr(g->at, '\n', (size_t)(g->end - g->at));

	g->at = end != NULL ? end : g->end;
}

static void comment_skip(struct groovy *g)
{
	const char *end;

	g->at += 2;
	end = memmem(g->at, (size_t)(g->end - g->at), "*/", 2);
	g->at = end != NULL ? end + 2 : g->end;
}

/* Blanks, comments, and lines that go on. */
static void space_skip(struct groovy *g)
{
	while (g->at < g->end) {
		if (*g->at == ' ' || *g->at == '\t' || *g->at == '\r')
			g->at++;
		else if (begins(g, "\\\n"))
			g->at += 2;
		else if (begins(g, "//") || begins(g, "#!"))
			line_skip(g);
		else if (begins(g, "/*"))
			comment_skip(g);
		else
			return;
	}
}

/* Past ${...} within a text, in which quotes are code's. */
static bool expression_skip(struct groovy *g)
{
	size_t n = (size_t)(g->end - g->at);
	const char *end;

	if (!begins(g, "${"))
		return false;
	end = memchr(g->at, '}', n < EXPRESSION_BYTES ? n : EXPRESSION_BYTES);
	if (end == NULL || memchr(g->at, '\n', (size_t)(end - g->at)) != NULL)
		return false;
	g->at = end + 1;
	return true;
}

/* A text; three quotes may hold line ends, one may not. */
static struct json_text text_take(struct groovy *g, char quote)
{
	const char three[] = { quote, quote, quote, '\0' };
	bool is_long = begins(g, three);
	struct json_text text;

	g->at += is_long ? 3 : 1;
	text.bytes = g->at;
	while (g->at < g->end) {
		if (is_long ? begins(g, three) : *g->at == quote)
			break;
		if (!is_long && *g->at == '\n')
			break;
		if (quote == '"' && expression_skip(g))
			continue;
		g->at += *g->at == '\\' && g->end - g->at > 1 ? 2 : 1;
	}
	text.len = (size_t)(g->at - text.bytes);
	if (begins(g, three) && is_long)
		g->at += 3;
	else if (g->at < g->end && *g->at == quote)
		g->at++;
	return text;
}

struct groovy_token ci_groovy_next(struct groovy *g)
{
	struct groovy_token t = { GROOVY_END, { NULL, 0 } };

	space_skip(g);
	if (g->at >= g->end)
		return t;
	if (*g->at == '"' || *g->at == '\'') {
		t.kind = GROOVY_TEXT;
		t.text = text_take(g, *g->at);
		return t;
	}
	t.text.bytes = g->at;
	if (is_word(*g->at)) {
		t.kind = GROOVY_WORD;
		while (g->at < g->end && is_word(*g->at))
			g->at++;
	} else {
		t.kind = GROOVY_MARK;
		g->at++;
	}
	t.text.len = (size_t)(g->at - t.text.bytes);
	return t;
}
