/* parsers_depend_clean.c -- the users, passwords and tokens of an address are
 * not handed on, and everything else is.
 *
 * In each row "S3" is the secret: it must be nowhere in the answer. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/depend/depend.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* The constraint of a package.json, and the part of it that is handed on. */
static const struct {
	const char *text, *want;
} rows[] = {
	/* users */
	{ "https://u:S3@h.example/x", "https://h.example/x" },
	{ "ssh://S3@h.example/x", "ssh://h.example/x" },
	{ "HTTPS://u:S3@h.example/x", "HTTPS://h.example/x" },
	{ "https:/u:S3@h.example/x", "https:/h.example/x" },
	{ "https:u:S3@h.example/x", "https:h.example/x" },
	{ "https:\\\\\\\\u:S3@h\\\\x", "https:\\\\\\\\h\\\\x" },
	{ "https:/\\\\u:S3@h/x", "https:/\\\\h/x" },
	{ "https:///u:S3@h/x", "https:///h/x" },
	{ "://u:S3@h/x", "://h/x" },
	{ "git:S3@h.example:o/r", "git:h.example:o/r" },
	{ "u:S3@h.example:o/r", "@h.example:o/r" },
	{ "u$:S3@h.example:o/r", "@h.example:o/r" },
	{ "u@m.example:S3@h.example:o/r", "@h.example:o/r" },
	{ "github:u:S3@o/r", "github:o/r" },
	{ "github:S3@o/r", "github:o/r" },
	{ "github:u:S3/S3@o/r", "github:o/r" },
	{ "git+ssh://u:S3@h:22/o/r.git#v1", "git+ssh://h:22/o/r.git#v1" },
	{ "^1 || https://u:S3@h/x", "^1 || https://h/x" },
	{ "a@https://u:S3@h/x", "a@https://h/x" },
	{ "patch:a@https://u:S3@h/x", "patch:a@https://h/x" },
	{ "https://h.example/https://u:S3@h/x",
	  "https://h.example/https://h/x" },
	/* a password with a character that ends an authority */
	{ "https://u:S3/S3@h.example/x", "https://@h.example/x" },
	{ "https://u:S3/S3@S3@h.example/x", "https://@h.example/x" },
	{ "https://u:S3?S3@h.example/x", "https://@h.example/x" },
	{ "https://u:S3#S3@h.example/x", "https://@h.example/x" },
	{ "https://u:S3/a#S3@h.example/x", "https://@h.example/x" },
	{ "https://u:1/S3@h.example/x", "https://u:1/@h.example/x" },
	{ "https://u:/S3@h.example/x", "https://u:/@h.example/x" },
	{ "https:u:S3/S3@h.example/x", "https:@h.example/x" },
	{ "git:S3/S3@h.example:o/r", "git:h.example:o/r" },
	{ "u:S3/S3@h.example:o/r", "@h.example:o/r" },
	{ "https://u:S3", "https://u" },
	/* the host that a client connects to stays */
	{ "https://e.example:443/S3@h.example/x",
	  "https://e.example:443/@h.example/x" },
	{ "https://e.example:000443/S3@h.example/x",
	  "https://e.example:000443/@h.example/x" },
	{ "https://e.example:/S3@h.example/x",
	  "https://e.example:/@h.example/x" },
	{ "https://3232235777:80/S3@h.example/x",
	  "https://3232235777:80/@h.example/x" },
	{ "https://e.example?S3@h.example/x", "https://e.example" },
	{ "https://e.example:1?S3@h.example/x", "https://e.example:1" },
	{ "https://e.example#S3@h.example/x",
	  "https://e.example#@h.example/x" },
	{ "https://u:S3@e.example:1/a@h.example/x",
	  "https://e.example:1/a@h.example/x" },
	{ "https:e.example:1/S3@h.example/x",
	  "https:e.example:1/@h.example/x" },
	{ "https:e.example/a@h.example/x", NULL },
	{ "git+ssh://e.example:S3/S3@h.example/x", "git+ssh://@h.example/x" },
	{ "git@e.example:S3@h.example:o/r", "@h.example:o/r" },
	/* queries and fragments */
	{ "https://h/x.tgz?access_token=S3", "https://h/x.tgz" },
	{ "https://h/x.tgz?S3", "https://h/x.tgz" },
	{ "https://h/x.tgz#token=S3", "https://h/x.tgz" },
	{ "https://h/x.tgz?a=1&token=S3#sha256=ab",
	  "https://h/x.tgz#sha256=ab" },
	{ "git+https://h/x?rev=1&token=S3#abc", "git+https://h/x?rev=1#abc" },
	{ "git+https://h/x#egg=a&token=S3&subdirectory=b/c",
	  "git+https://h/x#egg=a&subdirectory=b/c" },
	{ "git+https://h/x#egg=a;token=S3", "git+https://h/x" },
	{ "git+https://h/x#v1&token=S3", "git+https://h/x#v1" },
	{ "git+https://h/x#token%3DS3", "git+https://h/x" },
	{ "git+https://h/x#semver:token=S3", "git+https://h/x" },
	{ "git@h.example:o/r.git#token=S3", "git@h.example:o/r.git" },
	{ "o/r?token=S3", "o/r" },
	{ "github:o/r#token=S3", "github:o/r" },
	/* what stays as it is */
	{ "git+https://h.example/x.git@v1#egg=a", NULL },
	{ "git+https://h.example/x.git#v1.2", NULL },
	{ "git+https://h.example:8443/o/r@v1", NULL },
	{ "git+https://[::1]:8443/o/r@v1", NULL },
	{ "http://localhost:1/o/r@v1", NULL },
	{ "http://registry:4873/@scope/n/-/n-1.tgz", NULL },
	{ "https://h.example/@scope/n/-/n-1.tgz#0123456789abcdef", NULL },
	{ "https://h.example/o/r.git#@scope/n@1.2.3", NULL },
	{ "git@github.com:o/r.git", NULL },
	{ "git@github.com:o/r.git#semver:^1", NULL },
	{ "github:o/r#semver:^1.2", NULL },
	{ "github:o/r#semver:>=1.2", NULL },
	{ "github:o/r#n@1.2.3", NULL },
	{ "github:o/r#v1&path:/a/b", NULL },
	{ "o/r#v1", NULL },
	{ "workspace:^", NULL },
	{ "workspace:n@^1", NULL },
	{ "workspace:@scope/n@*", NULL },
	{ "file:../@scope/n", NULL },
	{ "file:///@scope/n@1", NULL },
	{ "link:./a:b@c", NULL },
	{ "patch:n@npm%3A1.2#./p.patch::version=1.2&hash=3f", NULL },
	{ "catalog:react@18", NULL },
	{ "unknown:@scope/n@1", NULL },
	{ ">=1.0@dev", NULL },
	{ ">=1 <2 || 3.x", NULL },
	{ "latest", NULL },
	{ "", NULL },
};

static void an_address_keeps_what_is_no_secret(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *want = rows[i].want ? rows[i].want : rows[i].text;
		struct buf text = { 0 }, json = { 0 };
		int before = tap_bad;
		char *o;

		buf_format(&text, "{\"dependencies\":{\"a\":\"%s\"}}",
			   rows[i].text);
		buf_format(&json, "{\"name\":\"a\",\"constraint\":\"%s\"}",
			   want);
		o = PROBE(F("package.json", text.bytes));
		ok_json(o, "/slice/dependencies/ANY", json.bytes);
		ok(strstr(o, "S3") == NULL);
		if (tap_bad != before)
			fprintf(stderr, "# %s\n", rows[i].text);
		free(o);
		buf_done(&text);
		buf_done(&json);
	}
}

/* Places that the table above does not reach. */
static void no_place_of_a_file_keeps_a_secret(void)
{
	static const struct probe_file files[] = {
		F("package.json",
		  "{\"dependencies\":{\"https://u:S3@k\":\"1\"}}"),
		F("package.json", "{\"name\":\"https://u:S3@k\","
				  "\"version\":\"https://u:S3@k\"}"),
		F("package-lock.json",
		  "{\"lockfileVersion\":3,\"packages\":{\"\":{},"
		  "\"node_modules/a\":{\"version\":"
		  "\"https://u:S3@h/a.tgz?token=S3#token=S3\"},"
		  "\"node_modules/https://u:S3@k\":{\"version\":\"1\"}}}"),
		F("yarn.lock", "# yarn lockfile v1\n\n\n"
			       "\"https://u:S3@h/a.tgz\":\n"
			       "  version \"1.0.0\"\n"
			       "  resolved \"https://u:S3@h/a.tgz#S3=1\"\n"),
		F("pnpm-lock.yaml",
		  "lockfileVersion: '9.0'\npackages:\n"
		  "  'a@https://u:S3@h/a.tgz':\n"
		  "    resolution: {tarball: https://u:S3@h/a.tgz}\n"),
		F("requirements.txt", "a @ https://h/a.whl?access_token=S3\n"
				      "git+https://h/a?token=S3#egg=a\n"
				      "https:u:S3@h/a.whl#egg=a\n"),
		F("poetry.lock", "[[package]]\nname='https://u:S3@h/a'\n"
				 "version='https://u:S3@h/a'\n"
				 "[package.dependencies]\n"
				 "'https://u:S3@h/b'='1'\n"),
		F("Cargo.lock",
		  "[[package]]\nname='a'\nversion='1'\n"
		  "source='git+https://h.example/a?token=S3&rev=1#ab'\n"),
		F("Pipfile.lock",
		  "{\"default\":{\"a\":{\"git\":\"https://u:S3@h/a\","
		  "\"ref\":\"token=S3\"}}}"),
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		int before = tap_bad;
		char *o = PROBE(files[i]);

		ok_json(o, "/slice/files/ANY", "{\"role\":\"own\"}");
		ok(strstr(o, "S3") == NULL);
		if (tap_bad != before)
			fprintf(stderr, "# %s\n%s\n", files[i].name, o);
		free(o);
	}
}

static void other_names_stay(void)
{
	char *o = PROBE(
		F("package.json",
		  "{\"dependencies\":{\"@s/a\":\"npm:@t/b@1.2\","
		  "\"c\":\"npm:d@^1\"}}"),
		F("requirements.txt",
		  "one @ git+ssh://git@h.example/o/r.git@v1 ; "
		  "python_version>'3'\ntwo==1.0;extra=='a@b:c@d'\n"),
		F("pom.xml",
		  "<project><dependencies><dependency><groupId>g.x</groupId>"
		  "<artifactId>a</artifactId><version>1@2</version>"
		  "</dependency></dependencies></project>"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"@t/b\",\"constraint\":\"1.2\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"d\",\"constraint\":\"^1\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"one\",\"url\":"
		"\"git+ssh://h.example/o/r.git@v1\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"two\",\"constraint\":\"==1.0\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"g.x:a\",\"constraint\":\"1@2\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(an_address_keeps_what_is_no_secret),
		CASE(no_place_of_a_file_keeps_a_secret),
		CASE(other_names_stay),
		TAP_END,
	});
}
