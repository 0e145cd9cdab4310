/* text_piece.c -- see text_piece.h. */
#include "parsers/common/text_piece.h"

#include <stdint.h>
#include <string.h>

bool text_is(struct json_text t, const char *s)
{
	return t.bytes != NULL && t.len == strlen(s) &&
	       memcmp(t.bytes, s, t.len) == 0;
}

bool text_begins(struct json_text t, const char *s)
{
	size_t n = strlen(s);

	return t.len >= n && memcmp(t.bytes, s, n) == 0;
}

bool text_ends(struct json_text t, const char *s)
{
	size_t n = strlen(s);

	return t.len >= n && memcmp(t.bytes + t.len - n, s, n) == 0;
}

bool text_has(struct json_text t, const char *s)
{
	return t.len > 0 && memmem(t.bytes, t.len, s, strlen(s)) != NULL;
}

bool text_is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct json_text text_trim(struct json_text t)
{
	while (t.len > 0 && is_blank(t.bytes[0])) {
		t.bytes++;
		t.len--;
	}
	while (t.len > 0 && is_blank(t.bytes[t.len - 1]))
		t.len--;
	return t;
}

struct json_text text_unquote(struct json_text t)
{
	if (t.len < 2 || t.bytes[0] != t.bytes[t.len - 1] ||
	    (t.bytes[0] != '"' && t.bytes[0] != '\''))
		return t;
	return (struct json_text){ t.bytes + 1, t.len - 2 };
}

struct json_text text_from(struct json_text t, size_t at)
{
	if (t.bytes == NULL) /* NULL has no offsets, not even 0 */
		return t;
	if (at > t.len)
		at = t.len;
	return (struct json_text){ t.bytes + at, t.len - at };
}

struct json_text text_cut(struct json_text t, char c,
			  struct json_text *ret_rest)
{
	const char *at = t.len > 0 ? memchr(t.bytes, c, t.len) : NULL;
	size_t n = at ? (size_t)(at - t.bytes) : t.len;

	if (ret_rest != NULL)
		*ret_rest = at ? text_from(t, n + 1)
			       : (struct json_text){ NULL, 0 };
	return (struct json_text){ t.bytes, n };
}

struct json_text text_word(struct json_text *rest)
{
	struct json_text t = *rest;
	size_t from = 0, to;

	while (from < t.len && is_blank(t.bytes[from]))
		from++;
	to = from;
	while (to < t.len && !is_blank(t.bytes[to]))
		to++;
	*rest = text_from(t, to);
	return (struct json_text){ t.bytes + from, to - from };
}

bool text_in(struct json_text t, const char *list)
{
	while (t.len > 0 && *list != '\0') {
		size_t n = strcspn(list, " ");

		if (n == t.len && memcmp(list, t.bytes, n) == 0)
			return true;
		list += n + (list[n] == ' ');
	}
	return false;
}

void text_put(struct jsonw *w, const char *key, struct json_text t)
{
	if (t.bytes != NULL)
		jsonw_bytes(w, key, t.bytes, t.len);
	else
		jsonw_null(w, key);
}

size_t text_bom(struct json_text t)
{
	return text_begins(t, "\xef\xbb\xbf") ? 3 : 0;
}

int text_order(struct json_text a, struct json_text b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n > 0 ? memcmp(a.bytes, b.bytes, n) : 0;

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

size_t text_place(const void *items, size_t len, size_t size,
		  struct json_text t)
{
	size_t from = 0, to = len;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;
		const struct json_text *one =
			(const void *)((const char *)items + mid * size);

		if (text_order(*one, t) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

struct lines lines_of(const struct parse_input *in)
{
	if (in == NULL)
		return (struct lines){ 0 };
	return (struct lines){ .bytes = in->bytes,
			       .len = in->len,
			       .cap_bytes = SIZE_MAX };
}

bool line_next(struct lines *l, struct json_text *ret, size_t *ret_offset)
{
	struct line line;

	if (!lines_next(l, &line))
		return false;
	*ret = (struct json_text){ line.bytes, line.len };
	*ret_offset = line.offset;
	return true;
}

struct json_text text_first(struct json_text t, size_t n)
{
	return (struct json_text){ t.bytes, n };
}

size_t text_length_before(struct json_text t, const char *any)
{
	size_t n = 0;

	while (n < t.len &&
	       (t.bytes[n] == '\0' || strchr(any, t.bytes[n]) == NULL))
		n++;
	return n;
}

struct json_text text_trim_lines(struct json_text t)
{
	while (t.len > 0 && strchr(" \t\r\n", t.bytes[0]) != NULL)
		t = text_from(t, 1);
	while (t.len > 0 && strchr(" \t\r\n", t.bytes[t.len - 1]) != NULL)
		t.len--;
	return t;
}
