/* parsers_language_primary.c -- language_detection: which language is the primary
 * one. */
#include "probe_files.h"

#define NAME "language_detection"
#define PROBE(...)                                                             \
	probe_files(NAME, language_detection_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* Files of one language. */
struct some {
	const char *ending;
	size_t files;
};

struct wanted {
	const char *language, *manifest; /* the second as JSON */
};

/* The primary language of files named a/0.EXT, a/1.EXT and so on, and others. */
static void is_primary(const struct wanted *want,
		       const struct probe_file *others, struct some one,
		       struct some two)
{
	enum { FILES = 64 };
	struct probe_file files[2 * FILES + 8] = { 0 };
	char names[2 * FILES][32], text[128];
	size_t n = 0;
	char *o;

	for (size_t i = 0; i < one.files + two.files; i++, n++) {
		(void)snprintf(names[n], sizeof names[n], "a/%zu.%s", i,
			       i < one.files ? one.ending : two.ending);
		files[n].name = names[n];
	}
	for (size_t i = 0; others[i].name != NULL; i++)
		files[n++] = others[i];
	o = probe_files(NAME, language_detection_run, files);
	(void)snprintf(text, sizeof text,
		       "{\"primary\":\"%s\",\"primary_manifest\":%s}",
		       want->language, want->manifest);
	ok_json(o, "/slice", text);
	free(o);
}
#define PRIMARY(want, manifest, one, one_files, two, two_files, ...)           \
	is_primary(&(struct wanted){ want, manifest },                         \
		   (const struct probe_file[]){ __VA_ARGS__, N(NULL) },        \
		   (struct some){ one, one_files },                            \
		   (struct some){ two, two_files })

static void a_manifest_names_the_primary_language(void)
{
	/* Queries of an editor are no program. */
	PRIMARY("Rust", "\"Cargo.toml\"", "rs", 4, "scm", 32,
		F("Cargo.toml", "[workspace]\n"));
	PRIMARY("Scheme", "null", "rs", 4, "scm", 32, N("x/Cargo.toml"));
	PRIMARY("Scheme", "null", "rs", 4, "scm", 33, F("Cargo.toml", ""));
	/* Of two that are named, the one with more files. */
	PRIMARY("C", "\"meson.build\"", "py", 8, "c", 9,
		F("pyproject.toml", ""), N("meson.build"));
	PRIMARY("Python", "\"pyproject.toml\"", "py", 8, "c", 9,
		F("pyproject.toml", ""));
	/* What is there for tools alone counts less. */
	PRIMARY("Shell", "null", "js", 4, "sh", 9, F("package.json", "{}"));
	PRIMARY("JavaScript", "\"package.json\"", "js", 4, "sh", 8,
		F("package.json", "{}"));
	/* A better manifest of the same language is the one that is told. */
	PRIMARY("Ruby", "\"x.gemspec\"", "rb", 4, "c", 9, N("Gemfile"),
		N("x.gemspec"));
	/* One that names a language without files changes nothing. */
	PRIMARY("Shell", "null", "sh", 4, "lua", 2, F("Cargo.toml", ""));
	PRIMARY("Lua", "null", "py", 4, "lua", 4, F("Cargo.toml", ""));
}

/* Fixtures and examples decide only where there is nothing else. */
static void fixtures_are_no_primary_language(void)
{
	char *o = PROBE(N("fixtures/a.py"), N("fixtures/b.py"),
			N("examples/c.py"), N("src/a.lua"),
			N("tests/fixtures/x.h"));

	ok_json(o, "/slice/primary", "\"Lua\"");
	ok_json(o, "/slice/languages/0", "{\"name\":\"Python\",\"files\":3}");
	free(o);
	o = PROBE(N("examples/c.py"), N("tests/testdata/d.py"),
		  N("examples/x.lua"));
	ok_json(o, "/slice/primary", "\"Python\"");
	free(o);
	/* Headers go with those files that have them. */
	o = PROBE(N("fixtures/a.h"), N("fixtures/b.h"), N("src/a.c"),
		  N("src/a.lua"), N("src/b.lua"));
	ok_json(o, "/slice/primary", "\"Lua\"");
	free(o);
	o = PROBE(N("src/b.h"), N("src/c.h"), N("src/a.c"), N("src/a.lua"),
		  N("src/b.lua"));
	ok_json(o, "/slice/primary", "\"C\"");
	free(o);
}

/* Tests are often in another language than what they test. */
static void tests_decide_nothing_among_the_languages_of_one_manifest(void)
{
	char *o =
		PROBE(F("package.json", "{}"), N("src/a.ts"), N("src/b.ts"),
		      N("test/a.js"), N("test/b.js"), N("test/x/c.js"),
		      N("__tests__/d.js"), N("test-apps/e.js"), N("index.js"));

	ok_json(o, "/slice",
		"{\"primary\":\"TypeScript\","
		"\"primary_manifest\":\"package.json\"}");
	/* What is counted in the list stays. */
	ok_json(o, "/slice/languages/0",
		"{\"name\":\"JavaScript\",\"files\":6}");
	free(o);
	/* Without a manifest the files alone say it. */
	o = PROBE(N("src/a.ts"), N("test/a.js"), N("test/b.js"));
	ok_json(o, "/slice/primary", "\"JavaScript\"");
	free(o);
	o = PROBE(N("pom.xml"), N("src/main/java/A.java"),
		  N("src/test/groovy/A.groovy"), N("src/test/groovy/B.groovy"));
	ok_json(o, "/slice/primary", "\"Java\"");
	free(o);
	/* Of two manifests, the files of all kinds decide. */
	o = PROBE(F("package.json", "{}"), N("pom.xml"), N("src/main/A.java"),
		  N("src/main/B.java"), N("web/a.js"), N("web/test/a.js"),
		  N("web/test/b.js"));
	ok_json(o, "/slice/primary", "\"JavaScript\"");
	free(o);
	/* Where there are only tests, their files count. */
	o = PROBE(F("package.json", "{}"), N("test/a.ts"), N("test/a.js"),
		  N("test/b.js"));
	ok_json(o, "/slice/primary", "\"JavaScript\"");
	free(o);
	/* Not so for others: Python that is tested is no Cython. */
	o = PROBE(F("pyproject.toml", ""), N("a.py"), N("b.pyx"), N("c.pyx"),
		  N("tests/d.py"), N("tests/e.py"), N("tests/f.py"));
	ok_json(o, "/slice/primary", "\"Python\"");
	free(o);
}

/* One file of the program, and two whose names say that they are none, of a
 * language that comes first without these names. */
static void names_of_tests_and_declarations(void)
{
	static const char *const rows[][3] = {
		{ "src/a.ts", "src/a.test.js", "src/b.test.js" },
		{ "src/a.ts", "src/a.spec.js", "src/b.spec.js" },
		{ "src/a.js", "src/a.d.ts", "src/b.d.ts" },
		{ "src/a.js", "src/a.d.mts", "src/b.d.mts" },
		{ "src/a.js", "src/a.d.cts", "src/b.d.cts" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F("package.json", "{}"), N(rows[i][0]),
				N(rows[i][1]), N(rows[i][2]));

		ok_json(o, "/slice/primary",
			i < 2 ? "\"TypeScript\"" : "\"JavaScript\"");
		free(o);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_manifest_names_the_primary_language),
		CASE(fixtures_are_no_primary_language),
		CASE(tests_decide_nothing_among_the_languages_of_one_manifest),
		CASE(names_of_tests_and_declarations),
		TAP_END,
	});
}
