/* parsers_ci_package.c -- ci: scripts by their names in package.json and
 * composer.json. */
#include <time.h>

#include "probe_files.h"

/* ci_command_holds(), and nothing is wrong with the files. */
static void holds(const char *runner, const char *command,
		  const struct probe_file *others)
{
	char *o = ci_command_holds(runner, command, others);

	ok_json(o, "/warnings", "[]");
	ok_json(o, "/errors", "[]");
	free(o);
}
#define TESTS(runner, command, ...)                                            \
	holds(runner, command, PROBE_FILES(__VA_ARGS__))
#define NO_TESTS(command, ...) TESTS(NULL, command, __VA_ARGS__)

static void none_tests(const char *const *commands, struct probe_file manifest)
{
	for (; *commands != NULL; commands++)
		NO_TESTS(*commands, manifest);
}

static const char npm[] =
	"{\"scripts\":{\"ci\":\"npm run lint && npm run all\","
	"\"lint\":\"eslint .\",\"all\":\"jest --ci\",\"x\":\"make unit\","
	"\"sh\":\"./a.sh\",\"self\":\"npm run self\",\"n\":5,"
	"\"build:test\":\"tsc\",\"deep\":\"cd sub && npm run y\"}}";
static const char sub[] = "{\"scripts\":{\"y\":\"vitest run\"}}";

static void scripts_of_npm(void)
{
	TESTS("npm", "npm run ci", F("package.json", npm));
	TESTS("npm", "npm run-script -s ci", F("package.json", npm));
	TESTS("yarn", "yarn run ci", F("package.json", npm));
	TESTS("npm", "npm run ci -- -w a", F("package.json", npm));
	TESTS("yarn", "yarn ci -w a", F("package.json", npm));
	TESTS("yarn", "yarn ci", F("package.json", npm));
	TESTS("pnpm", "pnpm ci:all",
	      F("package.json", "{\"scripts\":{\"ci:all\":\"tap\"}}"));
	TESTS("bun", "bun run all", F("package.json", npm));
	TESTS("npm", "npm run x", F("package.json", npm),
	      F("Makefile", "unit:\n\ttox\n"));
	TESTS("npm", "npm run sh", F("package.json", npm), F("a.sh", "tox\n"));
	TESTS("make", "make", F("package.json", npm),
	      F("Makefile", "all:\n\tnpm run ci\n"));
	TESTS("npm", "npm run deep", F("package.json", npm),
	      F("sub/package.json", sub));
	TESTS("npm", "cd sub && npm run y", F("sub/package.json", sub));
	TESTS("npm", "npm --prefix sub run y", F("sub/package.json", sub));
	TESTS("yarn", "yarn --cwd=sub y", F("sub/package.json", sub));
	NO_TESTS("yarn y", F("package.json", npm), F("sub/package.json", sub));
	none_tests((const char *const[]){ "npm run lint", "npm run self",
					  "npm run n", "npm run none",
					  "npm run build:test", "npm run",
					  "npm ci",
					  /* Where these run is not known. */
					  "npm run ci -w a", "pnpm -r run ci",
					  "cd $X && npm run ci",
					  "docker run i npm run ci", NULL },
		   (struct probe_file)F("package.json", npm));
	NO_TESTS("npm run ci", F("fixtures/package.json", npm));
	NO_TESTS("cd fixtures && npm run ci", F("fixtures/package.json", npm));
}

static const char coverage[] =
	"{\"scripts\":{\"coverage\":\"c8 report --check-coverage\","
	"\"a:coverage\":\"nyc report --reporter=text-lcov | coveralls\","
	"\"b:coverage\":\"nyc npm test && nyc report\","
	"\"c:coverage\":\"c8 ./x.js && c8 report\","
	"\"d:coverage\":\"./collect.js\","
	"\"f:coverage\":\"cat lcov.info | coveralls\","
	"\"e:coverage\":\"npm run e:coverage && c8 report\","
	"\"all\":\"npm run lint && npm run coverage\","
	"\"both\":\"npm run coverage && npm run d:coverage\"}}";

/* By its name a script called so is a test; what is there says more. */
static void coverage_that_is_only_reported(void)
{
	const struct probe_file one = F("package.json", coverage);

	none_tests(
		(const char *const[]){ "npm run coverage", "yarn run coverage",
				       "pnpm run coverage", "pnpm a:coverage",
				       "npm run a:coverage",
				       "npm run f:coverage", "npm run all",
				       "npm ci && npm run coverage",
				       "npx c8 report", "npx codecov", NULL },
		one);
	NO_TESTS("npm run build:coverage", F("package.json", "{}"));
	TESTS("npm", "npm run b:coverage", one);
	/* What is measured is perhaps a test: the name decides. */
	TESTS("npm", "npm run c:coverage", one);
	TESTS("npm", "npm run d:coverage", one);
	TESTS("npm", "npm run e:coverage", one);
	TESTS("npm", "npm run both", one);
	TESTS("npm", "npm run coverage && npm run d:coverage", one);
	TESTS("npm", "npm test && npm run coverage", one);
	/* Where it runs, or what it does, is not known. */
	TESTS("npm", "npm run coverage -w a", one);
	TESTS("pnpm", "pnpm -r run coverage", one);
	TESTS("npm", "cd $X && npm run coverage", one);
	TESTS("npm", "docker run i npm run coverage", one);
	TESTS("npm", "npm run coverage", F("package.json", "{}"));
	TESTS("npm", "npm run coverage", N("Makefile"));
	/* In another directory, and through make and a script. */
	NO_TESTS("cd sub; npm run coverage", F("sub/package.json", coverage));
	TESTS("npm", "cd a; npm run coverage", F("sub/package.json", coverage));
	NO_TESTS("make", one, F("Makefile", "all:\n\tnpm run coverage\n"));
	TESTS("make", "make", one,
	      F("Makefile", "all:\n\tnpm run d:coverage\n"));
	NO_TESTS("./a.sh", one, F("a.sh", "npm run coverage\n"));
	TESTS("script", "./a.sh", one, F("a.sh", "npm run d:coverage\n"));
}

static const char checks[] =
	"{\"scripts\":{\"test:lint\":\"yarn test:lint:js && yarn test:flow\","
	"\"test:lint:js\":\"eslint .\",\"test:flow\":\"flow\","
	"\"test:unit\":\"jest\",\"test:format\":\"prettier . && ava\"}}";

/* Names of tests that are checks of another kind, unless what they run tests. */
static void checks_that_are_called_tests(void)
{
	static const char *const managers[] = { "npm run", "yarn", "pnpm",
						"bun run" };
	static const char *const names[] = {
		"lint",      "lint:js",   "flow",     "eslint", "tsc",
		"typecheck", "stylelint", "prettier", "format"
	};
	char command[64];

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			(void)snprintf(command, sizeof command, "%s test:%s",
				       managers[i], names[k]);
			NO_TESTS(command, F("package.json", "{}"));
		}
	NO_TESTS("yarn test:lint", F("package.json", checks));
	TESTS("yarn", "yarn test:unit", F("package.json", checks));
	TESTS("yarn", "yarn test:format", F("package.json", checks));
}

static const char composer[] =
	"{\"scripts\":{\"ci\":[\"@lint\",\"@unit\"],\"lint\":\"phpcs\","
	"\"unit\":[\"@php vendor/bin/phpunit\"],\"a\":\"@b\",\"b\":\"@a\","
	"\"c\":[5,[\"phpunit\"]],\"d\":\"@composer unit\"}}";

static void scripts_of_composer(void)
{
	TESTS("composer", "composer ci", F("composer.json", composer));
	TESTS("composer", "composer run-script ci",
	      F("composer.json", composer));
	TESTS("composer", "composer -d sub unit",
	      F("sub/composer.json", composer));
	TESTS("composer", "composer d", F("composer.json", composer));
	none_tests((const char *const[]){ "composer lint", "composer a",
					  "composer c", "composer install",
					  NULL },
		   (struct probe_file)F("composer.json", composer));
	NO_TESTS("composer ci", F("package.json", npm));
}

/* A manifest beside a provider's files is none of those. */
static void places(void)
{
	char *o = probe_files(
		"ci", ci_run,
		(const struct probe_file[]){
			F(".github/package.json", npm),
			F(".github/workflows/a.yml",
			  "on: push\njobs: {a: {steps: [{run: npm run "
			  "ci, working-directory: .github}]}}\n"),
			N(NULL) });

	ok_json(o, "/slice/workflows",
		"[{\"test_commands\":[{\"command\":\"npm run ci\"}]}]");
	ok_json(o, "/warnings", "[]");
	free(o);
}

static void not_read_or_broken(void)
{
	char *o = probe_files("ci", ci_run,
			      (const struct probe_file[]){
				      F(".gitlab-ci.yml",
					"a: {script: [npm run ci, yarn ci]}\n"),
				      N("package.json"), N(NULL) });

	ok_json(o, "/warnings",
		"[{\"code\":\"script_unread\",\"source\":\"package.json\"}]");
	free(o);
	NO_TESTS("npm run ci", F("package.json", "{\"scripts\":{\"ci\":"));
	NO_TESTS("npm run ci", F("package.json", "[]"));
	NO_TESTS("npm run ci", F("package.json", "{\"scripts\":[\"jest\"]}"));
	NO_TESTS("npm run ci", F("package.json", "\xff\xfe\x01{{{{"));
}

/* Of n commands of a script the last one tests. */
static char *list_of(size_t n)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "{\"scripts\":{\"ci\":[");
	for (size_t i = 1; i < n; i++)
		buf_text(&text, "\"true\",");
	buf_text(&text, "\"phpunit\"]}}");
	o = probe_files(
		"ci", ci_run,
		(const struct probe_file[]){
			F(".gitlab-ci.yml", "a: {script: [composer ci]}\n"),
			F("composer.json", text.bytes), N(NULL) });
	buf_done(&text);
	return o;
}

static void a_long_list_is_told(void)
{
	char *o = list_of(64);

	ok_json(o, "/warnings", "[]");
	ok_has(o, "\"composer ci\"");
	free(o);
	o = list_of(65);
	ok_json(o, "/warnings",
		"[{\"code\":\"truncated\",\"source\":\"composer.json\"}]");
	ok_lacks(o, "\"composer ci\"");
	free(o);
}

/* A manifest whose values need more than 16 MiB; one with half of them does not. */
static void much_memory_is_told(void)
{
	for (size_t n = 150000; n <= 300000; n += 150000) {
		struct buf text = { 0 };
		char *o;

		buf_text(&text, "{\"scripts\":{\"ci\":\"jest\"},\"x\":[1");
		for (size_t i = 0; i < n; i++)
			buf_text(&text, ",[]");
		buf_text(&text, "]}");
		ok(text.len <= (size_t)1 << 20); /* the cap of the file */
		o = probe_files("ci", ci_run,
				PROBE_FILES(F(".gitlab-ci.yml",
					      "a: {script: [npm run ci]}\n"),
					    F("package.json", text.bytes)));
		if (n == 150000)
			ok_json(o, "/warnings", "[]");
		else
			ok_json(o, "/warnings",
				"[{\"code\":\"truncated\",\"source\":"
				"\"package.json\"}]");
		ok_int(json_count(o, "/slice/workflows/0/test_commands/ANY",
				  "{}"),
		       n == 150000);
		free(o);
		buf_done(&text);
	}
}

/* Many scripts, each of which runs many others, and many commands that run them;
 * a deep tree; and one text that never ends. */
static void large_manifests(void)
{
	struct buf text = { 0 }, script = { 0 };
	clock_t begun = clock();
	char *o;

	buf_text(&text, "{\"scripts\":{");
	for (unsigned i = 0; i < 20000; i++)
		buf_format(&text,
			   "\"s%u\":\"npm run s%u; npm run s%u; npm run s%u; "
			   "yarn s%u\",",
			   i, i + 1, i + 2, i + 3, i + 4);
	buf_text(&text, "\"z\":\"true\"}}");
	buf_text(&script, "a:\n  script:\n");
	for (unsigned i = 0; i < 20000; i++)
		buf_format(&script, "  - npm run s%u\n", i);
	o = probe_files("ci", ci_run,
			(const struct probe_file[]){
				F(".gitlab-ci.yml", script.bytes),
				F("package.json", text.bytes), N(NULL) });
	ok_has(o, "\"test_commands\":[]");
	ok_has(o, "there are too many scripts");
	free(o);
	text.len = 0;
	for (unsigned i = 0; i < 1000000; i++)
		buf_text(&text, "[{");
	o = probe_files("ci", ci_run,
			(const struct probe_file[]){
				F(".gitlab-ci.yml", script.bytes),
				F("package.json", text.bytes), N(NULL) });
	free(o);
	tap_time(clock() - begun, 10 * CLOCKS_PER_SEC); /* usually 1 s */
	buf_done(&text);
	buf_done(&script);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(scripts_of_npm),
		CASE(coverage_that_is_only_reported),
		CASE(checks_that_are_called_tests),
		CASE(scripts_of_composer),
		CASE(places),
		CASE(not_read_or_broken),
		CASE(a_long_list_is_told),
		CASE(much_memory_is_told),
		CASE(large_manifests),
		TAP_END,
	});
}
