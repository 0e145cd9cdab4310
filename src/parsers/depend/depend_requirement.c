/* depend_requirement.c -- takes one requirement: "name[extra] >=1; marker".
 *
 * Source: PEP 508; pip's documentation, "Requirements File Format". */
#include <string.h>

#include "parsers/depend/depend.h"

static bool is_name(char c)
{
	return text_is_word_byte(c) || c == '-' || c == '.';
}

static enum depend_origin origin_of(struct json_text url)
{
	if (text_begins(url, "git+") || text_begins(url, "git:") ||
	    text_begins(url, "hg+") || text_begins(url, "svn+") ||
	    text_begins(url, "bzr+"))
		return DEPEND_GIT;
	if (text_begins(url, "file:") || !text_has(url, "://"))
		return DEPEND_PATH;
	return DEPEND_URL;
}

/* Cut at " ;", " #" or the first blank, which an address cannot have. */
static struct json_text address_cut(struct json_text t)
{
	struct json_text rest = text_trim(t);

	return text_word(&rest);
}

/* The name in "git+https://host/x#egg=name&subdirectory=y"; bytes NULL:
 * none. */
static struct json_text egg_find(struct json_text url)
{
	const char *at =
		url.len > 0 ? memmem(url.bytes, url.len, "#egg=", 5) : NULL;
	struct json_text name = { NULL, 0 };

	if (at == NULL && url.len > 0)
		at = memmem(url.bytes, url.len, "&egg=", 5);
	if (at == NULL)
		return name;
	name.bytes = at + 5;
	while (name.bytes + name.len < url.bytes + url.len &&
	       is_name(name.bytes[name.len]))
		name.len++;
	return name;
}

/* t without its version, if it is an archive that pip knows by its ending: no other
 * name has a version. */
static struct json_text version_cut(struct json_text t)
{
	static const char *const ends[] = { ".whl", ".zip", ".tar", ".gz",
					    ".tgz", ".bz2", ".tbz", ".xz",
					    ".txz", ".lz",  ".tlz", ".lzma" };
	size_t i = 0, n = 0;

	while (i < sizeof ends / sizeof *ends && !text_ends(t, ends[i]))
		i++;
	if (i == sizeof ends / sizeof *ends)
		return t;
	while (n + 1 < t.len && (t.bytes[n] != '-' || t.bytes[n + 1] < '0' ||
				 t.bytes[n + 1] > '9'))
		n++;
	return n + 1 < t.len ? text_first(t, n) : t;
}

/* The name of what an address or a path without a name leads to: that of its file or
 * directory, without the version.  len 0: there is none, as in ".". */
static struct json_text place_name(struct json_text url)
{
	struct json_text t = text_first(url, text_length_before(url, "?#["));
	const char *slash;
	size_t n;

	while (text_ends(t, "/"))
		t.len--;
	slash = t.len > 0 ? memrchr(t.bytes, '/', t.len) : NULL;
	if (slash != NULL)
		t = text_from(t, (size_t)(slash - t.bytes) + 1);
	n = text_length_before(t, "@"); /* a branch */
	t.len = n > 0 ? n : t.len;
	if (text_ends(t, ".git"))
		t.len -= strlen(".git");
	t = version_cut(t);
	for (n = 0; n < t.len && t.bytes[n] == '.';)
		n++;
	return n < t.len ? t : (struct json_text){ NULL, 0 };
}

/* Cut off the marker, and the options that pip has after it. */
static struct json_text constraint_cut(struct json_text t)
{
	const char *option;

	t = text_cut(t, ';', NULL);
	option = t.len > 0 ? memmem(t.bytes, t.len, " -", 2) : NULL;
	if (option != NULL)
		t.len = (size_t)(option - t.bytes);
	t = text_trim(t);
	if (t.len >= 2 && t.bytes[0] == '(' && t.bytes[t.len - 1] == ')')
		t = text_trim((struct json_text){ t.bytes + 1, t.len - 2 });
	return t;
}

/* "==1.2" and "===1.2" name one version; "==1.*" and a list do not. */
static struct json_text version_of(struct json_text constraint)
{
	struct json_text v = { NULL, 0 };

	if (!text_begins(constraint, "==") || text_has(constraint, ",") ||
	    text_has(constraint, "*"))
		return v;
	v = text_from(constraint, 2);
	if (text_begins(v, "="))
		v = text_from(v, 1);
	v = text_trim(v);
	return v.len > 0 ? v : (struct json_text){ NULL, 0 };
}

static void url_take(struct depend *d, struct depend_file *f,
		     struct json_text name, struct json_text url,
		     const char *kind)
{
	struct depend_wish w = { .file = f, .kind = kind };

	url = address_cut(url);
	w.origin = origin_of(url);
	if (name.bytes == NULL)
		name = egg_find(url);
	if (name.len == 0)
		name = place_name(url);
	if (name.len == 0 && w.origin != DEPEND_PATH)
		name = url;
	w.name = depend_keep(d, name);
	w.constraint = depend_keep(d, url);
	w.url = w.origin == DEPEND_PATH ? (struct json_text){ NULL, 0 }
					: w.constraint;
	depend_wish_add(d, &w);
}

/* pip takes an archive that has one of them. */
static void hashes_read(struct depend_pin *p, struct json_text options)
{
	static const char option[] = "--hash";
	struct json_text word;

	while ((word = text_word(&options)).len > 0) {
		if (!text_begins(word, option))
			continue;
		word = text_from(word, sizeof option - 1);
		if (word.len == 0)
			word = text_word(&options);
		else
			word = text_from(word, 1);
		digest_content_add(&p->content, digest_named_read(word), word,
				   (struct json_text){ NULL, 0 });
	}
	if (!p->content.is_known)
		digest_content_add(&p->content, DIGEST_NONE, word, word);
}

/* An exact version in a file of requirements is a pin, as in a lockfile. */
static void named_take(struct depend *d, struct depend_file *f,
		       struct json_text name, struct json_text constraint,
		       const char *kind)
{
	struct depend_wish w = { .file = f,
				 .kind = kind,
				 .name = depend_keep(d, name) };
	struct depend_pin p = { .file = f };

	hashes_read(&p, constraint);
	constraint = constraint_cut(constraint);
	if (constraint.len > 0)
		w.constraint = depend_keep(d, constraint);
	if (f->format->read == depend_requirements_read)
		w.resolved = version_of(w.constraint);
	depend_wish_add(d, &w);
	if (w.resolved.bytes == NULL)
		return;
	p.name = w.name;
	p.version = w.resolved;
	depend_pin_add(d, &p);
}

void depend_requirement_take(struct depend *d, struct depend_file *f,
			     struct json_text text, const char *kind)
{
	struct json_text name = text_trim(text), rest;

	rest = name;
	for (name.len = 0;
	     name.len < rest.len && is_name(rest.bytes[name.len]);)
		name.len++;
	if (name.len == 0 && !text_begins(rest, "/")) {
		if (rest.len > 0)
			report_note(&d->report->warnings, "requirement_unread",
				    f->in, -1,
				    "a requirement that begins with no name");
		return;
	}
	/* No name begins with a dot: it is a directory. */
	if (text_begins(rest, ".") ||
	    text_begins(text_from(rest, name.len), "+") ||
	    text_begins(text_from(rest, name.len), ":") ||
	    text_begins(text_from(rest, name.len), "/")) {
		url_take(d, f, (struct json_text){ NULL, 0 }, rest, kind);
		return;
	}
	rest = text_trim(text_from(rest, name.len));
	if (text_begins(rest, "[")) {
		(void)text_cut(rest, ']', &rest);
		rest = text_trim(rest);
	}
	if (text_begins(rest, "@"))
		url_take(d, f, name, text_from(rest, 1), kind);
	else
		named_take(d, f, name, rest, kind);
}
