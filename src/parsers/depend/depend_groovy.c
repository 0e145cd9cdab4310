/* depend_groovy.c -- build.gradle and build.gradle.kts, a line at a time: a
 * configuration, followed by "group:name:version" or by the name that this has in
 * a table.  Nothing is run, so computed values are not known.
 *
 * Source: docs.gradle.org, "Declaring dependencies". */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

struct groovy_reading {
	struct depend *depend;
	struct depend_file *file;
	struct groovy_place place;
	struct groovy_include include;
	bool is_settings;
	bool goes_on;     /* the line, behind a '\\' */
	const char *kind; /* of a call that goes on, or NULL */
};

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

/* What follows the name of a configuration: notations, or names with commas between
 * them. */
static void arguments_take(struct depend *d, struct depend_file *f,
			   struct json_text t, const char *kind)
{
	struct depend_wish w = { .file = f, .kind = kind };
	bool has_any;

	has_any = depend_groovy_aliases_take(d, &w, t);
	has_any |= depend_groovy_texts_take(d, &w, t);
	if (has_any)
		return;
	t = text_trim(t);
	if (text_begins(t, "("))
		t = text_from(t, 1);
	do {
		w.name = w.from =
			depend_keep(d, depend_groovy_reference_cut(&t));
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

	for (name.len = 0;
	     name.len < t.len && depend_groovy_is_name_byte(t.bytes[name.len]);)
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

/* Take one line; *kind is that of a call that goes on, or NULL.  Returns whether the
 * line has, or belongs to, a configuration. */
static bool line_take(struct depend *d, struct depend_file *f,
		      struct json_text rest, const char **kind)
{
	bool has_any = *kind != NULL;

	while (rest.bytes != NULL) {
		const struct depend_wish w = { .file = f, .kind = *kind };
		struct json_text t = depend_groovy_statement_cut(&rest);
		const char *found;
		size_t len;

		if (*kind != NULL) {
			t = depend_groovy_remark_cut(t, &rest);
			(void)depend_groovy_aliases_take(d, &w, t);
			(void)depend_groovy_texts_take(d, &w, t);
			if (depend_groovy_brackets(t) < 0 || rest.bytes != NULL)
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
		t = depend_groovy_remark_cut(
			text_from(t, text_begins(t, "\"(")), &rest);
		if (depend_groovy_brackets(t) > 0 && rest.bytes == NULL)
			*kind = found;
		arguments_take(d, f, t, found);
	}
	return has_any;
}

/* One line, and what of it is code. */
static void file_line_take(struct groovy_reading *g, struct json_text line,
			   size_t at)
{
	const bool is_text = g->place.quote != '\0';
	const bool is_inside = is_text || g->place.comments > 0;
	const struct json_text code = depend_groovy_code_of(&g->place, line);
	const bool is_more = g->goes_on;

	/* In Kotlin that is a byte like any other, also in a text of many lines. */
	g->goes_on = text_ends(line, "\\") && !g->place.is_kotlin;
	if (line.len > TEXT_LINE_BYTES) {
		if (is_more || !depend_groovy_is_comment(line))
			depend_long_note(g->depend, g->file, at);
		return;
	}
	if (g->is_settings && !is_inside && !depend_groovy_is_comment(line))
		depend_groovy_include_take(&g->include, g->depend, g->file,
					   code);
	if (!text_begins(line, "//") &&
	    !line_take(g->depend, g->file, line, &g->kind))
		depend_groovy_named_take(g->depend, g->file, line);
	/* In a text "//" may be half of an address. */
	if (is_more || (is_text && text_begins(line, "//")) ||
	    depend_groovy_is_repository(line, code, g->place.is_kotlin))
		depend_registry_add(g->depend, g->file, line);
}

int depend_groovy_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	struct groovy_reading g = { .depend = d,
				    .file = f,
				    .is_settings =
					    depend_groovy_is_settings(f->in) };
	struct json_text line;
	size_t at;

	f->catalogue = depend_catalogue_find(d, f->in);
	g.place.is_kotlin = text_ends(
		(struct json_text){ f->in->name, f->in->name_len }, ".kts");
	while (depend_line_next(&l, &line, &at))
		file_line_take(&g, text_trim(line), at);
	return 0;
}
