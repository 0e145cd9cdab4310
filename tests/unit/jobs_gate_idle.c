/* jobs_gate_idle.c -- which scripts run nothing, or hide how what they ran ended. */
#include "jobs/gate/kinds/idle.h"

#include <string.h>

#include "tap.h"

/* They end with 0, whatever the tests do. */
static const char *const idle[] = {
	"",
	"  ",
	"true",
	":",
	"exit 0",
	"exit",
	"echo ok",
	"echo \"no tests\" && exit 0",
	"(echo a; exit 0)",
	"exit 0; node --test",
	"node --test || true",
	"node --test; true",
	"node --test; exit 0",
	"node --test | echo ok",
	"node --test || exit 0",
	"node --test || echo failed",
	"node t.js | cat",
	"node t.js |& tee log",
	"exec node t.js | grep -v x",
	"node t.js 2>&1 | node filter.js",
	"(node t.js) | sort",
	"if node t.js; then :; fi",
	"if node t.js; then :; else :; fi",
	"while node t.js; do break; done",
	"until node t.js; do :; done",
	"for f in t/*.js; do node $f; done",
	"case x in x) node t.js;; esac",
	"! node t.js",
	"! (node t.js)",
	"node t.js &",
	"node t.js & wait",
	"(node t.js &)",
	"true > log 2>&1",
	"true &> log",
	"node t.js || :",
	"node t.js || exit 256",
	"node t.js || exit 00",
	"node t.js || exit \"0\"",
	"node t.js || { echo bad; }",
	"{ node t.js; } || true",
	"(node t.js; true)",
	"trap 'exit 0' EXIT; node t.js",
	"export x=$(node t.js)",
	"echo $(node t.js)",
	"x=1",
	"node t.js; rm -rf tmp",
	"set +e; node t.js; echo done",
	"node() { true; }; node t.js",
	"function node { true; }; node t.js",
	"time true",
	"timeout 60 true",
	"A=1 true",
	"cross-env A=1 true",
	"exec true",
	"/bin/true",
	"\"true\"",
	"\\true",
	"sh -c 'node t.js || true'",
	"eval 'node t.js; true'",
	"node --version",
	"true # node t.js",
	"node t.js\ntrue",
};

/* They end as what they ran. */
static const char *const honest[] = {
	"echo \"Error: no test specified\" && exit 1",
	"node --test",
	"echo a && node --test",
	"node --test && echo done",
	"trueish",
	"echoes",
	"true && jest",
	"jest || exit 1",
	"node --test || true && jest",
	"set -o pipefail; node t.js | cat",
	"bash -o pipefail -c 'node t.js | cat'",
	"tape t.js | tap-spec",
	"node gen.js | diff - expected",
	"ls t/*.js | xargs node --test",
	"cat in | node t.js",
	"find t -name '*.js' | xargs mocha",
	"if ! node t.js; then exit 1; fi",
	"for f in t/*.js; do node $f || exit 1; done",
	"! grep -q only t && node t.js",
	"node t.js & wait $!",
	"node t.js > log 2>&1",
	"node t.js || { echo bad; exit 1; }",
	"{ node t.js; }",
	"trap 'kill $P' EXIT; node t.js",
	"x=$(node t.js)",
	"node t.js; s=$?; rm -rf tmp; exit $s",
	"node t.js; exit",
	"node t.js; exit $?",
	"set -e; node t.js; echo done",
	"time node t.js",
	"timeout 60 node t.js",
	"env A=1 node t.js",
	"sh -c 'node t.js'",
	"bash -ec 'node t.js; echo done'",
	"eval node t.js",
	"node t.js '; true'",
	"node t.js # ; true",
	"node \\\n t.js",
	"echo a ; # node\n node t.js",
};

static void rows_hold(const char *const *rows, size_t n, bool is_idle)
{
	for (size_t i = 0; i < n; i++) {
		const struct json_text t = { rows[i], strlen(rows[i]) };

		ok(script_is_idle(t, true) == is_idle);
		if (script_is_idle(t, true) != is_idle)
			printf("# %s\n", rows[i]);
	}
}

static void what_hides_the_status_is_found(void)
{
	rows_hold(idle, sizeof idle / sizeof *idle, true);
}

static void what_says_it_is_left(void)
{
	rows_hold(honest, sizeof honest / sizeof *honest, false);
}

/* A build may copy, and write what comes out of a pipe. */
static void a_build_may_move_files(void)
{
	static const char *const builds[] = {
		"cp -r src dist",
		"rm -rf dist && mkdir dist",
		"cat a b > dist/c",
	};

	for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
		const struct json_text t = { builds[i], strlen(builds[i]) };

		ok(!script_is_idle(t, false));
		ok(script_is_idle(t, true));
	}
}

/* Brackets without end, and more of them than are followed. */
static void it_ends_on_any_text(void)
{
	static const char *const pieces[] = { "(",  "{ ",  "$(", "`",  "'",
					      "\"", "if ", "! ", "\\", "sh -c ",
					      "|",  ")",   "} ", "; ", "&",
					      ">",  "&>" };
	char text[4096];

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		const size_t n = strlen(pieces[i]);
		size_t len = 0;

		for (; len + n < sizeof text; len += n)
			memcpy(text + len, pieces[i], n);
		(void)script_is_idle((struct json_text){ text, len }, true);
		for (size_t cut = 0; cut < 12; cut++)
			(void)script_is_idle((struct json_text){ text, cut },
					     true);
		ok(1);
	}
	ok(script_is_idle((struct json_text){ "((((((((((((((node t.js", 23 },
			  true));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_hides_the_status_is_found),
		CASE(what_says_it_is_left), CASE(a_build_may_move_files),
		CASE(it_ends_on_any_text), TAP_END });
}
