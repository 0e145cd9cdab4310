/* parsers_language.c -- language_detection over trees of names. */
#include "parsers/languages/language.h"
#include "probe_files.h"

#define NAME "language_detection"
#define PROBE(...)                                                             \
	probe_files(NAME, language_detection_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* The language that a name stands for; "-" for none. */
static void holds_language(const struct language_table *t, const char *name,
			   const char *want)
{
	struct parse_input in = { name, strlen(name), "", 0, true, NULL };
	const struct language_key *key = language_find(t, &in);
	struct json_text got = { "-", 1 };

	if (key != NULL)
		got = t->languages[key->language].name;
	ok(got.len == strlen(want) && memcmp(got.bytes, want, got.len) == 0);
	if (got.len != strlen(want) || memcmp(got.bytes, want, got.len) != 0)
		fprintf(stderr, "# %s: %.*s, wanted %s\n", name, (int)got.len,
			got.bytes, want);
}

static void names_have_their_language(void)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
		{ "a/b.ts", "TypeScript" },
		{ "a/B.TSX", "TypeScript" },
		{ "x.d.ts", "TypeScript" },
		{ "x.mjs", "JavaScript" },
		{ "jest.config.cjs", "JavaScript" },
		{ "a.PY", "Python" },
		{ "main.go", "Go" },
		{ "go.mod", "Go Module" },
		{ "src/lib.rs", "Rust" },
		{ "Makefile", "Makefile" },
		{ "Makefile.am", "Automake" },
		{ "Makefile.common", "Makefile" },
		{ "CMakeLists.txt", "CMake" },
		{ "notes.txt", "Text" },
		{ "x.html.erb", "HTML" },
		{ ".babelrc", "JSON" },
		{ ".bashrc", "Shell" },
		{ "Dockerfile", "Dockerfile" },
		{ "api.Dockerfile", "Dockerfile" },
		{ "Dockerfile.prod", "Dockerfile" },
		{ "Dockerfile.js", "Dockerfile" },
		{ "dockerfile.prod", "Dockerfile" },
		{ "dockerfile.js", "JavaScript" },
		{ "Dockerfile-release.amd64", "Dockerfile" },
		{ "Dockerfile-parser.js", "JavaScript" },
		{ "dockerfile-parser.ts", "TypeScript" },
		{ "Jenkinsfile", "Groovy" },
		{ "main.tf", "HCL" },
		{ "values.yaml", "YAML" },
		{ "README", "Text" },
		{ "README.md", "Markdown" },
		{ "bin/run", "-" },
		{ "ts", "-" },
		{ "a.ts/x", "-" },
		{ "x.", "-" },
		{ ".", "-" },
		{ "x.unheard-of", "-" },
		{ "Dockerfile.dockerignore", "Ignore List" },
	};
	struct language_table *t = calloc(1, sizeof *t);

	ok(t != NULL && language_table_read(t) == 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		holds_language(t, rows[i].name, rows[i].want);
	free(t);
}

/* No rule is there twice, unless each of its claims is marked as shared; and
 * every kind is known. */
static void the_table_is_sound(void)
{
	static const char kinds[] = "programming markup data prose build";
	struct language_table *t = calloc(1, sizeof *t);

	ok(t != NULL && language_table_read(t) == 0);
	ok(t->languages_len > 100 && t->keys_len > 300);
	for (size_t i = 1; i < t->keys_len; i++) {
		const struct language_key *a = &t->keys[i - 1], *b = a + 1;
		bool same = a->text.len == b->text.len &&
			    memcmp(a->text.bytes, b->text.bytes, a->text.len) ==
				    0 &&
			    (a->rule == b->rule ||
			     (a->rule == LANGUAGE_EXTENSION &&
			      b->rule == LANGUAGE_SHARED) ||
			     (b->rule == LANGUAGE_EXTENSION &&
			      a->rule == LANGUAGE_SHARED));

		if (same && (a->rule != LANGUAGE_SHARED || b->rule != a->rule))
			fprintf(stderr, "# twice: %.*s\n", (int)a->text.len,
				a->text.bytes);
		ok(!same || (a->rule == LANGUAGE_SHARED && b->rule == a->rule));
	}
	for (size_t i = 0; i < t->languages_len; i++) {
		char word[32];

		(void)snprintf(word, sizeof word, "%.*s",
			       (int)t->languages[i].kind.len,
			       t->languages[i].kind.bytes);
		ok_has(kinds, word);
	}
	free(t);
}

static void languages_are_counted_and_sorted(void)
{
	char *o = PROBE(N("a.py"), N("b.py"), N("c.ts"), N("z/d.ts"),
			N("x.json"), N("y.json"), N("z.json"), N("README.md"),
			N("LICENSE"), N("weird.zzz"));

	ok_json(o, "",
		"{\"confidence\":\"high\",\"errors\":[],\"warnings\":[]}");
	ok_json(o, "/slice/languages/0",
		"{\"name\":\"JSON\",\"files\":3,\"kind\":\"data\","
		"\"source\":\"x.json\"}");
	ok_json(o, "/slice/languages/1",
		"{\"name\":\"Python\",\"files\":2,\"kind\":\"programming\","
		"\"source\":\"a.py\"}");
	ok_json(o, "/slice/languages/2",
		"{\"name\":\"TypeScript\",\"files\":2,"
		"\"kind\":\"programming\",\"source\":\"c.ts\"}");
	ok_json(o, "/slice/languages/3", "{\"name\":\"Markdown\",\"files\":1}");
	/* Most of the files are not programs; a tie is decided by name. */
	ok_json(o, "/slice/primary", "\"Python\"");
	ok_json(o, "/slice/file_counts",
		"{\"total\":10,\"own\":10,\"vendored\":0,\"generated\":0,"
		"\"unknown\":1}");
	ok_json(o, "/slice/monorepo", "false");
	free(o);
	o = PROBE(N("README.md"));
	ok_json(o, "/slice/primary", "null");
	free(o);
}

static void vendored_and_generated_are_counted_apart(void)
{
	char *o = PROBE(N("src/a.go"), N("vendor/x/a.c"), N("vendor/x/b.c"),
			N("third_party/c.c"), N("web/dist/app.js"),
			N("lib/x.min.js"), N("api/v1/api.pb.go"),
			N("package-lock.json"), N("vendor/x/Dockerfile"),
			N("dist"), N("src/vendor.go"));

	ok_json(o, "/slice/primary", "\"Go\"");
	ok_json(o, "/slice/languages",
		"[{\"name\":\"Go\",\"files\":2,\"kind\":\"programming\","
		"\"source\":\"src/a.go\"}]");
	ok_json(o, "/slice/excluded",
		"[{\"name\":\"C\",\"files\":3,\"reason\":\"vendored\","
		"\"source\":\"third_party/c.c\"},{\"name\":\"Dockerfile\","
		"\"files\":1,\"reason\":\"vendored\","
		"\"source\":\"vendor/x/Dockerfile\"},"
		"{\"name\":\"JavaScript\",\"files\":2,"
		"\"reason\":\"generated\",\"source\":\"lib/x.min.js\"},"
		"{\"name\":\"Go\",\"files\":1,\"reason\":\"generated\","
		"\"source\":\"api/v1/api.pb.go\"},{\"name\":\"JSON\","
		"\"files\":1}]");
	ok_json(o, "/slice/dockerfiles", "[]");
	ok_json(o, "/slice/file_counts",
		"{\"own\":3,\"vendored\":4,\"generated\":4,\"unknown\":1}");
	free(o);
}

/* What an addon of Node is built with; deps/ of others is their own. */
static void deps_of_an_addon_are_vendored(void)
{
	char *o = PROBE(N("package.json"), N("binding.gyp"), N("index.js"),
			N("deps/x/a.c"), N("deps/x/b.c"), N("src/deps/a.c"));

	ok_json(o, "/slice/primary", "\"JavaScript\"");
	ok_json(o, "/slice/excluded",
		"[{\"name\":\"C\",\"files\":2,\"reason\":\"vendored\"}]");
	free(o);
	o = PROBE(N("package.json"), N("index.js"), N("deps/x/a.c"),
		  N("deps/x/b.c"), N("x/binding.gyp"));
	ok_json(o, "/slice/excluded", "[]");
	free(o);
}

static void a_shared_extension_goes_with_the_majority(void)
{
	char *o = PROBE(N("a.c"), N("b.cc"), N("c.cc"), N("x.h"), N("y.h"));

	ok_json(o, "/slice/languages/ANY",
		"{\"name\":\"C++\",\"files\":4,\"kind\":\"programming\","
		"\"source\":\"b.cc\"}");
	ok_json(o, "/slice/languages/ANY", "{\"name\":\"C\",\"files\":1}");
	free(o);
	o = PROBE(N("a.c"), N("b.cc"), N("a.h"));
	ok_json(o, "/slice/languages/ANY",
		"{\"name\":\"C\",\"files\":2,\"kind\":\"programming\","
		"\"source\":\"a.c\"}");
	free(o);
	/* Someone else's files decide nothing. */
	o = PROBE(N("vendor/a.cc"), N("vendor/b.cc"), N("a.c"), N("a.h"));
	ok_json(o, "/slice/languages/ANY", "{\"name\":\"C\",\"files\":2}");
	free(o);
}

static void dockerfiles_by_every_name(void)
{
	char *o = PROBE(N("Dockerfile"), N("a/Dockerfile.prod"),
			N("b/web.Dockerfile"), N("c/Containerfile"),
			N("d/dockerfile"), N("e/Dockerfile.dockerignore"),
			N("f/Dockerfile.md"), N("g/MyDockerfile"),
			N("h/Dockerfiles/x.sh"), N("i/x.Containerfile"),
			N("j/.dockerfiles/alpine"), N("dockerfiles/a-b"),
			N("k/dockerfiles/README"), N("l/dockerfiles/a/b"),
			N("m/mydockerfiles/a"));

	ok_json(o, "/slice/dockerfiles",
		"[{\"source\":\"Dockerfile\"},"
		"{\"source\":\"a/Dockerfile.prod\"},"
		"{\"source\":\"b/web.Dockerfile\"},"
		"{\"source\":\"c/Containerfile\"},"
		"{\"source\":\"d/dockerfile\"},"
		"{\"source\":\"dockerfiles/a-b\"},"
		"{\"source\":\"i/x.Containerfile\"},"
		"{\"source\":\"j/.dockerfiles/alpine\"}]");
	free(o);
}

static void holds_monorepo(const struct probe_file *files, const char *reason)
{
	char *o = probe_files(NAME, language_detection_run, files);
	char want[160];

	(void)snprintf(want, sizeof want,
		       "\"monorepo_evidence\":[{\"reason\":\"%s\","
		       "\"source\":\"%s\"}],\"monorepo\":true",
		       reason ? reason : "", files[0].name);
	if (reason != NULL)
		ok_has(o, want);
	else
		ok_json(o, "/slice",
			"{\"monorepo_evidence\":[],\"monorepo\":false}");
	ok_json(o, "/confidence", "\"high\"");
	free(o);
}
#define MONOREPO(reason, ...)                                                  \
	holds_monorepo((const struct probe_file[]){ __VA_ARGS__, N(NULL) },    \
		       reason)

static void what_makes_a_monorepo(void)
{
	MONOREPO("workspaces", F("package.json", "{\"workspaces\":[\"p/*\"]}"));
	MONOREPO("workspaces",
		 F("package.json", "{\"workspaces\":{\"packages\":[\"p\"]}}"));
	MONOREPO("lerna", N("lerna.json"));
	MONOREPO("rush", N("rush.json"));
	MONOREPO("nx", N("nx.json"), N("a/project.json"), N("b/project.json"));
	MONOREPO("turbo", N("turbo.json"), N("a/package.json"),
		 N("b/package.json"));
	MONOREPO("go_work", F("go.work", "go 1.22\nuse ./a\nuse ./b\n"));
	MONOREPO("go_work", F("go.work", "use (\r\n\t./a // x\r\n\n\t./b\n)"));
	MONOREPO("cargo_workspace",
		 F("Cargo.toml", "[workspace]\nresolver = \"2\"\n"
				 "members = [\"a\"]\n"));
	MONOREPO("uv_workspace", F("pyproject.toml",
				   "[project]\nname='x'\n[tool.uv.workspace]\n"
				   "members= [\"p/*\"]\n"));
	MONOREPO("pnpm_workspace",
		 F("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n"));
}

static void what_does_not(void)
{
	MONOREPO(NULL, F("package.json", "{\"workspaces\":[]}"));
	MONOREPO(NULL, F("package.json", "{\"workspaces\":{\"nohoist\":[]}}"));
	MONOREPO(NULL, F("x/package.json", "{\"workspaces\":[\"p/*\"]}"));
	MONOREPO(NULL, N("examples/lerna.json"));
	MONOREPO(NULL, N("nx.json"), N("a/project.json"));
	MONOREPO(NULL, N("turbo.json"), N("a/package.json"),
		 N("vendor/b/package.json"));
	MONOREPO(NULL, F("go.work", "use .\n// use ./b\n"));
	MONOREPO(NULL, F("go.work", "replace (\n./a => ./b\n./c => ./d\n)\n"));
	MONOREPO(NULL, F("Cargo.toml", "[workspace]\n[package]\n"
				       "members = [\"a\"]\n"));
	MONOREPO(NULL, F("pyproject.toml", "[tool.uv]\nmembers = []\n"));
	MONOREPO(NULL, F("pnpm-workspace.yaml", "packages: []\n"));
	MONOREPO(NULL, F("pnpm-workspace.yaml", "packages: [., '!x']\n"));
	MONOREPO(NULL, F("pnpm-workspace.yaml",
			 "onlyBuiltDependencies:\n  - esbuild\n"));
}

static void a_bad_root_file_is_an_error(void)
{
	char *o = PROBE(F("package.json", "{\"workspaces\":["), N("a.ts"));

	ok_json(o, "/confidence", "\"low\"");
	ok_json(o, "/errors/ANY",
		"{\"source\":\"package.json\",\"offset\":15}");
	ok_json(o, "/slice/primary", "\"TypeScript\"");
	free(o);
}

static void what_a_gather_left_is_not_counted(void)
{
	char *o = PROBE(N(".cupel/repo-context.yaml"), N("a.yaml"));

	ok_json(o, "/slice/languages/ANY", "{\"name\":\"YAML\",\"files\":1}");
	ok_json(o, "/slice/file_counts/total", "1");
	free(o);
}

static void hostile_names_are_escaped(void)
{
	char *o = PROBE(N("a\n\xff.py"), N("\x1b[31m/Dockerfile"),
			N("..../....py"), N("%s%n.go"));

	ok_json(o, "/slice/languages/ANY/source", "\"%s%n.go\"");
	ok_json(o, "/slice/dockerfiles/ANY",
		"{\"source\":\"\\\\x1b[31m/Dockerfile\"}");
	ok_lacks(o, "\xff");
	free(o);
	o = PROBE(N(""), N("/"), N("a/"));
	ok_json(o, "/slice/file_counts/unknown", "3");
	free(o);
}

/* 20,000 Dockerfiles with names of 200 bytes: more than a slice holds. */
static void a_list_too_long_is_cut(void)
{
	enum { FILES = 20000, BYTES = 256 };
	struct parse_input *items = calloc(FILES, sizeof *items);
	char *names = calloc(FILES, BYTES);
	char *o;

	for (size_t i = 0; i < FILES; i++) {
		char *name = names + i * BYTES;
		int n = snprintf(name, BYTES, "%05zu%0180d/Dockerfile", i, 0);

		items[i] = (struct parse_input){ name, (size_t)n, "",
						 0,    true,      NULL };
	}
	o = probe_inputs(NAME, language_detection_run,
			 &(struct parse_inputs){ items, FILES });
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"dockerfiles: there are too many items, the rest "
		"is left out\"}");
	ok_json(o, "/slice/languages/ANY",
		"{\"name\":\"Dockerfile\",\"files\":20000}");
	ok(strlen(o) < PARSE_SLICE_BYTES && strlen(o) > PARSE_SLICE_BYTES / 2);
	free(o);
	free(items);
	free(names);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(names_have_their_language),
		CASE(the_table_is_sound),
		CASE(languages_are_counted_and_sorted),
		CASE(vendored_and_generated_are_counted_apart),
		CASE(deps_of_an_addon_are_vendored),
		CASE(a_shared_extension_goes_with_the_majority),
		CASE(dockerfiles_by_every_name),
		CASE(what_makes_a_monorepo),
		CASE(what_does_not),
		CASE(a_bad_root_file_is_an_error),
		CASE(what_a_gather_left_is_not_counted),
		CASE(hostile_names_are_escaped),
		CASE(a_list_too_long_is_cut),
		TAP_END,
	});
}
