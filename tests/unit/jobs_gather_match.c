/* jobs_gather_match.c -- rules of many probes against one name: quick, and with
 * the same answer as the simple loop. */
#include "jobs/probe/match.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/glob.h"
#include "tap.h"

static struct cupel_error err;

/* The simple loop: each rule in its turn. */
static uint16_t first_rule(const struct probe_input_rule *rules,
			   const char *path)
{
	for (uint16_t i = 0; rules[i].pattern != NULL; i++)
		if (glob_match(rules[i].pattern, strlen(rules[i].pattern), path,
			       strlen(path)))
			return i;
	return MATCH_NONE;
}

static void the_first_rule_that_fits_counts_for_each_probe(void)
{
	static const struct probe_input_rule a_rules[] = {
		{ "**/package.json", 5 }, { "**/*.json", 6 }, { NULL, 0 }
	};
	static const struct probe_input_rule b_rules[] = { { "**/*", 0 },
							   { NULL, 0 } };
	const struct probe a = { .name = "a", .rules = a_rules };
	const struct probe b = { .name = "b", .rules = b_rules };
	uint16_t got[3] = { MATCH_NONE, MATCH_NONE, MATCH_NONE };
	struct match m = { 0 };

	ok_int(match_add(&m, &a, 0, &err), 0);
	ok_int(match_add(&m, &b, 2, &err), 0);
	ok_int((intmax_t)match_find(&m, "x/package.json", got), 2);
	ok(got[0] == 0 && got[1] == MATCH_NONE && got[2] == 0);
	got[0] = got[2] = MATCH_NONE;
	ok_int((intmax_t)match_find(&m, "package-lock.json", got), 2);
	ok(got[0] == 1 && got[2] == 0);
	got[0] = got[2] = MATCH_NONE;
	ok_int((intmax_t)match_find(&m, "x", got), 1);
	ok(got[0] == MATCH_NONE);
	ok_int((intmax_t)match_find(&m, "", got), 0);
	match_done(&m);
}

static void every_rule_of_the_catalogue_is_matched_as_glob_match_does(void)
{
	static const char *const paths[] = {
		"package.json",
		"a/package.json",
		"a/xpackage.json",
		"package.json/x",
		"Dockerfile",
		"x/dockerfile.prod",
		"x/prod.Dockerfile",
		"charts/a/templates/b/c.tpl",
		"templates/x",
		"xtemplates/x",
		".github/workflows/ci.yml",
		".github/workflows/ci.yaml",
		".github/workflowsx",
		"x/.github/workflows/ci.yml",
		"webpack.config.js",
		"a/vite.config.mts",
		"a/.config.",
		"tsconfig.json",
		"tsconfig.base.json",
		"a/tsconfig-x.json",
		"src/a.test.ts",
		"yarn.lock",
		"a/yarn.lock",
		".yarnrc.yml",
		"a\nb\xff/x.yml",
		"Jenkinsfile",
		"a.tf",
		"a.tf.json",
	};
	struct match m = { 0 };
	uint16_t got[PROBES_MAX];

	for (size_t i = 0; i < probes_len; i++)
		ok_int(match_add(&m, &probes[i], i, &err), 0);
	for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
		for (size_t i = 0; i < probes_len; i++)
			got[i] = MATCH_NONE;
		(void)match_find(&m, paths[p], got);
		for (size_t i = 0; i < probes_len; i++)
			ok(got[i] == first_rule(probes[i].rules, paths[p]));
	}
	match_done(&m);
}

static unsigned long state = 1;

static unsigned dice(unsigned n)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(state >> 33) % n;
}

static void text_make(char *out, size_t parts, const char *const *words,
		      unsigned n)
{
	*out = '\0';
	for (size_t i = 0; i < parts; i++)
		strcat(out, words[dice(n)]);
}

/* A shortcut that drops a match, or adds one, is found here. */
static void random_rules_are_matched_as_glob_match_does(void)
{
	static const char *const of_pattern[] = {
		"a",   "b",     "ab", "/",  "/",    "*",    "**/",    "/**",
		"**",  "?",     ".",  "[a", "[ab]", "[!a]", "]",      "\\a",
		"\\*", "{a,b}", "{",  "}",  ",",    "*.a",  "{*,/b}", "[]a]"
	};
	static const char *const of_path[] = { "a",   "b", "ab", "/", ".",
					       "*",   "[", "]",  ",", "{",
					       "a.a", "/", "!" };
	size_t hits = 0;

	for (int round = 0; round < 40000; round++) {
		char pattern[64], path[64];
		const struct probe_input_rule rules[] = { { pattern, 1 },
							  { NULL, 0 } };
		const struct probe p = { .name = "p", .rules = rules };
		uint16_t got = MATCH_NONE, want;
		struct match m = { 0 };

		text_make(pattern, 1 + dice(6), of_pattern,
			  sizeof of_pattern / sizeof *of_pattern);
		text_make(path, 1 + dice(5), of_path,
			  sizeof of_path / sizeof *of_path);
		if (match_add(&m, &p, 0, &err) == 0) {
			(void)match_find(&m, path, &got);
			want = first_rule(rules, path);
			hits += want == 0;
			if (got != want)
				fprintf(stderr, "# '%s' '%s': %d\n", pattern,
					path, want == 0);
			ok(got == want);
		}
		match_done(&m);
	}
	ok(hits > 1000);
}

static void hostile_rules_are_refused_by_name(void)
{
	char longer[GLOB_PATTERN_BYTES + 2] = "";
	struct probe_input_rule rules[] = { { longer, 1 }, { NULL, 0 } };
	const struct probe p = { .name = "bad", .rules = rules };
	struct match m = { 0 };

	memset(longer, 'a', sizeof longer - 1);
	ok_int(match_add(&m, &p, 0, &err), -E2BIG);
	ok(strstr(err.what, "probe bad: input aaa") != NULL);
	rules[0].pattern = "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}";
	ok_int(match_add(&m, &p, 0, &err), -E2BIG);
	ok(err.cause == CUPEL_CAUSE_CALLER);
	match_done(&m);
}

/* The head of a yarn.lock tells the flavour, wherever the file lies. */
static void yarn_lockfiles_are_read(void)
{
	const struct probe *p = probe_find("node_build_system");
	static const char *const paths[] = { "yarn.lock", "web/ui/yarn.lock" };

	for (size_t i = 0; i < 2; i++) {
		uint16_t rule = first_rule(p->rules, paths[i]);

		ok(rule != MATCH_NONE && p->rules[rule].cap_bytes > 0);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_first_rule_that_fits_counts_for_each_probe),
		CASE(every_rule_of_the_catalogue_is_matched_as_glob_match_does),
		CASE(random_rules_are_matched_as_glob_match_does),
		CASE(hostile_rules_are_refused_by_name),
		CASE(yarn_lockfiles_are_read), TAP_END });
}
