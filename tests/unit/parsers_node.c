/* parsers_node.c -- node_manifest over inputs in memory. */
#include <stdlib.h>

#include "parsers/node/node.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_manifest", node_manifest_run,                            \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void dependencies_come_by_kind(void)
{
	char *o = PROBE({ "package.json",
			  "{\"name\":\"r\",\"version\":\"1.2.3\","
			  "\"dependencies\":{\"a\":\"^1\"},"
			  "\"devDependencies\":{\"b\":\"2\"},"
			  "\"peerDependencies\":{\"c\":\"3\"},"
			  "\"optionalDependencies\":{\"d\":\"4\"},"
			  "\"bundledDependencies\":[\"a\"]}" });

	ok_json(o, "",
		"{\"confidence\":\"high\",\"errors\":[],\"warnings\":[]}");
	ok_json(o, "/slice/packages/ANY",
		"{\"path\":\".\",\"name\":\"r\",\"version\":\"1.2.3\","
		"\"role\":\"root\",\"source\":\"package.json\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"^1\",\"kind\":\"runtime\","
		"\"source\":\"package.json\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"b\",\"constraint\":\"2\",\"kind\":\"dev\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"c\",\"constraint\":\"3\",\"kind\":\"peer\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"d\",\"constraint\":\"4\",\"kind\":\"optional\"}");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"^1\",\"kind\":\"bundled\"}");
	free(o);
}

static void workspaces_choose_the_packages(void)
{
	char *o = PROBE({ "package.json",
			  "{\"workspaces\":{\"packages\":[\"./p/*/\","
			  "\"!p/no\"]}}" },
			{ "p/no/package.json", "{\"name\":\"no\"}" },
			{ "p/yes/package.json", "{\"name\":\"yes\"}" },
			{ "x/package.json", "{\"name\":\"x\"}" });

	ok_json(o, "/slice/packages/ANY",
		"{\"path\":\"p/yes\",\"name\":\"yes\",\"version\":null,"
		"\"role\":\"workspace\"}");
	ok_no_json(o, "{\"name\":\"no\"}");
	ok_no_json(o, "{\"name\":\"x\"}");
	ok_has(o, "2 package.json files outside the workspaces");
	free(o);
	o = PROBE({ "a/package.json", "{}" }, { "b/package.json", "{}" });
	ok_json(o, "/slice/packages/ANY",
		"{\"path\":\"a\",\"name\":null,\"version\":null,"
		"\"role\":\"standalone\"}");
	free(o);
}

static void a_bad_file_is_named_and_the_rest_goes_on(void)
{
	char *o = PROBE({ "a\nb/package.json", "{\"a\":1,\"a\":2}" },
			{ "bad/package.json", "{\"name\":\"x\"" },
			{ "list/package.json", "[]" },
			{ "ok/package.json", "{\"name\":\"fine\"}" });

	ok_json(o, "/confidence", "\"low\"");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"duplicate_name\","
		"\"source\":\"a\\\\x0ab/package.json\",\"offset\":7}");
	ok_json(o, "/errors/ANY",
		"{\"source\":\"bad/package.json\",\"offset\":11}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"not_an_object\","
		"\"source\":\"list/package.json\"}");
	ok_json(o, "/slice/packages/ANY/name", "\"fine\"");
	free(o);
}

static void version_3_locks(void)
{
	char *o = PROBE(
		{ "package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{"
		  "\"\":{\"dependencies\":{\"a\":\"1\",\"gone\":\"1\"}},"
		  "\"w\":{},"
		  "\"node_modules/w\":{\"link\":true},"
		  "\"node_modules/a\":{\"version\":\"1.0.0\","
		  "\"integrity\":\"sha512-AAAA\"},"
		  "\"node_modules/b/node_modules/a\":{\"version\":\"1.0.0\","
		  "\"integrity\":\"sha512-BBBB\"},"
		  "\"node_modules/c/node_modules/a\":{\"version\":\"1.0.0\","
		  "\"integrity\":\"sha1-zz sha512-AAAA\"},"
		  "\"node_modules/al\":{\"name\":\"bcrypt\","
		  "\"version\":\"5.0.0\"}}}" },
		{ "package.json",
		  "{\"dependencies\":{\"a\":\"2\",\"n\":\"1\"}}" });

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"kind\":\"npm\",\"lockfile_version\":3,\"entries\":4,"
		"\"importers\":[\".\",\"w\"],"
		"\"source\":\"package-lock.json\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"bcrypt\",\"version\":\"5.0.0\","
		"\"reason\":\"catalogue\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"a\",\"version\":\"1.0.0\","
		"\"reason\":\"integrity_conflict\","
		"\"expected\":\"sha512-AAAA\",\"found\":\"sha512-BBBB\"}");
	ok_no_json(o, "{\"found\":\"sha1-zz sha512-AAAA\"}");
	ok_no_json(o, "{\"found\":\"sha1-zz\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"a\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":\"2\","
		"\"found\":\"1\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"n\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":\"1\","
		"\"found\":null}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"gone\",\"version\":null,"
		"\"reason\":\"manifest_differs\",\"expected\":null,"
		"\"found\":\"1\"}");
	free(o);
}

static void an_agreeing_lock_has_no_mismatch(void)
{
	char *o =
		PROBE({ "npm-shrinkwrap.json",
			"{\"lockfileVersion\":2,\"packages\":{\"\":{"
			"\"dependencies\":{\"a\":\"1\"},"
			"\"devDependencies\":{\"b\":\"1\"}}},"
			"\"dependencies\":{}}" },
		      { "package.json", "{\"dependencies\":{\"a\":\"1\"},"
					"\"devDependencies\":{\"b\":\"1\"}}" });

	ok_json(o, "/slice/integrity_mismatch", "[]");
	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":2,\"entries\":0}");
	free(o);
}

static void one_digest_in_common_is_enough(void)
{
	char *o = PROBE({ "package-lock.json",
			  "{\"lockfileVersion\":3,\"packages\":{"
			  "\"node_modules/a\":{\"version\":\"1.0.0\","
			  "\"integrity\":\"sha1-x sha512-AAAA\"},"
			  "\"node_modules/b/node_modules/a\":{"
			  "\"version\":\"1.0.0\","
			  "\"integrity\":\"sha1-y sha512-AAAA\"},"
			  "\"node_modules/c/node_modules/a\":{"
			  "\"version\":\"1.0.0\","
			  "\"integrity\":\"sha384-z\"}}}" });

	ok_json(o, "/slice/integrity_mismatch", "[]");
	free(o);
}

static void version_1_locks_nest(void)
{
	char *o =
		PROBE({ "package-lock.json",
			"{\"lockfileVersion\":1,\"dependencies\":{\"a\":{"
			"\"version\":\"1.0.0\",\"integrity\":\"sha512-A\","
			"\"dependencies\":{\"b\":{\"version\":\"1.0.0\","
			"\"integrity\":\"sha512-B\"}}},\"b\":{"
			"\"version\":\"1.0.0\",\"integrity\":\"sha512-C\"}}}" },
		      { "package.json",
			"{\"dependencies\":{\"a\":\"1\",\"sharp\":\"1\"}}" });

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":1,\"entries\":3,\"importers\":[\".\"]}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"expected\":\"sha512-B\",\"found\":\"sha512-C\"}");
	ok_json(o, "/slice/integrity_mismatch/ANY",
		"{\"name\":\"sharp\",\"version\":null,"
		"\"reason\":\"manifest_differs\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"sharp\",\"version\":null,"
		"\"reason\":\"catalogue\",\"source\":\"package.json\"}");
	free(o);
}

/* Each package has a lockfile of its own, which does not have those that lerna
 * links.  A package outside of the workspace gets them from the registry. */
static void lernas_packages_are_never_locked(void)
{
	char *o =
		PROBE({ "lerna.json", "{\"packages\":[\"p/*\"]}" },
		      { "package.json", "{}" },
		      { "p/a/package.json",
			"{\"name\":\"a\",\"dependencies\":{\"@x/b\":\"^1.0.0\","
			"\"c\":\"1\"}}" },
		      { "p/a/package-lock.json",
			"{\"lockfileVersion\":1,\"dependencies\":{}}" },
		      { "p/b/package.json", "{\"name\":\"@x/b\"}" },
		      { "other/package.json",
			"{\"name\":\"c\",\"dependencies\":{\"a\":\"1\"}}" },
		      { "other/package-lock.json",
			"{\"lockfileVersion\":1,\"dependencies\":{}}" });

	ok_json(o, "/slice/integrity_mismatch",
		"[{\"name\":\"a\",\"source\":\"other/package-lock.json\"},"
		"{\"name\":\"c\",\"reason\":\"manifest_differs\"}]");
	free(o);
}

static void version_1_has_directories(void)
{
	char *o = PROBE({ "package-lock.json",
			  "{\"lockfileVersion\":1,\"dependencies\":{"
			  "\"w\":{\"version\":\"file:p/w\",\"dependencies\":{"
			  "\"b\":{\"version\":\"1.0.0\"}}},"
			  "\"t\":{\"version\":\"file:t.tgz\","
			  "\"integrity\":\"sha512-T\"}}}" });

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"lockfile_version\":1,\"entries\":2}");
	free(o);
}

static void own_native_packages_are_told(void)
{
	char *o = PROBE({ "a/binding.gyp", NULL },
			{ "a/package.json", "{\"name\":\"a\"}" },
			{ "b/package.json",
			  "{\"name\":\"b\",\"napi\":{},\"version\":\"1\"}" },
			{ "c/package.json", "{\"name\":\"c\"}" });

	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"a\",\"version\":null,\"reason\":\"binding.gyp\","
		"\"source\":\"a/package.json\"}");
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"b\",\"version\":\"1\",\"reason\":\"rust\"}");
	ok_int(json_count(o, "/slice/native_modules/ANY", "{\"name\":\"c\"}"),
	       0);
	free(o);
	o = PROBE({ "a/package.json", "{\"name\":\"a\"}" },
		  { "a/src/binding.gyp", NULL });
	ok_json(o, "/slice/native_modules/ANY",
		"{\"name\":\"a\",\"version\":null,\"reason\":\"binding.gyp\","
		"\"source\":\"a/package.json\"}");
	free(o);
}

/* Packages for several platforms are one module for each version. */
static void platforms_are_one_family(void)
{
	char *o = PROBE(
		{ "package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{"
		  "\"node_modules/@esbuild/linux-x64\":{\"version\":\"2\"},"
		  "\"node_modules/@esbuild/darwin-x64\":{\"version\":\"2\"},"
		  "\"node_modules/b/node_modules/@esbuild/darwin-x64\":"
		  "{\"version\":\"2\"},"
		  "\"node_modules/c/node_modules/@esbuild/darwin-x64\":"
		  "{\"version\":\"1\"},"
		  "\"node_modules/esbuild\":{\"version\":\"2\"}}}" },
		{ "package.json", "{\"optionalDependencies\":{"
				  "\"@esbuild/win32-x64\":\"2\"}}" });

	ok_json(o, "/slice/native_modules",
		"[{\"name\":\"@esbuild/darwin-x64\",\"version\":\"1\","
		"\"reason\":\"catalogue\",\"source\":\"package-lock.json\"},"
		"{\"name\":\"@esbuild/darwin-x64\",\"version\":\"2\","
		"\"reason\":\"catalogue\",\"family\":\"@esbuild/*\","
		"\"members\":2,\"source\":\"package-lock.json\"},"
		"{\"name\":\"esbuild\"}]");
	free(o);
}

static void depth_and_strings_are_capped(void)
{
	char deep[400], *longer = malloc(PARSE_STRING_BYTES + 64), *o;
	size_t n = 0;

	n += (size_t)sprintf(deep, "{\"a\":");
	memset(deep + n, '[', 64);
	memset(deep + n + 64, ']', 64);
	strcpy(deep + n + 128, "}");
	o = PROBE({ "package.json", deep });
	ok_json(o, "/errors/ANY/code", "\"too_deep\"");
	free(o);
	n = (size_t)sprintf(longer, "{\"name\":\"");
	memset(longer + n, 'x', PARSE_STRING_BYTES + 1);
	strcpy(longer + n + PARSE_STRING_BYTES + 1, "\",\"version\":\"1\"}");
	o = PROBE({ "package.json", longer });
	ok_json(o, "/errors/ANY/code", "\"string_too_long\"");
	ok_json(o, "/slice/packages/ANY", "{\"name\":null,\"version\":\"1\"}");
	free(o);
	free(longer);
}

static void too_many_facts_are_cut_and_said(void)
{
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "{\"name\":\"big\",\"dependencies\":{\"x\":\"1\"");
	for (int i = 0; i < 20000; i++)
		buf_format(&b, ",\"package-number-%d\":\"1.0.0\"", i);
	buf_text(&b, "}}");
	o = PROBE({ "a/package.json", b.bytes },
		  { "b/package.json", "{\"name\":\"small\"}" },
		  { "package-lock.json",
		    "{\"lockfileVersion\":3,\"packages\":{\"a\":{}}}" });
	ok_json(o, "/confidence", "\"high\"");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"dependencies: 18610 do not fit (128 KiB a "
		"package, 512 KiB in all)\"}");
	ok_json(o, "/slice/packages/ANY/name", "\"big\"");
	ok_json(o, "/slice/packages/ANY/dependencies/ANY/name",
		"\"package-number-1200\"");
	ok_json(o, "/slice/packages/ANY/name", "\"small\"");
	ok_json(o, "/slice/integrity_mismatch/ANY/expected", "\"1.0.0\"");
	ok_json(o, "/slice/lockfiles/ANY/kind", "\"npm\"");
	free(o);
}

static void odd_shapes_are_no_crash(void)
{
	char *o = PROBE({ "package-lock.json",
			  "{\"lockfileVersion\":\"x\",\"packages\":{\"\":1,"
			  "\"node_modules/\":{},\"node_modules/a\":[],"
			  "\"xnode_modules/b\":{\"dependencies\":[]}}}" },
			{ "package.json",
			  "{\"name\":1,\"version\":[],\"dependencies\":[],"
			  "\"peerDependencies\":{\"p\":{}},\"workspaces\":5,"
			  "\"bundleDependencies\":true}" });

	ok_json(o, "/slice/lockfiles/ANY/lockfile_version", "null");
	ok_json(o, "/warnings/ANY/code", "\"bad_entry\"");
	ok_json(o, "/warnings/ANY/code", "\"bad_dependencies\"");
	ok_json(o, "/warnings/ANY/code", "\"bad_workspaces\"");
	free(o);
}

static void overrides_name_one_package(void)
{
	static const struct {
		const char *key, *name;
	} rows[] = {
		{ "a", "a" },
		{ "a@^1", "a" },
		{ "@s/a@1", "@s/a" },
		{ "b>a", "a" },
		{ "b@1>@s/a@2", "@s/a" },
		{ "a@>=1 <2", "a" },
		{ "a@1 || >2", "a" },
		{ "**/a", "a" },
		{ "b/**/a", "a" },
		{ "b/@s/a", "@s/a" },
		{ "@t/b/a", "a" },
		{ "a@git+https://h/x", "a" },
		{ "a@npm:1/2", "a" },
		{ "b>a@>1", "a" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct node_record r = { 0 };
		struct json_text key = { rows[i].key, strlen(rows[i].key) };

		node_record_add_override(&r, key);
		ok(r.len == 1 && text_is(r.items[0].name, rows[i].name));
		if (r.len == 1 && !text_is(r.items[0].name, rows[i].name))
			fprintf(stderr, "# %s: %.*s\n", rows[i].key,
				(int)r.items[0].name.len,
				r.items[0].name.bytes);
		node_record_done(&r);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(dependencies_come_by_kind),
		CASE(workspaces_choose_the_packages),
		CASE(a_bad_file_is_named_and_the_rest_goes_on),
		CASE(version_3_locks), CASE(an_agreeing_lock_has_no_mismatch),
		CASE(one_digest_in_common_is_enough),
		CASE(version_1_locks_nest),
		CASE(lernas_packages_are_never_locked),
		CASE(version_1_has_directories),
		CASE(own_native_packages_are_told),
		CASE(platforms_are_one_family),
		CASE(depth_and_strings_are_capped),
		CASE(too_many_facts_are_cut_and_said),
		CASE(odd_shapes_are_no_crash), CASE(overrides_name_one_package),
		TAP_END });
}
