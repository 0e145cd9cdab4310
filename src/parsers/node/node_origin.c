/* node_origin.c -- where a lockfile takes its packages from, which of them have no
 * hash, and which run something when they are installed. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/node/node.h"

/* --- origins ---------------------------------------------------------------------- */

/* The length of "https://host:port" in url; 0: it has no such beginning. */
static size_t host_len(struct json_text url)
{
	const char *at, *end, *slash;

	if (url.len == 0) /* and bytes may be NULL */
		return 0;
	at = memmem(url.bytes, url.len, "://", 3);
	end = url.bytes + url.len;
	if (at == NULL || at == url.bytes)
		return 0;
	slash = memchr(at + 3, '/', (size_t)(end - at - 3));
	return (size_t)((slash != NULL ? slash : end) - url.bytes);
}

/* The URL without its query and fragment, which do not belong to the place. */
static struct json_text place_of(struct json_text url)
{
	for (size_t i = 0; i < url.len; i++)
		if (url.bytes[i] == '?' || url.bytes[i] == '#')
			url.len = i;
	return url;
}

/* Whether a client might fetch another path than the one that is read here. */
static bool is_ambiguous(struct json_text path)
{
	return memmem(path.bytes, path.len, "..", 2) != NULL ||
	       memchr(path.bytes, '%', path.len) != NULL ||
	       memchr(path.bytes, '\\', path.len) != NULL;
}

/* A registry serves a package under its name, "REGISTRY/NAME/-/file.tgz".
 * Returns the length of REGISTRY in place, or 0. */
static size_t registry_len(struct json_text place, struct json_text name)
{
	size_t host = host_len(place), end;
	const char *mark;

	if (host == 0 || name.bytes == NULL || name.len == 0 ||
	    is_ambiguous(place))
		return 0;
	mark = memmem(place.bytes + host, place.len - host, "/-/", 3);
	end = mark != NULL ? (size_t)(mark - place.bytes) : 0;
	if (end < host + 1 + name.len ||
	    memcmp(mark - name.len, name.bytes, name.len) != 0 ||
	    mark[-(ptrdiff_t)name.len - 1] != '/' ||
	    !node_archive_is_own(place, name))
		return 0;
	return end - name.len - 1;
}

/* Where it is fetched from; bytes NULL: its name and version say it.  Some formats
 * have an address in the place of the version. */
static struct json_text address_of(const struct node_entry *e)
{
	static const char *const local[] = { "npm:", "file:", "link:",
					     "workspace:" };

	if (e->resolved.len > 0)
		return e->resolved;
	for (size_t i = 0; i < sizeof local / sizeof *local; i++)
		if (text_begins(e->version, local[i]))
			return (struct json_text){ NULL, 0 };
	return text_has(e->version, ":") ? e->version
					 : (struct json_text){ NULL, 0 };
}

/* The registry when the package has its usual place in it, else the whole
 * URL. */
static struct json_text origin_of(const struct node_entry *e)
{
	struct json_text url = address_of(e);
	size_t n = registry_len(place_of(url), e->name);

	if (n > 0)
		url.len = n;
	return url;
}

static const char unreadable[] = "(unreadable)";

static bool is_noted(const struct node_lock *l, struct json_text origin)
{
	for (size_t i = 0; i < l->origins_len; i++)
		if (text_order(l->origins[i], origin) == 0)
			return true;
	return false;
}

/* Without users, passwords and tokens. */
static void origin_note(struct node_lock *l, const struct node_entry *e)
{
	struct json_text origin;
	owned_buf struct buf out = { .cap_bytes = PARSE_STRING_BYTES };

	origin = origin_of(e);
	if (origin.len == 0)
		return;
	if (address_clean(origin, ADDRESS_TEXT, &out))
		origin = buf_has_failed(&out)
				 ? TEXT(unreadable)
				 : (struct json_text){ out.bytes, out.len };
	if (origin.len == 0 || is_noted(l, origin))
		return;
	if (l->origins_len == NODE_ORIGINS_MAX) {
		l->origins_omitted++;
		return;
	}
	if (origin.bytes == out.bytes)
		origin = node_text_keep(l->node, l->in, 0, origin);
	if (origin.bytes != NULL)
		l->origins[l->origins_len++] = origin;
}

/* --- hashes and scripts -------------------------------------------------------------- */

/* A commit names its content.  npm ignores what follows the '#' of an archive. */
static enum digest_kind digest_of(const struct node_entry *e)
{
	const struct json_text url = address_of(e);

	if (e->digest == DIGEST_NONE &&
	    (text_begins(url, "git") || text_has(url, "#commit=")))
		return digest_commit_read(url);
	return e->digest;
}

static void script_note(struct node_lock *l, struct json_text name)
{
	if (name.bytes == NULL)
		return;
	for (size_t i = 0; i < l->scripts_len; i++)
		if (l->scripts[i].len == name.len &&
		    memcmp(l->scripts[i].bytes, name.bytes, name.len) == 0)
			return;
	if (l->scripts_len == NODE_SCRIPTS_MAX)
		l->scripts_omitted++;
	else
		l->scripts[l->scripts_len++] = name;
}

void node_origin_note(struct node_lock *l, const struct node_entry *e,
		      struct digest_content *ret)
{
	origin_note(l, e);
	digest_content_add(ret, digest_of(e), e->integrity, address_of(e));
	ret->is_local = e->is_inside && ret->kind == DIGEST_NONE;
	if (ret->kind == DIGEST_NONE && !e->is_inside)
		l->without_integrity++;
	if (e->has_script)
		script_note(l, e->name);
}

static void list_write(struct jsonw *w, const char *key,
		       const struct json_text *items, size_t len)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < len; i++)
		jsonw_bytes(w, NULL, items[i].bytes, items[i].len);
	jsonw_end_array(w);
}

void node_origins_write(const struct node_lock *l, struct jsonw *w)
{
	list_write(w, "origins", l->origins, l->origins_len);
	jsonw_uint(w, "origins_omitted", l->origins_omitted);
	jsonw_uint(w, "without_integrity", l->without_integrity);
	list_write(w, "install_scripts", l->scripts, l->scripts_len);
	jsonw_uint(w, "install_scripts_omitted", l->scripts_omitted);
}

/* --- a manifest's own ----------------------------------------------------------------- */

static void script_write(const char *name, struct json_text command,
			 struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "name", name);
	address_put(w, "command", command, ADDRESS_COMMAND);
	jsonw_end_object(w);
}

/* The script that npm runs when there is a binding.gyp and no script of that
 * name. */
static bool has_implied_install(const struct node *n,
				const struct node_package *p,
				const struct json_value *scripts)
{
	return (scripts == NULL ||
		(json_find(scripts, "install") == NULL &&
		 json_find(scripts, "preinstall") == NULL)) &&
	       node_native_has_gyp(n, p->in, &p->tree);
}

void node_scripts_write(const struct node *n, const struct node_package *p,
			struct jsonw *w)
{
	static const char gyp[] = "node-gyp rebuild";
	static const char *const names[] = {
		"preinstall", "install",     "postinstall", "preprepare",
		"prepare",    "postprepare", "prepublish",  "dependencies",
		"build",      "pretest",     "test",        "posttest",
	};
	const struct json_value *scripts = node_section_find(p, "scripts");

	jsonw_array(w, "scripts");
	for (size_t i = 0; scripts != NULL && i < sizeof names / sizeof *names;
	     i++) {
		struct json_text command = parse_text(
			json_find(scripts, names[i]), p->in, n->report);

		if (command.bytes != NULL)
			script_write(names[i], command, w);
	}
	if (has_implied_install(n, p, scripts))
		script_write("install",
			     (struct json_text){ gyp, sizeof gyp - 1 }, w);
	jsonw_end_array(w);
}
