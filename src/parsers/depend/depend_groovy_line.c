/* depend_groovy_line.c -- the lines of Gradle's files: where a statement ends, what
 * is a remark, and which line names a repository.
 *
 * Source: docs.gradle.org, "Declaring repositories"; the lexical grammars of Groovy
 * and of Kotlin. */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

char depend_groovy_quote_after(char quote, char c)
{
	if (quote != '\0')
		return c == quote ? '\0' : quote;
	return c == '"' || c == '\'' ? c : '\0';
}

struct json_text depend_groovy_statement_cut(struct json_text *rest)
{
	struct json_text t = *rest;
	char quote = '\0';
	size_t n;

	for (n = 0; n < t.len; n++) {
		quote = depend_groovy_quote_after(quote, t.bytes[n]);
		if (quote == '\0' && t.bytes[n] != '\0' &&
		    strchr("{};", t.bytes[n]) != NULL)
			break;
	}
	*rest = n < t.len ? text_from(t, n + 1) : (struct json_text){ NULL, 0 };
	return text_trim(text_first(t, n));
}

struct json_text depend_groovy_remark_cut(struct json_text t,
					  struct json_text *rest)
{
	char quote = '\0';

	for (size_t n = 0; n < t.len; n++) {
		quote = depend_groovy_quote_after(quote, t.bytes[n]);
		if (quote != '\0' || !text_begins(text_from(t, n), " //"))
			continue;
		*rest = (struct json_text){ NULL, 0 };
		return text_first(t, n);
	}
	return t;
}

/* Texts in quotes are no matter, because names of packages have none. */
long depend_groovy_brackets(struct json_text t)
{
	long open = 0;

	for (size_t i = 0; i < t.len; i++)
		open += (t.bytes[i] == '(') - (t.bytes[i] == ')');
	return open;
}

/* Whether the line is one of a comment.  Inside of one, a line begins with a star;
 * so may an expression, which has quotes or escapes then. */
bool depend_groovy_is_comment(struct json_text line)
{
	if (text_begins(line, "//"))
		return true;
	return (text_begins(line, "*") || text_begins(line, "/*")) &&
	       !text_has(line, "*/") && !text_has(line, "$/") &&
	       !text_has(line, "\\/") && !text_ends(line, "\\") &&
	       text_length_before(line, "\"'") == line.len;
}

/* Whether t calls a function of that name, with brackets or with a block. */
static bool has_call(struct json_text t, const char *name)
{
	const size_t len = strlen(name);
	const char *at;

	while ((at = t.len > 0 ? memmem(t.bytes, t.len, name, len) : NULL) !=
	       NULL) {
		const bool is_begin =
			at == t.bytes || !depend_groovy_is_name_byte(at[-1]);
		size_t n = 0;

		t = text_from(t, (size_t)(at - t.bytes) + len);
		while (n < t.len && t.bytes[n] == ' ')
			n++;
		if (is_begin && n < t.len &&
		    (t.bytes[n] == '{' || t.bytes[n] == '('))
			return true;
	}
	return false;
}

/* The registries that Gradle has names for. */
static bool has_known(struct json_text code)
{
	return text_has(code, "mavenLocal") || text_has(code, "jcenter()") ||
	       has_call(code, "mavenCentral") || has_call(code, "google") ||
	       has_call(code, "gradlePluginPortal");
}

/* Only Groovy's texts go on behind a "\". */
bool depend_groovy_is_repository(struct json_text line, struct json_text code,
				 bool is_kotlin)
{
	if (depend_groovy_is_comment(line))
		return false;
	return text_has(code, ":/") || text_has(code, ":\\/") ||
	       (text_ends(code, "\\") && !is_kotlin) || text_has(code, "\\u") ||
	       text_begins(code, "url") || text_begins(code, "setUrl") ||
	       text_has(code, "artifactUrls") || text_has(code, "flatDir") ||
	       has_known(code) ||
	       ((text_has(code, "maven") || text_has(code, "ivy") ||
		 text_has(code, "repositor") || text_has(code, "uri(")) &&
		(text_has(code, "(\"") || text_has(code, "('") ||
		 text_has(code, "url")));
}
