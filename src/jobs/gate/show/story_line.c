/* story_line.c -- see story_line.h. */
#include "jobs/gate/show/story_line.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define COLUMNS    80U
#define LINES_MAX  12U /* of one folded text */
#define INDENT_MAX 40U

/* Append one character so that it can be seen; returns how many bytes it
 * took. */
static size_t shown_add(const char *s, size_t n, struct buf *out)
{
	uint32_t code = 0;
	size_t len = utf8_read(s, n, &code);

	if (len == 0)
		buf_format(out, "\\x%02x", (unsigned char)s[0]);
	else if (utf8_is_control(code))
		buf_format(out, "\\u{%x}", (unsigned)code);
	else
		buf_add(out, s, len);
	return len > 0 ? len : 1;
}

void story_line_write(const char *bytes, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n;)
		i += shown_add(bytes + i, n - i, out);
}

/* The columns that text takes, one for each character. */
static size_t columns_of(const char *text, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* How much of text goes on a line of that many columns: up to a blank, if there
 * is one in its second half. */
static size_t line_len(const char *text, size_t n, size_t columns)
{
	size_t len = 0, seen = 0, blank = 0;

	for (; len < n; len++) {
		if (((unsigned char)text[len] & 0xc0) == 0x80)
			continue;
		if (seen++ == columns)
			break;
		if (text[len] == ' ')
			blank = len;
	}
	if (len == n)
		return n;
	return blank > len / 2 ? blank : len;
}

void story_line_fold(const char *lead, const char *bytes, size_t n,
		     struct buf *out)
{
	owned_buf struct buf text = { 0 };
	size_t indent = columns_of(lead, strlen(lead)), at = 0;
	unsigned lines = 0;

	story_line_write(bytes, n, &text);
	if (indent > INDENT_MAX)
		indent = INDENT_MAX;
	buf_text(out, lead);
	while (at < text.len && lines++ < LINES_MAX) {
		size_t len = line_len(text.bytes + at, text.len - at,
				      COLUMNS - indent);

		if (at > 0)
			buf_format(out, "\n%*s", (int)indent, "");
		buf_add(out, text.bytes + at, len);
		at += len;
		while (at < text.len && text.bytes[at] == ' ')
			at++;
	}
	buf_text(out, at < text.len ? " ...\n" : "\n");
}

void story_line_escape(const char *bytes, size_t n, struct buf *out)
{
	static const char *const names[] = {
		['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
		['"'] = "&quot;", ['\''] = "&#39;",
	};

	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)bytes[i];

		if (c < sizeof names / sizeof *names && names[c] != NULL) {
			buf_text(out, names[c]);
			i++;
		} else {
			i += shown_add(bytes + i, n - i, out);
		}
	}
}
