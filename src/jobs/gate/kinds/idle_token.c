/* idle_token.c -- see idle_scan.h.
 *
 * Source: POSIX, "Shell Command Language", 2.3 "Token Recognition". */
#include <string.h>

#include "jobs/gate/kinds/idle_scan.h"

static void skip(struct json_text *t, size_t n)
{
	t->bytes += n;
	t->len -= n;
}

/* Blanks, remarks, and newlines behind a backslash. */
static void blanks_skip(struct json_text *t)
{
	while (t->len > 0) {
		if (strchr(" \t\r", t->bytes[0]) != NULL) {
			skip(t, 1);
		} else if (t->len > 1 && memcmp(t->bytes, "\\\n", 2) == 0) {
			skip(t, 2);
		} else if (t->bytes[0] == '#') {
			const char *eol = memchr(t->bytes, '\n', t->len);

			skip(t,
			     eol != NULL ? (size_t)(eol - t->bytes) : t->len);
		} else {
			return;
		}
	}
}

static char operator_of(struct json_text t, size_t *ret_len)
{
	const char c = t.bytes[0], next = t.len > 1 ? t.bytes[1] : '\0';

	*ret_len = 1;
	if (c == '&' && next == '>')
		return 'w'; /* a redirection of both */
	if ((c == '&' || c == '|') && next == c) {
		*ret_len = 2;
		return c == '&' ? 'a' : 'o';
	}
	if (c == '|' && next == '&')
		*ret_len = 2;
	if (c == '\n')
		return ';';
	return c != '\0' && strchr("&|;()", c) != NULL ? c : 'w';
}

/* The length of what begins with a quote or a bracket at t, to its end. */
static size_t quoted_len(struct json_text t, char end)
{
	size_t i = 1, deep = 1;

	for (; i < t.len && deep > 0; i++) {
		if (t.bytes[i] == '\\' && end != '\'')
			i++;
		else if (t.bytes[i] == end)
			deep--;
		else if (end == ')' && t.bytes[i] == '(')
			deep++;
	}
	return i < t.len ? i : t.len;
}

static size_t piece_len(struct json_text t)
{
	const char c = t.bytes[0], next = t.len > 1 ? t.bytes[1] : '\0';

	if (c == '\'' || c == '"' || c == '`')
		return quoted_len(t, c);
	if (c == '$' && (next == '(' || next == '{')) {
		struct json_text inner = { t.bytes + 1, t.len - 1 };

		return 1 + quoted_len(inner, next == '(' ? ')' : '}');
	}
	if (next != '\0' && (c == '\\' || ((c == '>' || c == '<' || c == '&') &&
					   strchr("&>|", next) != NULL)))
		return 2;
	return 1;
}

struct idle_token idle_token_take(struct json_text *rest)
{
	struct idle_token ret = { 0 };
	size_t len = 0;

	blanks_skip(rest);
	if (rest->len == 0)
		return ret;
	ret.kind = operator_of(*rest, &len);
	if (ret.kind == 'w') {
		for (len = 0; len < rest->len;) {
			struct json_text t = { rest->bytes + len,
					       rest->len - len };
			size_t unused;

			if (strchr(" \t\r\n", t.bytes[0]) != NULL ||
			    operator_of(t, &unused) != 'w')
				break;
			len += piece_len(t);
		}
		len = len < rest->len ? len : rest->len;
	}
	ret.text = (struct json_text){ rest->bytes, len };
	skip(rest, len);
	return ret;
}

char *idle_word_plain(struct json_text word, char out[IDLE_WORD_BYTES])
{
	size_t n = 0;
	char quote = '\0';

	for (size_t i = 0; i < word.len && n + 1 < IDLE_WORD_BYTES; i++) {
		const char c = word.bytes[i];

		if (quote == '\0' ? c == '\'' || c == '"' : c == quote)
			quote = quote == '\0' ? c : '\0';
		else if (c != '\\' || quote == '\'')
			out[n++] = c;
		else if (++i < word.len)
			out[n++] = word.bytes[i];
	}
	out[n] = '\0';
	return out;
}

bool idle_is_in(const char *word, const char *const *list)
{
	while (*list != NULL && strcmp(*list, word) != 0)
		list++;
	return *list != NULL;
}
