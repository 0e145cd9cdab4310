/* tests_joined.c -- lines that go on behind a backslash, as make and tox read
 * them. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/tests/tests.h"

static bool is_indented(struct json_text line)
{
	return text_begins(line, " ") || text_begins(line, "\t");
}

bool tests_joined_next(struct lines *l, bool only_indented,
		       struct json_text *ret, size_t *ret_offset)
{
	struct json_text more;
	size_t offset;

	if (!line_next(l, ret, ret_offset))
		return false;
	more = *ret;
	/* A comment and a section end where their line does. */
	if (text_begins(text_trim(more), "#") || text_begins(more, "[") ||
	    (only_indented && text_begins(text_trim(more), ";")))
		return true;
	while (text_ends(more, "\\")) {
		struct lines ahead = *l;

		if (!line_next(&ahead, &more, &offset) ||
		    (only_indented && !is_indented(more)))
			break;
		*l = ahead;
		ret->len = (size_t)(more.bytes + more.len - ret->bytes);
	}
	return true;
}

struct json_text tests_joined_write(struct json_text t, char *out)
{
	struct json_text rest = t, line;
	size_t n = 0;

	if (t.bytes == NULL || memchr(t.bytes, '\n', t.len) == NULL)
		return t;
	while (rest.bytes != NULL) {
		line = text_trim(text_cut(rest, '\n', &rest));
		if (rest.bytes != NULL && text_ends(line, "\\"))
			line = text_trim(text_first(line, line.len - 1));
		if (line.len == 0)
			continue;
		if (n > 0)
			out[n++] = ' ';
		memcpy(out + n, line.bytes, line.len);
		n += line.len;
	}
	return (struct json_text){ out, n };
}
