/* node_archive.c -- the version that the name of an archive has.
 *
 * A registry has "NAME/-/BASE-VERSION.tgz", where BASE is the name without its
 * scope.  Source: the npm registry's "dist.tarball". */
#include <string.h>

#include "parsers/node/node.h"

/* "a-1.0.0" of "https://host/x/a-1.0.0.tgz?y#z"; len 0: it is no archive. */
static struct json_text stem_of(struct json_text url)
{
	static const char *const ends[] = { ".tgz", ".tar.gz" };
	const char *slash;

	url.len = text_length_before(url, "?#");
	slash = url.len > 0 ? memrchr(url.bytes, '/', url.len) : NULL;
	if (slash != NULL)
		url = text_from(url, (size_t)(slash - url.bytes) + 1);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (text_ends(url, ends[i]))
			return text_first(url, url.len - strlen(ends[i]));
	return (struct json_text){ NULL, 0 };
}

static struct json_text base_of(struct json_text name)
{
	struct json_text rest, first = text_cut(name, '/', &rest);

	return rest.bytes != NULL ? rest : first;
}

/* What follows "BASE-" in the archive's name; bytes NULL: it is not named so. */
static struct json_text version_of(struct json_text url, struct json_text name)
{
	const struct json_text stem = stem_of(url), base = base_of(name);

	if (base.len == 0 || stem.len < base.len + 2 ||
	    memcmp(stem.bytes, base.bytes, base.len) != 0 ||
	    stem.bytes[base.len] != '-')
		return (struct json_text){ NULL, 0 };
	return text_from(stem, base.len + 1);
}

bool node_archive_is_own(struct json_text place, struct json_text name)
{
	return version_of(place, name).bytes != NULL;
}

/* Without what is only a remark of the build, which registries leave out. */
static struct json_text plain(struct json_text version)
{
	return text_first(version, text_length_before(version, "+"));
}

struct json_text node_archive_version(const struct node_entry *e)
{
	const struct json_text v = version_of(e->resolved, e->name);

	if (e->fetched.bytes != NULL && text_order(e->fetched, e->version) != 0)
		return e->fetched;
	if (v.len == 0 || v.bytes[0] < '0' || v.bytes[0] > '9' ||
	    text_order(plain(v), plain(e->version)) == 0)
		return (struct json_text){ NULL, 0 };
	return v;
}
