/* depend_gradle_home.c -- the directories that a settings.gradle includes, where
 * they are literal text.
 *
 * Source: docs.gradle.org, Settings.include(), includeBuild(); "Multi-Project
 * Builds". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

bool depend_groovy_is_settings(const struct parse_input *in)
{
	return input_base_is(in, "settings.gradle") ||
	       input_base_is(in, "settings.gradle.kts");
}

/* A literal path is relative, and has nothing that is computed or a pattern. */
static bool is_path(struct json_text t)
{
	return t.len > 0 && t.bytes[0] != '/' &&
	       text_length_before(t, ":*?[]{}$\\") == t.len &&
	       memchr(t.bytes, '\0', t.len) == NULL;
}

/* A directory with a project.  What lies in it belongs to other builds, if no other
 * include names it. */
static void directory_add(struct depend *d, const struct depend_file *f,
			  struct json_text t)
{
	if (is_path(t))
		depend_home_alone_add(d, f, t);
}

/* ":a:b" is the project in a/b. */
static void project_add(struct depend *d, const struct depend_file *f,
			struct json_text t)
{
	owned_buf struct buf path = { .cap_bytes = TEXT_LINE_BYTES };

	if (text_begins(t, ":"))
		t = text_from(t, 1);
	for (size_t i = 0; i < t.len; i++)
		buf_char(&path, t.bytes[i] == ':' ? '/' : t.bytes[i]);
	if (path.len > 0 && !buf_has_failed(&path))
		directory_add(d, f, (struct json_text){ path.bytes, path.len });
}

/* Another build, with all that is in it. */
static void build_add(struct depend *d, const struct depend_file *f,
		      struct json_text t)
{
	if (is_path(t))
		depend_home_add(d, f, t);
}

/* Cut the next literal off *rest that nothing is added to; bytes NULL: none. */
static struct json_text literal_cut(struct json_text *rest)
{
	struct json_text text, before;

	while (rest->len > 0) {
		const size_t n = text_length_before(*rest, "\"'");

		before = text_trim(text_first(*rest, n));
		*rest = text_from(*rest, n);
		text = depend_quoted_next(rest);
		if (text.bytes == NULL)
			break;
		*rest = text_trim(*rest);
		if (!text_ends(before, "+") &&
		    (rest->len == 0 || rest->bytes[0] == ',' ||
		     rest->bytes[0] == ')' || rest->bytes[0] == ']'))
			return text;
	}
	return (struct json_text){ NULL, 0 };
}

/* project(":a").projectDir = file("b"), or = new File(settingsDir, "b") */
static void place_take(struct depend *d, const struct depend_file *f,
		       struct json_text t)
{
	static const char *const calls[] = {
		"file(",
		"File(settingsDir,",
		"File(rootDir,",
		"newFile(settingsDir,",
		"newFile(rootDir,",
		"newFile(rootProject.projectDir,"
	};
	owned_buf struct buf call = { .cap_bytes = TEXT_LINE_BYTES };
	struct json_text value;
	size_t n;

	(void)text_cut(t, '=', &value);
	n = text_length_before(value, "\"'");
	for (size_t i = 0; i < n; i++)
		if (value.bytes[i] != ' ' && value.bytes[i] != '\t')
			buf_char(&call, value.bytes[i]);
	value = text_from(value, n);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (call.len > 0 && !buf_has_failed(&call) &&
		    text_is((struct json_text){ call.bytes, call.len },
			    calls[i]))
			directory_add(d, f, literal_cut(&value));
}

/* The arguments of include.  They go on in the next line while a bracket is open, or
 * behind a comma. */
static void projects_take(struct groovy_include *g, struct depend *d,
			  const struct depend_file *f, struct json_text t)
{
	struct json_text text;

	g->open += depend_groovy_brackets(t);
	g->goes_on = g->open > 0 || text_ends(t, ",");
	while ((text = literal_cut(&t)).bytes != NULL)
		project_add(d, f, text);
}

static void statement_take(struct groovy_include *g, struct depend *d,
			   const struct depend_file *f, struct json_text t)
{
	struct json_text name = t, rest;

	for (name.len = 0;
	     name.len < t.len && depend_groovy_is_name_byte(t.bytes[name.len]);)
		name.len++;
	rest = text_trim(text_from(t, name.len));
	if (text_is(name, "include") && rest.len > 0 &&
	    strchr("(\"'", rest.bytes[0]) != NULL && rest.bytes[0] != '\0') {
		g->open = 0;
		projects_take(g, d, f, rest);
	} else if (text_is(name, "includeBuild")) {
		build_add(d, f, literal_cut(&rest));
	} else if (text_has(t, "projectDir")) {
		place_take(d, f, t);
	}
}

void depend_groovy_include_take(struct groovy_include *g, struct depend *d,
				const struct depend_file *f,
				struct json_text line)
{
	while (line.bytes != NULL) {
		const struct json_text t = depend_groovy_statement_cut(&line);

		if (g->goes_on)
			projects_take(g, d, f, t);
		else
			statement_take(g, d, f, t);
	}
}
