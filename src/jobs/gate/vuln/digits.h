/* digits.h -- numbers of any length, as they occur in versions. */
#ifndef CUPEL_JOBS_GATE_VULN_DIGITS_H
#define CUPEL_JOBS_GATE_VULN_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Digits without leading zeros; no digits at all stand for 0. */
struct digits {
	const char *at;
	size_t len;
};

static inline bool digit_is(char c)
{
	return c >= '0' && c <= '9';
}

/* The number of digits at the start of s. */
static inline size_t digits_len(const char *s)
{
	size_t n = 0;

	while (digit_is(s[n]))
		n++;
	return n;
}

static inline struct digits digits_read(const char *s, size_t n)
{
	while (n > 0 && *s == '0') {
		s++;
		n--;
	}
	return (struct digits){ s, n };
}

/* Compare a and b: negative, 0 or positive. */
static inline int digits_order(struct digits a, struct digits b)
{
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return a.len > 0 ? memcmp(a.at, b.at, a.len) : 0;
}

#endif
