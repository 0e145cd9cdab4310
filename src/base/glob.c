/* glob.c -- see glob.h. */
#include "base/glob.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *s;
	size_t n;
};

/* The length of the class at p[0] == '[', or 0 when it has no end. */
static size_t class_len(struct span p)
{
	size_t i = 1;

	if (i < p.n && (p.s[i] == '!' || p.s[i] == '^'))
		i++;
	if (i < p.n && p.s[i] == ']')
		i++;
	while (i < p.n && p.s[i] != ']')
		i++;
	return i < p.n ? i + 1 : 0;
}

static bool class_has(struct span p, char c)
{
	size_t end = class_len(p) - 1;
	size_t i = 1;
	bool negate = p.s[i] == '!' || p.s[i] == '^';
	bool hit = false;

	if (negate)
		i++;
	for (size_t first = i; i < end; i++) {
		unsigned char lo = (unsigned char)p.s[i];
		unsigned char hi = lo;

		if (i + 2 < end && p.s[i + 1] == '-' && i >= first) {
			hi = (unsigned char)p.s[i + 2];
			i += 2;
		}
		hit = hit || (lo <= (unsigned char)c && (unsigned char)c <= hi);
	}
	return hit != negate;
}

/* Whether the one-byte pattern item at p takes c; *ret_len is its length. */
static bool item_takes(struct span p, char c, size_t *ret_len)
{
	*ret_len = 1;
	if (p.s[0] == '?')
		return true;
	if (p.s[0] == '[' && class_len(p) > 0) {
		*ret_len = class_len(p);
		return class_has(p, c);
	}
	if (p.s[0] == '\\' && p.n > 1) {
		*ret_len = 2;
		return p.s[1] == c;
	}
	return p.s[0] == c;
}

static bool segment_match(struct span p, struct span s)
{
	size_t i = 0, j = 0, star = SIZE_MAX, mark = 0, len;

	while (j < s.n) {
		struct span rest = { p.s + i, p.n - i };

		if (i < p.n && p.s[i] == '*') {
			star = i++;
			mark = j;
		} else if (i < p.n && item_takes(rest, s.s[j], &len)) {
			i += len;
			j++;
		} else if (star != SIZE_MAX) {
			i = star + 1;
			j = ++mark;
		} else {
			return false;
		}
	}
	while (i < p.n && p.s[i] == '*')
		i++;
	return i == p.n;
}

/* Cut the first segment off *rest; false when there is none left. */
static bool segment_take(struct span *rest, struct span *ret)
{
	const char *slash;

	if (rest->s == NULL)
		return false;
	slash = memchr(rest->s, '/', rest->n);
	ret->s = rest->s;
	ret->n = slash ? (size_t)(slash - rest->s) : rest->n;
	if (slash)
		*rest = (struct span){ slash + 1, rest->n - ret->n - 1 };
	else
		*rest = (struct span){ NULL, 0 };
	return true;
}

static bool is_globstar(struct span p)
{
	return p.n == 2 && memcmp(p.s, "**", 2) == 0;
}

static bool plain_match(struct span p, struct span s)
{
	struct span after_star = { NULL, 0 }, mark = { NULL, 0 };
	bool has_star = false;

	for (;;) {
		struct span pr = p, sr = s, ps, ss;
		bool has_p = segment_take(&pr, &ps);

		if (has_p && is_globstar(ps)) {
			has_star = true;
			after_star = p = pr;
			mark = s;
			continue;
		}
		if (!segment_take(&sr, &ss))
			return !has_p;
		if (has_p && segment_match(ps, ss)) {
			p = pr;
			s = sr;
			continue;
		}
		if (!has_star || !segment_take(&mark, &ss))
			return false;
		p = after_star;
		s = mark;
	}
}

/* The brace group of p: *ret_open its '{', *ret_close its '}'. */
static bool brace_find(struct span p, size_t *ret_open, size_t *ret_close)
{
	size_t open = 0, depth = 0;

	for (size_t i = 0; i < p.n; i++) {
		if (p.s[i] == '\\')
			i++;
		else if (p.s[i] == '{' && depth++ == 0)
			open = i;
		else if (p.s[i] == '}' && depth > 0 && --depth == 0) {
			*ret_open = open;
			*ret_close = i;
			return true;
		}
	}
	return false;
}

static bool braces_match(struct span p, struct span s, unsigned *left);

/* One alternative alt in place of the group from open to close. */
static bool alternative_match(struct span p, size_t open, size_t close,
			      struct span alt, struct span s, unsigned *left)
{
	char text[GLOB_PATTERN_BYTES];
	size_t tail = p.n - close - 1;

	memcpy(text, p.s, open);
	memcpy(text + open, alt.s, alt.n);
	memcpy(text + open + alt.n, p.s + close + 1, tail);
	return braces_match((struct span){ text, open + alt.n + tail }, s,
			    left);
}

static bool braces_match(struct span p, struct span s, unsigned *left)
{
	size_t open = 0, close = 0, from, depth = 0;

	if (*left == 0)
		return false;
	if (!brace_find(p, &open, &close)) {
		--*left;
		return plain_match(p, s);
	}
	from = open + 1;
	for (size_t i = from; i <= close && *left > 0; i++) {
		depth += p.s[i] == '{';
		if (depth > 0) {
			depth -= p.s[i] == '}';
			continue;
		}
		if (p.s[i] != ',' && i != close)
			continue;
		if (alternative_match(p, open, close,
				      (struct span){ p.s + from, i - from }, s,
				      left))
			return true;
		from = i + 1;
	}
	return false;
}

bool glob_match(const char *pattern, size_t pattern_len, const char *path,
		size_t n)
{
	unsigned left = GLOB_ALTERNATIVES;

	if (pattern_len > GLOB_PATTERN_BYTES)
		return false;
	return braces_match((struct span){ pattern, pattern_len },
			    (struct span){ path, n }, &left);
}

struct expansion {
	int (*take)(void *data, const char *plain, size_t n);
	void *data;
	int count;
};

static int expand(struct expansion *x, struct span p);

/* The alternatives of the group from open to close, each in its place. */
static int group_expand(struct expansion *x, struct span p, size_t open,
			size_t close)
{
	size_t from = open + 1, depth = 0, tail = p.n - close - 1;
	char text[GLOB_PATTERN_BYTES + 1];
	int e = 0;

	for (size_t i = from; i <= close && e == 0; i++) {
		depth += p.s[i] == '{';
		if (depth > 0) {
			depth -= p.s[i] == '}';
			continue;
		}
		if (p.s[i] != ',' && i != close)
			continue;
		memcpy(text, p.s, open);
		memcpy(text + open, p.s + from, i - from);
		memcpy(text + open + i - from, p.s + close + 1, tail);
		e = expand(x, (struct span){ text, open + i - from + tail });
		from = i + 1;
	}
	return e;
}

static int expand(struct expansion *x, struct span p)
{
	char text[GLOB_PATTERN_BYTES + 1];
	size_t open = 0, close = 0;

	if (brace_find(p, &open, &close))
		return group_expand(x, p, open, close);
	if (x->count++ == GLOB_ALTERNATIVES)
		return -E2BIG;
	memcpy(text, p.s, p.n);
	text[p.n] = '\0';
	return x->take(x->data, text, p.n);
}

int glob_expand(const char *pattern,
		int (*take)(void *data, const char *plain, size_t n),
		void *data)
{
	struct expansion x = { .take = take, .data = data };
	struct span p = { pattern, strlen(pattern) };
	int e;

	if (p.n > GLOB_PATTERN_BYTES)
		return -E2BIG;
	e = expand(&x, p);
	return e < 0 ? e : x.count;
}
