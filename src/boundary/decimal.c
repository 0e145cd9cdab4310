/* decimal.c -- exact decimals on the text of JSON numbers.  See decimal.h. */
#include "boundary/decimal.h"

#include <errno.h>
#include <string.h>

#define POINT_MAX ((int64_t)100000000000000000)

char decimal_next(const char **at)
{
	if (**at == '.')
		++*at;
	return *(*at)++;
}

static void read_exponent(struct decimal *d, const char *at, const char *end)
{
	if (at == end)
		return;
	at++;
	if (at < end && (*at == '-' || *at == '+'))
		d->exp_negative = *at++ == '-';
	while (at < end && *at == '0')
		at++;
	d->exp = at;
	d->exp_len = (size_t)(end - at);
}

struct decimal decimal_read(const char *text, size_t len)
{
	struct decimal d = { .exp = "" };
	const char *end = text + len;
	const char *mantissa_end = text;
	const char *point = NULL;
	const char *first = NULL;
	const char *last = NULL;

	if (len > 0 && *text == '-') {
		d.negative = true;
		text++;
	}
	for (; text < end && *text != 'e' && *text != 'E'; text++) {
		if (*text == '.')
			point = text;
		else if (*text != '0') {
			first = first != NULL ? first : text;
			last = text;
		}
	}
	mantissa_end = text;
	if (first == NULL) {
		d.negative = false;
		return d;
	}
	if (point == NULL)
		point = mantissa_end;
	d.digits = first;
	d.n = (size_t)(last - first) + 1 - (first < point && point < last);
	d.adjust = first < point ? point - first : point + 1 - first;
	read_exponent(&d, mantissa_end, end);
	return d;
}

int64_t decimal_point(const struct decimal *d)
{
	int64_t e = 0;

	for (size_t i = 0; i < d->exp_len && e < POINT_MAX; i++)
		e = e * 10 + (d->exp[i] - '0');
	e = (d->exp_negative ? -e : e) + d->adjust;
	if (e > POINT_MAX)
		return POINT_MAX;
	return e < -POINT_MAX ? -POINT_MAX : e;
}

/* Exponent of a minus that of b as written, exactly within +-POINT_MAX: from
 * the first digit, a difference that has grown large can only grow. */
static int64_t exponent_less(const struct decimal *a, const struct decimal *b)
{
	size_t n = a->exp_len > b->exp_len ? a->exp_len : b->exp_len;
	int64_t diff = 0;

	for (size_t i = n; i > 0; i--) {
		int x = i <= a->exp_len ? a->exp[a->exp_len - i] - '0' : 0;
		int y = i <= b->exp_len ? b->exp[b->exp_len - i] - '0' : 0;

		diff = diff * 10 + (a->exp_negative ? -x : x) -
		       (b->exp_negative ? -y : y);
		if (diff > POINT_MAX / 2 || diff < -POINT_MAX / 2)
			return diff > 0 ? POINT_MAX : -POINT_MAX;
	}
	return diff;
}

static int magnitude_order(const struct decimal *a, const struct decimal *b)
{
	int64_t points = exponent_less(a, b) + a->adjust - b->adjust;
	size_t n = a->n < b->n ? a->n : b->n;
	const char *x = a->digits;
	const char *y = b->digits;

	if (a->n == 0 || b->n == 0)
		return (a->n > 0) - (b->n > 0);
	if (points != 0)
		return points > 0 ? 1 : -1;
	for (size_t i = 0; i < n; i++) {
		char p = decimal_next(&x);
		char q = decimal_next(&y);

		if (p != q)
			return p > q ? 1 : -1;
	}
	return (a->n > b->n) - (a->n < b->n);
}

int decimal_order(const struct decimal *a, const struct decimal *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? magnitude_order(b, a) : magnitude_order(a, b);
}

bool decimal_is_whole(const struct decimal *d)
{
	return d->n == 0 || decimal_point(d) >= (int64_t)d->n;
}

int decimal_to_u64(const struct decimal *d, uint64_t *ret)
{
	const char *at = d->digits;
	uint64_t out = 0;
	int64_t point = decimal_point(d);

	if (d->negative || !decimal_is_whole(d))
		return -EINVAL;
	if (d->n > 0 && point > 20)
		return -ERANGE;
	for (int64_t i = 0; d->n > 0 && i < point; i++) {
		uint64_t digit = 0;

		if (i < (int64_t)d->n)
			digit = (uint64_t)(decimal_next(&at) - '0');
		if (__builtin_mul_overflow(out, (uint64_t)10, &out) ||
		    __builtin_add_overflow(out, digit, &out))
			return -ERANGE;
	}
	*ret = out;
	return 0;
}

/* A whole number in limbs of nine decimal digits, the lowest first. */
#define LIMB      1000000000U
#define LIMBS_MAX (DECIMAL_BY_DIGITS / 9 + 2)

struct limbs {
	size_t n;
	uint32_t at[LIMBS_MAX];
};

static int limbs_order(const struct limbs *a, const struct limbs *b)
{
	for (size_t i = a->n; i > 0; i--)
		if (a->at[i - 1] != b->at[i - 1])
			return a->at[i - 1] > b->at[i - 1] ? 1 : -1;
	return 0;
}

/* a = a * 10 + digit; a is below 10^(9n - 9), so this fits. */
static void limbs_push(struct limbs *a, unsigned digit)
{
	uint64_t carry = digit;

	for (size_t i = 0; i < a->n; i++) {
		carry += (uint64_t)a->at[i] * 10;
		a->at[i] = (uint32_t)(carry % LIMB);
		carry /= LIMB;
	}
}

static void limbs_subtract(struct limbs *a, const struct limbs *b)
{
	uint32_t borrow = 0;

	for (size_t i = 0; i < a->n; i++) {
		uint32_t take = b->at[i] + borrow;

		borrow = a->at[i] < take;
		a->at[i] = a->at[i] + (borrow ? LIMB : 0) - take;
	}
}

static void push_modulo(struct limbs *rest, const struct limbs *by, unsigned d)
{
	limbs_push(rest, d);
	while (limbs_order(rest, by) >= 0)
		limbs_subtract(rest, by);
}

uint64_t decimal_multiple_cost(const struct decimal *d,
			       const struct decimal *by)
{
	return ((uint64_t)d->n + 4 * (uint64_t)by->n) *
	       ((uint64_t)by->n / 9 + 1);
}

/* d is a * 10^p and by is b * 10^q, a and b whole and not divisible by ten.  If
 * p < q the quotient would need a divisible by ten.  Else b must divide
 * a * 10^(p-q), and since 2^i divides b only for i < 4 * digits, a greater
 * power of ten than that has nothing more to add. */
bool decimal_is_multiple(const struct decimal *d, const struct decimal *by)
{
	struct limbs b = { 0 };
	struct limbs rest = { 0 };
	const char *at = by->digits;
	int64_t shift;
	int64_t low = exponent_less(d, by);

	if (d->n == 0)
		return true;
	if (by->n == 0 || by->n > DECIMAL_BY_DIGITS)
		return false;
	shift = low + (d->adjust - (int64_t)d->n) -
		(by->adjust - (int64_t)by->n);
	if (shift < 0)
		return false;
	if (shift > 4 * (int64_t)by->n)
		shift = 4 * (int64_t)by->n;
	b.n = rest.n = by->n / 9 + 2;
	for (size_t i = 0; i < by->n; i++)
		limbs_push(&b, (unsigned)(decimal_next(&at) - '0'));
	at = d->digits;
	for (size_t i = 0; i < d->n; i++)
		push_modulo(&rest, &b, (unsigned)(decimal_next(&at) - '0'));
	for (int64_t i = 0; i < shift; i++)
		push_modulo(&rest, &b, 0);
	for (size_t i = 0; i < rest.n; i++)
		if (rest.at[i] != 0)
			return false;
	return true;
}
