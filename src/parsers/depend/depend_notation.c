/* depend_notation.c -- how Gradle's files name a dependency: "group:name:version", a
 * map with these as keys, and the variables that hold them.
 *
 * Source: docs.gradle.org, "Declaring dependencies". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

bool depend_groovy_is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* The last of the names at the end of t, with dots between them: of "def x.y"
 * it is "y". */
static struct json_text last_name(struct json_text t)
{
	size_t at;

	t = text_trim(t);
	for (at = t.len; at > 0 && depend_groovy_is_name_byte(t.bytes[at - 1]);)
		at--;
	return text_from(t, at);
}

/* The key of a variable with a version: '$' and its last name. */
static struct json_text version_key(struct depend *d, struct json_text name)
{
	owned_buf struct buf key = { .cap_bytes = TEXT_LINE_BYTES };

	buf_char(&key, '$');
	buf_add(&key, name.bytes, name.len);
	if (name.len == 0 || buf_has_failed(&key))
		return (struct json_text){ NULL, 0 };
	return depend_keep(d, (struct json_text){ key.bytes, key.len });
}

/* The key of "$name" or "${a.name}", if t is nothing else. */
static struct json_text variable_key(struct depend *d, struct json_text t)
{
	struct json_text name;

	if (text_begins(t, "${") && text_ends(t, "}"))
		name = (struct json_text){ t.bytes + 2, t.len - 3 };
	else if (text_begins(t, "$"))
		name = text_from(t, 1);
	else
		return (struct json_text){ NULL, 0 };
	for (size_t i = 0; i < name.len; i++)
		if (!depend_groovy_is_name_byte(name.bytes[i]) &&
		    name.bytes[i] != '.')
			return (struct json_text){ NULL, 0 };
	return version_key(d, last_name(name));
}

/* Read "group:name", "group:name:version" or
 * "group:name:version:classifier@type"; false if it is something else. */
static bool notation_read(struct depend *d, struct json_text text,
			  struct depend_wish *w)
{
	struct json_text group, name, version;

	group = text_cut(text, ':', &name);
	name = text_cut(name, ':', &version);
	version = text_cut(text_cut(version, ':', NULL), '@', NULL);
	text.len = group.len + 1 + name.len;
	if (group.len == 0 || name.len == 0 || text_has(text, "$") ||
	    text_has(text, " ") || text_has(text, "/"))
		return false;
	w->name = depend_keep(d, text);
	if (version.len > 0 && !text_has(version, "$"))
		w->constraint = depend_keep(d, version);
	else
		w->constraint_from = variable_key(d, version);
	return true;
}

/* Take `name : "group:name:1"` and `x.name = "1.2"`, which other lines and files
 * use by its name. */
void depend_groovy_named_take(struct depend *d, struct depend_file *f,
			      struct json_text line)
{
	struct depend_wish w = { .file = f };
	const size_t n = text_length_before(line, "\"'");
	struct json_text before = text_trim(text_first(line, n));
	struct json_text text = text_from(line, n);

	if (before.len < 2 ||
	    (!text_ends(before, ":") && !text_ends(before, "=")))
		return;
	before.len--;
	before = last_name(before);
	text = depend_quoted_next(&text);
	if (before.len == 0 || text.len == 0)
		return;
	if (notation_read(d, text, &w)) {
		depend_named_add(d, depend_keep(d, before), &w);
	} else if (!text_has(text, "$")) {
		w.constraint = depend_keep(d, text);
		depend_named_add(d, version_key(d, before), &w);
	}
}

/* Cut "libraries.guava" off, the name of something that stands elsewhere. */
struct json_text depend_groovy_reference_cut(struct json_text *rest)
{
	const struct json_text t = text_trim(*rest);
	size_t n = 0;

	while (n < t.len &&
	       (depend_groovy_is_name_byte(t.bytes[n]) || t.bytes[n] == '.'))
		n++;
	*rest = text_trim(text_from(t, n));
	if (n == 0 || (rest->len > 0 && strchr("),{/", rest->bytes[0]) == NULL))
		return (struct json_text){ NULL, 0 };
	return last_name((struct json_text){ t.bytes, n });
}

/* The text of "key: 'x'" or "key = 'x'" in t; bytes NULL: there is none. */
static struct json_text map_find(struct json_text t, const char *key)
{
	const size_t len = strlen(key);
	const char *at;

	while ((at = t.len > 0 ? memmem(t.bytes, t.len, key, len) : NULL) !=
	       NULL) {
		const bool is_begin =
			at == t.bytes || !depend_groovy_is_name_byte(at[-1]);
		struct json_text rest =
			text_trim(text_from(t, (size_t)(at - t.bytes) + len));

		t = text_from(t, (size_t)(at - t.bytes) + len);
		if (!is_begin ||
		    (!text_begins(rest, ":") && !text_begins(rest, "=")))
			continue;
		rest = text_from(rest, 1);
		return depend_quoted_next(&rest);
	}
	return (struct json_text){ NULL, 0 };
}

/* group: 'g', name: 'n', version: 'v' */
static bool map_take(struct depend *d, struct depend_wish *w,
		     struct json_text t)
{
	const struct json_text group = map_find(t, "group"),
			       name = map_find(t, "name"),
			       version = map_find(t, "version");
	owned_buf struct buf text = { .cap_bytes = TEXT_LINE_BYTES };

	if (group.len == 0 || name.len == 0)
		return false;
	buf_add(&text, group.bytes, group.len);
	buf_char(&text, ':');
	buf_add(&text, name.bytes, name.len);
	if (version.len > 0) {
		buf_char(&text, ':');
		buf_add(&text, version.bytes, version.len);
	}
	if (!buf_has_failed(&text) &&
	    notation_read(d, (struct json_text){ text.bytes, text.len }, w))
		depend_wish_add(d, w);
	return true;
}

/* All notations in t; whether there was a text at all. */
bool depend_groovy_texts_take(struct depend *d, const struct depend_wish *like,
			      struct json_text t)
{
	struct depend_wish w = *like;
	struct json_text text;
	bool has_text = false;

	if (map_take(d, &w, t))
		return true;
	for (;;) {
		t = text_from(t, text_length_before(t, "\"'"));
		text = depend_quoted_next(&t);
		if (text.bytes == NULL)
			return has_text;
		has_text = true;
		w = *like;
		if (notation_read(d, text, &w))
			depend_wish_add(d, &w);
	}
}
