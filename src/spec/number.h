/* number.h -- counts, sizes and times as people write them. */
#ifndef CUPEL_SPEC_NUMBER_H
#define CUPEL_SPEC_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

#define NUMBER_TEXT 32 /* room for any number written by number_write_* */

/* Each reads all of text: no sign, no space, no base prefix.
 * Returns 0, -EINVAL (not of this form) or -ERANGE (does not fit). */

/* number_read_count -- decimal digits. */
int number_read_count(const char *text, uint64_t *ret);

/* number_read_size -- digits and at most one unit: K, M or G, in upper or lower
 * case, optionally followed by B or iB.  All are powers of 1024. */
int number_read_size(const char *text, uint64_t *ret);

/* number_read_ms -- a time in milliseconds, rounded up.  Either seconds,
 * optionally with a fraction and a decimal exponent ("1.5", "2e1"), or whole
 * numbers with the units h, m, s and ms, the larger one first ("1h30m",
 * "250ms"). */
int number_read_ms(const char *text, uint64_t *ret);

/* number_write_size -- the exact size, with the largest unit that divides
 * it. */
void number_write_size(uint64_t bytes, char out[NUMBER_TEXT]);

/* number_write_ms -- milliseconds as seconds, without needless zeros: "1.5".
 * It is what ECMAScript prints for that number (RFC 8785, 3.2.2.3). */
void number_write_ms(uint64_t ms, char out[NUMBER_TEXT]);

#endif
