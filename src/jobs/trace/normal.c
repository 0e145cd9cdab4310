/* normal.c -- see normal.h. */
#include "jobs/trace/normal.h"

#include <string.h>

#include "base/arena.h"
#include "spec/data.h"

#define RANDOM_MIN 6
/* A row has at most three places with a choice of where they end, and none is
 * tried over more bytes than a name may have. */
#define NAME_BYTES 255

static bool is_of(char place, char c)
{
	bool is_digit = c >= '0' && c <= '9';

	switch (place) {
	case 'n':
		return is_digit;
	case 'v':
		return is_digit || c == '.';
	default:
		return is_digit || c == '_' || (c >= 'a' && c <= 'z') ||
		       (c >= 'A' && c <= 'Z');
	}
}

/* Whether n bytes at text can be what the place stands for. */
static bool is_whole(char place, const char *text, size_t n)
{
	if (place == 'x')
		return n >= RANDOM_MIN;
	return n > 0 && text[0] != '.' && text[n - 1] != '.';
}

static size_t place_len(char place, const char *text)
{
	size_t n = 0;

	while (n < NAME_BYTES && text[n] != '\0' && is_of(place, text[n]))
		n++;
	return n;
}

static bool is_place(const char *row, size_t left)
{
	return left >= 3 && row[0] == '<' && row[2] == '>' &&
	       (row[1] == 'x' || row[1] == 'n' || row[1] == 'v');
}

/* How many bytes of path the row stands for: up to its end or a '/'; 0 when it
 * does not fit.  The longest way first: what follows a place may begin with its bytes. */
static size_t normal_fits(const char *row, size_t row_len, const char *path)
{
	const char *at = path;

	while (row_len > 0 && !is_place(row, row_len)) {
		if (*at != *row)
			return 0;
		at++;
		row++;
		row_len--;
	}
	if (row_len == 0)
		return *at == '\0' || *at == '/' ? (size_t)(at - path) : 0;
	for (size_t n = place_len(row[1], at); n > 0; n--) {
		size_t rest;

		if (!is_whole(row[1], at, n))
			continue;
		if (row_len == 3) {
			if (at[n] == '\0' || at[n] == '/')
				return (size_t)(at - path) + n;
			continue;
		}
		rest = normal_fits(row + 3, row_len - 3, at + n);
		if (rest > 0)
			return (size_t)(at - path) + n + rest;
	}
	return 0;
}

static const struct data_text *text_find(const char *name)
{
	for (size_t i = 0; i < trace_texts_len; i++)
		if (strcmp(trace_texts[i].name, name) == 0)
			return &trace_texts[i];
	return NULL;
}

/* The next row of *at, without comments and empty lines; NULL at the end. */
static const char *row_next(const char **at, size_t *ret_n)
{
	while (**at != '\0') {
		const char *row = *at;

		*ret_n = strcspn(row, "\n");
		*at = row + *ret_n + (row[*ret_n] == '\n');
		if (*ret_n > 0 && row[0] != '#')
			return row;
	}
	return NULL;
}

const char *normal_path(struct arena *arena, const char *path)
{
	const struct data_text *text = text_find("trace-paths");
	const char *at = text != NULL ? text->bytes : "";
	const char *row;
	size_t n = 0;

	while ((row = row_next(&at, &n)) != NULL) {
		size_t len = normal_fits(row, n, path);

		if (len > 0)
			return arena_format(arena, "%.*s%s", (int)n, row,
					    path + len);
	}
	return path;
}

bool normal_is_shell(const char *name)
{
	const struct data_text *text = text_find("trace-shells");
	const char *at = text != NULL ? text->bytes : "";
	const char *slash = strrchr(name, '/');
	const char *row;
	size_t n = 0;

	name = slash != NULL ? slash + 1 : name;
	name += name[0] == '-';
	while ((row = row_next(&at, &n)) != NULL)
		if (strlen(name) == n && memcmp(name, row, n) == 0)
			return true;
	return false;
}
