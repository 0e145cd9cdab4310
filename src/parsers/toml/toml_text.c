/* toml_text.c -- reads strings of the four kinds, and keys. */
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "parsers/toml/toml_lex.h"

static bool bytes_keep(struct toml *t, const char *bytes, size_t n,
		       struct json_text *ret)
{
	char *copy;

	if (t->arena->used - t->before > t->memory_bytes)
		return toml_fail(t, "memory", t->at, "no memory to read it");
	copy = arena_copy(t->arena, n > 0 ? bytes : "", n);
	if (copy == NULL)
		return toml_fail(t, "memory", t->at, "no memory to read it");
	*ret = (struct json_text){ copy, n };
	return true;
}

static bool begins(const struct toml *t, const char *s)
{
	size_t n = strlen(s);

	return t->len - t->at >= n && memcmp(t->bytes + t->at, s, n) == 0;
}

static size_t newline_len(const struct toml *t)
{
	return begins(t, "\n") ? 1 : begins(t, "\r\n") ? 2 : 0;
}

/* Read four or eight hexadecimal digits: a Unicode scalar value. */
static bool unicode_read(struct toml *t, size_t digits, struct buf *out)
{
	const size_t from = t->at;
	uint32_t code = 0;
	char utf8[4];

	for (size_t i = 0; i < digits; i++) {
		int c = toml_peek(t);
		int v = c >= '0' && c <= '9'   ? c - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
			: c >= 'A' && c <= 'F' ? c - 'A' + 10
					       : -1;

		if (v < 0)
			return toml_fail(t, "toml_syntax", t->at,
					 "expected a hexadecimal digit");
		code = code << 4 | (uint32_t)v;
		t->at++;
	}
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return toml_fail(t, "toml_syntax", from,
				 "the escape is not a Unicode scalar value");
	buf_add(out, utf8, utf8_write(code, utf8));
	return true;
}

/* A backslash at the end of a line: skip it, and all blanks after it. */
static bool line_join(struct toml *t)
{
	const size_t from = t->at;
	bool has_end = false;
	size_t n;

	for (;;) {
		toml_blanks_pass(t);
		n = newline_len(t);
		if (n == 0)
			break;
		has_end = true;
		t->at += n;
	}
	return has_end ? true
		       : toml_fail(t, "toml_syntax", from, "an invalid escape");
}

static bool escape_read(struct toml *t, bool is_multi, struct buf *out)
{
	static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
	const int c = toml_peek(t);
	const char *at = c > 0 ? strchr(names, c) : NULL;

	if (at != NULL) {
		t->at++;
		buf_char(out, values[at - names]);
		return true;
	}
	if (c == 'u' || c == 'U') {
		t->at++;
		return unicode_read(t, c == 'u' ? 4 : 8, out);
	}
	if (is_multi && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
		return line_join(t);
	return toml_fail(t, "toml_syntax", t->at, "an invalid escape");
}

static bool is_control(int c)
{
	return (c >= 0 && c < ' ' && c != '\t') || c == 127;
}

/* Read one piece of a string that does not end here. */
static bool piece_read(struct toml *t, char quote, bool is_multi,
		       struct buf *out)
{
	const int c = toml_peek(t);
	const size_t n = newline_len(t);

	if (n > 0 && is_multi) {
		buf_char(out, '\n');
		t->at += n;
		return true;
	}
	if (c < 0)
		return toml_fail(t, "toml_syntax", t->at,
				 "a string that does not end");
	if (is_control(c))
		return toml_fail(t, "toml_syntax", t->at,
				 "a control character in a string");
	t->at++;
	if (c == '\\' && quote == '"')
		return escape_read(t, is_multi, out);
	buf_char(out, (char)c);
	return true;
}

/* Three quotes end the string; up to two quotes before them are text. */
static bool multi_end(struct toml *t, char quote, struct buf *out)
{
	size_t n = 0;

	while (n < 5 && t->at + n < t->len && t->bytes[t->at + n] == quote)
		n++;
	if (n < 3)
		return false;
	for (size_t i = 3; i < n; i++)
		buf_char(out, quote);
	t->at += n;
	return true;
}

bool toml_string_read(struct toml *t, struct json_text *ret)
{
	const char quote = t->bytes[t->at];
	const bool is_multi = begins(t, quote == '"' ? "\"\"\"" : "'''");
	owned_buf struct buf out = { .cap_bytes = t->len + 1 };

	t->at += is_multi ? 3 : 1;
	if (is_multi)
		t->at += newline_len(t);
	for (;;) {
		if (is_multi && multi_end(t, quote, &out))
			break;
		if (!is_multi && toml_peek(t) == quote) {
			t->at++;
			break;
		}
		if (!piece_read(t, quote, is_multi, &out))
			return false;
	}
	if (buf_has_failed(&out))
		return toml_fail(t, "memory", t->at, "no memory to read it");
	return bytes_keep(t, out.bytes, out.len, ret);
}

static bool is_bare(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool toml_key_read(struct toml *t, struct json_text *ret)
{
	const size_t from = t->at;

	if (begins(t, "\"\"\"") || begins(t, "'''"))
		return toml_fail(t, "toml_syntax", t->at,
				 "a key has to be on one line");
	if (toml_peek(t) == '"' || toml_peek(t) == '\'')
		return toml_string_read(t, ret);
	while (is_bare(toml_peek(t)))
		t->at++;
	if (t->at == from)
		return toml_fail(t, "toml_syntax", from, "expected a key");
	return bytes_keep(t, t->bytes + from, t->at - from, ret);
}
