/* sarif_place.c -- see sarif_place.h.  It has as much of RFC 3986 as files
 * need. */
#include "jobs/confirm/sarif_place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct json_value *item_at(const struct json_value *array,
					const struct json_value *index)
{
	uint64_t i = 0;

	if (array == NULL || array->type != JSON_ARRAY || index == NULL ||
	    json_read_u64(index, &i) < 0 || i >= array->u.array.len)
		return NULL;
	return &array->u.array.items[i];
}

static const struct json_value *text_find(const struct json_value *v,
					  const char *name)
{
	const struct json_value *found = v ? json_find(v, name) : NULL;

	return found != NULL && found->type == JSON_STRING ? found : NULL;
}

static int hex_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The length of a scheme at the start of s, ':' included; 0 = none. */
static size_t scheme_len(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = (char)(s[i] | 0x20);
		bool is_letter = c >= 'a' && c <= 'z';

		if (s[i] == ':')
			return i > 0 ? i + 1 : 0;
		if (!is_letter &&
		    (i == 0 || strchr("0123456789+-.", s[i]) == NULL))
			return 0;
	}
	return 0;
}

static bool starts(const char *s, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && strncasecmp(s, with, len) == 0;
}

/* Skip what is no path at the start of uri[0..n-1]: "file:", and an empty or
 * local host. */
static const char *head_skip(const char **uri, size_t *n)
{
	static const char *const heads[] = { "file://localhost/", "file:///",
					     "file:/" };
	size_t len = scheme_len(*uri, *n);

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (starts(*uri, *n, heads[i])) {
			len = strlen(heads[i]) - 1; /* its slash stays */
			if (i == 2 && starts(*uri, *n, "file://"))
				return "uri: expected a file of this host";
			*uri += len;
			*n -= len;
			return NULL;
		}
	return len > 0 ? "uri: expected a relative path or a file: URI" : NULL;
}

/* Append uri[0..n-1] decoded, without query and fragment. */
static const char *decode(const char *uri, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		char c = uri[i];

		if (c == '?' || c == '#')
			break;
		if (c == '%') {
			int hi = i + 2 < n ? hex_of(uri[i + 1]) : -1;
			int lo = i + 2 < n ? hex_of(uri[i + 2]) : -1;

			if (hi < 0 || lo < 0)
				return "uri: expected two hex digits after %";
			c = (char)(hi << 4 | lo);
			i += 2;
		}
		if (c == '\0')
			return "uri: expected a path without NUL";
		buf_char(out, c);
	}
	return NULL;
}

/* Read the path of one uri, without joining it to anything. */
static const char *uri_read(const struct json_value *uri, struct buf *out)
{
	const char *s = uri->u.string.bytes;
	size_t n = uri->u.string.len;
	const char *why;

	if (n > SARIF_URI_BYTES)
		return "uri: expected at most 4096 bytes";
	why = head_skip(&s, &n);
	return why != NULL ? why : decode(s, n, out);
}

static_assert(SARIF_BASES_MAX == 8, "as the fault below says");

/* Follow the chain of uri, base and base's base until the first absolute path,
 * then join those before it to it. */
static const char *chain_read(const struct sarif_place *p,
			      const struct json_value *location,
			      struct buf *out, const struct json_value **base)
{
	const struct json_value *bases =
		json_find(p->run, "originalUriBaseIds");
	unsigned left = SARIF_BASES_MAX;

	for (;;) {
		const struct json_value *uri = text_find(location, "uri");
		const struct json_value *id = text_find(location, "uriBaseId");
		owned_buf struct buf head = { 0 };
		const char *why = uri ? uri_read(uri, &head) : NULL;

		if (why != NULL)
			return why;
		if (head.len > 0 && out->len > 0 &&
		    head.bytes[head.len - 1] != '/')
			buf_char(&head, '/');
		buf_add(&head, out->bytes, out->len);
		out->len = 0;
		buf_add(out, head.bytes, head.len);
		if (buf_has_failed(out) || out->len > SARIF_URI_BYTES)
			return "uri: expected at most 4096 bytes";
		if (id == NULL || (out->len > 0 && out->bytes[0] == '/'))
			return NULL;
		if (left-- == 0)
			return "uriBaseId: more than 8 bases refer to one "
			       "another";
		*base = id;
		location = bases ? json_find_bytes(bases, id->u.string.bytes,
						   id->u.string.len)
				 : NULL;
		if (location == NULL)
			return NULL; /* no base is given: the repository */
	}
}

/* Resolve "." and ".." in place; ".." at the start of a relative path stays. */
static void dots_resolve(char *path)
{
	const char *end = path + strlen(path);
	char *start = path + (path[0] == '/');
	const char *from = start;
	char *to = start, *floor = start;

	while (from < end) {
		size_t len = strcspn(from, "/");
		const char *next = from + len + (from[len] == '/');
		bool is_up = len == 2 && from[0] == '.' && from[1] == '.';

		if (is_up && to > floor) {
			to--; /* the slash */
			while (to > floor && to[-1] != '/')
				to--;
		} else if ((is_up && start == path) ||
			   (len > 0 && !is_up && !(len == 1 && *from == '.'))) {
			memmove(to, from, len);
			to += len;
			*to++ = '/';
			if (is_up)
				floor = to;
		}
		from = next;
	}
	if (to > start)
		to--; /* the last slash */
	*to = '\0';
}

static bool is_root_name(const struct json_value *base)
{
	return base != NULL && strcasestr(base->u.string.bytes, "root") != NULL;
}

/* Strip repo from a path below it. */
static void repo_strip(const char *repo, char *path)
{
	size_t len = strlen(repo);

	while (len > 0 && repo[len - 1] == '/')
		len--;
	if (strncmp(path, repo, len) == 0 && path[len] == '/')
		memmove(path, path + len + 1, strlen(path + len + 1) + 1);
}

const char *sarif_place_read(const struct sarif_place *p,
			     const struct json_value *location, struct buf *out)
{
	const struct json_value *base = NULL;
	const struct json_value *uri;
	const char *why;

	out->len = 0;
	if (location == NULL || location->type != JSON_OBJECT)
		return "artifactLocation: expected an object";
	if (text_find(location, "uri") == NULL) { /* 3.4.5 */
		location = item_at(json_find(p->run, "artifacts"),
				   json_find(location, "index"));
		location = location ? json_find(location, "location") : NULL;
	}
	uri = text_find(location, "uri");
	if (uri == NULL)
		return "artifactLocation: expected a uri, or the index of an "
		       "artifact that has one";
	why = chain_read(p, location, out, &base);
	if (why != NULL)
		return why;
	buf_char(out, '\0');
	if (buf_has_failed(out))
		return "uri: no memory";
	dots_resolve(out->bytes);
	repo_strip(p->repo, out->bytes);
	if (out->bytes[0] == '/' && is_root_name(base)) {
		/* The log is from another machine: use the path from its
		 * root. */
		out->len = 0;
		why = uri_read(uri, out);
		buf_char(out, '\0');
		if (why != NULL || buf_has_failed(out))
			return "uri: no memory";
		dots_resolve(out->bytes);
	}
	return out->bytes[0] != '\0' ? NULL : "uri: expected a file's path";
}
