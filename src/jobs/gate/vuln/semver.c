/* semver.c -- compares versions of Semantic Versioning. */
#include <errno.h>

#include "jobs/gate/vuln/digits.h"
#include "jobs/gate/vuln/version.h"

#define NUMBERS 3U

struct semver {
	struct digits numbers[NUMBERS];
	const char *pre; /* or NULL: a release */
	size_t pre_len;
};

static bool is_identifier_byte(char c)
{
	return digit_is(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '-';
}

/* The length of non-empty identifiers with dots between them, or 0. */
static size_t identifiers_len(const char *s, bool has_zeros)
{
	size_t n = 0;

	for (;;) {
		size_t begin = n, digits = digits_len(s + n);

		while (is_identifier_byte(s[n]))
			n++;
		if (n == begin || (!has_zeros && digits > 1 &&
				   digits == n - begin && s[begin] == '0'))
			return 0;
		if (s[n] != '.')
			return n;
		n++;
	}
}

static bool numbers_read(const char **s, struct semver *ret)
{
	for (size_t i = 0; i < NUMBERS; i++) {
		size_t n = digits_len(*s);

		if (n == 0 || (n > 1 && **s == '0'))
			return false;
		ret->numbers[i] = digits_read(*s, n);
		*s += n;
		if (**s != '.' || i + 1 == NUMBERS)
			return true;
		++*s;
	}
	return true;
}

static bool semver_read(const char *s, struct semver *ret)
{
	*ret = (struct semver){ 0 };
	if (strlen(s) >= VERSION_BYTES)
		return false;
	if (*s == 'v')
		s++;
	if (!numbers_read(&s, ret))
		return false;
	if (*s == '-') {
		ret->pre = ++s;
		ret->pre_len = identifiers_len(s, false);
		if (ret->pre_len == 0)
			return false;
		s += ret->pre_len;
	}
	if (*s == '+') {
		size_t n = identifiers_len(++s, true);

		if (n == 0)
			return false;
		s += n;
	}
	return *s == '\0';
}

static size_t identifier_len(const char *s, size_t n)
{
	const char *dot = memchr(s, '.', n);

	return dot != NULL ? (size_t)(dot - s) : n;
}

static int identifier_order(const char *a, size_t a_len, const char *b,
			    size_t b_len)
{
	bool a_number = digits_len(a) >= a_len,
	     b_number = digits_len(b) >= b_len;
	size_t n = a_len < b_len ? a_len : b_len;
	int c;

	if (a_number && b_number)
		return digits_order(digits_read(a, a_len),
				    digits_read(b, b_len));
	if (a_number != b_number)
		return a_number ? -1 : 1;
	c = memcmp(a, b, n);
	return c != 0 ? c : (a_len > b_len) - (a_len < b_len);
}

/* Section 11.4: compare identifier by identifier; fewer come first. */
static int pre_order(const struct semver *a, const struct semver *b)
{
	size_t i = 0, j = 0;

	if (a->pre == NULL || b->pre == NULL)
		return (a->pre == NULL) - (b->pre == NULL);
	for (;;) {
		size_t n, m;
		int c;

		if (i >= a->pre_len || j >= b->pre_len)
			return (i < a->pre_len) - (j < b->pre_len);
		n = identifier_len(a->pre + i, a->pre_len - i);
		m = identifier_len(b->pre + j, b->pre_len - j);
		c = identifier_order(a->pre + i, n, b->pre + j, m);
		if (c != 0)
			return c;
		i += n + 1;
		j += m + 1;
	}
}

int version_semver_find(const char *a, const char *b, int *ret)
{
	struct semver x, y;
	int c = 0;

	if (!semver_read(a, &x) || !semver_read(b, &y))
		return -EINVAL;
	for (size_t i = 0; c == 0 && i < NUMBERS; i++)
		c = digits_order(x.numbers[i], y.numbers[i]);
	*ret = c != 0 ? c : pre_order(&x, &y);
	return 0;
}
