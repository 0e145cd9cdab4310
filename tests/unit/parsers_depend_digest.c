/* parsers_depend_digest.c -- the probe dependencies: the digests that lockfiles of
 * Python, Rust, PHP and Ruby have, and the versions in archives' names. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

#define HEX40  "0123456789abcdef0123456789abcdef01234567"
#define HEX64  HEX40 "0123456789abcdef01234567"
#define SHA256 "sha256:" HEX64
#define TOML   "[[package]]\nname = \"a-b\"\nversion = \"1.0\"\n"
#define UV     TOML "source = { registry = \"https://r/s\" }\n"
#define PIPENV "{\"default\":{\"a-b\":{\"version\":\"==1.0\",\"hashes\":["
#define CARGO  TOML "source = \"registry+https://r/i\"\n"
#define COMPOSER                                                               \
	"{\"packages\":[{\"name\":\"v/a-b\",\"version\":\"1.0\",\"dist\":{"    \
	"\"type\":\"zip\",\"url\":\"https://r/a.zip\","
#define GEM                                                                    \
	"GEM\n  remote: https://r/\n  specs:\n    a-b (1.0)\n    c (2)\n\n"    \
	"CHECKSUMS\n"

static const struct {
	const char *name, *text, *want;
} rows[] = {
	{ "requirements.txt", "a-b==1.0 --hash=" SHA256 "\n", "sha256" },
	{ "requirements.txt", "a-b==1.0 \\\n  --hash=" SHA256 "\n", "sha256" },
	{ "requirements.txt", "a-b==1.0 --hash=" SHA256 " --hash=md5:00\n",
	  "none" },
	{ "requirements.txt", "a-b==1.0 --hash=sha256:00\n", "none" },
	{ "requirements.txt", "a-b==1.0 --hash=sha512:" HEX64 "\n", "none" },
	{ "requirements.txt", "a-b==1.0\n", "none" },
	{ "poetry.lock",
	  TOML "files = [{file = \"a_b-1.0.tar.gz\", hash = \"" SHA256 "\"}]\n",
	  "sha256" },
	{ "poetry.lock",
	  TOML "[metadata.files]\na-b = [{file = \"a_b-1.0.tar.gz\", "
	       "hash = \"" SHA256 "\"}]\n",
	  "sha256" },
	{ "poetry.lock", TOML "files = []\n", "none" },
	{ "poetry.lock",
	  TOML "[package.source]\ntype = \"git\"\nurl = \"https://r/a\"\n"
	       "resolved_reference = \"" HEX40 "\"\n",
	  "commit" },
	{ "poetry.lock",
	  TOML "[package.source]\ntype = \"git\"\nurl = \"https://r/a\"\n"
	       "resolved_reference = \"main\"\n",
	  "none" },
	{ "pdm.lock",
	  TOML "files = [{file = \"a_b-1.0.tar.gz\", hash = \"" SHA256 "\"}]\n",
	  "sha256" },
	{ "uv.lock",
	  UV "sdist = { url = \"https://r/a_b-1.0.tar.gz\", hash = \"" SHA256
	     "\" }\n",
	  "sha256" },
	{ "uv.lock",
	  UV "sdist = { url = \"https://r/a_b-1.0.tar.gz\", hash = \"" SHA256
	     "\" }\nwheels = [{ url = \"https://r/a_b-1.0-py3-none-any.whl\" "
	     "}]\n",
	  "none" },
	{ "uv.lock", UV, "none" },
	{ "uv.lock",
	  TOML "source = { git = \"https://r/a?rev=x#" HEX40 "\" }\n",
	  "commit" },
	{ "Pipfile.lock", PIPENV "\"" SHA256 "\"]}}}", "sha256" },
	{ "Pipfile.lock", PIPENV "\"" SHA256 "\",\"x\"]}}}", "none" },
	{ "Pipfile.lock", PIPENV "]}}}", "none" },
	{ "Cargo.lock", CARGO "checksum = \"" HEX64 "\"\n", "sha256" },
	{ "Cargo.lock", CARGO "checksum = \"00\"\n", "none" },
	{ "Cargo.lock", CARGO, "none" },
	{ "Cargo.lock", TOML "source = \"git+https://r/a#" HEX40 "\"\n",
	  "commit" },
	{ "Cargo.lock", TOML "source = \"git+https://r/a#0123\"\n", "none" },
	{ "composer.lock", COMPOSER "\"shasum\":\"" HEX40 "\"}}]}", "sha1" },
	{ "composer.lock",
	  COMPOSER "\"shasum\":\"\",\"reference\":\"" HEX40 "\"}}]}",
	  "commit" },
	{ "composer.lock", COMPOSER "\"shasum\":\"x\"}}]}", "none" },
	{ "Gemfile.lock", GEM "  a-b (1.0) sha256=" HEX64 "\n", "sha256" },
	{ "Gemfile.lock", GEM "  a-b (1.0) sha256=00\n", "none" },
	{ "Gemfile.lock", GEM "  c (2) sha256=" HEX64 "\n", "none" },
	{ "Gemfile.lock",
	  "GIT\n  remote: https://r/a\n  revision: " HEX40
	  "\n  specs:\n    a-b (1.0)\n",
	  "commit" },
};

static void a_digest_is_of_its_length(void)
{
	char want[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F(rows[i].name, rows[i].text));
		const char *at = strstr(o, "a-b\",\"version\":\"1.0\"");

		(void)snprintf(want, sizeof want,
			       "\"content\":\"%s:", rows[i].want);
		ok(at != NULL && strstr(at, want) != NULL);
		ok(at != NULL && strstr(at, "content") == strstr(at, want) + 1);
		if (at == NULL || strstr(at, want) == NULL)
			printf("# row %zu: %s wants %s: %s\n", i, rows[i].name,
			       rows[i].want, o);
		free(o);
	}
}

/* Another address, another hash, one hash more: another fingerprint. */
static void a_fingerprint_is_of_all_of_it(void)
{
	static const char *const texts[] = {
		UV "sdist = { url = \"https://r/1\", hash = \"" SHA256 "\" }\n",
		UV "sdist = { url = \"https://r/2\", hash = \"" SHA256 "\" }\n",
		UV "sdist = { url = \"https://r/1\", hash = \"sha256:" HEX40
		   "aaaaaaaaaaaaaaaaaaaaaaaa\" }\n",
		UV "sdist = { url = \"https://r/1\", hash = \"" SHA256
		   "\" }\nwheels = [{ url = \"https://r/1\", hash = \"" SHA256
		   "\" }]\n",
	};
	char seen[4][32];

	for (size_t i = 0; i < 4; i++) {
		char *o = PROBE(F("uv.lock", texts[i]));
		const char *at = strstr(o, "\"content\":\"sha256:");

		ok(at != NULL);
		(void)snprintf(seen[i], sizeof seen[i], "%.20s",
			       at != NULL ? at + 18 : "");
		for (size_t k = 0; k < i; k++)
			ok(strcmp(seen[i], seen[k]) != 0);
		free(o);
	}
}

static void archives_have_versions(void)
{
	static const struct {
		const char *file, *version;
		bool is_same;
	} archives[] = {
		{ "a_b-1.0.tar.gz", "1.0", true },
		{ "A.B-1.0-py3-none-any.whl", "1.0", true },
		{ "a_b-1.0+cu118-1-py3-none-any.whl", "1.0+cu118", true },
		{ "a_b-1.0%2Bcu118-py3-none-any.whl", "1.0+cu118", true },
		{ "a-b-2021.5.30.tar.gz", "2021.05.30", true },
		{ "a-b-1.0rc1.zip", "1.0-c1", true },
		{ "9", "1.0", true }, /* says nothing */
		{ "other-9.tar.gz", "1.0", false },
		{ "a_b-0.0.1.tar.gz", "1.0", false },
		{ "a_b-0.0.1-py3-none-any.whl?x#y", "1.0", false },
		{ "a_b-1.0.1.zip", "1.0", false },
		{ "a_b-1.0.post1.tar.bz2", "1.0", false },
	};
	char text[512];

	for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
		char *o;

		(void)snprintf(text, sizeof text,
			       "[[package]]\nname = \"a-b\"\nversion = \"%s\"\n"
			       "wheels = [{ url = \"https://r/%s\", "
			       "hash = \"" SHA256 "\" }]\n",
			       archives[i].version, archives[i].file);
		o = PROBE(F("uv.lock", text));
		ok((strstr(o, "_differs") == NULL) == archives[i].is_same);
		if ((strstr(o, "_differs") == NULL) != archives[i].is_same)
			printf("# %s\n", archives[i].file);
		free(o);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(a_digest_is_of_its_length),
					    CASE(a_fingerprint_is_of_all_of_it),
					    CASE(archives_have_versions),
					    TAP_END });
}
