/* sarif_text.c -- see sarif_text.h. */
#include "jobs/confirm/sarif_text.h"

#include <string.h>

#include "base/utf8.h"
#include "jobs/confirm/sarif_result.h"

#define CUT "..." /* after text that was cut */

void sarif_text_write(struct jsonw *w, const char *key, const char *text)
{
	owned_buf struct buf line = { 0 };
	size_t len = strlen(text);

	buf_add(&line, text, utf8_cut(text, len, SARIF_VALUE_BYTES));
	if (len > SARIF_VALUE_BYTES)
		buf_text(&line, CUT);
	buf_char(&line, '\0');
	if (buf_has_failed(&line)) {
		w->out->failed = true;
		return;
	}
	utf8_make_line(line.bytes);
	for (char *s = line.bytes; *s != '\0'; s++)
		if (strchr("[]{}", *s) != NULL)
			*s = '?';
	jsonw_text(w, key, line.bytes);
}

/* Read the well-formed sequence at s, or one byte that is not well-formed. */
static size_t code_read(const char *s, size_t n, uint32_t *ret)
{
	size_t len = utf8_read(s, n, ret);

	if (len == 0)
		*ret = 0;
	return len > 0 ? len : 1;
}

void sarif_block_write(struct jsonw *w, const char *key, const char *text)
{
	size_t all = strlen(text);
	size_t n = utf8_cut(text, all, SARIF_VALUE_BYTES * 4);
	owned_buf struct buf block = { 0 };

	for (size_t i = 0, len; i < n; i += len) {
		uint32_t code = 0;

		len = code_read(text + i, n - i, &code);
		if (code != '\n' && code != '\t' && utf8_is_control(code))
			buf_char(&block, '?');
		else
			buf_add(&block, text + i, len);
	}
	if (n < all)
		buf_text(&block, CUT);
	if (buf_has_failed(&block))
		w->out->failed = true;
	else
		jsonw_bytes(w, key, block.bytes ? block.bytes : "", block.len);
}

/* Append JSON text with the contents of its strings escaped; stops at the
 * cap. */
static void strings_escape(const char *s, size_t n, struct buf *out)
{
	bool is_inside = false;

	for (size_t i = 0, len; i < n && out->len < SARIF_VALUE_BYTES;
	     i += len) {
		uint32_t code = 0;

		len = code_read(s + i, n - i, &code);
		if (s[i] == '"')
			is_inside = !is_inside;
		if (is_inside && s[i] == '\\') {
			len = 2; /* it is escaped already */
			buf_add(out, s + i, len);
		} else if (is_inside && code > 0 && code < 0x10000 &&
			   (utf8_is_control(code) ||
			    (code < 0x80 &&
			     strchr("[](){}", (int)code) != NULL))) {
			buf_format(out, "\\u%04x", (unsigned)code);
		} else {
			buf_add(out, s + i, len);
		}
	}
	if (out->len >= SARIF_VALUE_BYTES)
		buf_text(out, CUT);
}

void sarif_value_write(struct jsonw *w, const char *key,
		       const struct json_value *v)
{
	owned_buf struct buf json = { 0 }, text = { 0 };

	if (v != NULL)
		json_write(v, &json);
	if (!buf_has_failed(&json))
		strings_escape(json.bytes ? json.bytes : "", json.len, &text);
	if (buf_has_failed(&json) || buf_has_failed(&text))
		w->out->failed = true;
	else
		jsonw_bytes(w, key, text.bytes ? text.bytes : "", text.len);
}

void sarif_uri_build(const char *path, struct buf *out)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~/";

	if (path[0] == '/')
		buf_text(out, "file://");
	for (; *path != '\0'; path++)
		if (strchr(plain, *path) != NULL)
			buf_char(out, *path);
		else
			buf_format(out, "%%%02X", (unsigned char)*path);
}

/* Take the next line of *s without the blanks around it; false: there is
 * none. */
static bool line_take(const char **s, const char *end, const char **ret,
		      size_t *ret_len)
{
	const char *from = *s, *to;

	if (from >= end)
		return false;
	to = memchr(from, '\n', (size_t)(end - from));
	if (to == NULL)
		to = end;
	*s = to + 1;
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r'))
		to--;
	*ret = from;
	*ret_len = (size_t)(to - from);
	return true;
}

void sarif_line_build(const struct buf *source, uint64_t line, struct buf *out)
{
	const char *s = source->bytes, *end = s + source->len;
	const char *want = NULL, *other;
	size_t len = 0, n, before = 0;

	if (source->len == 0)
		return;
	for (uint64_t i = 0; i < line; i++)
		if (!line_take(&s, end, &want, &len))
			return;
	if (want == NULL)
		return;
	s = source->bytes;
	for (uint64_t i = 1; i < line && line_take(&s, end, &other, &n); i++)
		before += n == len && memcmp(other, want, len) == 0;
	buf_add(out, want, len);
	buf_format(out, "\n%zu", before);
}
