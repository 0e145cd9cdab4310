/* depend_archive.c -- the version in the name of an archive of PyPI's.
 *
 * Source: PEP 427, "File name convention"; PEP 625; PEP 440, "Normalization". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "parsers/depend/depend.h"

static bool is_dash(char c)
{
	return c == '-' || c == '_' || c == '.';
}

/* The number of bytes of t that spell name: dashes, dots and the case of letters do
 * not matter.  0: it does not begin so. */
static size_t name_len(struct json_text t, struct json_text name)
{
	size_t i = 0, k = 0;

	while (k < name.len) {
		if (i == t.len)
			return 0;
		if (is_dash(name.bytes[k]) && is_dash(t.bytes[i])) {
			while (k < name.len && is_dash(name.bytes[k]))
				k++;
			while (i < t.len && is_dash(t.bytes[i]))
				i++;
		} else if (tolower((unsigned char)name.bytes[k++]) !=
			   tolower((unsigned char)t.bytes[i++])) {
			return 0;
		}
	}
	return i;
}

/* The file's name without its ending; len 0: it is no archive. */
static struct json_text stem_of(struct json_text address, bool *ret_is_wheel)
{
	static const char *const ends[] = { ".whl",     ".tar.gz", ".zip",
					    ".tar.bz2", ".tgz",    ".tar.xz" };
	const char *slash;

	address.len = text_length_before(address, "?#");
	slash = address.len > 0 ? memrchr(address.bytes, '/', address.len)
				: NULL;
	if (slash != NULL)
		address =
			text_from(address, (size_t)(slash - address.bytes) + 1);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		*ret_is_wheel = i == 0;
		if (text_ends(address, ends[i]))
			return text_first(address,
					  address.len - strlen(ends[i]));
	}
	return (struct json_text){ NULL, 0 };
}

/* bytes NULL: the archive is not named after the package. */
static struct json_text version_of(struct json_text address,
				   struct json_text name)
{
	bool is_wheel;
	const struct json_text stem = stem_of(address, &is_wheel);
	const size_t n = name.len > 0 ? name_len(stem, name) : 0;
	struct json_text version;

	if (n == 0 || n + 1 >= stem.len || stem.bytes[n] != '-')
		return (struct json_text){ NULL, 0 };
	version = text_from(stem, n + 1);
	return is_wheel ? text_cut(version, '-', NULL) : version;
}

#define VERSION_BYTES 128U

/* The version as versions are compared: small letters, "a" for "alpha" and so on, no
 * zeros before a number, and nothing between the parts. */
static void version_fold(struct json_text v, char out[VERSION_BYTES])
{
	static const struct {
		const char *from, *to;
	} words[] = { { "alpha", "a" }, { "beta", "b" }, { "preview", "rc" },
		      { "pre", "rc" },  { "c", "rc" },   { "rev", "post" },
		      { "r", "post" },  { "v", "" } };
	size_t n = 0;

	for (size_t i = 0; i < v.len && n + 8 < VERSION_BYTES;) {
		struct json_text part = { v.bytes + i, 0 };
		const bool is_number = isdigit((unsigned char)v.bytes[i]);

		if (!isalnum((unsigned char)v.bytes[i])) {
			i += text_begins(text_from(v, i), "%2") ? 3 : 1;
			continue;
		}
		while (i < v.len && isalnum((unsigned char)v.bytes[i]) &&
		       is_number == !!isdigit((unsigned char)v.bytes[i]))
			i++, part.len++;
		while (is_number && part.len > 1 && part.bytes[0] == '0')
			part = text_from(part, 1);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (part.len == strlen(words[k].from) &&
			    strncasecmp(part.bytes, words[k].from, part.len) ==
				    0)
				part = (struct json_text){
					words[k].to, strlen(words[k].to)
				};
		if (part.len == 0)
			continue;
		out[n++] = '.';
		for (size_t k = 0; k < part.len && n + 2 < VERSION_BYTES; k++)
			out[n++] = (char)tolower((unsigned char)part.bytes[k]);
	}
	out[n] = '\0';
}

/* Called "other-1.0.tar.gz", it is another package. */
static void name_check(struct depend *d, struct depend_pin *p,
		       struct json_text address)
{
	bool is_wheel;
	const struct json_text stem = stem_of(address, &is_wheel);
	char text[256];

	if (stem.len == 0 || p->origin != DEPEND_REGISTRY)
		return;
	p->has_other = true;
	(void)snprintf(text, sizeof text, "%.*s is fetched as %.*s",
		       (int)(p->name.len < 80 ? p->name.len : 80),
		       p->name.len > 0 ? p->name.bytes : "",
		       (int)(stem.len < 80 ? stem.len : 80), stem.bytes);
	report_note(&d->report->warnings, "archive_differs", p->file->in, -1,
		    text);
}

void depend_archive_check(struct depend *d, struct depend_pin *p,
			  struct json_text address)
{
	const struct json_text found = version_of(address, p->name);
	char a[VERSION_BYTES], b[VERSION_BYTES], text[256];
	struct depend_pin other = *p;

	if (p->has_other)
		return;
	if (found.len == 0) {
		name_check(d, p, address);
		return;
	}
	version_fold(found, a);
	version_fold(p->version, b);
	if (strcmp(a, b) == 0)
		return;
	p->has_other = true;
	(void)snprintf(text, sizeof text,
		       "%.*s is said to be %.*s, but an archive is %.*s",
		       (int)(p->name.len < 80 ? p->name.len : 80),
		       p->name.bytes,
		       (int)(p->version.len < 40 ? p->version.len : 40),
		       p->version.len > 0 ? p->version.bytes : "",
		       (int)(found.len < 40 ? found.len : 40), found.bytes);
	report_note(&d->report->warnings, "version_differs", p->file->in, -1,
		    text);
	other.version = depend_keep(d, found);
	depend_pin_add(d, &other);
}
