/* depend_line.c -- lines, where the tools that read a file see an end.
 *
 * Source: Java's Properties.load(); YAML 1.2, section 5.4; npm's ini; Python's
 * str.splitlines(), which pip uses. */
#include <string.h>

#include "parsers/depend/depend.h"

/* What ends a line of Python's: the bytes, and how many they are. */
static size_t python_end(struct json_text t)
{
	static const char *const ends[] = {
		"\r",   "\v",       "\f",           "\x1c",         "\x1d",
		"\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9",
	};

	if (t.len == 0 || (t.bytes[0] >= ' ' && t.bytes[0] <= '~'))
		return 0; /* most bytes; the rest is slow */
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (text_begins(t, ends[i]))
			return strlen(ends[i]);
	return 0;
}

struct depend_lines depend_lines_of(const struct parse_input *in,
				    bool is_python)
{
	return (struct depend_lines){ .lines = lines_of(in),
				      .is_python = is_python };
}

bool depend_line_next(struct depend_lines *l, struct json_text *ret,
		      size_t *ret_offset)
{
	struct json_text t;
	size_t n, end = 0;

	if (l->rest.bytes == NULL) {
		if (!line_next(&l->lines, &l->rest, &l->at))
			return false;
	}
	t = l->rest;
	for (n = 0; n < t.len; n++) {
		if (l->is_python)
			end = python_end(text_from(t, n));
		else
			end = t.bytes[n] == '\r';
		if (end > 0)
			break;
	}
	*ret = text_first(t, n);
	*ret_offset = l->at;
	l->at += n + end;
	l->rest =
		end > 0 ? text_from(t, n + end) : (struct json_text){ NULL, 0 };
	return true;
}
