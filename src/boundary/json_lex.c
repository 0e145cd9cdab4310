/* json_lex.c -- the tokens of strict JSON: strings, numbers, literals. */
#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "boundary/json_private.h"

struct json_caps json_caps_fill(const struct json_caps *caps)
{
	struct json_caps out = caps != NULL ? *caps : (struct json_caps){ 0 };

	if (out.text_bytes == 0)
		out.text_bytes = JSON_TEXT_BYTES;
	if (out.string_bytes == 0)
		out.string_bytes = JSON_STRING_BYTES;
	if (out.depth == 0)
		out.depth = JSON_DEPTH;
	if (out.depth > JSON_DEPTH_MAX)
		out.depth = JSON_DEPTH_MAX;
	if (out.memory_bytes == 0)
		out.memory_bytes = JSON_MEMORY_BYTES;
	return out;
}

bool lex_fail(struct json_lexer *lex, enum json_code code, size_t offset,
	      const char *expected)
{
	size_t line = 1;
	size_t start = 0;

	for (size_t i = 0; i < offset && i < lex->n; i++) {
		if (lex->bytes[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	*lex->err = (struct json_error){ .code = code,
					 .offset = offset,
					 .line = line,
					 .column = offset - start + 1,
					 .expected = expected };
	return false;
}

bool lex_unexpected(struct json_lexer *lex, const char *expected)
{
	enum json_code code = JSON_SYNTAX;

	if (lex->at < lex->n &&
	    utf8_read(lex->bytes + lex->at, lex->n - lex->at, NULL) == 0) {
		code = JSON_BAD_UTF8;
		expected = "well-formed UTF-8";
	}
	return lex_fail(lex, code, lex->at, expected);
}

bool lex_begin(struct json_lexer *lex)
{
	if (lex->n > lex->caps.text_bytes)
		return lex_fail(lex, JSON_TOO_LARGE, lex->caps.text_bytes,
				"a shorter text");
	if (lex->n >= 3 && memcmp(lex->bytes, "\xef\xbb\xbf", 3) == 0)
		return lex_fail(lex, JSON_BOM, 0, "no byte order mark");
	lex_space(lex);
	if (lex->at == lex->n)
		return lex_fail(lex, JSON_EMPTY, lex->at, "a value");
	return true;
}

void lex_space(struct json_lexer *lex)
{
	while (lex->at < lex->n) {
		char c = lex->bytes[lex->at];

		if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
			return;
		lex->at++;
	}
}

int lex_peek(const struct json_lexer *lex)
{
	return lex->at < lex->n ? (unsigned char)lex->bytes[lex->at] : -1;
}

void *lex_alloc(struct json_lexer *lex, size_t count, size_t size)
{
	size_t left =
		lex->caps.memory_bytes - (lex->arena->used - lex->arena_start);
	void *out = NULL;

	if (count == 0)
		return NULL;
	if (count <= left / size)
		out = arena_array(lex->arena, count, size);
	/* The arena rounds up, so one allocation may pass the cap a little. */
	if (lex->arena->used - lex->arena_start > lex->caps.memory_bytes)
		out = NULL;
	if (out == NULL)
		(void)lex_fail(lex, JSON_NO_MEMORY, lex->at,
			       "a value that needs less memory");
	return out;
}

/* Four hex digits after "\u" at offset at. */
static bool read_hex4(const struct json_lexer *lex, size_t at, uint32_t *ret)
{
	uint32_t code = 0;

	if (lex->n - at < 4)
		return false;
	for (size_t i = at; i < at + 4; i++) {
		char c = lex->bytes[i];

		if (c >= '0' && c <= '9')
			code = code << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			code = code << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	*ret = code;
	return true;
}

/* "\uXXXX", with its second half for a surrogate pair; at the 'u'. */
static bool read_unicode(struct json_lexer *lex, uint32_t *ret)
{
	const char *hex = "four hexadecimal digits";
	uint32_t low;
	size_t start = lex->at - 1;

	if (!read_hex4(lex, lex->at + 1, ret))
		return lex_fail(lex, JSON_SYNTAX, lex->at + 1, hex);
	lex->at += 5;
	if (*ret < 0xd800 || *ret > 0xdfff)
		return true;
	if (*ret > 0xdbff || lex->n - lex->at < 2 ||
	    lex->bytes[lex->at] != '\\' || lex->bytes[lex->at + 1] != 'u')
		return lex_fail(lex, JSON_BAD_UNICODE, start,
				"a whole surrogate pair");
	if (!read_hex4(lex, lex->at + 2, &low))
		return lex_fail(lex, JSON_SYNTAX, lex->at + 2, hex);
	if (low < 0xdc00 || low > 0xdfff)
		return lex_fail(lex, JSON_BAD_UNICODE, start,
				"a whole surrogate pair");
	lex->at += 6;
	*ret = 0x10000 + ((*ret - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/* One escape, at the byte after the backslash; its bytes go to out. */
static bool read_escape(struct json_lexer *lex, char out[4], size_t *len)
{
	static const char pairs[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
	uint32_t code = 0;
	int c = lex_peek(lex);

	if (c == 'u') {
		if (!read_unicode(lex, &code))
			return false;
		*len = utf8_write(code, out);
		return true;
	}
	for (size_t i = 0; i + 1 < sizeof pairs; i += 2) {
		if (pairs[i] != c)
			continue;
		out[0] = pairs[i + 1];
		*len = 1;
		lex->at++;
		return true;
	}
	return lex_unexpected(lex, "an escape: one of \"\\/bfnrtu");
}

/* The next run of plain bytes, at lex->at: stops at a quote or a backslash. */
static bool skip_plain(struct json_lexer *lex)
{
	while (lex->at < lex->n) {
		unsigned char c = (unsigned char)lex->bytes[lex->at];
		size_t len = 1;

		if (c == '"' || c == '\\')
			return true;
		if (c < 0x20)
			return lex_fail(
				lex, JSON_SYNTAX, lex->at,
				"control characters written as escapes");
		if (c >= 0x80)
			len = utf8_read(lex->bytes + lex->at, lex->n - lex->at,
					NULL);
		if (len == 0)
			return lex_fail(lex, JSON_BAD_UTF8, lex->at,
					"well-formed UTF-8");
		lex->at += len;
	}
	return lex_fail(lex, JSON_SYNTAX, lex->at, "a closing quote");
}

/* A string without escapes is as long as it looks; at is then after it. */
static bool plain_string(struct json_lexer *lex, struct json_text *ret)
{
	size_t from = ++lex->at;
	char *out;

	if (!skip_plain(lex))
		return false;
	if (lex->bytes[lex->at] != '"')
		return true;
	*ret = (struct json_text){ NULL, lex->at - from };
	if (ret->len > lex->caps.string_bytes)
		return lex_fail(lex, JSON_STRING_TOO_LONG, from - 1,
				"a shorter string");
	out = lex_alloc(lex, ret->len + 1, 1);
	if (out == NULL)
		return false;
	memcpy(out, lex->bytes + from, ret->len);
	ret->bytes = out;
	lex->at++;
	return true;
}

/* Unescape into out, or only measure when out is NULL. */
static bool read_string(struct json_lexer *lex, char *out, size_t *len)
{
	*len = 0;
	lex->at++;
	for (;;) {
		size_t from = lex->at;
		size_t n;
		char bytes[4];

		if (!skip_plain(lex))
			return false;
		n = lex->at - from;
		if (out != NULL && n > 0)
			memcpy(out + *len, lex->bytes + from, n);
		*len += n;
		if (lex->bytes[lex->at++] == '"')
			return true;
		if (!read_escape(lex, bytes, &n))
			return false;
		if (out != NULL)
			memcpy(out + *len, bytes, n);
		*len += n;
	}
}

bool lex_string(struct json_lexer *lex, struct json_text *ret)
{
	size_t start = lex->at;
	size_t len;
	char *out;

	*ret = (struct json_text){ NULL, 0 };
	if (!plain_string(lex, ret))
		return false;
	if (ret->bytes != NULL)
		return true;
	lex->at = start;
	if (!read_string(lex, NULL, &len))
		return false;
	if (len > lex->caps.string_bytes)
		return lex_fail(lex, JSON_STRING_TOO_LONG, start,
				"a shorter string");
	out = lex_alloc(lex, len + 1, 1);
	if (out == NULL)
		return false;
	lex->at = start;
	(void)read_string(lex, out, &len);
	*ret = (struct json_text){ out, len };
	return true;
}

static bool skip_digits(struct json_lexer *lex, const char *expected)
{
	size_t start = lex->at;

	while (lex->at < lex->n && lex->bytes[lex->at] >= '0' &&
	       lex->bytes[lex->at] <= '9')
		lex->at++;
	return lex->at > start || lex_unexpected(lex, expected);
}

static bool read_number(struct json_lexer *lex, struct json_text *ret)
{
	size_t start = lex->at;
	char *out;

	if (lex_peek(lex) == '-')
		lex->at++;
	if (lex_peek(lex) == '0')
		lex->at++;
	else if (!skip_digits(lex, "a digit"))
		return false;
	if (lex_peek(lex) == '.') {
		lex->at++;
		if (!skip_digits(lex, "a digit after the point"))
			return false;
	}
	if (lex_peek(lex) == 'e' || lex_peek(lex) == 'E') {
		lex->at++;
		if (lex_peek(lex) == '+' || lex_peek(lex) == '-')
			lex->at++;
		if (!skip_digits(lex, "a digit of the exponent"))
			return false;
	}
	out = lex_alloc(lex, lex->at - start + 1, 1);
	if (out == NULL)
		return false;
	memcpy(out, lex->bytes + start, lex->at - start);
	*ret = (struct json_text){ out, lex->at - start };
	return true;
}

static bool read_literal(struct json_lexer *lex, struct json_value *ret)
{
	static const struct {
		const char *word;
		enum json_type type;
		bool boolean;
	} words[] = { { "null", JSON_NULL, false },
		      { "true", JSON_BOOL, true },
		      { "false", JSON_BOOL, false } };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t len = strlen(words[i].word);

		if (lex->n - lex->at < len ||
		    memcmp(lex->bytes + lex->at, words[i].word, len) != 0)
			continue;
		ret->type = words[i].type;
		ret->u.boolean = words[i].boolean;
		lex->at += len;
		return true;
	}
	return lex_unexpected(lex, "a value");
}

bool lex_scalar(struct json_lexer *lex, struct json_value *ret)
{
	int c = lex_peek(lex);

	*ret = (struct json_value){ .offset = lex->at };
	if (c == '"') {
		ret->type = JSON_STRING;
		return lex_string(lex, &ret->u.string);
	}
	if (c == '-' || (c >= '0' && c <= '9')) {
		ret->type = JSON_NUMBER;
		return read_number(lex, &ret->u.number);
	}
	return read_literal(lex, ret);
}
