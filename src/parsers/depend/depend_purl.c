/* depend_purl.c -- package URLs: pkg:TYPE/NAMESPACE/NAME@VERSION?QUALIFIERS.
 *
 * Source: the purl specification, "Character encoding" and its types npm, pypi,
 * golang, cargo, maven, gem and composer; PEP 503, "Normalized Names". */
#include <stdio.h>
#include <string.h>

#include "parsers/depend/depend.h"

/* Differences in a name that a registry ignores. */
enum purl_case {
	PURL_AS_IS,
	PURL_LOWER,
	PURL_LOWER_DASH, /* and any run of '-', '_' and '.' is one '-' */
};

static const struct {
	const char *type;
	enum purl_case letters;
	char parts; /* written between namespace and name; NUL: no namespace */
} types[] = {
	[DEPEND_CARGO] = { "cargo", PURL_AS_IS, '\0' },
	[DEPEND_COMPOSER] = { "composer", PURL_LOWER, '/' },
	[DEPEND_GEM] = { "gem", PURL_AS_IS, '\0' },
	[DEPEND_GO] = { "golang", PURL_LOWER, '/' },
	[DEPEND_MAVEN] = { "maven", PURL_AS_IS, ':' },
	[DEPEND_NPM] = { "npm", PURL_LOWER, '/' },
	[DEPEND_PYPI] = { "pypi", PURL_LOWER_DASH, '\0' },
};

const char *depend_ecosystem_name(enum depend_ecosystem e)
{
	return types[e].type;
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || strchr("-._~:", c) != NULL;
}

static bool is_dash(char c)
{
	return c == '-' || c == '_' || c == '.';
}

static char letter_fold(char c, enum purl_case letters)
{
	if (letters != PURL_AS_IS && c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return letters == PURL_LOWER_DASH && is_dash(c) ? '-' : c;
}

/* kept: one more byte that is not encoded, or NUL. */
static void encoded_put(struct buf *out, struct json_text t,
			enum purl_case letters, char kept)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = letter_fold(t.bytes[i], letters);

		if (letters == PURL_LOWER_DASH && i > 0 &&
		    is_dash(t.bytes[i]) && is_dash(t.bytes[i - 1]))
			continue;
		if (c != '\0' && (is_plain(c) || c == kept))
			buf_char(out, c);
		else
			buf_format(out, "%%%02X", (unsigned)(unsigned char)c);
	}
}

/* Write the namespace's segments and the name, each encoded by itself.  Empty
 * segments are left out.  Returns whether there was a segment at all. */
static bool name_put(struct buf *out, const struct depend_purl *p)
{
	const char parts = types[p->ecosystem].parts;
	struct json_text rest = p->name, segment;
	bool has_name = false;

	while (rest.bytes != NULL) {
		segment = rest;
		rest.bytes = NULL;
		if (parts != '\0')
			segment = text_cut(segment, parts, &rest);
		if (segment.len == 0)
			continue;
		buf_char(out, '/');
		encoded_put(out, segment, types[p->ecosystem].letters, '\0');
		has_name = true;
	}
	return has_name;
}

void depend_purl_write(const struct depend_purl *p, struct buf *out)
{
	if (p->origin == DEPEND_PATH || p->name.len == 0)
		return;
	buf_format(out, "pkg:%s", types[p->ecosystem].type);
	if (!name_put(out, p)) {
		out->len = 0;
		return;
	}
	if (p->version.len > 0) {
		buf_char(out, '@');
		encoded_put(out, p->version, PURL_AS_IS, '\0');
	}
	if (p->url.len == 0 || p->origin == DEPEND_REGISTRY)
		return;
	if (p->origin == DEPEND_URL) {
		buf_text(out, "?download_url=");
	} else {
		buf_text(out, "?vcs_url=");
		if (!text_begins(p->url, "git+") &&
		    !text_begins(p->url, "git:"))
			buf_text(out, "git%2B");
	}
	encoded_put(out, p->url, PURL_AS_IS, '/');
}
