/* here_document.c -- see here_document.h. */
#include "parsers/common/here_document.h"

#include <string.h>

#include "parsers/common/text_piece.h"

struct json_text here_word_cut(struct json_text *rest,
			       struct json_text *ret_before, bool *ret_has_tabs)
{
	const struct json_text line = *rest;
	struct json_text word = { NULL, 0 };
	const char *at =
		line.len > 0 ? memmem(line.bytes, line.len, "<<", 2) : NULL;
	char quote;

	if (at == NULL)
		return word;
	*ret_before = text_first(line, (size_t)(at - line.bytes));
	*rest = text_from(line, ret_before->len + 2);
	*ret_has_tabs = text_begins(*rest, "-");
	if (*ret_has_tabs || text_begins(*rest, "~"))
		*rest = text_from(*rest, 1);
	*rest = text_trim(*rest);
	quote = rest->len > 0 ? rest->bytes[0] : '\0';
	if (quote == '\'' || quote == '"')
		word = text_cut(text_from(*rest, 1), quote, rest);
	else
		word = text_first(*rest,
				  text_length_before(*rest, " \t;&|()<>"));
	if (quote != '\'' && quote != '"')
		*rest = text_from(*rest, word.len);
	return word;
}

static bool is_before(char c, enum here_blanks blanks)
{
	return blanks != HERE_NO_BLANKS &&
	       (c == '\t' || (c == ' ' && blanks == HERE_ALL_BLANKS));
}

/* A NUL counts: YAML may write one, and a shell does not see it. */
static bool is_behind(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

bool here_is_end(struct json_text line, struct json_text word,
		 enum here_blanks blanks)
{
	if (blanks != HERE_ALL_BLANKS)
		line.len -= line.len > 0 && line.bytes[line.len - 1] == '\r';
	while (line.len > 0 && is_before(line.bytes[0], blanks)) {
		line.bytes++;
		line.len--;
	}
	while (blanks == HERE_ALL_BLANKS && line.len > 0 &&
	       is_behind(line.bytes[line.len - 1]))
		line.len--;
	return line.len == word.len &&
	       memcmp(line.bytes, word.bytes, word.len) == 0;
}

const char *here_end_find(const char *at, const char *end,
			  struct json_text word, enum here_blanks blanks)
{
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		const char *last = eol != NULL ? eol : end;
		struct json_text line = { at, (size_t)(last - at) };

		at = eol != NULL ? eol + 1 : end;
		if (here_is_end(line, word, blanks))
			return at;
	}
	return NULL;
}
