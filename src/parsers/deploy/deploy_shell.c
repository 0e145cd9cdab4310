/* deploy_shell.c -- see deploy_shell.h. */
#include "parsers/deploy/deploy_shell.h"

#include <ctype.h>
#include <string.h>

#include "parsers/common/text_piece.h"

#define DEEP_MAX 16U /* braces within braces */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Behind the text in quotes at at; NULL: it does not end. */
static const char *quotes_pass(const char *at, const char *end)
{
	const char quote = *at++;

	for (; at < end && *at != quote; at++)
		if (quote == '"' && *at == '\\' && at + 1 < end &&
		    strchr("\"$\\", at[1]) != NULL && at[1] != '\0')
			at++;
	return at < end ? at + 1 : NULL;
}

/* What BuildKit knows behind the name in "${name...}". */
static bool is_modifier(const char *at, const char *end)
{
	if (at < end && *at == ':')
		return at + 1 < end && strchr("-+?", at[1]) != NULL &&
		       at[1] != '\0';
	return at < end && *at != '\0' && strchr("}-+?#%/", *at) != NULL;
}

static const char *piece_pass(const char *at, const char *end, unsigned deep);

/* Behind "${...}", which at begins with; NULL: it does not end, or no builder takes
 * it. */
static const char *braces_pass(const char *at, const char *end, unsigned deep)
{
	at += 2;
	while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
		at++;
	if (deep == DEEP_MAX || !is_modifier(at, end))
		return NULL;
	while (at != NULL && at < end && *at != '}')
		at = piece_pass(at, end, deep + 1);
	return at != NULL && at < end ? at + 1 : NULL;
}

/* Behind the piece of a word at at: a byte, an escaped one, a text in quotes, or
 * "${...}". */
static const char *piece_pass(const char *at, const char *end, unsigned deep)
{
	if (*at == '\'' || *at == '"')
		return quotes_pass(at, end);
	if (*at == '$' && at + 1 < end && at[1] == '{')
		return braces_pass(at, end, deep);
	if (*at == '\\' && at + 1 < end)
		return at + 2;
	return at + 1;
}

/* Cut the next word off *at; blanks may stand behind "<<".  Returns false at the
 * end, and if a quote or a brace does not end, with *at NULL. */
static bool word_cut(const char **at, const char *end, struct json_text *ret)
{
	const char *s = *at, *from;

	while (s < end && is_space(*s))
		s++;
	from = s;
	while (s != NULL && s < end && !is_space(*s)) {
		if (end - s >= 2 && memcmp(s, "<<", 2) == 0) {
			for (s += 2; s < end && (*s == ' ' || *s == '\t');)
				s++;
			continue;
		}
		s = piece_pass(s, end, 0);
	}
	*at = s;
	*ret = (struct json_text){ from, s != NULL ? (size_t)(s - from) : 0 };
	return ret->len > 0;
}

struct here_words deploy_here_words_of(struct json_text line)
{
	const struct here_words all = { line.bytes, line.bytes + line.len };
	const char *at = all.at;
	struct json_text word;

	while (word_cut(&at, all.end, &word))
		;
	return at != NULL ? all : (struct here_words){ all.end, all.end };
}

/* Add t without its quotes and escapes. */
static void plain_put(struct json_text t, struct buf *out)
{
	char quote = '\0';

	for (size_t i = 0; i < t.len; i++) {
		const char c = t.bytes[i];
		const char next = i + 1 < t.len ? t.bytes[i + 1] : '\0';

		if (c == quote && quote != '\0') {
			quote = '\0';
		} else if (quote == '\0' && (c == '"' || c == '\'')) {
			quote = c;
		} else if (c == '\\' && next != '\0' &&
			   (quote == '\0' ||
			    (quote == '"' && strchr("\"$\\", next) != NULL))) {
			buf_char(out, next);
			i++;
		} else {
			buf_char(out, c);
		}
	}
}

/* "3<<-NAME", "<<'a b'"; the rest of the word is the name. */
static bool name_read(struct json_text word, struct buf *name,
		      bool *ret_has_tabs)
{
	while (word.len > 0 && isdigit((unsigned char)word.bytes[0]))
		word = text_from(word, 1);
	if (!text_begins(word, "<<"))
		return false;
	word = text_from(word, 2);
	*ret_has_tabs = text_begins(word, "-");
	word = text_trim(text_from(word, *ret_has_tabs));
	name->len = 0;
	if (memchr(word.bytes, '<', word.len) == NULL)
		plain_put(word, name);
	return name->len > 0 && !buf_has_failed(name);
}

bool deploy_here_words_next(struct here_words *w, struct buf *name,
			    bool *ret_has_tabs)
{
	struct json_text word;

	while (word_cut(&w->at, w->end, &word))
		if (name_read(word, name, ret_has_tabs))
			return true;
	return false;
}

bool deploy_flag_next(const char **at, const char *end, struct buf *flag)
{
	const char *s = *at, *from;
	char quote = '\0';

	while (s < end && is_space(*s))
		s++;
	from = s;
	if (end - s < 2 || memcmp(s, "--", 2) != 0)
		return false;
	while (s < end && (quote != '\0' || !is_space(*s))) {
		if (*s == '\\' && s + 1 < end)
			s++;
		else if (quote == *s)
			quote = '\0';
		else if (quote == '\0' && (*s == '"' || *s == '\''))
			quote = *s;
		s++;
	}
	*at = s;
	flag->len = 0;
	plain_put((struct json_text){ from, (size_t)(s - from) }, flag);
	return true;
}
