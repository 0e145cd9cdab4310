/* parsers_ci_commands.c -- ci: commands of whole projects, and what is a test among
 * them. */
#include "probe_files.h"

/* A command, and the runner whose tests it runs; NULL: none. */
static const char *const rows[][2] = {
	{ "node ./scripts/jest/jest-cli.js --build --project x", "jest" },
	{ "node node_modules/vitest/vitest.mjs run", "vitest" },
	{ "ruby test/runner.rb --verbose", "script" },
	{ "./spec/run_all.py", "script" },
	{ "meson dist -C _build", "meson" },
	{ "meson dist --no-tests", NULL },
	{ "cargo insta test", "cargo" },
	{ "ninja fish_run_tests", "ninja" },
	{ "mvn --errors --batch-mode -Ddoclint=all", "maven" },
	{ "mvn -B -DskipTests", NULL },
	{ "mvn -version", NULL },
	{ "mvn -B deploy", "maven" },
	{ "mvn deploy -DskipTests", NULL },
	{ "mvn -V --file pom.xml -B", "maven" },
	{ "mvn -V --file pom.xml clean", NULL },
	{ "mvn clean", NULL },
	{ "ninja -j 6 fish", NULL },
	{ "tox --version", NULL },
	{ "pytest -V", NULL },
	{ "cargo test --help", NULL },
	{ "pytest --version --x", "pytest" },
	{ "cmake --build b --target checkcfg -- -j4", "cmake" },
	{ "cmake --build b --target check-format", NULL },
	{ "./testrunner TestX", "script" },
	{ ".\\bin\\debug\\testrunner.exe || exit /b 1", "script" },
	{ "make -j4 testrunner RULES=yes", NULL },
	{ "make test-build", NULL },
	{ "tools/generate_and_run_more_tests.sh", "script" },
	{ "tools/generate_more_tests.sh", NULL },
	{ "bundle exec rake cucumber", "rake" },
	{ "rake acceptance:features", "rake" },
	{ "rake featured", NULL },
	{ "tox -e isort,lint,docs", NULL },
	{ "tox -eisort,lint", NULL },
	{ "tox -e lint,py3", "tox" },
	{ "tox -e pycodestyle", NULL },
	{ "nox -s doc8", NULL },
	{ "tox -e lint,", "tox" },
	{ "tox -e ,", "tox" },
	{ "cargo test --no-run --locked", NULL },
	{ "cargo test --locked", "cargo" },
	{ "ctest -V", "ctest" },
	{ "ctest --version", NULL },
	{ "make -j4 check TESTS=\"\"", NULL },
	{ "make check TESTS=a", "make" },
	{ "vendor/bin/simple-phpunit install", NULL },
	{ "vendor/bin/simple-phpunit --testsuite unit", "phpunit" },
	{ "./out/x_run_tests_a", "script" },
	{ "out\\Debug\\x-run-tests.exe", "script" },
	{ "./out/x_run_testers", NULL },
	{ "qemu-aarch64 -L /usr/x out/x_run_tests", "script" },
	{ "qemu-img check x", NULL },
	{ "adb shell \"cd /data/x && A=1 ./unit_tests\"", "script" },
	{ "adb shell am instrument -w a.b/c", "android" },
	{ "adb push out/unit_tests /data", NULL },
	{ "/app/vmctl exec \"cd x; meson test -C b\" && touch y", "meson" },
	{ "/app/vmctl start", NULL },
	{ "npx uvu test win32", "uvu" },
	{ "gulp ci-test", "gulp" },
	{ "npx gulp --cwd a unittest", "gulp" },
	{ "gulp test:lint-ok", "gulp" },
	{ "gulp lint:test lint-tests", NULL },
	{ "gulp publish latest", NULL },
	{ "gulp", NULL },
	{ "grunt clean test:unit", "grunt" },
	{ "grunt build", NULL },
	{ "npx jake test", "jake" },
	{ "composer exec phpunit -- --group x", "phpunit" },
	{ "composer exec -v -- phpstan", NULL },
	{ "mage -v check;", "mage" },
	{ "mage -v hugo", NULL },
	{ "docker run --rm --entrypoint=a/test/ci x --verbose", "script" },
	{ "docker run --entrypoint pytest -v a:/b x c", "pytest" },
	{ "docker run --entrypoint=a/build/ci x", NULL },
	{ "docker run --entrypoint= x pytest", "pytest" },
	{ "docker run x --entrypoint", NULL },
	{ "tox -e py --notest", NULL },
	{ "tox -e py -- -n 4", "tox" },
	{ "sudo unshare --net -- sh -c \"ip link; $(which tox) -e py\"",
	  "tox" },
	{ "fakeroot make check", "make" },
	{ "eatmydata ctest", "ctest" },
	{ "taskset -c 0,1 make check", "make" },
	{ "chroot /srv/x make check", "make" },
	{ "systemd-run --wait -p A=b prove t", "prove" },
	{ "pytest --collect-only -q", NULL },
	{ "python -m pytest --fixtures", NULL },
	{ "go test -c -o x ./a", NULL },
	{ "go test -list . ./...", NULL },
	{ "go test -count=1 ./...", "go" },
	{ "ctest -N", NULL },
	{ "phpunit --list-tests", NULL },
	{ "bundle exec rspec --dry-run", NULL },
	{ "rake -T test", NULL },
	{ "rake test TESTOPTS=\"-n /a/\"", "rake" },
	{ "dotnet test --list-tests", NULL },
	{ "npx jest --listTests", NULL },
	{ "npx playwright test --list", NULL },
	{ "./gradlew test --dry-run", NULL },
	{ "cargo nextest list", NULL },
	{ "cargo +nightly nextest --profile ci run", "cargo" },
	{ "cargo nextest run --workspace", "cargo" },
	{ "make -n test", NULL },
	{ "make test -j4", "make" },
	{ "bazel test --nobuild //...", NULL },
	{ "make check_format", NULL },
	{ "gmake check_reproducible", NULL },
	{ "make test_formatted", NULL },
	{ "make check_units", "make" },
	{ "npm run tap:node", "npm" },
	{ "pnpm run tap:bun", "pnpm" },
};

static void runners(void)
{
	char text[256], want[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o;

		(void)snprintf(text, sizeof text, "a:\n  script:\n  - '%s'\n",
			       rows[i][0]);
		o = probe_files("ci", ci_run,
				(const struct probe_file[]){
					F(".gitlab-ci.yml", text), N(NULL) });
		(void)snprintf(want, sizeof want, "[{\"runners\":[\"%s\"]}]",
			       rows[i][1] != NULL ? rows[i][1] : "");
		if (rows[i][1] != NULL)
			ok_json(o, "/slice/workflows/0/test_commands", want);
		else
			ok_has(o, "\"test_commands\":[]");
		free(o);
	}
}

/* What Travis CI runs for a package of Node where nothing says it. */
static void travis_has_a_default(void)
{
	static const struct {
		const char *text, *want; /* NULL: none */
	} with_package[] = {
		{ "os: linux\nlanguage: node_js\n", "npm test" },
		{ "language: node_js\ninstall: npm i\njobs:\n  include:\n"
		  "  - os: osx\n",
		  "npm test" },
		{ "language: node_js\nscript: a\n", NULL },
		{ "language: node_js\njobs:\n  include:\n  - script: a\n",
		  NULL },
		{ "language: node_js\nmatrix:\n  include:\n  - script: a\n",
		  NULL },
		{ "language: node_js\nimport: x/y:z.yml\n", NULL },
		{ "language: generic\n", NULL },
		{ "os: linux\n", NULL },
	};
	char want[128];
	char *o;

	for (size_t i = 0; i < sizeof with_package / sizeof *with_package;
	     i++) {
		o = probe_files("ci", ci_run,
				(const struct probe_file[]){
					F(".travis.yml", with_package[i].text),
					F("package.json", "{}"), N(NULL) });
		(void)snprintf(want, sizeof want,
			       "[{\"command\":\"%s\",\"line\":%d}]",
			       with_package[i].want, i == 0 ? 2 : 1);
		ok_json(o, "/slice/workflows/0/test_commands",
			with_package[i].want != NULL ? want : "[]");
		free(o);
	}
	o = probe_files("ci", ci_run,
			(const struct probe_file[]){
				F(".travis.yml", "language: node_js\n"),
				F("package.json", "{}"), N("yarn.lock"),
				N(NULL) });
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"yarn test\",\"runners\":[\"yarn\"]}]");
	free(o);
	o = probe_files("ci", ci_run,
			(const struct probe_file[]){
				F(".travis.yml", "language: node_js\n"),
				F("b/package.json", "{}"), N(NULL) });
	ok_json(o, "/slice/workflows/0/test_commands", "[]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(runners), CASE(travis_has_a_default), TAP_END });
}
