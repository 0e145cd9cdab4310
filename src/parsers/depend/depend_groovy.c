/* depend_groovy.c -- build.gradle and build.gradle.kts, a line at a time: a
 * configuration, followed by "group:name:version" or by the name that this has in
 * a table.  Nothing is run, so computed values are not known.
 *
 * Source: docs.gradle.org, "Declaring dependencies". */
#include <string.h>

#include "parsers/depend/depend.h"

static const struct {
	const char *configuration, *kind;
} configurations[] = {
	{ "implementation", "runtime" },
	{ "api", "runtime" },
	{ "compile", "runtime" },
	{ "runtimeOnly", "runtime" },
	{ "runtime", "runtime" },
	{ "compileOnly", "build" },
	{ "compileOnlyApi", "build" },
	{ "annotationProcessor", "build" },
	{ "kapt", "build" },
	{ "ksp", "build" },
	{ "classpath", "build" },
	{ "testImplementation", "dev" },
	{ "testCompile", "dev" },
	{ "testApi", "dev" },
	{ "testRuntimeOnly", "dev" },
	{ "testRuntime", "dev" },
	{ "testCompileOnly", "dev" },
	{ "androidTestImplementation", "dev" },
};

static bool is_name_byte(char c)
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
	for (at = t.len; at > 0 && is_name_byte(t.bytes[at - 1]);)
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
		if (!is_name_byte(name.bytes[i]) && name.bytes[i] != '.')
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
static void named_take(struct depend *d, struct depend_file *f,
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
static struct json_text reference_cut(struct json_text *rest)
{
	const struct json_text t = text_trim(*rest);
	size_t n = 0;

	while (n < t.len && (is_name_byte(t.bytes[n]) || t.bytes[n] == '.'))
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
		const bool is_begin = at == t.bytes || !is_name_byte(at[-1]);
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
static bool texts_take(struct depend *d, const struct depend_wish *like,
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

/* What follows the name of a configuration: notations, or names with commas between
 * them. */
static void arguments_take(struct depend *d, struct depend_file *f,
			   struct json_text t, const char *kind)
{
	struct depend_wish w = { .file = f, .kind = kind };

	if (texts_take(d, &w, t))
		return;
	t = text_trim(t);
	if (text_begins(t, "("))
		t = text_from(t, 1);
	do {
		w.name = w.from = depend_keep(d, reference_cut(&t));
		depend_wish_add(d, &w);
		if (!text_begins(t, ","))
			break;
		t = text_from(t, 1);
	} while (w.name.bytes != NULL);
}

/* The kind of the configuration that t begins with, and its name's length; NULL: it
 * is none.  Variants of a project have their own: "debugImplementation". */
static const char *configuration_find(struct json_text t, size_t *ret_len)
{
	static const char *const ends[] = { "Implementation", "Api",
					    "CompileOnly", "RuntimeOnly",
					    "AnnotationProcessor" };
	struct json_text name = t;

	for (name.len = 0; name.len < t.len && is_name_byte(t.bytes[name.len]);)
		name.len++;
	*ret_len = name.len;
	if (name.len == t.len || strchr(" (\"'", t.bytes[name.len]) == NULL ||
	    t.bytes[name.len] == '\0')
		return NULL;
	for (size_t i = 0; i < sizeof configurations / sizeof *configurations;
	     i++)
		if (text_is(name, configurations[i].configuration))
			return configurations[i].kind;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (text_ends(name, ends[i]))
			return text_begins(name, "test") ||
					       text_has(name, "Test")
				       ? "dev"
				       : "runtime";
	return NULL;
}

/* Which quotes the byte behind c is in, if c is in those of quote; '\0': in none. */
static char quote_after(char quote, char c)
{
	if (quote != '\0')
		return c == quote ? '\0' : quote;
	return c == '"' || c == '\'' ? c : '\0';
}

/* Cut the next statement off *rest: it ends at one of "{};" outside of quotes. */
static struct json_text statement_cut(struct json_text *rest)
{
	struct json_text t = *rest;
	char quote = '\0';
	size_t n;

	for (n = 0; n < t.len; n++) {
		quote = quote_after(quote, t.bytes[n]);
		if (quote == '\0' && t.bytes[n] != '\0' &&
		    strchr("{};", t.bytes[n]) != NULL)
			break;
	}
	*rest = n < t.len ? text_from(t, n + 1) : (struct json_text){ NULL, 0 };
	return text_trim(text_first(t, n));
}

/* Cut a comment off, which begins with "//" behind a blank.  What is behind it in the
 * line, *rest, belongs to it. */
static struct json_text remark_cut(struct json_text t, struct json_text *rest)
{
	char quote = '\0';

	for (size_t n = 0; n < t.len; n++) {
		quote = quote_after(quote, t.bytes[n]);
		if (quote != '\0' || !text_begins(text_from(t, n), " //"))
			continue;
		*rest = (struct json_text){ NULL, 0 };
		return text_first(t, n);
	}
	return t;
}

/* How many brackets t leaves open; texts in quotes are no matter, because names of
 * packages have none. */
static long brackets(struct json_text t)
{
	long open = 0;

	for (size_t i = 0; i < t.len; i++)
		open += (t.bytes[i] == '(') - (t.bytes[i] == ')');
	return open;
}

/* Take one line; *kind is that of a call that goes on, or NULL.  Returns whether the
 * line has, or belongs to, a configuration. */
static bool line_take(struct depend *d, struct depend_file *f,
		      struct json_text rest, const char **kind)
{
	bool has_any = *kind != NULL;

	while (rest.bytes != NULL) {
		const struct depend_wish w = { .file = f, .kind = *kind };
		struct json_text t = statement_cut(&rest);
		const char *found;
		size_t len;

		if (*kind != NULL) {
			t = remark_cut(t, &rest);
			(void)texts_take(d, &w, t);
			if (brackets(t) < 0 || rest.bytes != NULL)
				*kind = NULL;
			continue;
		}
		if (text_begins(t, "\"")) /* "name"(...) of Kotlin's */
			t = text_from(t, 1);
		found = configuration_find(t, &len);
		if (found == NULL)
			continue;
		has_any = true;
		t = text_from(t, len);
		t = remark_cut(text_from(t, text_begins(t, "\"(")), &rest);
		if (brackets(t) > 0 && rest.bytes == NULL)
			*kind = found;
		arguments_take(d, f, t, found);
	}
	return has_any;
}

/* Whether the line is one of a comment.  Inside of one, a line begins with a star;
 * so may an expression, which has quotes or escapes then. */
static bool is_comment(struct json_text line)
{
	if (text_begins(line, "//"))
		return true;
	return (text_begins(line, "*") || text_begins(line, "/*")) &&
	       !text_has(line, "*/") && !text_has(line, "$/") &&
	       !text_has(line, "\\/") && !text_ends(line, "\\") &&
	       text_length_before(line, "\"'") == line.len;
}

/* A line that names a repository or has an address, or half of one, as it is
 * written. */
static bool is_repository(struct json_text line)
{
	if (is_comment(line))
		return false;
	return text_has(line, ":/") || text_has(line, ":\\/") ||
	       text_ends(line, "\\") || text_has(line, "\\u") ||
	       text_begins(line, "url") || text_begins(line, "setUrl") ||
	       text_has(line, "artifactUrls") || text_has(line, "flatDir") ||
	       text_has(line, "mavenLocal") || text_has(line, "jcenter()") ||
	       ((text_has(line, "maven") || text_has(line, "ivy") ||
		 text_has(line, "repositor") || text_has(line, "uri(")) &&
		(text_has(line, "(\"") || text_has(line, "('") ||
		 text_has(line, "url")));
}

int depend_groovy_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	bool goes_on = false, is_more;
	const char *kind = NULL;
	struct json_text line;
	size_t at;

	while (depend_line_next(&l, &line, &at)) {
		line = text_trim(line);
		is_more = goes_on;
		goes_on = text_ends(line, "\\");
		if (line.len > TEXT_LINE_BYTES) {
			if (is_more || !is_comment(line))
				depend_long_note(d, f, at);
			continue;
		}
		if (!text_begins(line, "//") && !line_take(d, f, line, &kind))
			named_take(d, f, line);
		if (is_more || is_repository(line))
			depend_registry_add(d, f, line);
	}
	return 0;
}
