/* depend_groovy.c -- build.gradle and build.gradle.kts, a line at a time: a
 * configuration, followed by "group:name:version".  Nothing is run, so computed
 * values are not known.
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
	{ "testCompileOnly", "dev" },
	{ "androidTestImplementation", "dev" },
};

/* The text in the line's first quotes; bytes NULL: there is none. */
static struct json_text quoted_find(struct json_text line)
{
	while (line.len > 0 && line.bytes[0] != '"' && line.bytes[0] != '\'')
		line = text_from(line, 1);
	return depend_quoted_next(&line);
}

/* Take "group:name", "group:name:version" or
 * "group:name:version:classifier@type". */
static void notation_take(struct depend *d, struct depend_file *f,
			  struct json_text text, const char *kind)
{
	struct depend_wish w = { .file = f, .kind = kind };
	struct json_text group, name, version;

	group = text_cut(text, ':', &name);
	name = text_cut(name, ':', &version);
	version = text_cut(text_cut(version, ':', NULL), '@', NULL);
	text.len = group.len + 1 + name.len;
	if (group.len == 0 || name.len == 0 || text_has(text, "$") ||
	    text_has(text, " ") || text_has(text, "/"))
		return;
	w.name = depend_keep(d, text);
	if (version.len > 0 && !text_has(version, "$"))
		w.constraint = depend_keep(d, version);
	depend_wish_add(d, &w);
}

int depend_groovy_read(struct depend *d, struct depend_file *f)
{
	struct lines l = lines_of(f->in);
	struct json_text line;
	size_t at;

	while (line_next(&l, &line, &at)) {
		line = text_trim(line);
		for (size_t i = 0;
		     i < sizeof configurations / sizeof *configurations; i++) {
			size_t len = strlen(configurations[i].configuration);

			if (line.len > TEXT_LINE_BYTES || line.len <= len ||
			    strchr(" (", line.bytes[len]) == NULL ||
			    !text_begins(line, configurations[i].configuration))
				continue;
			notation_take(d, f, quoted_find(text_from(line, len)),
				      configurations[i].kind);
			break;
		}
	}
	return 0;
}
