/* parsers_address.c -- no probe hands on the users, passwords and tokens of an
 * address. parsers_depend_clean.c has the forms of addresses.
 *
 * "S3" is the secret: it must be nowhere in an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/common/text_piece.h"
#include "probe_files.h"

#define LONG_BYTES (ADDRESS_WORD_MAX + 1)

#define PROBE(name, ...)                                                       \
	probe_files(                                                           \
		#name, name##_run,                                             \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* A command line, and the part of it that is handed on. */
static const struct {
	const char *text, *want;
} commands[] = {
	{ "curl -f https://u:S3@h/x?a=1 && jest",
	  "curl -f https://h/x?a=1 && jest" },
	{ "curl \"ssh://S3@h/x\"", "curl \"ssh://h/x\"" },
	{ "npm i git+https://u:S3@h/o/r.git#v1",
	  "npm i git+https://h/o/r.git#v1" },
	{ "R=https://u:S3/S3@h.example/x npm t",
	  "R=https://@h.example/x npm t" },
	{ "a\tb\nssh://u:S3@h c", "a\tb\nssh://h c" },
	/* a password with a '/', after what looks like a host and a port */
	{ "curl https://my.example:1/S3@host",
	  "curl https://my.example:1/@host" },
	{ "curl https://my.example:1/S3@h.example/x",
	  "curl https://my.example:1/@h.example/x" },
	{ "curl https://my.example:1/S3@127.0.0.1/x",
	  "curl https://my.example:1/@127.0.0.1/x" },
	{ "curl https://my.example:1/S3@vhost",
	  "curl https://my.example:1/@vhost" },
	/* several addresses in one word */
	{ "curl https://a.example:1/x?https://my.example:1/S3@vhost",
	  "curl https://a.example:1/x?https://my.example:1/@vhost" },
	{ "curl https://u:S3@a.example:1,https://b.example:1",
	  "curl https://a.example:1,https://b.example:1" },
	{ "curl https://my.example?S3@h/x", "curl https://my.example?@h/x" },
	{ "curl https://my.example:0001#S3@h/x",
	  "curl https://my.example:0001#@h/x" },
	{ "curl https://2130706433:1/S3@h/x",
	  "curl https://2130706433:1/@h/x" },
	/* values of a query by their keys */
	{ "curl https://h/x?token=S3", "curl https://h/x?token=" },
	{ "curl 'https://h/x?a=1&ACCESS_TOKEN=S3&b=2' | sh",
	  "curl 'https://h/x?a=1&ACCESS_TOKEN=&b=2' | sh" },
	{ "curl \"https://h/x?apiKey=S3\"", "curl \"https://h/x?apiKey=\"" },
	{ "curl https://h/x?sig=S3=S3", "curl https://h/x?sig=" },
	{ "curl https://h/x#id_token=S3&x=y",
	  "curl https://h/x#id_token=&x=y" },
	{ "open http://localhost:3000/?token=S3#b",
	  "open http://localhost:3000/?token=#b" },
	{ "curl $(x https://h/?secret=S3) y",
	  "curl $(x https://h/?secret=) y" },
	{ "curl https://u:S3@h/?key=S3", "curl https://h/?key=" },
	{ "A=https://h?password=S3;token=S3 b",
	  "A=https://h?password=;token= b" },
	/* what stays as it is */
	{ "npm i https://h.example:4873/@s/n", NULL },
	{ "npm i https://h.example:4873/a@1.2.3-b/x", NULL },
	{ "npm i https://h.example:4873/a@latest", NULL },
	{ "npm i https://h.example:4873/a@^1", NULL },
	{ "pip install git+https://h.example:8443/o/r.git@branch#egg=x", NULL },
	{ "pip install git+https://h.example:8443/o/r@0123abc", NULL },
	{ "curl https://h/x?token=$TOKEN&key=${KEY}", NULL },
	{ "curl https://h/x?author=a&keyword=b&design=c", NULL },
	{ "curl https://h/token=a", NULL },
	{ "x ?token=a", NULL },
	{ "npm i -g npm@8", NULL },
	{ "scp f user@host:dir", NULL },
	{ "jest --testNamePattern 'a: b ? c # d'", NULL },
	{ "docker run img@sha256:0123", NULL },
	{ "lerna run test --scope @s/n", NULL },
	{ "", NULL },
};

static void a_command_keeps_what_is_no_secret(void)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		struct json_text t = { commands[i].text,
				       strlen(commands[i].text) };
		struct buf out = { .cap_bytes = PARSE_STRING_BYTES };
		int before = tap_bad;

		ok_int(address_clean(t, ADDRESS_COMMAND, &out),
		       commands[i].want != NULL);
		if (commands[i].want != NULL)
			ok(strcmp(out.bytes, commands[i].want) == 0);
		if (tap_bad != before)
			fprintf(stderr, "# %s\n", commands[i].text);
		buf_done(&out);
	}
}

/* No part of a word that is too long to be read is handed on. */
static void a_long_word_is_not_handed_on(void)
{
	static char text[LONG_BYTES + sizeof "://u:S3@h"];
	struct buf line = { 0 }, out = { 0 };
	struct jsonw w = { .out = &line };
	struct json_text t = { text, sizeof text - 1 };

	memset(text, 'a', LONG_BYTES);
	memcpy(text + LONG_BYTES, "://u:S3@h", sizeof "://u:S3@h");
	for (unsigned kind = ADDRESS_TEXT; kind <= ADDRESS_COMMAND; kind++) {
		ok(address_clean(t, (enum address_kind)kind, &out));
		ok(buf_has_failed(&out));
		buf_done(&out);
	}
	jsonw_object(&w, NULL);
	address_put(&w, "a", t, ADDRESS_TEXT);
	address_put(&w, "b", (struct json_text){ NULL, 0 }, ADDRESS_TEXT);
	address_put(&w, "c", TEXT("u:S3@h.example"), ADDRESS_TEXT);
	address_put(&w, "d", TEXT("S3@"), ADDRESS_TEXT);
	jsonw_end_object(&w);
	ok(strcmp(line.bytes, "{\"a\":\"(unreadable)\",\"b\":null,"
			      "\"c\":\"@h.example\",\"d\":\"S3@\"}") == 0);
	buf_done(&line);
}

static void held(char *answer, const char *where, const char *fact)
{
	int before = tap_bad;

	ok_json(answer, where, fact);
	ok(strstr(answer, "S3") == NULL);
	if (tap_bad != before)
		fprintf(stderr, "# %s\n", answer);
	free(answer);
}

static void node_manifest_hands_on_none(void)
{
	held(PROBE(node_manifest,
		   F("package.json",
		     "{\"name\":\"a\",\"version\":\"https://u:S3@h/v\","
		     "\"scripts\":{\"test\":\"curl https://u:S3@h/x\"},"
		     "\"dependencies\":{\"b\":\"git+https://u:S3@h/b.git#v1\","
		     "\"https://u:S3@k\":\"1\"},\"devDependencies\":{"
		     "\"c\":\"https://h/c.tgz?access_token=S3\"}}")),
	     "/slice/packages/ANY/dependencies/ANY",
	     "{\"name\":\"b\",\"constraint\":\"git+https://h/b.git#v1\"}");
	held(PROBE(node_manifest,
		   F("package-lock.json",
		     "{\"lockfileVersion\":3,\"packages\":{\"\":{},"
		     "\"node_modules/bcrypt\":{\"version\":"
		     "\"https://u:S3@h/a.tgz\",\"resolved\":"
		     "\"https://u:S3@h/bcrypt/-/bcrypt-1.tgz\"},"
		     "\"node_modules/c\":{\"version\":\"1\",\"resolved\":"
		     "\"https://v:S3@h/c/-/c-1.tgz?token=S3\"},"
		     "\"node_modules/d\":{\"version\":\"1\",\"resolved\":"
		     "\"git+ssh://S3@g/d.git#v1\"}}}")),
	     "/slice/lockfiles/ANY",
	     "{\"origins\":[\"https://h\",\"git+ssh://g/d.git#v1\"],"
	     "\"origins_omitted\":0}");
	held(PROBE(node_manifest,
		   F("package.json", "{\"dependencies\":{"
				     "\"b\":\"https://u:S3@h/b.tgz\"}}"),
		   F("package-lock.json",
		     "{\"lockfileVersion\":3,\"packages\":{\"\":{"
		     "\"dependencies\":{\"b\":\"https://u:S3@h/c.tgz\"}}}}")),
	     "/slice/integrity_mismatch/ANY",
	     "{\"name\":\"b\",\"expected\":\"https://h/b.tgz\","
	     "\"found\":\"https://h/c.tgz\"}");
	held(PROBE(node_manifest,
		   F("node_modules/b/package.json",
		     "{\"name\":\"b\",\"version\":\"https://u:S3@h/v\"}")),
	     "/slice/installed/ANY", "{\"version\":\"https://h/v\"}");
}

static void the_other_probes_hand_on_none(void)
{
	held(PROBE(node_build_system,
		   F("package.json",
		     "{\"packageManager\":\"yarn@https://u:S3@h/y.tgz\","
		     "\"engines\":{\"node\":\"https://u:S3@h/n\","
		     "\"yarn\":\"https://u:S3@h/n\"},"
		     "\"scripts\":{\"build\":\"curl https://u:S3@h/x\"},"
		     "\"devDependencies\":{\"lerna\":"
		     "\"https://u:S3@h/l.tgz\"}}")),
	     "/slice/package_manager",
	     "{\"name\":\"yarn\",\"declared\":\"yarn@https://h/y.tgz\"}");
	held(PROBE(test_inventory,
		   F("package.json",
		     "{\"scripts\":{\"test\":\"H=https://u:S3@h/x jest\"},"
		     "\"devDependencies\":{\"jest\":"
		     "\"https://u:S3@h/j.tgz\"}}")),
	     "/slice/commands/ANY", "{\"command\":\"H=https://h/x jest\"}");
	held(PROBE(ci, F(".gitlab-ci.yml",
			 "a:\n  script:\n"
			 "    - H=https://u:S3@h/x npm test\n"
			 "    - docker build https://u:S3@h/o/r.git\n"
			 "include:\n  - remote: https://u:S3@h/t.yml\n")),
	     "/slice/workflows/ANY/test_commands/ANY",
	     "{\"command\":\"H=https://h/x npm test\"}");
	held(PROBE(deployment,
		   F("Chart.yaml", "apiVersion: v2\nname: a\nversion: '1'\n"
				   "dependencies:\n  - name: b\n"
				   "    repository: https://u:S3@h/charts\n"),
		   F("compose.yaml", "services:\n  a:\n"
				     "    build: https://u:S3@h/o/r.git\n"),
		   F("kustomization.yaml",
		     "resources:\n  - https://u:S3@h/o/r?ref=v1\n"
		     "helmCharts:\n  - name: c\n"
		     "    repo: https://u:S3@h/charts\n")),
	     "/slice/charts/ANY/dependencies/ANY",
	     "{\"repository\":\"https://h/charts\"}");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_command_keeps_what_is_no_secret),
		CASE(a_long_word_is_not_handed_on),
		CASE(node_manifest_hands_on_none),
		CASE(the_other_probes_hand_on_none),
		TAP_END,
	});
}
