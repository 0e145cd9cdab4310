/* utf8.c -- see utf8.h. */
#include "base/utf8.h"

#include <string.h>

/* The lowest second byte that keeps a lead byte from being overlong, and the
 * highest that keeps it from being a surrogate or past U+10FFFF. */
static unsigned second_min(unsigned lead)
{
	return lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
}

static unsigned second_max(unsigned lead)
{
	return lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
}

size_t utf8_read(const char *s, size_t n, uint32_t *ret_code)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t code;
	size_t len;

	if (n == 0)
		return 0;
	if (p[0] < 0x80) {
		if (ret_code)
			*ret_code = p[0];
		return 1;
	}
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	len = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n < len || p[1] < second_min(p[0]) || p[1] > second_max(p[0]))
		return 0;
	code = p[0] & (0x7fU >> len);
	code = code << 6 | (p[1] & 0x3f);
	for (size_t i = 2; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (ret_code)
		*ret_code = code;
	return len;
}

int utf8_is_valid(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n) {
		size_t len = utf8_read(s + i, n - i, NULL);

		if (len == 0)
			return 0;
		i += len;
	}
	return 1;
}

size_t utf8_cut(const char *s, size_t n, size_t cap)
{
	size_t start;

	if (n <= cap)
		return n;
	start = cap;
	while (start > 0 && cap - start < 3 &&
	       ((unsigned char)s[start] & 0xc0) == 0x80)
		start--;
	if (start + utf8_read(s + start, n - start, NULL) > cap)
		return start;
	return cap;
}

size_t utf8_write(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

int utf8_is_control(uint32_t code)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {
		{ 0x0, 0x1f },         { 0x7f, 0x9f }, /* C1 */
		{ 0xad, 0xad },                        /* soft hyphen */
		{ 0x34f, 0x34f }, /* combining grapheme joiner */
		{ 0x600, 0x605 }, /* signs around numbers */
		{ 0x61c, 0x61c }, /* Arabic letter mark */
		{ 0x6dd, 0x6dd },      { 0x70f, 0x70f },
		{ 0x115f, 0x1160 }, /* Hangul fillers */
		{ 0x17b4, 0x17b5 }, /* inherent vowels */
		{ 0x180b, 0x180f }, /* Mongolian selectors */
		{ 0x200b, 0x200f }, /* zero widths, marks */
		{ 0x2028, 0x202e }, /* separators, embeddings, overrides */
		{ 0x2060, 0x206f }, /* joiners, invisible operators, isolates */
		{ 0x2800, 0x2800 }, /* blank of Braille */
		{ 0x3164, 0x3164 }, /* filler */
		{ 0xd800, 0xdfff }, /* surrogates */
		{ 0xfe00, 0xfe0f }, /* variation selectors */
		{ 0xfeff, 0xfeff }, /* byte order mark */
		{ 0xffa0, 0xffa0 }, /* filler */
		{ 0xfff0, 0xfffb }, /* interlinear annotations */
		{ 0x1bca0, 0x1bca3 }, /* of shorthand */
		{ 0x1d173, 0x1d17a }, /* of music */
		{ 0xe0000, 0xe0fff }, /* tags, variation selectors */
		{ 0xf0000, 0x10ffff },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (code >= ranges[i].from && code <= ranges[i].to)
			return 1;
	return (code & 0xfffe) == 0xfffe; /* noncharacters */
}

void utf8_make_line(char *s)
{
	size_t n = strlen(s);
	size_t i = 0;

	while (i < n) {
		uint32_t code = 0;
		size_t len = utf8_read(s + i, n - i, &code);

		if (len == 0 && n - i < 4 && (unsigned char)s[i] >= 0xc2) {
			s[i] = '\0';
			return;
		}
		if (len == 0) {
			s[i++] = '?';
			continue;
		}
		if (utf8_is_control(code))
			memset(s + i, '?', len);
		i += len;
	}
}
