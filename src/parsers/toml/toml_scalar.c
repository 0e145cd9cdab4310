/* toml_scalar.c -- booleans, numbers, dates and times. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/toml/toml_lex.h"

#define NUMBER_BYTES 1024U /* nobody needs more digits than that */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Find the end of the word at t->at.  A date may have one space before its
 * time. */
static struct json_text word_find(const struct toml *t)
{
	struct json_text w = { t->bytes + t->at, 0 };
	const size_t left = t->len - t->at;

	while (w.len < left && strchr(",]}# \t\r\n=", w.bytes[w.len]) == NULL)
		w.len++;
	if (w.len == 10 && w.bytes[4] == '-' && left > 12 &&
	    w.bytes[10] == ' ' && is_digit(w.bytes[11]))
		for (w.len = 11;
		     w.len < left &&
		     strchr(",]}# \t\r\n=", w.bytes[w.len]) == NULL;)
			w.len++;
	return w;
}

/* Take two or four digits at *at; -1 if they are not there. */
static int digits_take(struct json_text w, size_t *at, size_t n)
{
	int v = 0;

	if (w.len - *at < n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		char c = w.bytes[*at + i];

		if (!is_digit(c))
			return -1;
		v = v * 10 + (c - '0');
	}
	*at += n;
	return v;
}

static bool byte_take(struct json_text w, size_t *at, const char *set)
{
	if (*at >= w.len || strchr(set, w.bytes[*at]) == NULL)
		return false;
	++*at;
	return true;
}

static bool is_date(struct json_text w, size_t *at)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	int year = digits_take(w, at, 4), month, day, last;

	if (year < 0 || !byte_take(w, at, "-"))
		return false;
	month = digits_take(w, at, 2);
	if (month < 1 || month > 12 || !byte_take(w, at, "-"))
		return false;
	day = digits_take(w, at, 2);
	last = days[month - 1];
	if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
		last = 29;
	return day >= 1 && day <= last;
}

static bool is_time(struct json_text w, size_t *at)
{
	int hour = digits_take(w, at, 2), minute, second;

	if (hour < 0 || hour > 23 || !byte_take(w, at, ":"))
		return false;
	minute = digits_take(w, at, 2);
	if (minute < 0 || minute > 59 || !byte_take(w, at, ":"))
		return false;
	second = digits_take(w, at, 2);
	if (second < 0 || second > 60)
		return false;
	if (!byte_take(w, at, "."))
		return true;
	if (!byte_take(w, at, "0123456789"))
		return false;
	while (byte_take(w, at, "0123456789"))
		;
	return true;
}

static bool is_zone(struct json_text w, size_t *at)
{
	int hour, minute;

	if (byte_take(w, at, "Zz"))
		return true;
	if (!byte_take(w, at, "+-"))
		return false;
	hour = digits_take(w, at, 2);
	if (hour < 0 || hour > 23 || !byte_take(w, at, ":"))
		return false;
	minute = digits_take(w, at, 2);
	return minute >= 0 && minute <= 59;
}

/* Whether it is a date, a time, or both, with or without a zone. */
static bool is_moment(struct json_text w)
{
	size_t at = 0;

	if (is_time(w, &at))
		return at == w.len;
	at = 0;
	if (!is_date(w, &at))
		return false;
	if (at == w.len)
		return true;
	if (!byte_take(w, &at, "Tt ") || !is_time(w, &at))
		return false;
	return at == w.len || (is_zone(w, &at) && at == w.len);
}

static bool is_digit_of(char c, unsigned base)
{
	if (base <= 10)
		return c >= '0' && c < (char)('0' + (int)base);
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Copy digits with single underscores between them, without the underscores.
 * Returns how many bytes of w they took, 0 if it is wrong. */
static size_t digits_copy(struct json_text w, unsigned base, struct buf *out)
{
	size_t i = 0;

	while (i < w.len) {
		if (is_digit_of(w.bytes[i], base))
			buf_char(out, w.bytes[i]);
		else if (w.bytes[i] != '_' || i == 0 || i + 1 == w.len ||
			 !is_digit_of(w.bytes[i - 1], base) ||
			 !is_digit_of(w.bytes[i + 1], base))
			break;
		i++;
	}
	return i;
}

/* Read a number with 0x, 0o or 0b: at most 63 bits. */
static bool based_read(struct json_text w, unsigned base, struct buf *out)
{
	owned_buf struct buf digits = { .cap_bytes = NUMBER_BYTES };
	size_t n = digits_copy(w, base, &digits);
	uint64_t v = 0;

	if (n == 0 || n != w.len || buf_has_failed(&digits))
		return false;
	for (size_t i = 0; i < digits.len; i++) {
		char c = digits.bytes[i];
		unsigned d = is_digit(c) ? (unsigned)(c - '0')
					 : (unsigned)((c | 0x20) - 'a') + 10;

		if (v > ((uint64_t)INT64_MAX - d) / base)
			return false;
		v = v * base + d;
	}
	buf_format(out, "%" PRIu64, v);
	return true;
}

/* At most 63 bits and the sign. */
static bool fits_64(const struct buf *number)
{
	const char *at = number->bytes;
	const bool is_below = *at == '-';
	uint64_t v = 0;

	for (at += is_below; *at != '\0'; at++) {
		unsigned d = (unsigned)(*at - '0');

		if (v > ((uint64_t)INT64_MAX + is_below - d) / 10)
			return false;
		v = v * 10 + d;
	}
	return true;
}

static bool decimal_read(struct json_text w, struct buf *out)
{
	size_t at = 0, n, from;
	bool is_whole = true;

	if (byte_take(w, &at, "-"))
		buf_char(out, '-');
	else
		(void)byte_take(w, &at, "+");
	from = at;
	n = digits_copy(text_from(w, at), 10, out);
	if (n == 0 || (n > 1 && w.bytes[from] == '0'))
		return false;
	at += n;
	if (byte_take(w, &at, ".")) {
		is_whole = false;
		buf_char(out, '.');
		n = digits_copy(text_from(w, at), 10, out);
		if (n == 0)
			return false;
		at += n;
	}
	if (byte_take(w, &at, "eE")) {
		is_whole = false;
		buf_char(out, 'e');
		from = at;
		if (byte_take(w, &at, "+-"))
			buf_char(out, w.bytes[from]);
		n = digits_copy(text_from(w, at), 10, out);
		if (n == 0)
			return false;
		at += n;
	}
	return at == w.len && !buf_has_failed(out) &&
	       (!is_whole || fits_64(out));
}

static bool number_read(struct json_text w, struct buf *out)
{
	if (text_begins(w, "0x"))
		return based_read(text_from(w, 2), 16, out);
	if (text_begins(w, "0o"))
		return based_read(text_from(w, 2), 8, out);
	if (text_begins(w, "0b"))
		return based_read(text_from(w, 2), 2, out);
	return decimal_read(w, out);
}

static bool text_keep(struct toml *t, const char *bytes, size_t n,
		      struct json_text *ret)
{
	const char *copy = arena_copy(t->arena, bytes, n);

	if (copy == NULL)
		return toml_fail(t, "memory", t->at, "no memory to read it");
	*ret = (struct json_text){ copy, n };
	return true;
}

bool toml_scalar_read(struct toml *t, struct json_value *ret)
{
	const struct json_text w = word_find(t);
	owned_buf struct buf number = { .cap_bytes = NUMBER_BYTES };
	bool is_done = true;

	*ret = (struct json_value){ .offset = t->at };
	if (text_is(w, "true") || text_is(w, "false")) {
		ret->type = JSON_BOOL;
		ret->u.boolean = text_is(w, "true");
	} else if (text_in(w, "inf +inf -inf nan +nan -nan") || is_moment(w)) {
		ret->type = JSON_STRING;
		is_done = text_keep(t, w.bytes, w.len, &ret->u.string);
	} else if (number_read(w, &number)) {
		ret->type = JSON_NUMBER;
		is_done =
			text_keep(t, number.bytes, number.len, &ret->u.number);
	} else {
		return toml_fail(t, "toml_syntax", t->at, "expected a value");
	}
	t->at += w.len;
	return is_done;
}
