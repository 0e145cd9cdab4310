/* parsers_node_more.c -- node_manifest: workspaces, bun, node_modules, caps. */
#include <stdlib.h>

#include "parsers/node/node.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_manifest", node_manifest_run,                            \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void pnpm_workspaces_take_away_in_any_order(void)
{
	char *o = PROBE(F("pnpm-workspace.yaml", "packages:\n"
						 "  - '!**/test/**'\n"
						 "  - 'packages/**'\n"
						 "  - \"./tools/*/\"\n"),
			F("package.json", "{\"name\":\"r\","
					  "\"workspaces\":[\"x\"]}"),
			F("packages/a/package.json", "{\"name\":\"a\"}"),
			F("packages/a/test/b/package.json", "{\"name\":\"b\"}"),
			F("tools/t/package.json", "{\"name\":\"t\"}"),
			F("x/package.json", "{\"name\":\"x\"}"));

	ok_json(o, "/slice/packages/ANY",
		"{\"path\":\".\",\"name\":\"r\",\"version\":null,"
		"\"role\":\"root\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"t\",\"version\":null,\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"b\"}");
	ok_no_json(o, "{\"name\":\"x\"}");
	ok_has(o, "2 package.json files outside");
	free(o);
}

static void npm_workspaces_take_the_last_word(void)
{
	char *o = PROBE(F("package.json",
			  "{\"workspaces\":[\"!p/a\",\"p/*\",\"!p/b\"]}"),
			F("p/a/package.json", "{\"name\":\"a\"}"),
			F("p/b/package.json", "{\"name\":\"b\"}"));

	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"b\"}");
	free(o);
}

static void lerna_has_packages(void)
{
	char *o = PROBE(
		F("lerna.json", "{\"packages\":[\"modules/*\"], // mine\n}"),
		F("package.json", "{}"),
		F("modules/a/package.json", "{\"name\":\"a\"}"),
		F("other/package.json", "{\"name\":\"o\"}"));

	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"o\"}");
	free(o);
	o = PROBE(F("lerna.json", "{\"version\":\"1\"}"),
		  F("package.json", "{\"workspaces\":[\"b\"]}"),
		  F("b/package.json", "{\"name\":\"b\"}"));
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"b\",\"version\":null,\"role\":\"workspace\"}");
	free(o);
}

static void a_workspace_may_lie_deeper(void)
{
	char *o = PROBE(F("web/package.json",
			  "{\"name\":\"w\",\"workspaces\":[\"p/*\"]}"),
			F("web/p/a/package.json", "{\"name\":\"a\"}"),
			F("web-x/p/a/package.json", "{\"name\":\"x\"}"),
			F("api/package.json", "{\"name\":\"i\"}"),
			F("web/yarn.lock", "# yarn lockfile v1\n"),
			F("package.json", "{\"name\":\"r\"}"));

	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"w\",\"version\":null,\"role\":\"root\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"i\",\"version\":null,\"role\":\"standalone\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"x\",\"version\":null,\"role\":\"standalone\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"r\",\"version\":null,\"role\":\"root\"}");
	ok_lacks(o, "not_in_workspaces");
	free(o);
}

static void bad_workspaces_are_a_warning(void)
{
	char *o = PROBE(F("pnpm-workspace.yaml", "packages: x\n"),
			F("package.json", "{}"), F("a/package.json", "{}"));

	ok_json(o, "/warnings/ANY",
		"{\"code\":\"bad_workspaces\","
		"\"source\":\"pnpm-workspace.yaml\"}");
	free(o);
	o = PROBE(F("pnpm-workspace.yaml", "packages: [\n"),
		  F("package.json", "{\"name\":\"r\"}"));
	ok_json(o, "/errors/ANY/code", "\"yaml_syntax\"");
	ok_json(o, "/slice/packages/ANY/name", "\"r\"");
	free(o);
}

static void optional_peers_are_told(void)
{
	char *o = PROBE(F("package.json",
			  "{\"peerDependencies\":{\"a\":\"1\",\"b\":\"2\"},"
			  "\"dependencies\":{\"a\":\"workspace:^\"},"
			  "\"peerDependenciesMeta\":{\"a\":{\"optional\":true},"
			  "\"b\":{\"optional\":false}}}"));

	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"1\",\"kind\":\"peer\","
		"\"optional\":true,\"source\":\"package.json\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"b\",\"constraint\":\"2\",\"kind\":\"peer\","
		"\"source\":\"package.json\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"workspace:^\","
		"\"kind\":\"runtime\",\"source\":\"package.json\"}");
	free(o);
}

static void bun_locks(void)
{
	char *o = PROBE(
		F("bun.lock",
		  "{\n\"lockfileVersion\": 1,\n"
		  "\"workspaces\": {\"\": {\"name\": \"r\","
		  "\"dependencies\": {\"a\": \"^1\",},},"
		  "\"p/w\": {\"name\": \"w\",},},\n"
		  "\"packages\": {\n"
		  "\"a\": [\"a@1.0.0\", \"\", {}, \"sha512-AAAA\"],\n"
		  "\"x/a\": [\"a@1.0.0\", \"\", {}, \"sha512-BBBB\"],\n"
		  "\"al\": [\"bcrypt@5.1.0\", \"\", {}, \"sha512-CCCC\"],\n"
		  "\"w\": [\"w@workspace:p/w\"],\n"
		  "\"g\": [\"g@github:u/g#0a\", {}, \"u-g-0a\"],\n"
		  "\"bad\": 1,\n"
		  "},\n}\n"),
		F("package.json", "{\"dependencies\":{\"a\":\"^2\"}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"kind\":\"bun\",\"lockfile_version\":1,\"entries\":4,"
		"\"importers\":[\".\",\"p/w\"],\"source\":\"bun.lock\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"bcrypt\",\"version\":\"5.1.0\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"expected\":\"^2\",\"found\":\"^1\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"expected\":\"sha512-AAAA\",\"found\":\"sha512-BBBB\"}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"bad_entry\",\"source\":\"bun.lock\"}");
	free(o);
}

static void a_binary_lock_is_there(void)
{
	char *o = PROBE(N("bun.lockb"), F("package.json", "{}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"kind\":\"bun\",\"lockfile_version\":null,\"entries\":0,"
		"\"importers\":[],\"source\":\"bun.lockb\"}");
	free(o);
}

static void rust_and_scripts_are_told(void)
{
	char *o = PROBE(
		N("a/Cargo.toml"), F("a/package.json", "{\"name\":\"a\"}"),
		F("b/package.json", "{\"name\":\"b\",\"scripts\":{\"install\":"
				    "\"node-gyp rebuild\"}}"),
		F("c/package.json",
		  "{\"name\":\"c\",\"scripts\":{\"postinstall\":"
		  "\"husky install\"}}"),
		F("d/package.json", "{\"name\":\"d\",\"devDependencies\":{"
				    "\"@napi-rs/cli\":\"2\"}}"));

	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"a\",\"version\":null,\"reason\":\"rust\","
		"\"source\":\"a/Cargo.toml\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"b\",\"version\":null,"
		"\"reason\":\"install-script\",\"source\":\"b/package.json\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"d\",\"version\":null,\"reason\":\"rust\","
		"\"source\":\"d/package.json\"}");
	ok_int(json_count(o, "/slice/native_modules/ANY", "{\"name\":\"c\"}"),
	       0);
	free(o);
}

static void node_modules_are_no_packages(void)
{
	char *o = PROBE(
		F("package.json", "{\"name\":\"r\",\"workspaces\":[\"**\"]}"),
		F("package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{"
		  "\"node_modules/a\":{\"version\":\"1.0.0\"},"
		  "\"node_modules/x/node_modules/a\":{\"version\":\"2.0.0\"},"
		  "\"node_modules/b\":{\"version\":\"1.0.0\"}}}"),
		F("node_modules/a/package.json",
		  "{\"name\":\"a\",\"version\":\"2.0.0\"}"),
		F("node_modules/b/package.json",
		  "{\"name\":\"b\",\"version\":\"1.0.1\","
		  "\"scripts\":{\"install\":\"node-gyp-build\"}}"),
		F("node_modules/c/package.json",
		  "{\"name\":\"c\",\"version\":\"3.0.0\","
		  "\"scripts\":{\"postinstall\":\"node thanks.js\"}}"),
		F("node_modules/c/lib/package.json",
		  "{\"name\":\"lib\",\"version\":\"1.0.0\"}"),
		F("node_modules/.pnpm/d@1.0.0/node_modules/@s/d/package.json",
		  "{\"name\":\"@s/d\",\"version\":\"1.0.0\"}"),
		F("node_modules/@s/x/y/package.json",
		  "{\"name\":\"y\",\"version\":\"1.0.0\"}"),
		F("node_modules/c/yarn.lock", "x"));

	ok_int(json_count(o, "/slice/packages/ANY", "{}"), 1);
	ok_json(o, "/slice/installed/0",
		"{\"name\":\"@s/d\",\"version\":\"1.0.0\","
		"\"source\":\"node_modules/.pnpm/d@1.0.0/node_modules/@s/"
		"d/package.json\"}");
	ok_json(o, "/slice/installed/1",
		"{\"name\":\"a\",\"version\":\"2.0.0\","
		"\"source\":\"node_modules/a/package.json\"}");
	ok_json(o, "/slice/installed/2/name", "\"b\"");
	ok_no_json(o, "{\"name\":\"lib\"}");
	ok_no_json(o, "{\"name\":\"y\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY/name", "\"@s/d\"");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"b\",\"version\":\"1.0.1\","
		"\"reason\":\"installed_differs\","
		"\"expected\":\"1.0.0\",\"found\":\"1.0.1\","
		"\"source\":\"node_modules/b/package.json\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"c\",\"version\":\"3.0.0\","
		"\"reason\":\"installed_differs\",\"expected\":null}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"b\",\"version\":\"1.0.1\","
		"\"reason\":\"install-script\"}");
	ok_int(json_count(o, "/slice/native_modules/ANY", "{}"), 1);
	ok_json(o, "/errors", "[]");
	free(o);
}

static void importers_are_cut_and_said(void)
{
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "lockfileVersion: '9.0'\nimporters:\n");
	for (int i = 0; i < 20000; i++)
		buf_format(&b, "  packages/number-%d: {}\n", i);
	o = PROBE(F("pnpm-lock.yaml", b.bytes));
	ok_json(o, "/slice/lockfiles/ANY/entries", "0");
	ok_json(o, "/slice/lockfiles/ANY/importers/0", "\"packages/number-0\"");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":\"pnpm-lock.yaml\","
		"\"message\":\"importers: 14253 more do not fit in 128 KiB\"}");
	ok_lacks(o, "packages/number-19999");
	free(o);
}

static void patterns_that_take_too_long_are_left(void)
{
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "{\"name\":\"r\",\"workspaces\":[\"p/*\"");
	for (int i = 0; i < 900; i++) {
		buf_text(&b, ",\"!{");
		for (int k = 0; k < 200; k++)
			buf_text(&b, "*a,");
		buf_text(&b, "x}\"");
	}
	buf_text(&b, "]}");
	o = PROBE(F("package.json", b.bytes),
		  F("p/a/package.json", "{\"name\":\"a\"}"),
		  F("p/b/package.json", "{\"name\":\"b\"}"),
		  F("p/c/package.json", "{\"name\":\"c\"}"));
	ok_json(o, "/errors/ANY",
		"{\"code\":\"workspace_work\",\"source\":null,"
		"\"message\":\"there are too many patterns and packages to "
		"compare: the workspaces are incomplete\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"c\"}");
	free(o);
}

static void patterns_are_capped(void)
{
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "{\"workspaces\":[\"a\"");
	for (int i = 0; i < 1000; i++)
		buf_text(&b, ",\"b\"");
	buf_text(&b, ",\"c\"]}");
	o = PROBE(F("package.json", b.bytes),
		  F("a/package.json", "{\"name\":\"a\"}"),
		  F("c/package.json", "{\"name\":\"c\"}"));
	ok_json(o, "/warnings/ANY/message",
		"\"more than 1000 patterns; the rest is ignored\"");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"version\":null,\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"c\"}");
	free(o);
}

/* Sixty lockfiles that all name one manifest. */
static void comparing_ends(void)
{
	static char names[60][32];
	struct probe_file files[64] = { 0 };
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "{\"dependencies\":{\"x\":\"1\"");
	for (int i = 0; i < 70000; i++)
		buf_format(&b, ",\"d%d\":\"1\"", i);
	buf_text(&b, "}}");
	files[0] = (struct probe_file){ "package.json", b.bytes };
	for (size_t i = 0; i < 60; i++) {
		(void)snprintf(names[i], sizeof names[i], "l%zu/pnpm-lock.yaml",
			       i);
		files[i + 1] = (struct probe_file){
			names[i], "lockfileVersion: '9.0'\nimporters: "
				  "{..: {}}\n"
		};
	}
	o = probe_files("node_manifest", node_manifest_run, files);
	ok_json(o, "/warnings/ANY/message",
		"\"more than 4000000 dependencies to compare with lockfiles; "
		"the rest is not compared\"");
	ok_json(o, "/slice/lockfiles/ANY/importers", "[\"..\"]");
	ok_json(o, "/slice/integrity_mismatch/ANY/reason",
		"\"manifest_differs\"");
	free(o);
}

static void paths_stay_in_the_repository(void)
{
	static const struct {
		const char *dir, *path, *want;
	} rows[] = {
		{ "", "", "" },
		{ "", ".", "" },
		{ "a", "b/../c/.", "a/c" },
		{ "a/b", "../../c", "c" },
		{ "a", "../..", NULL },
		{ "", "..", NULL },
		{ "", "/etc", NULL },
		{ "a", "//b", NULL },
		{ "a", "b//c/", "a/b/c" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		owned_buf struct buf b = { 0 };
		struct json_text dir = { rows[i].dir, strlen(rows[i].dir) };
		struct json_text path = { rows[i].path, strlen(rows[i].path) };
		bool fine = node_path_join(&b, dir, path);

		ok_int(fine, rows[i].want != NULL);
		if (rows[i].want != NULL)
			ok(b.len == strlen(rows[i].want) &&
			   memcmp(b.bytes ? b.bytes : "", rows[i].want,
				  b.len) == 0);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(pnpm_workspaces_take_away_in_any_order),
		CASE(npm_workspaces_take_the_last_word),
		CASE(lerna_has_packages), CASE(a_workspace_may_lie_deeper),
		CASE(bad_workspaces_are_a_warning),
		CASE(optional_peers_are_told), CASE(bun_locks),
		CASE(a_binary_lock_is_there), CASE(rust_and_scripts_are_told),
		CASE(node_modules_are_no_packages),
		CASE(importers_are_cut_and_said),
		CASE(patterns_that_take_too_long_are_left),
		CASE(patterns_are_capped), CASE(comparing_ends),
		CASE(paths_stay_in_the_repository), TAP_END });
}
