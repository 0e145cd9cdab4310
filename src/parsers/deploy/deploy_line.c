/* deploy_line.c -- a Dockerfile as instructions.  See deploy_line.h. */
#include "parsers/deploy/deploy_line.h"

#include <ctype.h>
#include <string.h>

#include "parsers/common/here_document.h"
#include "parsers/common/text_piece.h"

#define HEREDOCS_MAX 8U  /* of one instruction */
#define TRIES_MAX    16U /* searches for an end that is missing */

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

/* The line at *at without its end and blanks behind; *at moves on. */
static struct json_text physical_next(const char **at, const char *end)
{
	const char *from = *at;
	const char *eol = memchr(from, '\n', (size_t)(end - from));
	const char *last = eol != NULL ? eol : end;

	*at = eol != NULL ? eol + 1 : end;
	while (last > from && is_blank(last[-1]))
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

/* "# escape=`" before anything else. */
static void directive_read(struct docker_lines *l, struct json_text comment)
{
	static const char name[] = "escape";
	struct json_text t;

	comment.bytes++;
	comment.len--;
	t = trim_left(comment);
	if (t.len <= strlen(name) ||
	    !deploy_word_is((struct json_text){ t.bytes, strlen(name) }, name))
		return;
	t.bytes += strlen(name);
	t.len -= strlen(name);
	t = trim_left(t);
	if (t.len == 0 || t.bytes[0] != '=')
		return;
	t.bytes++;
	t.len--;
	t = trim_left(t);
	if (t.len == 1 && (t.bytes[0] == '`' || t.bytes[0] == '\\'))
		l->escape = t.bytes[0];
}

/* <<NAME, <<-NAME, 3<<"NAME": the name, or empty. */
static struct json_text heredoc_name(struct json_text word, bool *ret_tabs)
{
	struct json_text none = { word.bytes, 0 };
	char quote;

	while (word.len > 0 && isdigit((unsigned char)word.bytes[0])) {
		word.bytes++;
		word.len--;
	}
	if (word.len < 3 || memcmp(word.bytes, "<<", 2) != 0)
		return none;
	word.bytes += 2;
	word.len -= 2;
	*ret_tabs = word.bytes[0] == '-';
	word.bytes += *ret_tabs;
	word.len -= *ret_tabs;
	quote = word.len > 0 ? word.bytes[0] : '\0';
	if ((quote == '"' || quote == '\'') && word.len > 2 &&
	    word.bytes[word.len - 1] == quote) {
		word.bytes++;
		word.len -= 2;
	}
	for (size_t i = 0; i < word.len; i++)
		if (!isalnum((unsigned char)word.bytes[i]) &&
		    word.bytes[i] != '_')
			return none;
	return word;
}

/* Pass over the documents that the instruction begins. */
static void heredocs_skip(struct docker_lines *l)
{
	const char *at = l->line.bytes, *end = at + l->line.len;
	struct json_text word = deploy_word_next(&at, end);

	if (!deploy_word_is(word, "run") && !deploy_word_is(word, "copy") &&
	    !deploy_word_is(word, "add"))
		return;
	for (unsigned n = 0; n < HEREDOCS_MAX && l->tries < TRIES_MAX;) {
		struct json_text name;
		const char *behind;
		bool tabs = false;

		word = deploy_word_next(&at, end);
		if (word.len == 0)
			return;
		name = heredoc_name(word, &tabs);
		if (name.len == 0)
			continue;
		n++;
		behind = here_end_find(l->at, l->end, name,
				       tabs ? HERE_TABS : HERE_NO_BLANKS);
		if (behind != NULL)
			l->at = behind;
		else
			l->tries++; /* it was only a word */
	}
}

/* Append one line; whether the instruction goes on. */
static bool line_join(struct docker_lines *l, struct json_text t)
{
	bool goes_on = t.len > 0 && t.bytes[t.len - 1] == l->escape;

	buf_add(&l->line, t.bytes, t.len - goes_on);
	if (goes_on)
		buf_char(&l->line, ' ');
	return goes_on;
}

bool deploy_line_next(struct docker_lines *l)
{
	bool goes_on = true;

	l->line.failed = false;
	l->line.len = 0;
	l->from = NULL;
	while (goes_on && l->at < l->end) {
		struct json_text t = trim_left(physical_next(&l->at, l->end));

		if (t.len > 0 && t.bytes[0] == '#') {
			if (!l->is_past_head)
				directive_read(l, t);
			continue;
		}
		if (t.len == 0)
			continue;
		if (l->from == NULL)
			l->from = t.bytes;
		l->is_past_head = true;
		goes_on = line_join(l, t);
	}
	l->is_too_long = buf_has_failed(&l->line);
	if (l->from != NULL && !l->is_too_long)
		heredocs_skip(l);
	return l->from != NULL;
}
