/* parsers_build_system.c -- node_build_system over inputs in memory. */
#include "base/glob.h"
#include "jobs/probe/catalogue.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_build_system", node_build_system_run,                    \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void the_field_decides_the_package_manager(void)
{
	char *o = PROBE({ "package.json",
			  "{\"packageManager\":\"pnpm@8.6.0+sha256.ab\","
			  "\"engines\":{\"npm\":\">=9\"}}" },
			{ "pnpm-lock.yaml", NULL });

	ok_json(o, "/slice/package_manager",
		"{\"name\":\"pnpm\",\"version\":\"8.6.0\",\"flavour\":null,"
		"\"declared\":\"pnpm@8.6.0+sha256.ab\",\"inferred\":false,"
		"\"source\":\"package.json\"}");
	ok_json(o, "/slice/package_manager/evidence/ANY",
		"{\"name\":\"npm\",\"version\":\">=9\",\"kind\":\"engines\"}");
	ok_json(o, "/warnings", "[]");
	free(o);
	o = PROBE({ "package.json", "{\"packageManager\":\"cnpm@1\"}" });
	ok_json(o, "/warnings/ANY/code", "\"bad_package_manager\"");
	ok_json(o, "/slice/package_manager", "null");
	free(o);
	o = PROBE({ "package.json",
		    "{\"packageManager\":\"yarn@https://x/y.js\"}" });
	ok_json(o, "/slice/package_manager",
		"{\"name\":\"yarn\",\"version\":null,\"flavour\":null,"
		"\"declared\":\"yarn@https://x/y.js\"}");
	free(o);
	o = PROBE({ "package.json", "{\"devEngines\":{\"packageManager\":[{"
				    "\"name\":\"bun\",\"version\":\"^1.1\"}],"
				    "\"runtime\":{\"name\":\"node\","
				    "\"version\":\">=20\"}}}" });
	ok_json(o, "/slice/package_manager",
		"{\"name\":\"bun\",\"version\":\"^1.1\",\"flavour\":null,"
		"\"declared\":null,\"inferred\":false,"
		"\"source\":\"package.json\"}");
	ok_json(o, "/slice/node_constraints/ANY",
		"{\"constraint\":\">=20\",\"kind\":\"engines\","
		"\"field\":\"devEngines.runtime\"}");
	free(o);
}

static void npm_is_inferred_where_nothing_says(void)
{
	char *o = PROBE({ "package.json", "{\"name\":\"x\"}" });

	ok_json(o, "/slice/package_manager",
		"{\"name\":\"npm\",\"version\":null,\"flavour\":null,"
		"\"declared\":null,\"inferred\":true,"
		"\"source\":\"package.json\",\"evidence\":[]}");
	free(o);
	o = PROBE({ "tsconfig.json", "{}" });
	ok_json(o, "/slice/package_manager", "null");
	free(o);
}

static void lockfiles_tell_the_package_manager(void)
{
	static const struct {
		const char *file, *name;
	} rows[] = {
		{ "package-lock.json", "npm" },
		{ "npm-shrinkwrap.json", "npm" },
		{ "pnpm-lock.yaml", "pnpm" },
		{ "yarn.lock", "yarn" },
		{ "bun.lock", "bun" },
		{ "bun.lockb", "bun" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o =
			PROBE({ "package.json", "{}" }, { rows[i].file, NULL });
		char want[128];

		(void)snprintf(want, sizeof want,
			       "{\"name\":\"%s\",\"version\":null,"
			       "\"flavour\":null,\"declared\":null,"
			       "\"inferred\":false,"
			       "\"source\":\"%s\"",
			       rows[i].name, rows[i].file);
		ok_has(o, want);
		free(o);
	}
}

static void contradictions_are_warnings(void)
{
	char *o =
		PROBE({ "package.json", "{\"packageManager\":\"npm@10.1.0\"}" },
		      { "yarn.lock", NULL });

	ok_json(o, "/slice/package_manager",
		"{\"name\":\"npm\",\"version\":\"10.1.0\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"package_manager_contradiction\","
		"\"source\":\"yarn.lock\","
		"\"message\":\"npm by packageManager, but yarn by lockfile\"}");
	free(o);
	o = PROBE({ "package.json", "{}" }, { "package-lock.json", NULL },
		  { "pnpm-lock.yaml", NULL });
	ok_json(o, "/slice/package_manager/name", "\"pnpm\"");
	ok_json(o, "/warnings/ANY",
		"{\"source\":\"package-lock.json\","
		"\"message\":\"pnpm by lockfile, but npm by lockfile\"}");
	free(o);
	o = PROBE({ ".yarnrc.yml", "yarnPath: .yarn/releases/yarn-3.1.0.cjs" },
		  { "package.json", "{\"packageManager\":\"yarn@3.2.0\"}" });
	ok_has(o, "by yarnPath it is another version");
	free(o);
	o = PROBE({ "package.json", "{\"volta\":{\"node\":\"18.1.0\","
				    "\"npm\":\"9.0.0\",\"yarn\":\"1.22.0\"}}" },
		  { "yarn.lock", "# yarn lockfile v1\n" });
	ok_json(o, "/warnings", "[]");
	ok_json(o, "/slice/package_manager",
		"{\"name\":\"yarn\",\"version\":\"1.22.0\","
		"\"flavour\":\"classic\"}");
	ok_json(o, "/slice/node_constraints/ANY",
		"{\"constraint\":\"18.1.0\",\"kind\":\"volta\"}");
	free(o);
}

static void yarn_comes_in_two_flavours(void)
{
	static const struct {
		const char *file, *text, *flavour, *version;
	} rows[] = {
		{ "yarn.lock", "# x\n# yarn lockfile v1\n", "classic", "" },
		{ "yarn.lock", "# x\n__metadata:\n  version: 8\n", "berry",
		  "" },
		{ ".yarnrc.yml", "nodeLinker: pnp\n", "berry", "" },
		{ ".yarnrc", "# x\n", "classic", "" },
		{ ".yarnrc", "yarn-path \".yarn/releases/yarn-1.22.4.js\"\n",
		  "classic", "1.22.4" },
		{ ".yarnrc.yml", "yarnPath: .yarn/releases/yarn-3.2.1.cjs\n",
		  "berry", "3.2.1" },
		{ ".yarnrc.yml", "yarnPath: .yarn/releases/yarn-berry.cjs\n",
		  "berry", "berry" },
		{ ".pnp.cjs", NULL, "berry", "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE({ "package.json", "{}" },
				{ rows[i].file, rows[i].text });
		char want[128];

		(void)snprintf(want, sizeof want,
			       "{\"name\":\"yarn\",\"version\":%s%s%s,"
			       "\"flavour\":\"%s\"",
			       rows[i].version[0] ? "\"" : "",
			       rows[i].version[0] ? rows[i].version : "null",
			       rows[i].version[0] ? "\"" : "", rows[i].flavour);
		ok_has(o, want);
		free(o);
	}
}

static void node_is_asked_for_as_written(void)
{
	char *o = PROBE(
		{ ".node-version", "\n v20.1.0 \r\n18\n" },
		{ ".nvmrc", "# why\nlts/hydrogen # really\n16\n" },
		{ ".tool-versions",
		  "ruby 3\n#nodejs 1\nnodejs 20.1.0 18 # x\n" },
		{ "a/mise.toml", "[env]\nnode = \"1\"\n[tools] # t\n"
				 "node = \"22\" # x\n[other]\n"
				 "node = \"2\"\n" },
		{ "b/.mise.toml",
		  "[tools]\nnode = { a = 1, version = \"21\" }\n" },
		{ "package.json", "{\"engines\":{\"node\":\">=18 <21\"}}" });

	ok_json(o, "/slice/node_constraints",
		"[{\"constraint\":\">=18 <21\",\"kind\":\"engines\","
		"\"field\":\"engines.node\",\"source\":\"package.json\"},"
		"{\"constraint\":\"v20.1.0\",\"kind\":\"node-version\","
		"\"field\":null,\"source\":\".node-version\"},"
		"{\"constraint\":\"lts/hydrogen\",\"kind\":\"nvmrc\","
		"\"field\":null,\"source\":\".nvmrc\"},"
		"{\"constraint\":\"20.1.0 18\",\"kind\":\"tool-versions\","
		"\"field\":null,\"source\":\".tool-versions\"},"
		"{\"constraint\":\"22\",\"kind\":\"tool-versions\","
		"\"field\":null,\"source\":\"a/mise.toml\"},"
		"{\"constraint\":\"21\",\"kind\":\"tool-versions\","
		"\"field\":null,\"source\":\"b/.mise.toml\"}]");
	ok_json(o, "/confidence", "\"high\"");
	free(o);
	o = PROBE({ ".nvmrc", "# nothing\n" });
	ok_json(o, "/warnings/ANY/code", "\"empty_version\"");
	free(o);
}

static void scripts_are_those_of_root_and_workspaces(void)
{
	char *o =
		PROBE({ "a/package.json", "{\"scripts\":{\"b\":\"y\"}}" },
		      { "package.json", "{\"workspaces\":[\"a\"],\"scripts\":{"
					"\"build\":\"tsc -p .\",\"odd\":1}}" },
		      { "x/package.json", "{\"scripts\":{\"z\":\"z\"}}" });

	ok_json(o, "/slice/scripts",
		"[{\"name\":\"build\",\"command\":\"tsc -p .\","
		"\"role\":\"root\",\"source\":\"package.json\"},"
		"{\"name\":\"odd\",\"command\":null,\"role\":\"root\","
		"\"source\":\"package.json\"},{\"name\":\"b\","
		"\"command\":\"y\",\"role\":\"workspace\","
		"\"source\":\"a/package.json\"}]");
	ok_json(o, "/warnings/ANY/code", "\"bad_script\"");
	free(o);
	o = PROBE({ "x/package.json", "{\"scripts\":{\"z\":\"z\"}}" },
		  { "x/y/package.json", "{\"scripts\":{\"w\":\"w\"}}" });
	ok_json(o, "/slice/scripts/ANY",
		"{\"role\":\"root\",\"source\":\"x/package.json\"}");
	ok_json(o, "/slice/scripts/ANY",
		"{\"role\":\"standalone\",\"source\":\"x/y/package.json\"}");
	free(o);
}

/* The names by which the probe finds something. */
static const char *const telling_files[] = {
	"package.json",     "a/tsconfig.json", "tsconfig.base.json",
	"tsconfig-x.json",  "x.tsconfig.json", "p/tsconfig/next.json",
	"p/a/base.json",    ".nvmrc",          ".node-version",
	".tool-versions",   "mise.toml",       ".mise.toml",
	".npmrc",           ".yarnrc",         ".yarnrc.yml",
	"yarn.lock",        "pnpm-lock.yaml",  "package-lock.json",
	"bun.lock",         "bun.lockb",       "npm-shrinkwrap.json",
	"lerna.json",       "rush.json",       "pnpm-workspace.yaml",
	"nx.json",          "turbo.jsonc",     ".moon/workspace.yml",
	"WORKSPACE",        ".bazelversion",   "lage.config.js",
	"webpack.prod.js",  "vite.config.mts", "rollup.config.js",
	"rspack.config.ts", "esbuild.mjs",     ".parcelrc",
	".swcrc",           ".babelrc.json",   "babel.config.cjs",
	"bunfig.toml",      "angular.json",    "metro.config.js",
	".pnp.cjs",         "webpackfile.js",  "electron.vite.config.ts",
};

static void what_is_told_by_name_is_declared(void)
{
	for (size_t i = 0; i < sizeof telling_files / sizeof *telling_files;
	     i++) {
		const struct probe_input_rule *r =
			probe_find("node_build_system")->rules;

		while (r->pattern != NULL &&
		       !glob_match(r->pattern, strlen(r->pattern),
				   telling_files[i], strlen(telling_files[i])))
			r++;
		if (r->pattern == NULL) {
			fprintf(stderr, "# %s\n", telling_files[i]);
			ok(0);
		}
	}
}

static void bundlers_have_their_evidence(void)
{
	char *o = PROBE(
		{ "a/webpack.config.prod.ts", NULL }, { "a/.babelrc", NULL },
		{ "webpack.md", NULL },
		{ "node_modules/x/rollup.config.js", NULL },
		{ "package.json",
		  "{\"babel\":{},\"dependencies\":{\"vite\":\"^5.0.0\"},"
		  "\"peerDependencies\":{\"rollup\":\"4\"},\"scripts\":{"
		  "\"a\":\"cross-env A=b ./node_modules/.bin/esbuild x\","
		  "\"b\":\"rm -rf x && parcel build\","
		  "\"c\":\"npm run snowpack -- rspack; echo rspack\","
		  "\"d\":\"concurrently -n a,b \\\"tsup\\\" \\\"swc x\\\"\","
		  "\"e\":\"dotenv -e .env -- next dev --turbo\"}}" });

	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"webpack\",\"evidence\":\"config\","
		"\"version\":null,\"source\":\"a/webpack.config.prod.ts\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"babel\",\"evidence\":\"config\","
		"\"version\":null,\"source\":\"a/.babelrc\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"babel\",\"evidence\":\"config\","
		"\"version\":null,\"source\":\"package.json\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"vite\",\"evidence\":\"dependency\","
		"\"version\":\"^5.0.0\",\"source\":\"package.json\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"esbuild\",\"evidence\":\"script\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"parcel\",\"evidence\":\"script\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"tsup\",\"evidence\":\"script\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"swc\",\"evidence\":\"script\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"next\",\"evidence\":\"script\"}");
	ok_json(o, "/slice/bundlers/ANY",
		"{\"name\":\"turbopack\",\"evidence\":\"script\"}");
	ok_no_json(o, "{\"name\":\"rollup\"}");
	ok_no_json(o, "{\"name\":\"rspack\"}");
	ok_no_json(o, "{\"name\":\"snowpack\"}");
	ok_lacks(o, "webpack.md");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_field_decides_the_package_manager),
		CASE(lockfiles_tell_the_package_manager),
		CASE(npm_is_inferred_where_nothing_says),
		CASE(contradictions_are_warnings),
		CASE(yarn_comes_in_two_flavours),
		CASE(node_is_asked_for_as_written),
		CASE(scripts_are_those_of_root_and_workspaces),
		CASE(what_is_told_by_name_is_declared),
		CASE(bundlers_have_their_evidence), TAP_END });
}
