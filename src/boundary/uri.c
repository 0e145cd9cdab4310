/* uri.c -- see uri.h. */
#include "boundary/uri.h"

#include <string.h>

#include "base/utf8.h"

struct span {
	const char *at;
	size_t len;
};

/* The components of RFC 3986 section 3; at is NULL where one is absent. */
struct uri {
	struct span scheme, authority, path, query, fragment;
};

static struct span span_to(const char **at, const char *stops)
{
	struct span s = { *at, strcspn(*at, stops) };

	*at += s.len;
	return s;
}

static size_t scheme_length(const char *text)
{
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
	size_t n = strspn(text, rest);
	char c = (char)(text[0] | 0x20);

	return n > 0 && text[n] == ':' && c >= 'a' && c <= 'z' ? n : 0;
}

static struct uri split(const char *text)
{
	struct uri u = { 0 };
	size_t n = scheme_length(text);

	if (n > 0) {
		u.scheme = (struct span){ text, n };
		text += n + 1;
	}
	if (text[0] == '/' && text[1] == '/') {
		text += 2;
		u.authority = span_to(&text, "/?#");
	}
	u.path = span_to(&text, "?#");
	if (*text == '?') {
		text++;
		u.query = span_to(&text, "#");
	}
	if (*text == '#')
		u.fragment = (struct span){ text + 1, strlen(text + 1) };
	return u;
}

/* RFC 3986 section 5.2.4, in place; the path is NUL-terminated. */
static void remove_dots(char *path)
{
	char *in = path;
	char *out = path;
	bool rooted = *path == '/';

	while (*in != '\0') {
		char *segment = in + (*in == '/');
		size_t len = strcspn(segment, "/");
		bool last = segment[len] == '\0';
		bool dot = len == 1 && segment[0] == '.';
		bool dots = len == 2 && segment[0] == '.' && segment[1] == '.';

		if (dots)
			while (out > path && *--out != '/')
				;
		if (dot || dots) {
			if (last && (rooted || out > path))
				*out++ = '/';
			in = segment + len;
			if (!rooted && out == path && !last)
				in++;
			continue;
		}
		len += (size_t)(segment - in);
		memmove(out, in, len);
		out += len;
		in += len;
	}
	*out = '\0';
}

/* Section 5.2.3: the reference's path beside the last segment of the base. */
static char *merge(struct arena *arena, const struct uri *base,
		   const struct uri *ref)
{
	size_t keep = base->path.len;
	char *out;

	while (keep > 0 && base->path.at[keep - 1] != '/')
		keep--;
	out = arena_alloc(arena, keep + ref->path.len + 2);
	if (out == NULL)
		return NULL;
	if (base->authority.at != NULL && base->path.len == 0)
		out[0] = '/';
	else
		memcpy(out, base->path.at, keep);
	strncat(out, ref->path.at, ref->path.len);
	return out;
}

static char *path_copy(struct arena *arena, struct span path)
{
	return arena_copy(arena, path.at, path.len);
}

static char *compose(struct arena *arena, const struct uri *u, const char *path)
{
	return arena_format(
		arena, "%.*s%s%s%.*s%s%s%.*s%s%.*s", (int)u->scheme.len,
		u->scheme.at != NULL ? u->scheme.at : "",
		u->scheme.at != NULL ? ":" : "",
		u->authority.at != NULL ? "//" : "", (int)u->authority.len,
		u->authority.at != NULL ? u->authority.at : "", path,
		u->query.at != NULL ? "?" : "", (int)u->query.len,
		u->query.at != NULL ? u->query.at : "",
		u->fragment.at != NULL ? "#" : "", (int)u->fragment.len,
		u->fragment.at != NULL ? u->fragment.at : "");
}

char *uri_resolve(struct arena *arena, const char *base, const char *ref)
{
	struct uri b = split(base);
	struct uri r = split(ref);
	struct uri t = r;
	char *path;
	bool clean = true;

	if (r.scheme.at != NULL || r.authority.at != NULL) {
		t.scheme = r.scheme.at != NULL ? r.scheme : b.scheme;
		path = path_copy(arena, r.path);
	} else if (r.path.len > 0) {
		t.scheme = b.scheme;
		t.authority = b.authority;
		path = r.path.at[0] == '/' ? path_copy(arena, r.path)
					   : merge(arena, &b, &r);
	} else {
		t.scheme = b.scheme;
		t.authority = b.authority;
		if (r.query.at == NULL)
			t.query = b.query;
		path = path_copy(arena, b.path);
		clean = false;
	}
	if (path == NULL)
		return NULL;
	if (clean && (t.authority.at != NULL || path[0] == '/'))
		remove_dots(path);
	return compose(arena, &t, path);
}

char *uri_cut_fragment(char *uri)
{
	char *hash = strchr(uri, '#');

	if (hash == NULL)
		return NULL;
	*hash = '\0';
	return hash + 1;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

ptrdiff_t uri_decode(char *text)
{
	char *out = text;

	for (const char *in = text; *in != '\0'; in++) {
		int high;
		int low;

		if (*in != '%') {
			*out++ = *in;
			continue;
		}
		high = hex_digit(in[1]);
		low = high >= 0 ? hex_digit(in[2]) : -1;
		if (low < 0)
			return -1;
		*out++ = (char)(high * 16 + low);
		in += 2;
	}
	*out = '\0';
	return utf8_is_valid(text, (size_t)(out - text)) ? out - text : -1;
}

bool uri_has_form(const char *uri)
{
	static const char hex[] = "0123456789abcdefABCDEF";

	for (const char *at = uri; *at != '\0'; at++) {
		if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f ||
		    strchr("<>\"{}|\\^`", *at) != NULL)
			return false;
		if (*at == '%' &&
		    (at[1] == '\0' || at[2] == '\0' ||
		     strchr(hex, at[1]) == NULL || strchr(hex, at[2]) == NULL))
			return false;
	}
	return true;
}
