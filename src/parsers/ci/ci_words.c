/* ci_words.c -- see ci_words.h. */
#include "parsers/ci/ci_words.h"

#include <string.h>

#include "parsers/common/text_piece.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_end(char c)
{
	return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' ||
	       c == '\n';
}

/* There is always room: words are never longer than the line, and the NUL of
 * each word takes the place of the blank or end behind it. */
static void put(struct ci_cursor *c, char byte)
{
	if (c->used < CI_LINE_BYTES)
		c->to[c->used++] = byte;
}

static void put_to(struct ci_cursor *c, const char *end)
{
	while (c->at < end)
		put(c, *c->at++);
}

static bool begins(const struct ci_cursor *c, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(c->end - c->at) >= n && memcmp(c->at, with, n) == 0;
}

#define EXPRESSION_BYTES 512U /* searched for each opening, so not more */

/* The end of what begins at c->at with open and ends with close, or NULL. */
static const char *bracket_end(const struct ci_cursor *c, const char *open,
			       const char *close)
{
	const char *at, *from = c->at + strlen(open);
	size_t n;

	if (!begins(c, open))
		return NULL;
	n = (size_t)(c->end - from);
	if (n > EXPRESSION_BYTES)
		n = EXPRESSION_BYTES;
	at = memmem(from, n, close, strlen(close));
	return at != NULL ? at + strlen(close) : NULL;
}

/* $( ... ) with brackets within; its end, or the line's. */
static const char *substitution_end(const struct ci_cursor *c)
{
	size_t depth = 0;

	for (const char *at = c->at + 1; at < c->end; at++) {
		depth += *at == '(';
		if (*at == ')' && --depth == 0)
			return at + 1;
	}
	return c->end;
}

/* The end of an expression that stays as written, or NULL. */
static const char *expression_end(const struct ci_cursor *c)
{
	const char *end = NULL;

	if (*c->at == '$') {
		if (begins(c, "$("))
			return substitution_end(c);
		end = bracket_end(c, "${{", "}}");
		if (end == NULL)
			end = bracket_end(c, "$[[", "]]");
		if (end == NULL)
			end = bracket_end(c, "${", "}");
	} else if (*c->at == '`') {
		end = bracket_end(c, "`", "`");
	} else if (*c->at == '<') {
		end = bracket_end(c, "<<", ">>");
	}
	return end;
}

/* A double-quoted part; c->at is behind the first quote. */
static void quoted_take(struct ci_cursor *c)
{
	while (c->at < c->end && *c->at != '"') {
		const char *end = expression_end(c);

		if (end != NULL) {
			put_to(c, end);
			continue;
		}
		if (*c->at == '\\' && c->end - c->at > 1 &&
		    strchr("\"\\`", c->at[1]) != NULL && c->at[1] != '\0')
			c->at++;
		put(c, *c->at++);
	}
	if (c->at < c->end)
		c->at++;
}

static void single_quoted_take(struct ci_cursor *c)
{
	const char *end = memchr(c->at, '\'', (size_t)(c->end - c->at));

	put_to(c, end != NULL ? end : c->end);
	if (c->at < c->end)
		c->at++;
}

/* "2>&1" and "&>" are no ends of a command. */
static bool is_redirection(const struct ci_cursor *c, const char *from)
{
	return *c->at == '&' && ((c->at > from && c->at[-1] == '>') ||
				 (c->end - c->at > 1 && c->at[1] == '>'));
}

/* A backslash before a letter is more likely part of a Windows path than a
 * quote. */
static bool is_path_part(const struct ci_cursor *c)
{
	return c->at < c->end && ((*c->at >= 'a' && *c->at <= 'z') ||
				  (*c->at >= 'A' && *c->at <= 'Z'));
}

static void piece_take(struct ci_cursor *c)
{
	const char *end = expression_end(c);
	char byte = *c->at;

	if (end != NULL) {
		put_to(c, end);
		return;
	}
	c->at++;
	if (byte == '"')
		quoted_take(c);
	else if (byte == '\'')
		single_quoted_take(c);
	else if (byte != '\\' || is_path_part(c))
		put(c, byte);
	else if (c->at < c->end)
		put(c, *c->at++);
}

static struct json_text word_take(struct ci_cursor *c)
{
	struct json_text word = { c->to + c->used, 0 };
	const char *from = c->at;
	size_t before = c->used;

	while (c->at < c->end && !is_space(*c->at) &&
	       (!is_end(*c->at) || is_redirection(c, from)))
		piece_take(c);
	word.len = c->used - before;
	put(c, '\0');
	return word;
}

/* The length of what ends a line that goes on, or 0.  In a text of Groovy's the
 * backslash is written twice. */
static size_t continuation_len(const struct ci_cursor *c)
{
	static const char *const ends[] = { "\\\n", "\\\r\n", "\\\\\n",
					    "\\\\\r\n" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (begins(c, ends[i]))
			return strlen(ends[i]);
	return 0;
}

bool ci_words_next(struct ci_cursor *c, struct ci_words *ret)
{
	ret->len = 0;
	ret->is_cut = false;
	while (c->at < c->end && (is_space(*c->at) || is_end(*c->at)))
		c->at++;
	if (c->at == c->end)
		return false;
	while (c->at < c->end &&
	       (!is_end(*c->at) || is_redirection(c, c->at))) {
		struct json_text word;

		if (continuation_len(c) > 0) {
			c->at += continuation_len(c);
			continue;
		}
		if (is_space(*c->at)) {
			c->at++;
			continue;
		}
		if (*c->at == '#') { /* a comment, up to the line's end */
			while (c->at < c->end && *c->at != '\n')
				c->at++;
			break;
		}
		word = word_take(c);
		if (ret->len < CI_WORDS_MAX)
			ret->items[ret->len++] = word;
		else
			ret->is_cut = true;
	}
	return true;
}

/* --- programs ----------------------------------------------------------------- */

/* The name in "$(which name)", "`command -v name`"; else the word itself. */
static struct json_text looked_up(struct json_text word)
{
	static const char *const begins[] = {
		"$(which ",     "`which ",        "$(command -v ",
		"`command -v ", "$(shell which ", "$(shell command -v ",
	};

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (text_begins(word, begins[i]) &&
		    (text_ends(word, ")") || text_ends(word, "`"))) {
			word = text_from(word, strlen(begins[i]));
			word.len--;
			return text_trim(word);
		}
	return word;
}

struct json_text ci_words_program(struct json_text word)
{
	static const char *const ends[] = { ".exe",  ".cmd", ".bat",
					    ".phar", ".js",  ".mjs",
					    ".cjs",  ".ts",  ".ps1" };
	const char *slash;

	word = looked_up(word);
	for (const char sep[] = { '/', '\\', 0 }, *s = sep; *s != '\0'; s++) {
		slash = word.len > 0 ? memrchr(word.bytes, *s, word.len) : NULL;
		if (slash != NULL) {
			word.len -= (size_t)(slash + 1 - word.bytes);
			word.bytes = slash + 1;
		}
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n = strlen(ends[i]);

		if (word.len > n &&
		    memcmp(word.bytes + word.len - n, ends[i], n) == 0) {
			word.len -= n;
			break;
		}
	}
	return word;
}

struct json_text ci_words_stem(struct json_text file)
{
	static const char *const ends[] = { ".sh", ".py",  ".rb", ".php",
					    ".pl", ".mjs", ".js", ".ts" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (file.len > strlen(ends[i]) && text_ends(file, ends[i]))
			return text_first(file, file.len - strlen(ends[i]));
	return file;
}

bool ci_words_run_shell(struct json_text before)
{
	struct json_text word;

	while ((word = text_word(&before)).len > 0) {
		const char *slash = memrchr(word.bytes, '/', word.len);
		size_t quotes = word.bytes[0] == '"' || word.bytes[0] == '\'';

		word = text_from(
			word, slash != NULL ? (size_t)(slash - word.bytes) + 1
					    : quotes);
		if (text_in(text_first(word, text_length_before(word, "\"'")),
			    "sh bash zsh dash ash ssh sshpass"))
			return true;
	}
	return false;
}
