/* parsers_node_pnpm.c -- node_manifest: pnpm's lockfiles and workspaces. */
#include <stdlib.h>

#include "parsers/node/node.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_manifest", node_manifest_run,                            \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })
#define LOCK(t) F("pnpm-lock.yaml", t)
#define ROOT(t) F("package.json", t)

static void version_9_locks(void)
{
	char *o = PROBE(LOCK("lockfileVersion: '9.0'\n"
			     "importers:\n"
			     "  .:\n"
			     "    dependencies:\n"
			     "      al:\n"
			     "        specifier: npm:bcrypt@^5\n"
			     "        version: bcrypt@5.1.0\n"
			     "      old: {specifier: ^1, version: 1.0.0}\n"
			     "  packages/w:\n"
			     "    devDependencies:\n"
			     "      '@s/x':\n"
			     "        specifier: 'catalog:'\n"
			     "        version: 2.0.0(p@1.0.0)\n"
			     "  empty: {}\n"
			     "packages:\n"
			     "  bcrypt@5.1.0:\n"
			     "    resolution: {integrity: sha512-AAAA}\n"
			     "    cpu: [x64, {bcrypt: 1}]\n"
			     "  '@s/x@2.0.0':\n"
			     "    resolution: {integrity: sha512-BBBB}\n"
			     "  g@https://h/g.tgz:\n"
			     "    resolution: {tarball: https://h/g.tgz}\n"
			     "    version: 7.0.0\n"
			     "snapshots:\n"
			     "  bcrypt@5.1.0: {}\n"
			     "  '@s/x@2.0.0(p@1.0.0)': {}\n"),
			ROOT("{\"dependencies\":{\"al\":\"npm:bcrypt@^5\","
			     "\"old\":\"^2\",\"new\":\"1\"}}"),
			F("packages/w/package.json",
			  "{\"devDependencies\":{\"@s/x\":\"catalog:\"}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"kind\":\"pnpm\",\"lockfile_version\":\"9.0\","
		"\"entries\":3,\"importers\":[\".\",\"packages/w\","
		"\"empty\"],\"source\":\"pnpm-lock.yaml\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"bcrypt\",\"version\":\"5.1.0\","
		"\"reason\":\"catalogue\",\"source\":\"pnpm-lock.yaml\"}");
	ok_json(o, "/slice/integrity_mismatch",
		"[{\"name\":\"old\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":\"^2\","
		"\"found\":\"^1\",\"source\":\"pnpm-lock.yaml\"},"
		"{\"name\":\"new\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":\"1\","
		"\"found\":null,\"source\":\"pnpm-lock.yaml\"}]");
	ok_json(o, "",
		"{\"confidence\":\"high\",\"errors\":[],\"warnings\":[]}");
	free(o);
}

static void version_6_locks_with_one_project(void)
{
	char *o = PROBE(LOCK("lockfileVersion: '6.1'\n"
			     "dependencies:\n"
			     "  a:\n"
			     "    specifier: ^1\n"
			     "    version: 1.0.0(b@2)\n"
			     "packages:\n"
			     "  /a@1.0.0(b@2):\n"
			     "    resolution: {integrity: sha512-AAAA}\n"
			     "  /a@1.0.0(b@3):\n"
			     "    resolution: {integrity: sha512-BBBB}\n"
			     "    requiresBuild: true\n"
			     "  file:v:\n"
			     "    resolution: {directory: v, type: directory}\n"
			     "    name: bufferutil\n"
			     "    version: 4.0.0\n"),
			ROOT("{\"dependencies\":{\"a\":\"^1\"}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":\"6.1\",\"entries\":3,"
		"\"importers\":[\".\"]}");
	ok_json(o, "/slice/integrity_mismatch",
		"[{\"name\":\"a\",\"version\":\"1.0.0\","
		"\"reason\":\"integrity_conflict\","
		"\"expected\":\"sha512-AAAA\",\"found\":\"sha512-BBBB\","
		"\"source\":\"pnpm-lock.yaml\"}]");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"a\",\"version\":\"1.0.0\","
		"\"reason\":\"install-script\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"bufferutil\",\"version\":\"4.0.0\","
		"\"reason\":\"catalogue\"}");
	free(o);
}

static void version_5_locks(void)
{
	char *o = PROBE(LOCK("lockfileVersion: 5.4\n"
			     "specifiers:\n"
			     "  '@s/x': ^1\n"
			     "  gone: ^1\n"
			     "dependencies:\n"
			     "  '@s/x': 1.0.0_sharp@0.32.0\n"
			     "  gone: 1.0.0\n"
			     "packages:\n"
			     "  /@s/x/1.0.0_sharp@0.32.0:\n"
			     "    resolution: {integrity: sha512-AAAA}\n"
			     "  /sharp/0.32.0:\n"
			     "    resolution: {integrity: sha512-BBBB}\n"),
			ROOT("{\"dependencies\":{\"@s/x\":\"^1\"}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":\"5.4\",\"entries\":2,"
		"\"importers\":[\".\"]}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"sharp\",\"version\":\"0.32.0\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"gone\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":null,"
		"\"found\":\"^1\"}");
	free(o);
	o = PROBE(LOCK("importers:\n"
		       "  a:\n"
		       "    dependencies:\n"
		       "      n: 1.0.0\n"
		       "    specifiers:\n"
		       "      n: ^1\n"
		       "  ../out: {}\n"
		       "lockfileVersion: 5.2\n"
		       "packages:\n"
		       "  /n/1.0.0:\n"
		       "    resolution:\n"
		       "      integrity: sha512-AAAA\n"),
		  F("a/package.json", "{\"dependencies\":{\"n\":\"^2\"}}"));
	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":\"5.2\",\"entries\":1,"
		"\"importers\":[\"a\",\"../out\"]}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"expected\":\"^2\",\"found\":\"^1\"}");
	free(o);
}

static void what_is_in_a_list_is_no_fact(void)
{
	char *o =
		PROBE(LOCK("lockfileVersion: 5.4\n"
			   "importers:\n"
			   "  a: {specifiers: {n: ^1}}\n"
			   "  b: [{x: ^1}, [{y: ^1}]]\n"
			   "  c: {}\n"
			   "packages:\n"
			   "  - /sharp/1.0.0: {version: 1.0.0}\n"),
		      F("a/package.json", "{\"dependencies\":{\"n\":\"^1\"}}"),
		      F("b/package.json", "{}"), F("c/package.json", "{}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"entries\":0,\"importers\":[\"a\",\"c\"]}");
	ok_json(o, "/slice",
		"{\"native_modules\":[],\"integrity_mismatch\":[]}");
	free(o);
}

static void a_package_twice_is_a_warning(void)
{
	char *o = PROBE(LOCK("lockfileVersion: '9.0'\n"
			     "packages:\n"
			     "  b@1.0.0: {}\n"
			     "  a@1.0.0: {}\n"
			     "  b@1.0.0: {}\n"));

	ok_json(o, "/warnings",
		"[{\"code\":\"duplicate_name\",\"source\":\"pnpm-lock.yaml\","
		"\"message\":\"the lockfile has this name more than once: "
		"b@1.0.0\"}]");
	free(o);
}

static void keys_come_apart(void)
{
	static const struct {
		const char *key;
		bool is_before_6;
		const char *name, *version;
	} rows[] = {
		{ "/a/1.0.0", true, "a", "1.0.0" },
		{ "/@s/a/1.0.0", true, "@s/a", "1.0.0" },
		{ "/@s/a/1.0.0_b@2+c@3", true, "@s/a", "1.0.0" },
		{ "/a/1.0.0/b@2.0.0", true, "a", "1.0.0" },
		{ "/a", true, "/a", NULL },
		{ "/a/", true, "/a/", NULL },
		{ "/", true, "/", NULL },
		{ "github.com/a/b/c0ffee", true, "github.com/a/b/c0ffee",
		  NULL },
		{ "/a@1.0.0", false, "a", "1.0.0" },
		{ "/@s/a@1.0.0(b@2)(c@3(d@4))", false, "@s/a", "1.0.0" },
		{ "@s/a@1.0.0", false, "@s/a", "1.0.0" },
		{ "a@file:x", false, "a", "file:x" },
		{ "a", false, "a", NULL },
		{ "@", false, "@", NULL },
		{ "", false, "", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct json_text key = { rows[i].key, strlen(rows[i].key) };
		struct json_text name, version;

		node_pnpm_key_split(key, rows[i].is_before_6, &name, &version);
		ok(text_is(name, rows[i].name));
		ok((version.bytes == NULL) == (rows[i].version == NULL));
		if (rows[i].version != NULL)
			ok(text_is(version, rows[i].version));
	}
}

static void overrides_may_differ(void)
{
	char *o =
		PROBE(LOCK("lockfileVersion: '9.0'\n"
			   "overrides:\n"
			   "  ms: 2.1.2\n"
			   "  p@1>@s/q@>=1: 3.0.0\n"
			   "importers:\n"
			   "  .:\n"
			   "    dependencies:\n"
			   "      ms: {specifier: 2.1.2, version: 2.1.2}\n"
			   "      '@s/q': {specifier: 3.0.0, version: 3.0.0}\n"
			   "      p: {specifier: 2, version: 2.0.0}\n"),
		      ROOT("{\"dependencies\":{\"ms\":\"^2\",\"@s/q\":\"1\","
			   "\"p\":\"1\"}}"));

	ok_json(o, "/slice/integrity_mismatch/ANY/name", "\"p\"");
	ok_no_json(o, "{\"expected\":\"^2\"}");
	ok_int(json_count(o, "/slice/integrity_mismatch/ANY",
			  "{\"name\":\"@s/q\"}"),
	       0);
	free(o);
}

static void peers_may_be_in_the_record(void)
{
	char *o =
		PROBE(LOCK("lockfileVersion: '9.0'\n"
			   "importers:\n"
			   "  .:\n"
			   "    dependencies:\n"
			   "      react: {specifier: ^18, version: 18.0.0}\n"),
		      ROOT("{\"peerDependencies\":{\"react\":\"^18\","
			   "\"other\":\"1\"}}"));

	ok_json(o, "/slice/integrity_mismatch", "[]");
	free(o);
}

static void lockfiles_are_held_against_each_other(void)
{
	char *o = PROBE(
		LOCK("lockfileVersion: '9.0'\n"
		     "packages:\n"
		     "  a@1.0.0: {resolution: {integrity: sha512-AAAA}}\n"),
		F("x/yarn.lock", "# yarn lockfile v1\n"
				 "a@^1:\n"
				 "  version \"1.0.0\"\n"
				 "  integrity sha512-BBBB\n"));

	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"expected\":\"sha512-AAAA\",\"found\":\"sha512-BBBB\","
		"\"source\":\"x/yarn.lock\"}");
	free(o);
}

static void bad_locks_are_named(void)
{
	static const struct {
		const char *text, *code;
	} rows[] = {
		{ "a: &x 1\nb: *x\n", "yaml_alias" },
		{ "a: &x {b: 1}\n", "yaml_alias" },
		{ "a: *x\n", "yaml_alias" },
		{ "? {a: 1}\n: 2\n", "yaml_syntax" },
		{ "a: [\n", "yaml_syntax" },
		{ "a: 1\n<<<<<<< HEAD\nb: 1\n=======\n>>>>>>> x\n",
		  "merge_conflict" },
		{ "a: \xff\n", "bad_utf8" },
	};
	char deep[256];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(LOCK(rows[i].text), ROOT("{}"));
		char code[64];

		(void)snprintf(code, sizeof code,
			       "\"errors\":[{\"code\":\"%s\","
			       "\"source\":\"pnpm-lock.yaml\"",
			       rows[i].code);
		ok_has(o, code);
		ok_json(o, "/confidence", "\"low\"");
		ok_json(o, "/slice/lockfiles", "[]");
		ok_json(o, "/slice/packages/ANY/path", "\".\"");
		free(o);
	}
	memset(deep, '[', 70);
	memset(deep + 70, ']', 70);
	deep[140] = '\0';
	{
		char *o = PROBE(LOCK(deep));

		ok_json(o, "/errors/ANY/code", "\"depth\"");
		free(o);
	}
}

static void odd_shapes_are_no_crash(void)
{
	static const char *const texts[] = {
		"",
		"1\n",
		"- a\n",
		"{}\n",
		"importers: []\n",
		"importers: {.: 1}\n",
		"importers: {.: {dependencies: [a]}}\n",
		"packages: {'': {}, a: [], '@': 1, b: {resolution: 1}}\n",
		"lockfileVersion: {a: b}\n",
		"specifiers: {a: [1]}\n",
		"a: {b: {c: {d: {e: {f: {g: {h: 1}}}}}}}\n",
		"--- {lockfileVersion: '9.0'}\n--- {importers: {a: {}}}\n",
		"overrides: {'': 1, '>': 1, '@': 1, 'a>': 1, '@a': 1}\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *o = PROBE(LOCK(texts[i]), ROOT("{\"dependencies\":1}"));

		ok_json(o, "/slice/lockfiles/ANY/kind", "\"pnpm\"");
		free(o);
	}
}

static void unknown_versions_are_a_warning(void)
{
	char *o = PROBE(LOCK("lockfileVersion: 10.0\n"));

	ok_json(o, "/slice/lockfiles/ANY/lockfile_version", "\"10.0\"");
	ok_json(o, "/warnings/ANY/code", "\"lockfile_version\"");
	free(o);
	o = PROBE(LOCK("packages: {}\n"));
	ok_json(o, "/slice/lockfiles/ANY/lockfile_version", "null");
	ok_json(o, "/warnings/ANY/code", "\"lockfile_version\"");
	free(o);
}

static void an_importer_is_compared_once(void)
{
	char *o = PROBE(LOCK("lockfileVersion: '9.0'\n"
			     "importers:\n"
			     "  .: {}\n"
			     "  ./: {}\n"
			     "  a/..: {}\n"),
			ROOT("{\"dependencies\":{\"x\":\"1\"}}"));

	ok_int(json_count(o, "/slice/integrity_mismatch/ANY/reason",
			  "\"manifest_differs\""),
	       1);
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(version_9_locks), CASE(version_6_locks_with_one_project),
		CASE(version_5_locks), CASE(what_is_in_a_list_is_no_fact),
		CASE(a_package_twice_is_a_warning), CASE(keys_come_apart),
		CASE(overrides_may_differ), CASE(peers_may_be_in_the_record),
		CASE(lockfiles_are_held_against_each_other),
		CASE(bad_locks_are_named), CASE(odd_shapes_are_no_crash),
		CASE(unknown_versions_are_a_warning),
		CASE(an_importer_is_compared_once), TAP_END });
}
