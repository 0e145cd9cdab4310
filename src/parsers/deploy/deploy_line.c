/* deploy_line.c -- a Dockerfile as instructions.  See deploy_line.h. */
#include "parsers/deploy/deploy_line.h"

#include <ctype.h>
#include <string.h>

#include "parsers/common/here_document.h"
#include "parsers/common/text_piece.h"

#define TRIES_MAX 16U /* searches for an end that is missing */

void deploy_lines_init(struct docker_lines *l, const char *bytes, size_t n)
{
	*l = (struct docker_lines){ .escape = '\\' };
	l->line.cap_bytes = DOCKER_LINE_BYTES;
	l->start = bytes;
	l->at = bytes + text_bom((struct json_text){ bytes, n });
	l->end = bytes + n;
}

void deploy_lines_done(struct docker_lines *l)
{
	buf_done(&l->line);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The line at *at without its end; *at moves on. */
static struct json_text physical_next(const char **at, const char *end)
{
	const char *from = *at;
	const char *eol = memchr(from, '\n', (size_t)(end - from));
	const char *last = eol != NULL ? eol : end;

	*at = eol != NULL ? eol + 1 : end;
	while (last > from && last[-1] == '\r')
		last--;
	return (struct json_text){ from, (size_t)(last - from) };
}

static struct json_text trim_left(struct json_text t)
{
	while (t.len > 0 && is_blank(t.bytes[0])) {
		t.bytes++;
		t.len--;
	}
	return t;
}

bool deploy_word_is(struct json_text word, const char *lower)
{
	if (word.len != strlen(lower))
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (tolower((unsigned char)word.bytes[i]) != lower[i])
			return false;
	return true;
}

struct json_text deploy_word_next(const char **at, const char *end)
{
	const char *from = *at;
	const char *s;

	while (from < end && is_blank(*from))
		from++;
	s = from;
	while (s < end && !is_blank(*s))
		s++;
	*at = s;
	return (struct json_text){ from, (size_t)(s - from) };
}

/* Cut the name of a directive off t, "syntax" of "syntax = x"; empty: it is none. */
static struct json_text directive_cut(struct json_text *t)
{
	struct json_text name = { t->bytes, 0 };

	while (name.len < t->len && isalnum((unsigned char)t->bytes[name.len]))
		name.len++;
	*t = trim_left(text_from(*t, name.len));
	if (!text_begins(*t, "=")) {
		name.len = 0;
		return name;
	}
	*t = text_trim(text_from(*t, 1));
	return name;
}

/* "# escape=`".  Directives stand before anything else, also before any other
 * comment. */
static void directive_read(struct docker_lines *l, struct json_text comment)
{
	struct json_text t = trim_left(text_from(comment, 1));
	const struct json_text name = directive_cut(&t);

	if (deploy_word_is(name, "escape") && t.len == 1 &&
	    (t.bytes[0] == '`' || t.bytes[0] == '\\'))
		l->escape = t.bytes[0];
	else if (t.len == 0 || (!deploy_word_is(name, "syntax") &&
				!deploy_word_is(name, "check")))
		l->is_past_head = true;
}

/* Whether t ends within a text in quotes, or has an escape or a variable with a
 * grammar of its own: what follows may be no document, and is read. */
static bool is_doubtful(struct json_text t)
{
	size_t single = 0, twice = 0;

	for (size_t i = 0; i < t.len; i++) {
		single += t.bytes[i] == '\'';
		twice += t.bytes[i] == '"';
	}
	return single % 2 + twice % 2 > 0 || text_has(t, "\\") ||
	       text_has(t, "${");
}

/* Documents that begin in line are passed over, if they end; none behind a place that
 * is doubtful. */
static void documents_skip(struct docker_lines *l, struct json_text line)
{
	struct json_text before = line, word;
	bool has_tabs;

	while (l->tries < TRIES_MAX) {
		const char *behind;

		word = here_word_cut(&line, &before, &has_tabs);
		if (word.bytes == NULL || is_doubtful(before))
			return;
		if (word.len == 0)
			continue;
		behind = here_end_find(l->at, l->end, word,
				       has_tabs ? HERE_TABS : HERE_NO_BLANKS);
		if (behind != NULL)
			l->at = behind;
		else
			l->tries++;
	}
}

static void heredocs_skip(struct docker_lines *l)
{
	const char *at = l->line.bytes, *end = at + l->line.len;
	struct json_text word = deploy_word_next(&at, end);

	if (deploy_word_is(word, "onbuild"))
		word = deploy_word_next(&at, end);
	if (deploy_word_is(word, "run") || deploy_word_is(word, "copy") ||
	    deploy_word_is(word, "add"))
		documents_skip(
			l, (struct json_text){ l->line.bytes, l->line.len });
}

/* Append one line; whether the instruction goes on.  Nothing is put between the
 * lines, so that a word may go on, too; and of two escape characters the first one
 * escapes the second. */
static bool line_join(struct docker_lines *l, struct json_text t)
{
	size_t n = t.len;
	bool goes_on;

	while (n > 0 && (t.bytes[n - 1] == ' ' || t.bytes[n - 1] == '\t'))
		n--;
	goes_on = n > 0 && t.bytes[n - 1] == l->escape &&
		  (n == 1 || t.bytes[n - 2] != '\\');
	buf_add(&l->line, t.bytes, goes_on ? n - 1 : t.len);
	return goes_on;
}

bool deploy_line_next(struct docker_lines *l)
{
	bool goes_on = true;

	l->line.failed = false;
	l->line.len = 0;
	l->from = NULL;
	while (goes_on && l->at < l->end) {
		const struct json_text line = physical_next(&l->at, l->end);
		const struct json_text t = trim_left(line);

		if (t.len > 0 && t.bytes[0] == '#') {
			if (!l->is_past_head)
				directive_read(l, t);
			continue;
		}
		l->is_past_head = true;
		if (t.len == 0)
			continue;
		goes_on = line_join(l, l->from == NULL ? t : line);
		if (l->from == NULL)
			l->from = t.bytes;
	}
	l->is_too_long = buf_has_failed(&l->line);
	if (l->from != NULL && !l->is_too_long)
		heredocs_skip(l);
	return l->from != NULL;
}
