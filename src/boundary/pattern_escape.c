/* pattern_escape.c -- escapes and classes of ECMA-262 patterns. */
#include <string.h>

#include "boundary/pattern_private.h"

/* Sets as they stand inside [...]; each with its complement. */
#define DIGIT     "0-9"
#define NOT_DIGIT "\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}"
#define WORD      "0-9A-Z_a-z"
#define NOT_WORD                                                               \
	"\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}"                  \
	"\\x{7b}-\\x{10ffff}"
#define SPACE                                                                  \
	"\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}"              \
	"\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
#define NOT_SPACE                                                              \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}"          \
	"\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"            \
	"\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"            \
	"\\x{ff00}-\\x{10ffff}"

static const struct {
	char letter;
	const char *set;
} sets[] = {
	{ 'd', DIGIT },    { 'D', NOT_DIGIT }, { 'w', WORD },
	{ 'W', NOT_WORD }, { 's', SPACE },     { 'S', NOT_SPACE },
};

static const struct {
	char letter;
	unsigned char code;
} controls[] = {
	{ 't', '\t' }, { 'n', '\n' }, { 'v', '\v' },
	{ 'f', '\f' }, { 'r', '\r' },
};

static bool is_surrogate(uint32_t code)
{
	return code >= 0xd800 && code <= 0xdfff;
}

/* count hex digits at an offset ahead. */
static bool hex_ahead(const struct ecma *e, size_t ahead, size_t count,
		      uint32_t *ret)
{
	uint32_t code = 0;

	for (size_t i = 0; i < count; i++) {
		int c = ecma_peek(e, ahead + i);

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

/* After "\u": XXXX, a pair of them, or {X...}. */
static bool read_unicode(struct ecma *e, uint32_t *ret)
{
	uint32_t low;

	if (ecma_peek(e, 0) == '{') {
		size_t len = 1;

		*ret = 0;
		for (; ecma_peek(e, len) != '}'; len++) {
			uint32_t digit;

			if (!hex_ahead(e, len, 1, &digit))
				return ecma_fail(e, "\\u{...} of hex digits");
			*ret = *ret << 4 | digit;
			if (*ret > PATTERN_CODE_MAX)
				return ecma_fail(e, "at most \\u{10FFFF}");
		}
		if (len == 1)
			return ecma_fail(e, "\\u{...} of hex digits");
		e->at += len + 1;
		return true;
	}
	if (!hex_ahead(e, 0, 4, ret))
		return ecma_fail(e, "four hex digits after \\u");
	e->at += 4;
	if (*ret >= 0xd800 && *ret <= 0xdbff && ecma_peek(e, 0) == '\\' &&
	    ecma_peek(e, 1) == 'u' && hex_ahead(e, 2, 4, &low) &&
	    low >= 0xdc00 && low <= 0xdfff) {
		*ret = 0x10000 + ((*ret - 0xd800) << 10) + (low - 0xdc00);
		e->at += 6;
	}
	return true;
}

static bool read_reference(struct ecma *e, struct escape *ret)
{
	unsigned number = 0;
	const char *name;
	size_t len;
	bool twice;

	ret->kind = ESCAPE_REFERENCE;
	if (ecma_peek(e, 0) == 'k') {
		e->at++;
		if (!ecma_group_name(e, &name, &len))
			return false;
		number = ecma_group_find(e, name, len, &twice);
	} else {
		while (ecma_peek(e, 0) >= '0' && ecma_peek(e, 0) <= '9' &&
		       number < 100000) {
			number =
				number * 10 + (unsigned)(ecma_peek(e, 0) - '0');
			e->at++;
		}
	}
	if (number == 0 || number > e->groups)
		return ecma_fail(e, "only references to groups that exist");
	buf_format(e->out, "\\g{%u}", number);
	return true;
}

/* The escapes that are one code point: *known is false for all others. */
static bool read_code(struct ecma *e, struct escape *ret, bool *known)
{
	int c = ecma_peek(e, 0);
	int next = ecma_peek(e, 1);

	*known = true;
	ret->kind = ESCAPE_CODE;
	for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
		if (controls[i].letter != c)
			continue;
		ret->code = controls[i].code;
		e->at++;
		return true;
	}
	if (c == 'u') {
		e->at++;
		return read_unicode(e, &ret->code);
	}
	if (c == 'x') {
		if (!hex_ahead(e, 1, 2, &ret->code))
			return ecma_fail(e, "two hex digits after \\x");
		e->at += 3;
		return true;
	}
	if (c == 'c') {
		if (!((next | 0x20) >= 'a' && (next | 0x20) <= 'z'))
			return ecma_fail(e, "a letter after \\c");
		ret->code = (uint32_t)next & 0x1f;
		e->at += 2;
		return true;
	}
	if (c == '0' && !(next >= '0' && next <= '9')) {
		ret->code = 0;
		e->at++;
		return true;
	}
	*known = false;
	return true;
}

static bool read_set(struct ecma *e, struct escape *ret, bool *known)
{
	int c = ecma_peek(e, 0);

	*known = true;
	ret->kind = ESCAPE_SET;
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		if (sets[i].letter != c)
			continue;
		buf_text(&ret->set, sets[i].set);
		e->at++;
		return true;
	}
	if (c == 'p' || c == 'P') {
		e->at++;
		return ecma_property(e, c == 'P', &ret->set);
	}
	*known = false;
	return true;
}

bool ecma_escape(struct ecma *e, bool in_class, struct escape *ret)
{
	int c = ecma_peek(e, 0);
	bool known;

	if (!read_code(e, ret, &known) || known)
		return e->why == NULL && known;
	if (!read_set(e, ret, &known) || known)
		return e->why == NULL && known;
	if (in_class && c == 'b') {
		e->at++;
		*ret = (struct escape){ .kind = ESCAPE_CODE, .code = '\b' };
		return true;
	}
	if (!in_class && (c == 'b' || c == 'B')) {
		e->at++;
		ret->kind = ESCAPE_EDGE;
		buf_text(e->out, c == 'b' ? "\\b" : "\\B");
		return true;
	}
	if (!in_class && (c == 'k' || (c >= '1' && c <= '9')))
		return read_reference(e, ret);
	if (c < 0x21 || c > 0x7e || (c >= '0' && c <= '9') ||
	    ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		return ecma_fail(e, "an escape that ECMA-262 knows");
	e->at++;
	*ret = (struct escape){ .kind = ESCAPE_CODE, .code = (uint32_t)c };
	return true;
}

/* One member of a class: a code point, or a set. */
static bool read_member(struct ecma *e, struct escape *ret)
{
	*ret = (struct escape){ 0 };
	if (e->at >= e->n)
		return ecma_fail(e, "a ']' for each '['");
	if (ecma_peek(e, 0) == '\\') {
		e->at++;
		return ecma_escape(e, true, ret);
	}
	ret->code = ecma_code(e);
	return true;
}

/* From low to high, without surrogates: well-formed text has none. */
static bool put_range(struct ecma *e, struct buf *set, uint32_t low,
		      uint32_t high)
{
	if (low > high)
		return ecma_fail(e, "a range in order");
	if (is_surrogate(low))
		low = 0xe000;
	if (is_surrogate(high))
		high = 0xd7ff;
	if (low > high)
		return true;
	ecma_put(set, low);
	if (high > low) {
		buf_char(set, '-');
		ecma_put(set, high);
	}
	return true;
}

static bool read_members(struct ecma *e, struct buf *set)
{
	while (ecma_peek(e, 0) != ']') {
		struct escape low;
		struct escape high;
		bool good = read_member(e, &low);

		if (good && low.kind == ESCAPE_SET)
			buf_add(set, low.set.bytes, low.set.len);
		if (good && ecma_peek(e, 0) == '-' && ecma_peek(e, 1) != ']' &&
		    ecma_peek(e, 1) != -1) {
			e->at++;
			good = read_member(e, &high);
			if (good && (low.kind != ESCAPE_CODE ||
				     high.kind != ESCAPE_CODE))
				good = ecma_fail(e, "a range of characters");
			buf_done(&high.set);
			if (good)
				good = put_range(e, set, low.code, high.code);
		} else if (good && low.kind == ESCAPE_CODE) {
			good = put_range(e, set, low.code, low.code);
		}
		buf_done(&low.set);
		if (!good)
			return false;
	}
	e->at++;
	return true;
}

bool ecma_class(struct ecma *e)
{
	owned_buf struct buf set = { 0 };
	bool negated = ecma_peek(e, 0) == '^';

	if (negated)
		e->at++;
	if (!read_members(e, &set))
		return false;
	if (set.len == 0)
		buf_text(e->out, negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)");
	else
		buf_format(e->out, "[%s%s]", negated ? "^" : "", set.bytes);
	return true;
}
