/* parsers_depend_purl.c -- package URLs by the test data of the purl specification
 * (its "build" rows of the seven types that are written here). */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/depend/depend.h"
#include "tap.h"

static const struct {
	enum depend_ecosystem ecosystem;
	const char *name, *version, *git; /* NULL: none */
	const char *want;                 /* "": there is none */
} rows[] = {
	{ DEPEND_NPM, "@angular/animation", "12.3.1", NULL,
	  "pkg:npm/%40angular/animation@12.3.1" },
	{ DEPEND_NPM, "foobar", "12.3.1", NULL, "pkg:npm/foobar@12.3.1" },
	{ DEPEND_NPM, "@MyScope/MyPackage", "1.0.0", NULL,
	  "pkg:npm/%40myscope/mypackage@1.0.0" },
	{ DEPEND_NPM, "my-package.js", "1.0.0", NULL,
	  "pkg:npm/my-package.js@1.0.0" },
	{ DEPEND_NPM, "mypackage", "12.4.5",
	  "git://host.com/path/to/repo.git@4345abcd34343",
	  "pkg:npm/mypackage@12.4.5?vcs_url=git://host.com/path/to/"
	  "repo.git%404345abcd34343" },
	/* Names are folded as PEP 503 says. */
	{ DEPEND_PYPI, "My.PyPI_.--._Package", "1.11.1.dev1", NULL,
	  "pkg:pypi/my-pypi-package@1.11.1.dev1" },
	{ DEPEND_PYPI, "django-allauth", "12.23", NULL,
	  "pkg:pypi/django-allauth@12.23" },
	{ DEPEND_PYPI, "ruamel.yaml", NULL, NULL, "pkg:pypi/ruamel-yaml" },
	{ DEPEND_GO, "github.com/gorilla/context", "234fd47e07d1004f0aed9c",
	  NULL,
	  "pkg:golang/github.com/gorilla/context@234fd47e07d1004f0aed9c" },
	{ DEPEND_GO, "GitHub.com/Gorilla/x", "v1+incompatible", NULL,
	  "pkg:golang/github.com/gorilla/x@v1%2Bincompatible" },
	{ DEPEND_MAVEN, "org.apache.commons:io", "1.3.4", NULL,
	  "pkg:maven/org.apache.commons/io@1.3.4" },
	{ DEPEND_MAVEN, "HTTPClient:HTTPClient", "0.3-3", NULL,
	  "pkg:maven/HTTPClient/HTTPClient@0.3-3" },
	{ DEPEND_MAVEN, "mygroup:myartifact", "1.0.0 Final", NULL,
	  "pkg:maven/mygroup/myartifact@1.0.0%20Final" },
	{ DEPEND_MAVEN, "org.apache.commons:io", NULL, NULL,
	  "pkg:maven/org.apache.commons/io" },
	{ DEPEND_COMPOSER, "Laravel/Laravel", "5.5.0", NULL,
	  "pkg:composer/laravel/laravel@5.5.0" },
	{ DEPEND_CARGO, "structopt", "0.3.11", NULL,
	  "pkg:cargo/structopt@0.3.11" },
	{ DEPEND_CARGO, "Inflector", "1.2.3-a.1+b", NULL,
	  "pkg:cargo/Inflector@1.2.3-a.1%2Bb" },
	{ DEPEND_GEM, "ruby-advisory-db-check", "0.12.4", NULL,
	  "pkg:gem/ruby-advisory-db-check@0.12.4" },
	/* a name is required */
	{ DEPEND_MAVEN, "", "1.3.4", NULL, "" },
	{ DEPEND_MAVEN, ":", "1.3.4", NULL, "" },
};

static struct json_text text_of(const char *s)
{
	return (struct json_text){ s, s != NULL ? strlen(s) : 0 };
}

static void as_the_specification_builds_them(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct depend_purl purl = {
			.ecosystem = rows[i].ecosystem,
			.name = text_of(rows[i].name),
			.version = text_of(rows[i].version),
			.origin = rows[i].git != NULL ? DEPEND_GIT
						      : DEPEND_REGISTRY,
			.url = text_of(rows[i].git),
		};
		struct buf out = { 0 };

		depend_purl_write(&purl, &out);
		if (strcmp(out.len > 0 ? out.bytes : "", rows[i].want) != 0) {
			fprintf(stderr, "# is %s, wanted %s\n",
				out.len > 0 ? out.bytes : "", rows[i].want);
			ok(0);
		}
		buf_done(&out);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(as_the_specification_builds_them),
		TAP_END,
	});
}
