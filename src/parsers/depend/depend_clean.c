/* depend_clean.c -- removes the users, passwords and tokens of addresses.
 *
 * An address is hostile text, and tools accept more forms than RFC 3986 does:
 * without slashes, with backslashes, with a '/' in the password.  If a text can
 * be read in two ways, the part that may be secret is removed.
 * Source: RFC 3986, section 3; WHATWG URL, "URL parsing"; npm's
 * hosted-git-info; pip, "VCS Support". */
#include <string.h>
#include <strings.h>

#include "parsers/depend/depend.h"

#define SCHEME_MAX 32U /* a longer word is no known scheme */

enum scheme {
	SCHEME_OTHER,  /* unknown, or a user: "user:password@host" */
	SCHEME_REMOTE, /* a host follows */
	SCHEME_HOSTED, /* an owner follows, perhaps after a user */
	SCHEME_LOCAL,  /* a package or a path follows: "npm:@scope/name@1" */
};

static const struct {
	const char *word;
	enum scheme scheme;
} schemes[] = {
	{ "http", SCHEME_REMOTE },      { "https", SCHEME_REMOTE },
	{ "git", SCHEME_REMOTE },       { "ssh", SCHEME_REMOTE },
	{ "ftp", SCHEME_REMOTE },       { "ftps", SCHEME_REMOTE },
	{ "sftp", SCHEME_REMOTE },      { "svn", SCHEME_REMOTE },
	{ "hg", SCHEME_REMOTE },        { "bzr", SCHEME_REMOTE },
	{ "github", SCHEME_HOSTED },    { "gitlab", SCHEME_HOSTED },
	{ "bitbucket", SCHEME_HOSTED }, { "gist", SCHEME_HOSTED },
	{ "npm", SCHEME_LOCAL },        { "jsr", SCHEME_LOCAL },
	{ "workspace", SCHEME_LOCAL },  { "file", SCHEME_LOCAL },
	{ "link", SCHEME_LOCAL },       { "portal", SCHEME_LOCAL },
	{ "patch", SCHEME_LOCAL },      { "virtual", SCHEME_LOCAL },
	{ "exec", SCHEME_LOCAL },       { "catalog", SCHEME_LOCAL },
};

/* The keys of a query and of a fragment that are kept: they say which files,
 * not who. */
static const char kept_keys[] =
	"egg subdirectory rev tag branch ref commit commit-ish cwd workspace "
	"head "
	"semver path md5 sha1 sha224 sha256 sha384 sha512";

static const char slashes[] = "/\\";

/* The number of bytes before the first one of any; all of them if there is
 * none. */
static size_t length_before(struct json_text t, const char *any)
{
	size_t n = 0;

	while (n < t.len &&
	       (t.bytes[n] == '\0' || strchr(any, t.bytes[n]) == NULL))
		n++;
	return n;
}

static enum scheme scheme_of(struct json_text word)
{
	if (memchr(word.bytes, '+', word.len) != NULL)
		return SCHEME_REMOTE; /* "git+ssh", "registry+https" */
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (word.len < SCHEME_MAX &&
		    strlen(schemes[i].word) == word.len &&
		    strncasecmp(schemes[i].word, word.bytes, word.len) == 0)
			return schemes[i].scheme;
	return SCHEME_OTHER;
}

static struct json_text text_first(struct json_text t, size_t n)
{
	return (struct json_text){ t.bytes, n };
}

/* The number of bytes up to and including the last '@'; 0: there is none. */
static size_t behind_at(struct json_text t)
{
	const char *at = t.len > 0 ? memrchr(t.bytes, '@', t.len) : NULL;

	return at != NULL ? (size_t)(at - t.bytes) + 1 : 0;
}

/* The index at which the port of an authority begins; 0: it has none. */
static size_t port_find(struct json_text authority)
{
	size_t n = 0;

	if (text_begins(authority, "["))
		n = length_before(authority, "]");
	n += length_before(text_from(authority, n), ":");
	return n < authority.len ? n + 1 : 0;
}

static bool is_port(struct json_text t)
{
	size_t n = 0;

	while (n < t.len && t.bytes[n] >= '0' && t.bytes[n] <= '9')
		n++;
	return n <= 5 && (n == t.len || strchr("?#", t.bytes[n]) != NULL);
}

/* --- users -------------------------------------------------------------------- */

/* How many bytes after "SCHEME://" are a user and a password; 0: there are
 * none.  A password with a '/' looks like a port and a path:
 * "user:1/2@host". */
static size_t user_length(struct json_text t, enum scheme scheme)
{
	struct json_text authority = text_first(t, length_before(t, slashes));
	size_t n = behind_at(authority), port = port_find(authority);

	if (n > 0 || scheme == SCHEME_LOCAL || port == 0)
		return n;
	if (!is_port(text_from(authority, port)))
		return behind_at(t);
	authority.len = port - 1;
	if (text_has(authority, ".") || text_begins(authority, "[") ||
	    text_is(authority, "localhost"))
		return 0;
	n = behind_at(text_first(t, length_before(t, "?#")));
	return n > 1 && t.bytes[n - 2] == '/' ? 0 : n; /* "/@scope/name" */
}

/* The same after "WORD:" without slashes: "https:user:password@host",
 * "user:password@host:path". */
static size_t short_length(struct json_text t, enum scheme scheme)
{
	struct json_text authority = text_first(t, length_before(t, slashes));
	size_t n;

	if (scheme == SCHEME_HOSTED)
		authority.len = length_before(authority, "#");
	n = behind_at(authority);
	if (n > 1)
		return n;
	if (n == 1 || (scheme == SCHEME_HOSTED && !text_has(authority, ":")))
		return 0; /* "WORD:@scope/name@1", "github:owner/name" */
	return behind_at(t);
}

/* The state of reading one word of a text. */
struct walk {
	struct buf *out;
	struct json_text rest;
	bool is_begin; /* no part of the word has been read */
	bool is_name;  /* a package's: a port would be half a password */
};

static void put(struct walk *w, size_t n)
{
	buf_add(w->out, w->rest.bytes, n);
	w->rest = text_from(w->rest, n);
}

/* rest begins after "SCHEME://". */
static void authority_take(struct walk *w, enum scheme scheme)
{
	struct json_text authority =
		text_first(w->rest, length_before(w->rest, slashes));
	size_t user = user_length(w->rest, scheme);
	size_t port = port_find(authority);

	if (user > 0) {
		w->rest = text_from(w->rest, user);
	} else if (port > 0 && scheme != SCHEME_LOCAL &&
		   (w->is_name || !is_port(text_from(authority, port)))) {
		put(w, port - 1); /* of a password; the host is elsewhere */
		w->rest = text_from(w->rest, authority.len - (port - 1));
	}
}

/* The first ':' of rest is at colon, and no slash follows it. */
static void short_take(struct walk *w, size_t colon, enum scheme scheme)
{
	struct json_text before = text_first(w->rest, colon);
	struct json_text behind = text_from(w->rest, colon + 1);
	size_t n = 0;

	if (length_before(before, "@/\\?#") == colon) {
		if (scheme != SCHEME_LOCAL)
			n = short_length(behind, scheme);
	} else if (length_before(before, "/\\?#") == colon &&
		   scheme == SCHEME_OTHER &&
		   text_has(text_from(before, behind_at(before)), ".")) {
		/* "user@mail.example:password@host" */
		n = behind_at(
			text_first(behind, length_before(behind, slashes)));
	}
	if (n > 0 && scheme == SCHEME_OTHER)
		w->rest = text_from(behind, n);
	else {
		put(w, colon + 1);
		w->rest = text_from(w->rest, n);
	}
}

static bool is_scheme(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* Copy one word without the users of its addresses. */
static void users_drop(struct walk *w)
{
	size_t colon;

	for (; (colon = length_before(w->rest, ":")) < w->rest.len;
	     w->is_begin = false) {
		struct json_text behind = text_from(w->rest, colon + 1);
		size_t n = 0, word = colon;
		enum scheme scheme;

		while (word > 0 && is_scheme(w->rest.bytes[word - 1]))
			word--;
		scheme = scheme_of(text_from(text_first(w->rest, colon), word));
		while (n < behind.len &&
		       (behind.bytes[n] == '/' || behind.bytes[n] == '\\'))
			n++;
		if (scheme == SCHEME_LOCAL)
			n = n < 2 ? 0 : 2; /* "file:/path", "file:///path" */
		if (n > 0) {
			put(w, colon + 1 + n);
			authority_take(w, scheme);
		} else if (w->is_begin) {
			short_take(w, colon, scheme);
		} else {
			put(w, colon + 1);
		}
	}
	put(w, w->rest.len);
}

/* --- queries and fragments ---------------------------------------------------- */

/* A branch, a tag, a commit, a hash; more: other bytes that may be in it. */
static bool is_plain(struct json_text t, const char *more)
{
	for (size_t i = 0; i < t.len; i++)
		if (!is_scheme(t.bytes[i]) &&
		    (t.bytes[i] == '\0' ||
		     (strchr("_~^*@/", t.bytes[i]) == NULL &&
		      strchr(more, t.bytes[i]) == NULL)))
			return false;
	return t.len > 0;
}

/* "egg=name", "v1.2", "semver:^1".  Of a query, only what has a key is kept. */
static bool is_kept(struct json_text piece, bool is_query)
{
	struct json_text value, key = text_cut(piece, '=', &value);

	if (text_begins(piece, "semver:"))
		return is_plain(text_from(piece, 7), "<>|") ||
		       (is_plain(text_from(piece, 9), "<>|") &&
			(text_begins(piece, "semver:>=") ||
			 text_begins(piece, "semver:<=")));
	if (text_begins(piece, "path:"))
		return is_plain(text_from(piece, 5), "");
	if (value.bytes == NULL)
		return !is_query && is_plain(piece, "");
	return text_in(key, kept_keys) && is_plain(value, ":%[],");
}

/* t must begin with '?' or '#'. */
static void pieces_put(struct buf *out, struct json_text t)
{
	const bool is_query = text_begins(t, "?");
	size_t n = is_query ? length_before(t, "#") : t.len;
	struct json_text pieces = text_from(text_first(t, n), 1);
	char before = t.bytes[0];

	while (pieces.bytes != NULL) {
		struct json_text piece = text_cut(pieces, '&', &pieces);

		if (!is_kept(piece, is_query))
			continue;
		buf_char(out, before);
		buf_add(out, piece.bytes, piece.len);
		before = '&';
	}
	if (n < t.len)
		pieces_put(out, text_from(t, n));
}

/* Whether '?' and '#' in word belong to an address; "a ? b" does not. */
static bool is_address(struct json_text word, struct json_text behind)
{
	size_t colon = length_before(word, ":");
	enum scheme scheme = colon < word.len
				     ? scheme_of(text_first(word, colon))
				     : SCHEME_OTHER;

	if (text_has(word, ":/") || text_has(word, ":\\"))
		return true;
	return scheme == SCHEME_REMOTE || scheme == SCHEME_HOSTED ||
	       (scheme == SCHEME_OTHER && text_has(behind, "="));
}

static void word_clean(struct buf *out, struct json_text word, bool is_name)
{
	owned_buf struct buf plain = { .cap_bytes = DEPEND_CONSTRAINT_MAX };
	struct walk w = { &plain, word, true, is_name };
	size_t n;

	users_drop(&w);
	word = (struct json_text){ plain.bytes, plain.len };
	n = length_before(word, "?#");
	if (n == word.len || !is_address(word, text_from(word, n))) {
		buf_add(out, word.bytes, word.len);
		return;
	}
	buf_add(out, word.bytes, n);
	pieces_put(out, text_from(word, n));
}

/* --- texts -------------------------------------------------------------------- */

static void text_clean(struct depend *d, struct json_text *t, bool is_name)
{
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX };
	struct json_text rest = *t;

	if (length_before(rest, "@:?#") == rest.len)
		return;
	while (rest.len > 0) {
		size_t n = length_before(rest, " \t\r\n");

		if (n > 0)
			word_clean(&out, text_first(rest, n), is_name);
		rest = text_from(rest, n);
		if (rest.len > 0)
			buf_char(&out, rest.bytes[0]);
		rest = text_from(rest, 1);
	}
	if (buf_has_failed(&out))
		*t = (struct json_text){ NULL, 0 };
	else if (out.len != t->len)
		*t = depend_keep(d, (struct json_text){ out.bytes, out.len });
}

/* A text that was the fragment of an address has lost its '#', so it is checked
 * with one. */
static void fragment_clean(struct depend *d, struct json_text *t)
{
	owned_buf struct buf whole = { .cap_bytes = DEPEND_CONSTRAINT_MAX + 1 };
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX + 1 };

	if (!text_has(*t, "="))
		return;
	buf_char(&whole, '#');
	buf_add(&whole, t->bytes, t->len);
	pieces_put(&out, (struct json_text){ whole.bytes, whole.len });
	*t = (struct json_text){ NULL, 0 };
	if (out.len > 1)
		*t = depend_keep(
			d, (struct json_text){ out.bytes + 1, out.len - 1 });
}

void depend_clean(struct depend *d)
{
	for (size_t i = 0; i < d->files_len; i++) {
		text_clean(d, &d->files[i].name, true);
		text_clean(d, &d->files[i].version, false);
	}
	for (size_t i = 0; i < d->wishes_len; i++) {
		text_clean(d, &d->wishes[i].name, true);
		text_clean(d, &d->wishes[i].constraint, false);
		text_clean(d, &d->wishes[i].url, false);
		text_clean(d, &d->wishes[i].resolved, false);
	}
	for (size_t i = 0; i < d->pins_len; i++) {
		struct depend_pin *p = &d->pins[i];

		text_clean(d, &p->name, true);
		if (p->origin != DEPEND_REGISTRY)
			fragment_clean(d, &p->version);
		text_clean(d, &p->version, false);
		text_clean(d, &p->url, false);
		for (size_t k = 0; k < p->requires_len; k++)
			text_clean(d, &p->requires[k], false);
	}
}
