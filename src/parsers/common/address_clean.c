/* address_clean.c -- removes the users, passwords and tokens of addresses.  See
 * address_clean.h.
 *
 * An address is hostile text, and tools accept more forms than RFC 3986 does:
 * without slashes, with backslashes, with a '/' in the password.  The host that
 * clients connect to is never removed, because a gate compares hosts: it ends at
 * the first of "/\?#", and its user at the last '@' before that.  If what lies
 * between it and a later '@' may be a password, that alone is removed.  The '@'
 * stays, so that the text is not taken for one without a user.
 * Source: RFC 3986, section 3; WHATWG URL, "URL parsing"; npm's
 * hosted-git-info; pip, "VCS Support". */
#include <string.h>
#include <strings.h>

#include "parsers/common/address_clean.h"
#include "parsers/common/address_query.h"
#include "parsers/common/text_piece.h"

#define SCHEME_MAX 32U /* a longer word is no known scheme */

enum scheme {
	SCHEME_OTHER,  /* unknown, or a user: "user:password@host" */
	SCHEME_REMOTE, /* a host follows */
	SCHEME_WEB,    /* a host follows, with slashes or without */
	SCHEME_HOSTED, /* an owner follows, perhaps after a user */
	SCHEME_LOCAL,  /* a package or a path follows: "npm:@scope/name@1" */
};

static const struct {
	const char *word;
	enum scheme scheme;
} schemes[] = {
	{ "http", SCHEME_WEB },         { "https", SCHEME_WEB },
	{ "git", SCHEME_REMOTE },       { "ssh", SCHEME_REMOTE },
	{ "ftp", SCHEME_WEB },          { "ftps", SCHEME_REMOTE },
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

static const char slashes[] = "/\\";

static enum scheme scheme_of(struct json_text word)
{
	if (text_has(word, "+")) /* "git+ssh", "registry+https" */
		return text_has(word, "http") ? SCHEME_WEB : SCHEME_REMOTE;
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (word.len < SCHEME_MAX &&
		    strlen(schemes[i].word) == word.len &&
		    strncasecmp(schemes[i].word, word.bytes, word.len) == 0)
			return schemes[i].scheme;
	return SCHEME_OTHER;
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
		n = text_length_before(authority, "]");
	n += text_length_before(text_from(authority, n), ":");
	return n < authority.len ? n + 1 : 0;
}

/* Clients take "host:" and "host:000443", too. */
static bool is_port(struct json_text t)
{
	size_t n = 0;

	while (n < t.len && t.bytes[n] >= '0' && t.bytes[n] <= '9')
		n++;
	return n == t.len;
}

/* --- users -------------------------------------------------------------------- */

/* The state of reading one word of a text. */
struct walk {
	struct buf *out;
	struct json_text rest;
	bool is_begin; /* no part of the word has been read */
	bool is_name;  /* a package's: a port would be half a password */
	/* The next of "?#" or the end, and behind the last '@' before it; kept,
	 * because a word may have a thousand addresses.  NULL: not known. */
	const char *query, *at;
};

/* The number of bytes of rest up to and including the last '@' before any query;
 * 0: there is none. */
static size_t behind_at_find(struct walk *w)
{
	if (w->query == NULL || w->query < w->rest.bytes) {
		struct json_text t = w->rest;

		t.len = text_length_before(t, "?#");
		w->query = t.bytes + t.len;
		w->at = t.bytes + behind_at(t);
	}
	return w->at > w->rest.bytes ? (size_t)(w->at - w->rest.bytes) : 0;
}

/* Whether t, which stands behind an '@', is a version, a tag or a commit, and
 * cannot be a host. */
static bool is_version(struct json_text t)
{
	static const char tags[] =
		"latest next main master stable beta alpha canary HEAD";
	size_t dots = 0, n, hex;

	t.len = text_length_before(t, "/\\?#");
	if (t.len == 0 || strchr("^~<>=*", t.bytes[0]) != NULL ||
	    text_begins(t, "sha256:") || text_in(t, tags))
		return true;
	if (text_begins(t, "v"))
		t = text_from(t, 1);
	for (n = 0; n < t.len && strchr("0123456789.", t.bytes[n]) != NULL; n++)
		dots += t.bytes[n] == '.';
	if (n == t.len && dots == 3)
		return false; /* an address of IPv4 */
	for (hex = 0;
	     hex < t.len && strchr("0123456789abcdef", t.bytes[hex]) != NULL;)
		hex++;
	return (n > 0 && t.bytes[0] != '.') || (hex == t.len && hex >= 7);
}

/* doubt_length() of an authority with a dot and a port.  No password is before the
 * '@' of a path: "/@scope/name", "x.git@v1", "x@1.2". */
static size_t dotted_length(struct walk *w)
{
	const struct json_text t = w->rest;
	size_t n = behind_at_find(w);
	struct json_text before = text_first(t, n > 0 ? n - 1 : 0);

	if (n == 0 || text_ends(before, "/") || text_ends(before, ".git") ||
	    is_version(text_from(t, n)))
		return 0;
	return n;
}

/* rest begins with an authority without a user, which a client can use.  The number of
 * bytes up to an '@' before which there may be a password: "user:1/2@host"; 0:
 * there is none. */
static size_t doubt_length(struct walk *w, struct json_text authority,
			   enum scheme scheme)
{
	const struct json_text t = w->rest;
	size_t n = behind_at(text_first(t, text_length_before(t, slashes)));
	size_t port = port_find(authority);

	if (n > 0 || scheme == SCHEME_LOCAL || port == 0)
		return n;
	authority.len = port - 1;
	if (text_begins(authority, "[") || text_is(authority, "localhost"))
		return 0;
	if (text_has(authority, "."))
		return dotted_length(w);
	n = behind_at_find(w);
	return n > 1 && t.bytes[n - 2] == '/' ? 0 : n; /* "/@scope/name" */
}

/* The same after "WORD:" without slashes: "user:password@host:path". */
static size_t short_length(struct json_text t, enum scheme scheme)
{
	struct json_text authority =
		text_first(t, text_length_before(t, slashes));
	size_t n;

	if (scheme == SCHEME_HOSTED)
		authority.len = text_length_before(authority, "#");
	n = behind_at(authority);
	if (n > 1)
		return n;
	if (n == 1 || (scheme == SCHEME_HOSTED && !text_has(authority, ":")))
		return 0; /* "WORD:@scope/name@1", "github:owner/name" */
	return behind_at(t);
}

static void put(struct walk *w, size_t n)
{
	buf_add(w->out, w->rest.bytes, n);
	w->rest = text_from(w->rest, n);
}

/* rest begins with what no client takes for a host and a port:
 * "user:pass/word@h". */
static void invalid_take(struct walk *w, size_t port)
{
	size_t n = behind_at(w->rest);

	if (n > 0) {
		w->rest = text_from(w->rest, n - 1);
		return;
	}
	n = text_length_before(w->rest, slashes);
	put(w, port - 1); /* a user; the host is elsewhere */
	w->rest = text_from(w->rest, n - (port - 1));
}

/* rest begins after "SCHEME://". */
static void authority_take(struct walk *w, enum scheme scheme)
{
	struct json_text authority =
		text_first(w->rest, text_length_before(w->rest, "/\\?#"));
	size_t n = behind_at(authority), port = port_find(authority), keep;

	if (n > 0) {
		w->rest = text_from(w->rest, n);
		return;
	}
	if (scheme == SCHEME_LOCAL)
		port = 0;
	if (port > 0 && !is_port(text_from(authority, port))) {
		invalid_take(w, port);
		return;
	}
	n = doubt_length(w, authority, scheme);
	keep = authority.len + 1;
	if (port > 0 && w->is_name)
		keep = port - 1;
	else if (n == 0)
		return;
	put(w, keep);
	w->rest = text_from(w->rest, (n > 0 ? n - 1 : authority.len) - keep);
}

/* The first ':' of rest is at colon, and no slash follows it. */
static void short_take(struct walk *w, size_t colon, enum scheme scheme)
{
	struct json_text before = text_first(w->rest, colon);
	struct json_text behind = text_from(w->rest, colon + 1);
	size_t n = 0;

	if (text_length_before(before, "@/\\?#") == colon) {
		if (scheme == SCHEME_WEB) {
			put(w, colon + 1);
			authority_take(w, scheme);
			return;
		}
		if (scheme != SCHEME_LOCAL)
			n = short_length(behind, scheme);
	} else if (text_length_before(before, "/\\?#") == colon &&
		   scheme == SCHEME_OTHER &&
		   text_has(text_from(before, behind_at(before)), ".")) {
		/* "user@mail.example:password@host" */
		n = behind_at(text_first(behind,
					 text_length_before(behind, slashes)));
	}
	if (n > 0 && scheme == SCHEME_OTHER) {
		/* for ssh, the host may be the one before the ':' */
		w->rest = text_from(behind, n - 1);
	} else {
		put(w, colon + 1);
		w->rest = text_from(w->rest, n);
	}
}

/* Copy one word without the users of its addresses. */
static void users_drop(struct walk *w)
{
	size_t colon;

	for (; (colon = text_length_before(w->rest, ":")) < w->rest.len;
	     w->is_begin = false) {
		struct json_text behind = text_from(w->rest, colon + 1);
		size_t n = 0, word = colon;
		enum scheme scheme;

		while (word > 0 &&
		       address_is_word_byte(w->rest.bytes[word - 1]))
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

/* --- words -------------------------------------------------------------------- */

/* Whether '?' and '#' in word belong to an address; "a ? b" does not. */
static bool is_address(struct json_text word, struct json_text behind)
{
	size_t colon = text_length_before(word, ":");
	enum scheme scheme = colon < word.len
				     ? scheme_of(text_first(word, colon))
				     : SCHEME_OTHER;

	return text_has(word, ":/") || text_has(word, ":\\") ||
	       scheme == SCHEME_REMOTE || scheme == SCHEME_WEB ||
	       scheme == SCHEME_HOSTED ||
	       (scheme == SCHEME_OTHER && text_has(behind, "="));
}

static void word_clean(struct buf *out, struct json_text word, bool is_name)
{
	owned_buf struct buf plain = { .cap_bytes = ADDRESS_WORD_MAX };
	struct walk w = { .out = &plain,
			  .rest = word,
			  .is_begin = true,
			  .is_name = is_name };
	size_t n;

	users_drop(&w);
	word = (struct json_text){ plain.bytes, plain.len };
	n = text_length_before(word, "?#");
	if (n == word.len || !is_address(word, text_from(word, n))) {
		buf_add(out, word.bytes, word.len);
		return;
	}
	buf_add(out, word.bytes, n);
	address_pieces_put(out, text_from(word, n));
}

/* A word of a command; only what has a scheme and slashes is an address there.
 * Of its query only what is secret by its name is removed: quotes and brackets of
 * the shell may stand around the rest. */
static void command_word_clean(struct buf *out, struct json_text word)
{
	owned_buf struct buf plain = { .cap_bytes = ADDRESS_WORD_MAX };
	struct walk w = { .out = &plain, .rest = word };

	if (!text_has(word, "://")) {
		buf_add(out, word.bytes, word.len);
		return;
	}
	if (text_has(word, "@"))
		users_drop(&w);
	else
		put(&w, word.len);
	if (buf_has_failed(&plain))
		out->failed = true;
	address_secrets_drop(out, (struct json_text){ plain.bytes, plain.len });
}

static void words_clean(struct json_text rest, enum address_kind kind,
			struct buf *out)
{
	while (rest.len > 0) {
		size_t n = text_length_before(rest, " \t\r\n");
		struct json_text word = text_first(rest, n);

		if (n > ADDRESS_WORD_MAX)
			out->failed = true;
		else if (n > 0 && kind == ADDRESS_COMMAND)
			command_word_clean(out, word);
		else if (n > 0)
			word_clean(out, word, kind == ADDRESS_NAME);
		rest = text_from(rest, n);
		if (rest.len > 0)
			buf_char(out, rest.bytes[0]);
		rest = text_from(rest, 1);
	}
}

bool address_clean(struct json_text t, enum address_kind kind, struct buf *out)
{
	if (t.bytes == NULL || text_length_before(t, "@:?#") == t.len)
		return false;
	words_clean(t, kind, out);
	return buf_has_failed(out) || out->len != t.len;
}

void address_put(struct jsonw *w, const char *key, struct json_text t,
		 enum address_kind kind)
{
	owned_buf struct buf out = { .cap_bytes = PARSE_STRING_BYTES };

	if (!address_clean(t, kind, &out))
		text_put(w, key, t);
	else if (buf_has_failed(&out))
		jsonw_text(w, key, "(unreadable)");
	else
		jsonw_bytes(w, key, out.len > 0 ? out.bytes : "", out.len);
}
