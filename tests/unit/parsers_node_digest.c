/* parsers_node_digest.c -- lockfiles of npm and its kin: what is a hash, what is in
 * another one's archive, and which version an archive has. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

#define A10    "AAAAAAAAAA"
#define A80    A10 A10 A10 A10 A10 A10 A10 A10
#define A32    "aaaaaaaabbbbbbbbccccccccdddddddd"
#define SHA512 "sha512-" A80 "AAAAAA=="
#define SHA1   "sha1-" A10 A10 "AAAAAAA="
#define COMMIT "0123456789012345678901234567890123456789"

/* The lockfile around one entry `a`, whose hash is the text in the middle. */
static const struct {
	const char *name, *before, *after;
} locks[] = {
	{ "package-lock.json",
	  "{\"lockfileVersion\":3,\"packages\":{\"node_modules/a\":{"
	  "\"version\":\"1.0.0\",\"resolved\":"
	  "\"https://r.example/a/-/a-1.0.0.tgz\",\"integrity\":\"",
	  "\"}}}" },
	{ "npm-shrinkwrap.json",
	  "{\"lockfileVersion\":1,\"dependencies\":{\"a\":{"
	  "\"version\":\"1.0.0\",\"resolved\":"
	  "\"https://r.example/a/-/a-1.0.0.tgz\",\"integrity\":\"",
	  "\"}}}" },
	{ "pnpm-lock.yaml",
	  "lockfileVersion: '9.0'\n\npackages:\n\n"
	  "  a@1.0.0:\n    resolution: {integrity: '",
	  "'}\n" },
	{ "yarn.lock",
	  "# yarn lockfile v1\n\na@1:\n  version \"1.0.0\"\n"
	  "  resolved \"https://r.example/a/-/a-1.0.0.tgz\"\n"
	  "  integrity \"",
	  "\"\n" },
	{ "bun.lock",
	  "{\"lockfileVersion\":1,\"workspaces\":{},\"packages\":{"
	  "\"a\":[\"a@1.0.0\",\"\",{},\"",
	  "\"]}}" },
};

static void is_with(size_t lock, const char *hash, const char *want)
{
	char text[1024], content[64];
	char *o;

	(void)snprintf(text, sizeof text, "%s%s%s", locks[lock].before, hash,
		       locks[lock].after);
	o = PROBE(F(locks[lock].name, text));
	(void)snprintf(content, sizeof content, "\"content\":\"%s:", want);
	ok_has(o, content);
	if (strstr(o, content) == NULL)
		printf("# %s: %s\n", locks[lock].name, hash);
	free(o);
}

static void only_a_whole_digest_is_a_hash(void)
{
	static const char *const bad[] = {
		"",
		"foo",
		"sha512",
		"sha512-",
		"sha512-AA==",
		"sha999-AAAA",
		"SHA512-" A80 "AAAAAA==",
		"sha512-" A80 "AAAAAAA",
		"sha512-" A80 "AAAAA.==",
		"sha1-" A10,
		"sha256-" A80 "AAAAAA==",
		"md5-",
		"-",
		"sha512=" A80,
	};

	for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
			is_with(i, bad[k], "none");
		is_with(i, SHA512, "sha512");
		is_with(i, SHA1, "sha1");
		is_with(i, SHA1 " " SHA512, "sha512");
		is_with(i, SHA1 " sha512-", "sha1");
		is_with(i, SHA512 "?x", "sha512");
	}
}

static void a_checksum_of_yarn_is_a_sha512(void)
{
	static const struct {
		const char *checksum, *want;
	} rows[] = {
		{ A32 A32 A32 A32, "\"content\":\"sha512:" },
		{ "10c0/" A32 A32 A32 A32, "\"content\":\"sha512:" },
		{ "10c0/", "\"content\":\"none:" },
		{ "aa", "\"content\":\"none:" },
		{ A32 A32, "\"content\":\"none:" },
	};
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o;

		(void)snprintf(text, sizeof text,
			       "__metadata:\n  version: 8\n  cacheKey: 10\n\n"
			       "\"a@npm:1\":\n  version: 1\n"
			       "  resolution: \"a@npm:1\"\n"
			       "  checksum: %s\n",
			       rows[i].checksum);
		o = PROBE(F("yarn.lock", text));
		ok_has(o, rows[i].want);
		free(o);
	}
}

/* A bundle is one only if the package that it lies in has one. */
static void a_bundle_is_claimed_by_its_parent(void)
{
	static const struct {
		const char *parent, *more;
		bool is_inside;
	} rows[] = {
		{ "\"bundleDependencies\":[\"b\"],", "", true },
		{ "\"bundleDependencies\":true,", "", true },
		{ "", "", false },
		{ "\"bundleDependencies\":[],", "", false },
		{ "\"bundleDependencies\":[\"b\"],",
		  ",\"resolved\":\"https://r.example/b/-/b-1.0.0.tgz\"",
		  false },
	};
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o;

		(void)snprintf(
			text, sizeof text,
			"{\"lockfileVersion\":3,\"packages\":{"
			"\"\":{\"name\":\"x\",\"bundleDependencies\":[\"b\"]},"
			"\"node_modules/a\":{%s\"version\":\"1.0.0\","
			"\"integrity\":\"" SHA512 "\"},"
			"\"node_modules/a/node_modules/b\":{"
			"\"version\":\"1.0.0\",\"inBundle\":true%s}}}",
			rows[i].parent, rows[i].more);
		o = PROBE(F("package-lock.json", text));
		ok((strstr(o, "\"content\":\"none:") == NULL) ==
		   rows[i].is_inside);
		free(o);
	}
}

static void what_is_no_hash_is_counted(void)
{
	char *o = probe_files("node_manifest", node_manifest_run,
			      (const struct probe_file[]){
				      F("package-lock.json",
					"{\"lockfileVersion\":3,\"packages\":{"
					"\"node_modules/a\":{\"version\":\"1\","
					"\"integrity\":\"sha512-AAAA\"},"
					"\"node_modules/b\":{\"version\":\"1\","
					"\"inBundle\":true},"
					"\"node_modules/c\":{\"version\":\"1\","
					"\"integrity\":\"" SHA1 "\"}}}"),
				      { NULL, NULL } });

	ok_json(o, "/slice/lockfiles/ANY", "{\"without_integrity\":2}");
	free(o);
}

/* Both versions may be what is installed, and the entry is a gap. */
static void an_archive_has_its_own_version(void)
{
	static const struct probe_file files[] = {
		F("1/package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{\"node_modules/@s/a\":{"
		  "\"version\":\"1.0.0\",\"resolved\":"
		  "\"https://r.example/@s/a/-/a-0.0.1.tgz\"}}}"),
		F("2/package-lock.json",
		  "{\"lockfileVersion\":1,\"dependencies\":{\"@s/a\":{"
		  "\"version\":\"1.0.0\",\"resolved\":"
		  "\"https://r.example/@s/a/-/a-0.0.1.tgz\"}}}"),
		F("3/yarn.lock",
		  "# yarn lockfile v1\n\n\"@s/a@1\":\n"
		  "  version \"1.0.0\"\n  resolved "
		  "\"https://r.example/@s/a/-/a-0.0.1.tgz#" COMMIT "\"\n"),
		F("4/yarn.lock", "__metadata:\n  version: 8\n  cacheKey: 10\n\n"
				 "\"@s/a@npm:1\":\n  version: 1.0.0\n"
				 "  resolution: \"@s/a@npm:0.0.1::x=y\"\n"),
		F("5/pnpm-lock.yaml",
		  "lockfileVersion: '9.0'\n\npackages:\n\n"
		  "  '@s/a@1.0.0':\n    resolution: {tarball: "
		  "https://r.example/@s/a/-/a-0.0.1.tgz}\n"),
		F("6/bun.lock",
		  "{\"lockfileVersion\":1,\"workspaces\":{},\"packages\":{"
		  "\"@s/a\":[\"@s/a@1.0.0\","
		  "\"https://r.example/@s/a/-/a-0.0.1.tgz\",{},\"\"]}}"),
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *o = PROBE(files[i]);

		ok_json(o, "/warnings/ANY/code", "\"version_differs\"");
		ok_json(o, "/slice/packages/ANY",
			"{\"name\":\"@s/a\",\"version\":\"1.0.0\"}");
		ok_json(o, "/slice/packages/ANY",
			"{\"name\":\"@s/a\",\"version\":\"0.0.1\"}");
		free(o);
	}
}

static void an_honest_version_is_no_gap(void)
{
	static const char *const rows[] = {
		"\"1.0.0\",\"resolved\":\"https://r/a/-/a-1.0.0.tgz?x=1\"",
		"\"1.0.0-rc.1\",\"resolved\":\"https://r/a/-/"
		"a-1.0.0-rc.1.tgz\"",
		"\"1.0.0+b\",\"resolved\":\"https://r/a/-/a-1.0.0.tgz\"",
		"\"1.0.0\",\"resolved\":\"https://r/download/a/1.0.0/x\"",
		"\"1.0.0\",\"resolved\":\"git+ssh://h/a.git#" COMMIT "\"",
		"\"1.0.0\"",
	};
	char text[512];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o;

		(void)snprintf(text, sizeof text,
			       "{\"lockfileVersion\":3,\"packages\":{"
			       "\"node_modules/a\":{\"version\":%s}}}",
			       rows[i]);
		o = PROBE(F("package-lock.json", text));
		ok_json(o, "/warnings", "[]");
		free(o);
	}
}

static void an_entry_without_a_version_is_a_gap(void)
{
	char *o = PROBE(F("package-lock.json",
			  "{\"lockfileVersion\":3,\"packages\":{"
			  "\"node_modules/a\":{\"resolved\":"
			  "\"https://r/a/-/a-0.0.1.tgz\"}}}"));

	ok_json(o, "/warnings/ANY/code", "\"version_missing\"");
	ok_json(o, "/slice/packages/ANY", "{\"version\":\"0.0.1\"}");
	free(o);
}

/* "a/-/evil-9.tgz" is not the place of a. */
static void an_archive_of_another_name_is_an_origin(void)
{
	char *o = probe_files(
		"node_manifest", node_manifest_run,
		(const struct probe_file[]){
			F("package-lock.json",
			  "{\"lockfileVersion\":3,\"packages\":{"
			  "\"node_modules/a\":{\"version\":\"1\",\"resolved\":"
			  "\"https://r/a/-/evil-9.tgz\"}}}"),
			F("1/package-lock.json",
			  "{\"lockfileVersion\":1,\"dependencies\":{"
			  "\"a\":{\"version\":\"git+ssh://evil/a.git#" COMMIT
			  "\"}}}"),
			{ NULL, NULL } });

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"https://r/a/-/evil-9.tgz\"]}");
	ok_json(o, "/slice/lockfiles/ANY",
		"{\"origins\":[\"git+ssh://evil/a.git#" COMMIT
		"\"],\"without_integrity\":0}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(only_a_whole_digest_is_a_hash),
		CASE(a_checksum_of_yarn_is_a_sha512),
		CASE(a_bundle_is_claimed_by_its_parent),
		CASE(what_is_no_hash_is_counted),
		CASE(an_archive_has_its_own_version),
		CASE(an_honest_version_is_no_gap),
		CASE(an_entry_without_a_version_is_a_gap),
		CASE(an_archive_of_another_name_is_an_origin), TAP_END });
}
