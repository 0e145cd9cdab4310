/* utf8.h -- UTF-8 as RFC 3629 and Unicode's table 3-7 have it. */
#ifndef CUPEL_BASE_UTF8_H
#define CUPEL_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* utf8_read -- the length in bytes of the well-formed sequence at s[0..n-1].
 *
 * @ret_code	the code point, when ret_code is not NULL
 *
 * Returns 1 to 4, or 0 when n is 0 or the bytes there are not well-formed
 * (overlong, surrogate, above U+10FFFF, cut short). */
size_t utf8_read(const char *s, size_t n, uint32_t *ret_code);

/* utf8_is_valid -- whether all of s[0..n-1] is well-formed. */
int utf8_is_valid(const char *s, size_t n);

/* utf8_cut -- the longest m <= cap, m <= n, at which s can be cut without
 * splitting a well-formed sequence. */
size_t utf8_cut(const char *s, size_t n, size_t cap);

/* utf8_write -- encode code (a scalar value) into out[0..3]; returns 1 to 4. */
size_t utf8_write(uint32_t code, char out[4]);

/* utf8_is_control -- whether a person who looks at code would not see it, or would
 * see the text around it changed: C0 and C1 controls, DEL, line and paragraph
 * separators, the marks by which text of two directions is ordered (UAX #9),
 * zero-width and invisible characters, fillers that look like blanks, variation
 * selectors, tags, planes of private use and noncharacters.
 * Source: Unicode's categories Cc, Cf, Zl, Zp, and Default_Ignorable_Code_Point. */
int utf8_is_control(uint32_t code);

/* utf8_make_line -- in place: every control and every byte that is not
 * well-formed becomes '?'; a sequence cut short at the end is dropped. */
void utf8_make_line(char *s);

#endif
