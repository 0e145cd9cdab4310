/* jsonw.c -- see jsonw.h. */
#include "base/jsonw.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

static void quote_code(struct buf *out, uint32_t code, const char *s, size_t n)
{
	static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
	const char *hit = NULL;

	if (code > 0 && code < 0x80)
		for (size_t i = 0; i + 1 < sizeof shorts; i += 2)
			if (shorts[i] == (char)code)
				hit = &shorts[i];
	if (hit != NULL) {
		buf_char(out, '\\');
		buf_char(out, hit[1]);
	} else if (code < 0x20) {
		buf_format(out, "\\u%04" PRIx32, code);
	} else {
		buf_add(out, s, n);
	}
}

static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static size_t plain_len(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && is_plain(s[i]))
		i++;
	return i;
}

static void quote_plain(struct buf *out, const char *s, size_t n)
{
	char *to = buf_reserve(out, n + 2);

	if (to == NULL)
		return;
	to[0] = '"';
	if (n > 0)
		memcpy(to + 1, s, n);
	to[n + 1] = '"';
	to[n + 2] = '\0';
	out->len += n + 2;
}

void jsonw_quote(struct buf *out, const char *s, size_t n)
{
	size_t i = plain_len(s, n);

	if (i == n) {
		quote_plain(out, s, n);
		return;
	}
	buf_char(out, '"');
	buf_add(out, s, i);
	while (i < n) {
		size_t plain = plain_len(s + i, n - i);
		uint32_t code = 0;
		size_t len;

		buf_add(out, s + i, plain);
		i += plain;
		if (i == n)
			break;
		len = utf8_read(s + i, n - i, &code);
		if (len == 0) {
			buf_text(out, "\xef\xbf\xbd");
			i++;
			continue;
		}
		quote_code(out, code, s + i, len);
		i += len;
	}
	buf_char(out, '"');
}

static void line(struct jsonw *w)
{
	if (w->indent == 0)
		return;
	buf_char(w->out, '\n');
	for (unsigned i = 0; i < w->depth * w->indent; i++)
		buf_char(w->out, ' ');
}

static void begin(struct jsonw *w, const char *key)
{
	if (w->has_items)
		buf_char(w->out, ',');
	if (w->depth > 0)
		line(w);
	w->has_items = true;
	if (key == NULL)
		return;
	jsonw_quote(w->out, key, strlen(key));
	buf_text(w->out, w->indent > 0 ? ": " : ":");
}

static void open_container(struct jsonw *w, const char *key, char c)
{
	begin(w, key);
	buf_char(w->out, c);
	w->depth++;
	w->has_items = false;
}

static void close_container(struct jsonw *w, char c)
{
	w->depth--;
	if (w->has_items)
		line(w);
	buf_char(w->out, c);
	w->has_items = true;
}

void jsonw_object(struct jsonw *w, const char *key)
{
	open_container(w, key, '{');
}

void jsonw_array(struct jsonw *w, const char *key)
{
	open_container(w, key, '[');
}

void jsonw_end_object(struct jsonw *w)
{
	close_container(w, '}');
}

void jsonw_end_array(struct jsonw *w)
{
	close_container(w, ']');
}

void jsonw_text(struct jsonw *w, const char *key, const char *text)
{
	jsonw_bytes(w, key, text, strlen(text));
}

void jsonw_bytes(struct jsonw *w, const char *key, const char *s, size_t n)
{
	begin(w, key);
	jsonw_quote(w->out, s, n);
}

void jsonw_int(struct jsonw *w, const char *key, int64_t value)
{
	begin(w, key);
	if (value < 0)
		buf_char(w->out, '-');
	buf_uint(w->out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void jsonw_uint(struct jsonw *w, const char *key, uint64_t value)
{
	begin(w, key);
	buf_uint(w->out, value);
}

void jsonw_bool(struct jsonw *w, const char *key, bool value)
{
	begin(w, key);
	buf_text(w->out, value ? "true" : "false");
}

void jsonw_null(struct jsonw *w, const char *key)
{
	begin(w, key);
	buf_text(w->out, "null");
}

void jsonw_text_or_null(struct jsonw *w, const char *key, const char *text)
{
	if (text != NULL)
		jsonw_text(w, key, text);
	else
		jsonw_null(w, key);
}

void jsonw_raw(struct jsonw *w, const char *key, const char *json, size_t n)
{
	begin(w, key);
	buf_add(w->out, json, n);
}
