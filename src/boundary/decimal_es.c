/* decimal_es.c -- numbers as ECMAScript prints them.  See decimal.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/decimal.h"

/* More digits than can decide how a double rounds (767), then one that says
 * whether anything follows. */
#define DIGITS_KEPT 800

/* The double nearest to d.  Only digits and an exponent are handed to strtod:
 * no decimal point, so no locale. */
static double nearest(const struct decimal *d)
{
	char text[DIGITS_KEPT + 32];
	size_t n = 0;
	const char *at = d->digits;
	int64_t e = decimal_point(d);

	while (n < d->n && n < DIGITS_KEPT)
		text[n++] = decimal_next(&at);
	if (d->n > n)
		text[n++] = '1';
	e -= (int64_t)n;
	if (e > 100000)
		e = 100000;
	if (e < -100000)
		e = -100000;
	(void)snprintf(text + n, sizeof text - n, "e%d", (int)e);
	return strtod(text, NULL);
}

/* The fewest digits that read back as v; *ret_point as in struct decimal. */
static size_t shortest(double v, char digits[24], int *ret_point)
{
	char text[64];
	size_t n = 0;

	for (int precision = 0; precision < 17; precision++) {
		const char *e;
		struct decimal back = { .exp = "" };
		char exponent[16];

		(void)snprintf(text, sizeof text, "%.*e", precision, v);
		e = strchr(text, 'e');
		n = 0;
		for (const char *p = text; p < e; p++)
			if (*p >= '0' && *p <= '9')
				digits[n++] = *p;
		digits[n] = '\0';
		*ret_point = (int)strtol(e + 1, NULL, 10) + 1;
		(void)snprintf(exponent, sizeof exponent, "%d",
			       abs(*ret_point));
		back.digits = digits;
		back.n = n;
		back.exp_negative = *ret_point < 0;
		back.exp = exponent;
		back.exp_len = strlen(exponent);
		if (nearest(&back) == v)
			break;
	}
	while (n > 1 && digits[n - 1] == '0')
		n--;
	digits[n] = '\0';
	return n;
}

static void put(struct buf *out, char c, int count)
{
	while (count-- > 0)
		buf_char(out, c);
}

/* Number::toString of ECMA-262, k digits, value 0.digits * 10^point. */
static void lay_out(struct buf *out, const char *digits, int k, int point)
{
	if (k <= point && point <= 21) {
		buf_text(out, digits);
		put(out, '0', point - k);
	} else if (0 < point && point <= 21) {
		buf_format(out, "%.*s.%s", point, digits, digits + point);
	} else if (-6 < point && point <= 0) {
		buf_text(out, "0.");
		put(out, '0', -point);
		buf_text(out, digits);
	} else {
		buf_format(out, "%c%s%se%+d", digits[0], k > 1 ? "." : "",
			   digits + 1, point - 1);
	}
}

int decimal_to_es(const struct decimal *d, struct buf *out)
{
	owned_buf struct buf text = { 0 };
	char digits[24];
	struct decimal printed;
	double v;
	int point;
	size_t k;

	if (d->n == 0) {
		buf_char(out, '0');
		return 0;
	}
	v = nearest(d);
	if (!isfinite(v) || v == 0)
		return -ERANGE;
	k = shortest(v, digits, &point);
	if (d->negative)
		buf_char(&text, '-');
	lay_out(&text, digits, (int)k, point);
	if (buf_has_failed(&text))
		return -ENOMEM;
	printed = decimal_read(text.bytes, text.len);
	if (decimal_is_whole(d) && decimal_order(d, &printed) != 0)
		return -ERANGE;
	buf_add(out, text.bytes, text.len);
	return 0;
}
