/* jsonc.c -- see jsonc.h. */
#include "parsers/common/jsonc.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"

#define NOWHERE SIZE_MAX

/* The state while the copy is made strict. */
struct jsonc {
	char *bytes;
	size_t at, len;
	char last;        /* the last byte that is neither blank nor comment */
	size_t comma;     /* one that may turn out to be trailing, or NOWHERE */
	bool is_unclosed; /* no comment ends from here on: not looked for twice */
};

/* Past the string that begins at w->at. */
static void string_pass(struct jsonc *w)
{
	for (w->at++; w->at < w->len && w->bytes[w->at] != '"'; w->at++)
		if (w->bytes[w->at] == '\\')
			w->at++;
	w->at++;
}

/* Overwrite the bytes before end with spaces.  Line ends stay, and so does
 * invalid UTF-8, which the strict reader will refuse. */
static void blank_to(struct jsonc *w, size_t end)
{
	while (w->at < end) {
		size_t n = utf8_read(w->bytes + w->at, end - w->at, NULL);

		if (n > 0 && w->bytes[w->at] != '\n' && w->bytes[w->at] != '\r')
			memset(w->bytes + w->at, ' ', n);
		w->at += n > 0 ? n : 1;
	}
}

/* The end of the comment at w->at; NOWHERE when there is none, or it has no
 * end. */
static size_t comment_end(struct jsonc *w)
{
	const char *s = w->bytes + w->at, *end = w->bytes + w->len, *at;

	if (end - s < 2 || s[0] != '/')
		return NOWHERE;
	if (s[1] == '/') {
		for (at = s; at < end && *at != '\n' && *at != '\r';)
			at++;
		return (size_t)(at - w->bytes);
	}
	if (s[1] != '*' || w->is_unclosed)
		return NOWHERE;
	at = memmem(s + 2, (size_t)(end - s) - 2, "*/", 2);
	w->is_unclosed = at == NULL;
	return at != NULL ? (size_t)(at - w->bytes) + 2 : NOWHERE;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A comma is trailing only behind a value: "[,]" stays wrong. */
static void significant_take(struct jsonc *w, char c)
{
	if ((c == '}' || c == ']') && w->comma != NOWHERE)
		w->bytes[w->comma] = ' ';
	w->comma = NOWHERE;
	if (c == ',' && w->last != '\0' && strchr("[{,:", w->last) == NULL)
		w->comma = w->at;
	w->last = c;
}

static void make_strict(struct jsonc *w)
{
	while (w->at < w->len) {
		char c = w->bytes[w->at];
		size_t end = comment_end(w);

		if (end != NOWHERE) {
			blank_to(w, end);
		} else if (is_blank(c)) {
			w->at++;
		} else {
			significant_take(w, c);
			if (c == '"')
				string_pass(w);
			else
				w->at++;
		}
	}
}

int jsonc_read(const struct parse_input *in, struct arena *arena,
	       size_t memory_bytes, struct json_value *ret,
	       struct parse_report *r)
{
	struct jsonc w = { .len = in->len, .comma = NOWHERE };
	struct parse_input strict = *in;

	w.bytes = arena_copy(arena, in->bytes, in->len);
	if (w.bytes == NULL) {
		report_note(&r->errors, "memory", in, 0,
			    "no memory to read it");
		return -EINVAL;
	}
	make_strict(&w);
	strict.bytes = w.bytes;
	return parse_json(&strict, arena, memory_bytes, ret, r);
}
