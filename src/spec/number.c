/* number.c -- see number.h. */
#include "spec/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEN_POWERS 19 /* 10^19 fits into 64 bits, 10^20 does not */

/* Append one decimal digit; false when the result does not fit. */
static bool add_digit(uint64_t *value, char digit)
{
	unsigned d = (unsigned)(digit - '0');

	if (*value > (UINT64_MAX - d) / 10)
		return false;
	*value = *value * 10 + d;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the digits at *text, and move *text past them. */
static int read_digits(const char **text, uint64_t *ret)
{
	const char *at = *text;
	uint64_t value = 0;
	bool fits = true;

	if (!is_digit(*at))
		return -EINVAL;
	for (; is_digit(*at); at++)
		fits = fits && add_digit(&value, *at);
	*text = at;
	*ret = value;
	return fits ? 0 : -ERANGE;
}

int number_read_count(const char *text, uint64_t *ret)
{
	uint64_t value = 0;
	int r = read_digits(&text, &value);

	if (r == -EINVAL || *text != '\0')
		return -EINVAL;
	if (r == 0)
		*ret = value;
	return r;
}

/* A unit of sizes: K, M or G, or one of them followed by B or iB, or B alone.
 * All are powers of 1024.  Returns -EINVAL for anything else. */
static int read_unit(const char *text, unsigned *ret_shift)
{
	static const char units[] = "KMGkmg";
	const char *unit = *text != '\0' ? strchr(units, *text) : NULL;

	if (unit != NULL)
		text++;
	*ret_shift = unit != NULL ? 10 * (unsigned)((unit - units) % 3 + 1) : 0;
	if (unit != NULL && *text == 'i' && text[1] != '\0')
		text++;
	if (*text == 'B' || *text == 'b')
		text++;
	return *text == '\0' ? 0 : -EINVAL;
}

int number_read_size(const char *text, uint64_t *ret)
{
	uint64_t value = 0;
	unsigned shift = 0;
	int r = read_digits(&text, &value);

	if (r == -EINVAL || read_unit(text, &shift) < 0)
		return -EINVAL;
	if (r < 0 || value > UINT64_MAX >> shift)
		return -ERANGE;
	*ret = value << shift;
	return 0;
}

/* A decimal exponent "e[+-]digits" at *text, if there is one. */
static int read_exponent(const char **text, int *ret)
{
	const char *at = *text;
	uint64_t value = 0;
	bool is_negative;
	int r;

	*ret = 0;
	if (*at != 'e' && *at != 'E')
		return 0;
	at++;
	is_negative = *at == '-';
	if (*at == '-' || *at == '+')
		at++;
	r = read_digits(&at, &value);
	if (r == -EINVAL)
		return r;
	if (r < 0 || value > 1000)
		value = 1000; /* beyond any range, but no overflow */
	*text = at;
	*ret = is_negative ? -(int)value : (int)value;
	return 0;
}

/* value * 10^power, rounded up.  has_rest says that digits were cut off
 * before. */
static int scale(uint64_t value, int power, bool has_rest, uint64_t *ret)
{
	for (; power > 0 && value > 0; power--)
		if (!add_digit(&value, '0'))
			return -ERANGE;
	for (; power < 0 && value > 0; power++) {
		has_rest = has_rest || value % 10 != 0;
		value /= 10;
	}
	if (has_rest && value == UINT64_MAX)
		return -ERANGE;
	*ret = value + (has_rest ? 1 : 0);
	return 0;
}

/* "1h30m", "5m", "90s", "250ms": whole numbers, each with a unit, the larger
 * unit first.  Returns -EINVAL for anything else. */
static int read_units_ms(const char *text, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t ms;
	} units[] = {
		{ "h", 3600000 }, { "ms", 1 }, { "m", 60000 }, { "s", 1000 }
	};
	uint64_t sum = 0, value = 0, last = UINT64_MAX;
	bool fits = true;
	size_t i;
	int r;

	while (*text != '\0') {
		r = read_digits(&text, &value);
		if (r == -EINVAL)
			return r;
		for (i = 0; i < sizeof units / sizeof *units; i++)
			if (strncmp(text, units[i].name,
				    strlen(units[i].name)) == 0)
				break;
		if (i == sizeof units / sizeof *units || units[i].ms >= last)
			return -EINVAL;
		last = units[i].ms;
		text += strlen(units[i].name);
		fits = fits && r == 0 && value <= UINT64_MAX / last &&
		       value * last <= UINT64_MAX - sum;
		sum += fits ? value * last : 0;
	}
	*ret = sum;
	return fits ? 0 : -ERANGE;
}

int number_read_ms(const char *text, uint64_t *ret)
{
	const char *whole = text;
	uint64_t value = 0;
	int places = 0, power = 0;
	bool has_rest = false;
	int r = read_digits(&text, &value);

	if (r == -EINVAL)
		return r;
	if (*text != '\0' && strchr("hms", *text) != NULL)
		return read_units_ms(whole, ret);
	if (*text == '.') {
		if (!is_digit(*++text))
			return -EINVAL;
		for (; is_digit(*text); text++) {
			/* digits that no longer fit can only round up */
			if (places < TEN_POWERS && add_digit(&value, *text))
				places++;
			else
				has_rest = has_rest || *text != '0';
		}
	}
	if (read_exponent(&text, &power) < 0 ||
	    (*text != '\0' && strcmp(text, "s") != 0))
		return -EINVAL;
	if (r < 0 || (has_rest && power > 0))
		return -ERANGE;
	return scale(value, power - places + 3, has_rest, ret);
}

void number_write_size(uint64_t bytes, char out[NUMBER_TEXT])
{
	static const char units[] = { 'G', 'M', 'K' };

	for (unsigned i = 0; i < sizeof units; i++) {
		uint64_t unit = GIB >> (10 * i);

		if (bytes == 0 || bytes % unit != 0)
			continue;
		(void)snprintf(out, NUMBER_TEXT, "%" PRIu64 "%c", bytes / unit,
			       units[i]);
		return;
	}
	(void)snprintf(out, NUMBER_TEXT, "%" PRIu64, bytes);
}

void number_write_ms(uint64_t ms, char out[NUMBER_TEXT])
{
	unsigned rest = (unsigned)(ms % 1000);
	int width = 3;

	if (rest == 0) {
		(void)snprintf(out, NUMBER_TEXT, "%" PRIu64, ms / 1000);
		return;
	}
	for (; rest % 10 == 0; rest /= 10)
		width--;
	(void)snprintf(out, NUMBER_TEXT, "%" PRIu64 ".%0*u", ms / 1000, width,
		       rest);
}
