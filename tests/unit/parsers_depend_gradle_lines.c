/* parsers_depend_gradle_lines.c -- dependencies: which lines of Gradle's files say where
 * packages come from, and which are remarks. */
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* Whether a registry of the answer is told by that text. */
static bool has_registry(const char *o, const char *text, size_t *ret_len)
{
	struct arena arena = { 0 };
	struct json_value tree;
	const struct json_value *list = NULL;
	bool has = false;

	if (json_at_parse(o, &arena, &tree))
		list = json_find(json_find(&tree, "slice"), "registries");
	*ret_len = list != NULL ? list->u.array.len : SIZE_MAX;
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const struct json_value *v =
			json_find(&list->u.array.items[i], "text");

		has |= v->type == JSON_STRING &&
		       v->u.string.len == strlen(text) &&
		       memcmp(v->u.string.bytes, text, strlen(text)) == 0;
	}
	arena_done(&arena);
	return has;
}

/* The last line of the text is told as a registry, or no line is. */
static void registry_holds(const char *name, const char *text, bool is_told)
{
	const int before = tap_bad;
	const char *last = strrchr(text, '\n');
	char *o = PROBE(F(name, text));
	size_t len;
	const bool has = has_registry(o, last != NULL ? last + 1 : text, &len);

	if (is_told)
		ok(has);
	else
		ok(len == 0);
	if (tap_bad != before)
		fprintf(stderr, "# %s: %s\n", name, text);
	free(o);
}

static void a_registry_is_told_by_its_name(void)
{
	static const char *const rows[] = {
		"mavenCentral()",
		"repositories { mavenCentral() }",
		"mavenCentral { content { } }",
		"google()",
		"google{",
		"gradlePluginPortal()",
		"gradlePluginPortal() // why",
		"mavenLocal()",
		"jcenter()",
		"maven(\"https://a.example/b\")",
		"maven { url 'https://a.example/b' } // c",
		"maven { url = uri(\"x\") }",
		"ivy { url 'x' }",
		"flatDir { dirs 'x' }",
	};
	static const char *const others[] = {
		"publishToMavenCentral()",
		"val mavenCentral = x",
		"google",
		"x_google()",
		"googles()",
		"a() // mavenCentral()",
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		registry_holds("build.gradle", rows[i], true);
		registry_holds("settings.gradle.kts", rows[i], true);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		registry_holds("build.gradle.kts", others[i], false);
}

#define URL "https://a.example"

static void no_remark_is_told_as_a_registry(void)
{
	static const char *const rows[] = {
		"a() // see " URL,
		"a() //" URL,
		"a(\"\\\"\") // " URL,
		"a(\"// ${x}\") // " URL,
		"a(\"x\") /* b */ // " URL,
		"a = \"\"\"\n'\n\"\"\" // " URL,
		"/*\n\"\"\" '\n*/ a() // " URL,
		"a = '\"' // " URL,
	};
	static const char *const kotlin[] = {
		"a = b / c // " URL,
		"`a-b` // " URL,
		"a = \"\"\"\\\"\"\" // " URL,
		"a = \"\"\"\"b\"\"\"\" // " URL,
		"/* a /* b */ ' */ c // " URL,
		"a = \"\"\"\nImport-Package: \\\n*;b=\"c\",\\\n*\n\"\"\"",
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		registry_holds("build.gradle", rows[i], false);
		registry_holds("build.gradle.kts", rows[i], false);
	}
	for (size_t i = 0; i < sizeof kotlin / sizeof *kotlin; i++)
		registry_holds("build.gradle.kts", kotlin[i], false);
	registry_holds("build.gradle", "/* /* */ a // " URL, false);
}

/* What may be no remark is told, or somebody hides a repository behind it. */
static void what_only_looks_like_a_remark_is_told(void)
{
	static const char *const rows[] = {
		"a = \"// " URL "\"",
		"a = \"" URL "\"",
		"a = \"\"\"\nb // " URL,
		"a = \"\"\"https:\n//a.example\"\"\"",
		"a = \"\"\"https:\\\n//a.example\"\"\"",
		"a = \"\"\"\n\"\" // " URL,
		"a = \"${b(\"// " URL "\")}\"",
		"a = \"${b(\"c\")}\"\nd // " URL,
		"a = \"\"\"${\"\"\"b\"\"\"}\nc // " URL "\"\"\"",
		"/* // */ a('" URL "')",
		"/*\n// */ a('" URL "')\nb('" URL "')",
		"a = '\nb // " URL,
	};
	static const char *const groovy[] = {
		"a = /b\nc // " URL,
		"a = /'/; b = '// " URL "'",
		"a = $/'\nb/$; c = '// " URL "'",
		"a = '''\nb // " URL,
		"a = \"\"\"\\\"\"\"\nb // " URL,
		"a = '\\u0027\nb // " URL,
		"// \\u000a a = '''\nb // " URL,
		"/* /* */ a = '''\nb // " URL,
		"a = \"\"\"\"b\"\"\"\"\nc // " URL,
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		registry_holds("build.gradle", rows[i], true);
		registry_holds("build.gradle.kts", rows[i], true);
	}
	for (size_t i = 0; i < sizeof groovy / sizeof *groovy; i++)
		registry_holds("build.gradle", groovy[i], true);
	registry_holds("build.gradle.kts", "a = `b\n`; c // " URL, true);
}

/* Marks that begin and do not end. */
static void lines_of_gradle_are_read_in_bounds(void)
{
	static const char *const rows[] = {
		"\"",
		"'",
		"\"\"\"",
		"\"\"\"\n",
		"/*",
		"/*/",
		"\"${",
		"${",
		"`",
		"`\n",
		"\\",
		"\"\"",
		"*",
		"include(",
		"'a',\n",
		"libs.",
		"api(libs.a,\n",
		"google",
		"mavenCentral ",
	};

	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		const clock_t start = clock();
		struct buf text = { 0 };
		char *o;

		buf_text(&text, "include 'a',\n");
		while (text.len < (size_t)1 << 20)
			buf_text(&text, rows[i / 2]);
		o = PROBE(F("gradle/libs.versions.toml", "[libraries]\n"),
			  F(i % 2 ? "settings.gradle" : "settings.gradle.kts",
			    text.bytes));
		tap_time(clock() - start, PROBE_BOUND);
		free(o);
		buf_done(&text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_registry_is_told_by_its_name),
		CASE(no_remark_is_told_as_a_registry),
		CASE(what_only_looks_like_a_remark_is_told),
		CASE(lines_of_gradle_are_read_in_bounds),
		TAP_END,
	});
}
