/* decimal.h -- JSON numbers as what they are: exact decimals, kept as text.
 *
 * Nothing here allocates, and every cost is linear in the length of the texts
 * (decimal_is_multiple says its own), whatever the exponents are. */
#ifndef CUPEL_BOUNDARY_DECIMAL_H
#define CUPEL_BOUNDARY_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* The value is sign * 0.d1d2...dn * 10^point, d1 and dn not 0; n is 0 for
 * zero.  Borrows the text that it was read from. */
struct decimal {
	bool negative;
	const char *digits; /* d1...dn, maybe with a '.' among them */
	size_t n;
	int64_t adjust; /* point is adjust + the exponent as written */
	bool exp_negative;
	const char *exp; /* digits of the exponent, no leading zeros */
	size_t exp_len;
};

/* decimal_read -- text[0..len-1], which follows the grammar of RFC 8259. */
struct decimal decimal_read(const char *text, size_t len);

/* decimal_order -- -1, 0 or 1 as a is less than, equal to, greater than b. */
int decimal_order(const struct decimal *a, const struct decimal *b);

bool decimal_is_whole(const struct decimal *d);

/* decimal_point -- point, held within +-10^17. */
int64_t decimal_point(const struct decimal *d);

/* decimal_next -- the digit ('0' to '9') at *at, moving on past it. */
char decimal_next(const char **at);

/* decimal_to_u64 -- 0, -EINVAL (negative, not whole), -ERANGE. */
int decimal_to_u64(const struct decimal *d, uint64_t *ret);

/* decimal_is_multiple -- whether d / by is whole.
 *
 * @by		greater than zero, of at most DECIMAL_BY_DIGITS digits
 * Cost: (d->n + 4 * by->n) * (by->n / 9 + 1) small steps, as
 * decimal_multiple_cost says. */
bool decimal_is_multiple(const struct decimal *d, const struct decimal *by);
uint64_t decimal_multiple_cost(const struct decimal *d,
			       const struct decimal *by);

#define DECIMAL_BY_DIGITS 1152 /* any finite double written out has fewer */

/* decimal_to_es -- append the number as ECMAScript prints the double nearest to
 * it.  Returns 0, -ENOMEM, or -ERANGE when there is no finite double near, when
 * a number that is not 0 would become 0, or when a whole number would become
 * another whole number.  Source: ECMA-262 Number::toString, RFC 8785 3.2.2.3. */
int decimal_to_es(const struct decimal *d, struct buf *out);

#endif
