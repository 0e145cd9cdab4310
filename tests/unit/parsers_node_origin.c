/* parsers_node_origin.c -- node_manifest: where lockfiles take packages from, what
 * has no hash, what runs when it is installed. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_manifest", node_manifest_run,                            \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

#define A10    "AAAAAAAAAA"
#define SHA512 "sha512-" A10 A10 A10 A10 A10 A10 A10 A10 "AAAAAA=="
#define A32    "aaaaaaaabbbbbbbbccccccccdddddddd"
#define SHA    "\"integrity\":\"" SHA512 "\""
#define DIGIT  "0123456789012345678901234567890123456789"
#define NPM(entries)                                                           \
	F("package-lock.json", "{\"lockfileVersion\":3,\"packages\":{"         \
			       "\"\":{\"name\":\"x\"}," entries "}}")

static void npm_says_where_from(void)
{
	char *o = PROBE(
		NPM("\"node_modules/a\":{\"version\":\"1\"," SHA
		    ",\"resolved\":\"https://r.example/a/-/a-1.tgz\"},"
		    "\"node_modules/@s/b\":{\"version\":\"1\"," SHA
		    ",\"resolved\":\"https://r.example/@s/b/-/b-1.tgz\"},"
		    "\"node_modules/c\":{\"version\":\"1\"," SHA
		    ",\"resolved\":\"https://r.example/evil/-/evil-1.tgz\"},"
		    "\"node_modules/d\":{\"version\":\"1\"," SHA
		    ",\"resolved\":\"https://h.example/p/d/-/d-1.tgz\","
		    "\"hasInstallScript\":true,"
		    "\"bundleDependencies\":[\"f\"]},"
		    "\"node_modules/e\":{\"version\":\"1\","
		    "\"resolved\":\"git+ssh://h/e.git#" DIGIT "\"},"
		    "\"node_modules/d/node_modules/"
		    "f\":{\"version\":\"1\",\"inBundle\":true},"
		    "\"node_modules/g\":{\"version\":\"1\",\"resolved\":"
		    "\"https://r.example/g/-/g-1.tgz#" DIGIT "\"}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://r.example\","
		"\"https://r.example/evil/-/evil-1.tgz\",\"https://h.example/"
		"p\","
		"\"git+ssh://h/e.git#" DIGIT "\"],\"origins_omitted\":0,"
		"\"without_integrity\":1,\"install_scripts\":[\"d\"],"
		"\"install_scripts_omitted\":0}");
	free(o);
}

static void a_lockfile_without_hashes_is_counted(void)
{
	char *o = PROBE(NPM("\"node_modules/a\":{\"version\":\"1\"},"
			    "\"node_modules/b\":{\"version\":\"1\"}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[],\"without_integrity\":2}");
	free(o);
}

static void yarn_says_where_from(void)
{
	char *o = PROBE(F("yarn.lock",
			  "# yarn lockfile v1\n\n"
			  "a@1:\n  version \"1\"\n"
			  "  resolved \"https://r.example/a/-/a-1.tgz#" DIGIT
			  "\"\n"
			  "b@1:\n  version \"1\"\n"
			  "  resolved \"https://evil.example/b.tgz\"\n"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://r.example\","
		"\"https://evil.example/b.tgz\"],\"without_integrity\":1}");
	free(o);
}

static void berry_says_where_from(void)
{
	char *o = PROBE(
		F("yarn.lock",
		  "__metadata:\n  version: 8\n  cacheKey: 10\n\n"
		  "\"a@npm:1\":\n  version: 1\n  resolution: \"a@npm:1\"\n"
		  "  checksum: 10/" A32 A32 A32 A32 "\n\n"
		  "\"b@https://evil.example/b.tgz\":\n  version: 1\n"
		  "  resolution: \"b@https://evil.example/b.tgz\"\n"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://evil.example/b.tgz\"],"
		"\"without_integrity\":1}");
	free(o);
}

static void pnpm_says_where_from(void)
{
	char *o = PROBE(
		F("pnpm-lock.yaml",
		  "lockfileVersion: '9.0'\n\npackages:\n\n"
		  "  a@1.0.0:\n    resolution: {integrity: " SHA512 "}\n\n"
		  "  b@1.0.0:\n    resolution: {tarball: "
		  "https://evil.example/b.tgz}\n    requiresBuild: true\n"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://evil.example/b.tgz\"],"
		"\"without_integrity\":1,\"install_scripts\":[\"b\"]}");
	free(o);
}

static void bun_says_where_from(void)
{
	char *o = PROBE(F("bun.lock",
			  "{\"lockfileVersion\":1,\"workspaces\":{},"
			  "\"packages\":{"
			  "\"a\":[\"a@1.0.0\",\"\",{},\"" SHA512 "\"],"
			  "\"b\":[\"b@1.0.0\",\"https://evil.example/b.tgz\","
			  "{},\"" SHA512 "\"],}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://evil.example/b.tgz\"],"
		"\"without_integrity\":0}");
	free(o);
}

static void manifests_say_what_they_run(void)
{
	char *o = PROBE(F("package.json",
			  "{\"scripts\":{\"test\":\"mocha\",\"lint\":\"x\","
			  "\"postinstall\":\"node p.js\",\"prepare\":7}}"));

	ok_json(o, "/slice/packages/ANY/scripts",
		"[{\"name\":\"postinstall\",\"command\":\"node p.js\"},"
		"{\"name\":\"test\",\"command\":\"mocha\"}]");
	free(o);
}

static void too_many_origins_are_counted(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "# yarn lockfile v1\n\n");
	for (int i = 0; i < 70; i++)
		buf_format(&text,
			   "p%d@1:\n  version \"1\"\n"
			   "  resolved \"https://h%d.example/x.tgz\"\n",
			   i, i);
	o = PROBE(F("yarn.lock", text.bytes));
	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins_omitted\":6,\"without_integrity\":70}");
	free(o);
	buf_done(&text);
}

/* A dependency installs what is in a directory, whether that is a workspace or
 * not. */
static void packages_in_directories_are_looked_for(void)
{
	static const char *const found[] = { "file:t/a",   "./t/a/", "link:t/a",
					     "file:a.tgz", "^1",     "t/a" };
	static const char *const missing[] = { "file:t/b", "../x", "/t/a",
					       "file:node_modules/a" };
	char root[200];
	char *o;

	for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
		(void)snprintf(root, sizeof root,
			       "{\"workspaces\":[\"p\"],\"dependencies\":{"
			       "\"a\":\"%s\"}}",
			       found[i]);
		o = PROBE(F("package.json", root),
			  F("p/package.json", "{\"name\":\"p\"}"),
			  F("t/a/package.json", "{\"name\":\"a\",\"scripts\":{"
						"\"preinstall\":\"x\"}}"),
			  F("t/c/package.json", "{\"name\":\"c\"}"));
		ok_lacks(o, "directory_unread");
		ok_json(o, "/slice/packages/ANY",
			"{\"name\":\"a\",\"role\":\"standalone\"}");
		ok_no_json(o, "{\"name\":\"c\"}");
		free(o);
	}
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
		(void)snprintf(root, sizeof root,
			       "{\"optionalDependencies\":{\"a\":\"%s\"}}",
			       missing[i]);
		o = PROBE(F("package.json", root),
			  F("t/a/package.json", "{\"name\":\"a\"}"));
		ok_json(o, "/warnings/ANY/code", "\"directory_unread\"");
		free(o);
	}
}

/* Most scripts that run at an installation compile nothing. */
static void scripts_of_a_lockfile_need_a_builder(void)
{
	char *o = PROBE(F(
		"package-lock.json",
		"{\"lockfileVersion\":3,\"packages\":{"
		"\"node_modules/thanks\":{\"version\":\"1.0.0\","
		"\"hasInstallScript\":true},"
		"\"node_modules/helped\":{\"version\":\"1.0.0\","
		"\"dependencies\":{\"nan\":\"2\"}},"
		"\"node_modules/odd\":{\"version\":\"1.0.0\","
		"\"hasInstallScript\":true,\"dependencies\":[\"nan\"]},"
		"\"node_modules/built\":{\"version\":\"1.0.0\","
		"\"hasInstallScript\":true,"
		"\"dependencies\":{\"a\":\"1\",\"node-gyp-build\":\"4\"}}}}"));

	ok_json(o, "/slice/native_modules",
		"[{\"name\":\"built\",\"reason\":\"install-script\"}]");
	ok_json(o, "/slice/lockfiles/0/install_scripts",
		"[\"thanks\",\"odd\",\"built\"]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(packages_in_directories_are_looked_for),
		CASE(npm_says_where_from),
		CASE(a_lockfile_without_hashes_is_counted),
		CASE(yarn_says_where_from), CASE(berry_says_where_from),
		CASE(pnpm_says_where_from), CASE(bun_says_where_from),
		CASE(manifests_say_what_they_run),
		CASE(too_many_origins_are_counted),
		CASE(scripts_of_a_lockfile_need_a_builder), TAP_END });
}
