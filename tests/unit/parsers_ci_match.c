/* parsers_ci_match.c -- command lines compared with the table of test runners
 * and image builders. */
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/ci/ci_match.h"
#include "parsers/common/lines.h"
#include "tap.h"

static struct ci_table *table;

/* line's runners, then its builds as "tool(dockerfile,context,tags)". */
static void does(const char *line, const char *want)
{
	static struct ci_found f;
	char got[1024] = "";
	size_t n = 0;
	char *exact = strdup(line);

	memset(&f, 0xa5, sizeof f);
	ci_command_find(table, exact, strlen(exact), &f);
	for (size_t i = 0; i < f.tests_len; i++)
		n += (size_t)snprintf(got + n, sizeof got - n, "%s%.*s",
				      n ? " " : "", (int)f.tests[i].len,
				      f.tests[i].bytes);
	for (size_t i = 0; i < f.builds_len; i++) {
		struct ci_build *b = &f.builds[i];

		n += (size_t)snprintf(
			got + n, sizeof got - n, "%s%.*s(%.*s,%.*s",
			n ? " " : "", (int)b->tool.len, b->tool.bytes,
			(int)b->dockerfile.len,
			b->dockerfile.bytes ? b->dockerfile.bytes : "",
			(int)b->context.len,
			b->context.bytes ? b->context.bytes : "");
		for (size_t k = 0; k < b->tags_len; k++)
			n += (size_t)snprintf(got + n, sizeof got - n, ",%.*s",
					      (int)b->tags[k].len,
					      b->tags[k].bytes);
		n += (size_t)snprintf(got + n, sizeof got - n, ")");
	}
	free(exact);
	if (strcmp(got, want) == 0)
		return;
	tap_bad++;
	fprintf(stderr, "# %s\n# is \"%s\", wanted \"%s\"\n", line, got, want);
}

/* A command, and the runner whose tests it runs. */
static const char *const runner_rows[][2] = {
	{ "npm test", "npm" },
	{ "npm t", "npm" },
	{ "npm run test:unit", "npm" },
	{ "npm --prefix web run -s unit:test", "npm" },
	{ "npm ci", "" },
	{ "npm run release:test", "" },
	{ "npm run test:install", "" },
	{ "yarn playwright:install", "" },
	{ "yarn test:db:up", "" },
	{ "pnpm run build:test", "" },
	{ "bun run deploy:test", "" },
	{ "npm run test:release", "npm" },
	{ "npm run build", "" },
	{ "npm install --save-dev test", "" },
	{ "yarn test --coverage", "yarn" },
	{ "yarn workspace web test", "yarn" },
	{ "yarn jest", "jest" },
	{ "yarn install", "" },
	{ "pnpm -r --filter web test", "pnpm" },
	{ "pnpm vitest run", "vitest" },
	{ "bun test", "bun" },
	{ "npx --yes jest --ci", "jest" },
	{ "./node_modules/.bin/mocha", "mocha" },
	{ "node node_modules/jest/bin/jest.js", "jest" },
	{ "node --test", "node" },
	{ "npx nx affected -t lint test build", "nx" },
	{ "npx turbo run build test", "turbo" },
	{ "pytest -q", "pytest" },
	{ "python3.11 -m pytest tests", "pytest" },
	{ "python -m unittest discover", "unittest" },
	{ "python manage.py test", "django" },
	{ "poetry run coverage run -m pytest", "pytest" },
	{ "uv run --with x pytest", "pytest" },
	{ "pip install pytest tox", "" },
	{ "tox -e py310", "tox" },
	{ "tox -e flake8", "" },
	{ "make -j2 memcheck", "make" },
	{ "tox -emypy", "" },
	{ "tox --env=docs", "" },
	{ "nox -s lint", "" },
	{ "nox -s tests", "nox" },
	{ "python3 -m twisted.trial a.test", "trial" },
	{ "$(which trial) a.test", "trial" },
	{ "`command -v pytest` -q", "pytest" },
	{ "$(which trial)x a.test", "" },
	{ "go test ./...", "go" },
	{ "go vet ./...", "" },
	{ "cargo +nightly test --all", "cargo" },
	{ "cargo nextest run", "cargo" },
	{ "cargo build", "" },
	{ "cargo integration-test --all", "cargo" },
	{ "cargo contest", "" },
	{ "npm run coverage", "npm" },
	{ "npm run upload:coverage", "" },
	{ "yarn run report:coverage", "" },
	{ "pnpm --filter \"...[origin/x]\" ci:coverage", "pnpm" },
	{ "pnpm run merge:coverage", "" },
	{ "mvn -B clean verify", "maven" },
	{ "mvn -B package --file pom.xml", "maven" },
	{ "mvn install -DskipTests", "" },
	{ "./mvnw -B verify -DskipTests", "" },
	{ "mvn package -DskipTests", "" },
	{ "./gradlew :app:test check", "gradle" },
	{ "gradle build -x test", "" },
	{ "gradle build --exclude-task :a:test", "" },
	{ "gradle build -x lint", "gradle" },
	{ "./gradlew build", "gradle" },
	{ "gradle -p build assemble", "" },
	{ "make -j4 check", "make" },
	{ "make -C tests all", "" },
	{ "ctest --output-on-failure", "ctest" },
	{ "cmake --build build --target check", "cmake" },
	{ "cmake --build build --target ci_test_gcc", "cmake" },
	{ "cmake --build b -t run-unit-tests", "cmake" },
	{ "cmake --build build --target unit_tests", "" },
	{ "bundle exec rspec", "rspec" },
	{ "bundle exec rake spec", "rake" },
	{ "bundle exec rake", "rake" },
	{ "rake --trace A=b", "rake" },
	{ "rake push", "" },
	{ "vendor/bin/phpunit", "phpunit" },
	{ "php artisan test", "artisan" },
	{ "composer run-script test", "composer" },
	{ "dotnet test --no-build", "dotnet" },
	{ "mix test", "mix" },
	{ "swift test", "swift" },
	{ "xcodebuild -scheme x clean test", "xcodebuild" },
	{ "node Makefile mocha", "node" },
	{ "node Makefile lint", "" },
	{ "jlpm run test --project galata", "yarn" },
	{ "yarn test:lint --fix", "" },
	{ "yarn typecheck:tests", "" },
	{ "go-acc ./... -o coverage.out", "go" },
	{ "make check-licenses", "" },
	{ "bundle exec rake ascii_spec", "rake" },
	{ "rake specification", "rake" },
	{ "rake inspect", "" },
	{ "cargo nextest --version", "" },
	{ "php tests/slow/test.php", "script" },
	{ "perl t/setup-test.pl", "" },
	{ "make install-goyacc check-generated-parser", "" },
	{ "make check-unit", "make" },
	{ "make bats-test-hub", "make" },
	{ "ant run-phar-specific-tests", "ant" },
	{ "scripts/test", "script" },
	{ "bash script/test", "script" },
	{ "bash RustTest.sh", "script" },
	{ "./flattests_cpp17", "" },
	{ "pwd && ./flattests", "script" },
	{ "tools/ci/test-connectivity.py --server .", "script" },
	{ "./scripts/install-tests.sh", "" },
	{ "./scripts/latest.sh", "" },
	{ "test -f x", "" },
	{ "test/runner --verbose", "script" },
	{ "./scripts/runTestsOnTravis.sh store_tests", "script" },
	{ "bundle exec bake test", "bake" },
	{ "docker buildx bake test", "docker-bake(,)" },
	{ "python3 /io/test.py", "python" },
	{ "python setup.py build", "" },
	{ "", "" },
	{ "# npm test", "" },
};

static void runners_are_known(void)
{
	for (size_t i = 0; i < sizeof runner_rows / sizeof *runner_rows; i++)
		does(runner_rows[i][0], runner_rows[i][1]);
}

static void a_line_is_read_as_a_shell_does(void)
{
	does("CI=1 FOO='a b' npm test", "npm");
	does("cd web && npm test && go test ./...", "npm go");
	does("npm test; npm test", "npm");
	does("(cd a; pytest) || true", "pytest");
	does("if npm test; then echo ok; fi", "npm");
	does("! npm test", "npm");
	does("echo npm test", "");
	does("echo 'x; npm test'", "");
	does("echo \"a \\\"; npm test\"", "");
	does("grep -q x <(npm test)", "npm");
	does("npm \\\n  test", "npm");
	does("npm t\\est", "");
	does("pytest 2>&1 | tee log", "pytest");
	does("make 2>&1 check", "make");
	does("make 2> log & check", "");
	does("npm run build # npm test", "");
	does("x=$(npm test; date) make", "");
	does("x=$(npm test)", "npm");
	does("x=$(A=b ./run-tests.sh 2>&1 || true)", "script");
	does("x=$(echo npm test)", "");
	does("./in.sh bash -c \"cd x && ctest -L y\"", "ctest");
	does("./in.sh --x y sh -ec 'pytest'", "pytest");
	does("./install.sh pytest", "");
	does("echo bash -c pytest", "");
	does("sudo -E -u ci pytest", "pytest");
	does("timeout -k 5 300 make check", "make");
	does("xvfb-run -a npm test", "npm");
	does("bash -lc \"cd x && npm test\"", "npm");
	does("sh -c 'sh -c \"pytest\"'", "pytest");
	does("docker run --rm -v $PWD:/x node:18 npm test", "npm");
	does("docker compose run --rm web bundle exec rspec", "rspec");
	does("docker-compose -f a.yml exec -T web pytest", "pytest");
	does("docker run -w pytest x ls", "");
	does("docker run --rm x bash -c 'pytest -q'", "pytest");
	does(".\\gradlew.bat test", "gradle");
	does("'", "");
	does("npm test '", "npm");
	does("$(", "");
	does("npm test ${{ inputs.x && 'a; b' }} y", "npm");
}

static void builds_come_with_their_options(void)
{
	does("docker build .", "docker(,.)");
	does("docker build -t a:1 --tag=b -f x/Dockerfile ctx",
	     "docker(x/Dockerfile,ctx,a:1,b)");
	does("docker build . -t \"$I:$T\"", "docker(,.,$I:$T)");
	does("docker build --no-cache --build-arg A=1 --pull -t x .",
	     "docker(,.,x)");
	does("docker build -t ${{ env.A }}:${{ github.sha }} .",
	     "docker(,.,${{ env.A }}:${{ github.sha }})");
	does("docker build -t ${{ format('{0}:a b', x) }} .",
	     "docker(,.,${{ format('{0}:a b', x) }})");
	does("docker build -t << parameters.tag >> .",
	     "docker(,.,<< parameters.tag >>)");
	does("docker buildx build --push --platform linux/amd64 -t x . > l",
	     "docker(,.,x)");
	does("docker build -t $(git describe --tags | tr - _) .",
	     "docker(,.,$(git describe --tags | tr - _))");
	does("docker --context x image build .", "docker(,.)");
	does("docker image ls", "");
	does("docker push x", "");
	does("podman build -t x . && buildah bud -f C .",
	     "podman(,.,x) buildah(C,.)");
	does("sh -c 'docker build -t a .' && sh -c 'docker build -t b .'",
	     "docker(,.,a) docker(,.,b)");
	does("docker compose build web", "docker-compose(,)");
	does("docker-compose up -d --build", "docker-compose(,)");
	does("/kaniko/executor --context \"$D\" --dockerfile \"$D/F\" "
	     "--destination \"$I\"",
	     "kaniko($D/F,$D,$I)");
	does("./gradlew jib", "jib(,)");
}

static void lines_of_any_length_end(void)
{
	const size_t n = (size_t)1 << 20;
	char *text = malloc(n);
	static struct ci_found f;
	static const char bytes[] = "a'\"$({`\\<& \n";

	ok(text != NULL);
	for (size_t k = 0; text != NULL && k < sizeof bytes; k++) {
		memset(text, bytes[k], n);
		ci_command_find(table, text, n, &f);
		ok_int(f.tests_len, 0);
	}
	for (size_t i = 0; text != NULL && i < n; i++)
		text[i] = "${{"[i % 3];
	ci_command_find(table, text, n, &f);
	for (size_t i = 0; text != NULL && i < n; i++)
		text[i] = "npm t "[i % 6];
	ci_command_find(table, text, n, &f);
	ok_int(f.tests_len, 1);
	free(text);
}

/* Whether words at the end of the line may have been missed. */
static void is_cut(const struct buf *line, bool want)
{
	static struct ci_found f;

	memset(&f, 0xa5, sizeof f);
	ci_command_find(table, line->bytes, line->len, &f);
	if (f.is_cut == want)
		return;
	tap_bad++;
	fprintf(stderr, "# %.60s: is_cut is not %d\n", line->bytes, want);
}

/* before and n times unit are read whole; with one more they are not. */
static void is_cut_beyond(const char *before, const char *unit, size_t n)
{
	struct buf line = { 0 };

	buf_text(&line, before);
	for (size_t i = 0; i < n; i++)
		buf_text(&line, unit);
	is_cut(&line, false);
	buf_text(&line, unit);
	is_cut(&line, true);
	buf_done(&line);
}

static void what_is_not_looked_at_is_told(void)
{
	static const char runners[] =
		"npm t;go test;tox;nox;pytest;jest;mocha;ava";
	struct buf line = { 0 };

	is_cut_beyond("npm", " ", 8192 - 3);
	is_cut_beyond("npm", " a", 63);
	is_cut_beyond("", "docker build .;", 4);
	is_cut_beyond("docker build .", " -t a", 16);
	is_cut_beyond("", "sudo ", 8);
	buf_text(&line, runners);
	is_cut(&line, false);
	buf_text(&line, ";go test;tap");
	is_cut(&line, true);
	buf_done(&line);
	buf_text(&line, "sh -c \"sh -c 'npm t'\"");
	is_cut(&line, false);
	buf_done(&line);
	buf_text(&line, "sh -c \"sh -c 'sh -c \\\"npm t\\\"'\"");
	is_cut(&line, true);
	buf_done(&line);
	buf_text(&line, "echo");
	for (size_t i = 0; i < 200; i++)
		buf_text(&line, " a");
	is_cut(&line, false);
	buf_done(&line);
}

static void steps_are_known_by_name(void)
{
	struct json_text name = { "docker/build-push-action@v5", 27 };
	struct ci_step s;

	ok(ci_step_find(table, name, 0, &s));
	ok_int(s.kind, CI_STEP_BUILD);
	ok(s.inputs[0].len == 4 && memcmp(s.inputs[0].bytes, "file", 4) == 0);
	ok(!ci_step_find(table, name, 1, &s));
	name = (struct json_text){ "DotNetCoreCLI@2", 15 };
	ok(ci_step_find(table, name, 0, &s));
	ok(ci_step_fits(&s, (struct json_text){ "test", 4 }));
	ok(!ci_step_fits(&s, (struct json_text){ "build", 5 }));
	name = (struct json_text){ "Maven@3", 7 };
	ok(ci_step_find(table, name, 0, &s));
	ok(ci_step_fits(&s, (struct json_text){ "clean  verify", 13 }));
	ok(!ci_step_fits(&s, (struct json_text){ NULL, 0 }));
	name = (struct json_text){ "npm", 3 };
	ok(!ci_step_find(table, name, 0, &s));
}

static void lines_are_bounded(void)
{
	struct lines w = { .bytes = "a\r\n\nlonger\nz",
			   .len = 12,
			   .cap_bytes = 3 };
	struct line l;

	ok(lines_next(&w, &l));
	ok(l.len == 1 && l.number == 1 && !l.is_cut);
	ok(lines_next(&w, &l));
	ok(l.len == 0 && l.offset == 3);
	ok(lines_next(&w, &l));
	ok(l.len == 3 && l.is_cut && memcmp(l.bytes, "lon", 3) == 0);
	ok(lines_next(&w, &l));
	ok(l.len == 1 && l.number == 4 && l.offset == 11);
	ok(!lines_next(&w, &l));
	w = (struct lines){ .bytes = "a\n", .len = 2 };
	ok(lines_next(&w, &l) && !lines_next(&w, &l));
}

int main(void)
{
	int result;

	table = ci_table_open();
	if (table == NULL)
		return 1;
	result = tap_run((struct tap_case[]){
		CASE(runners_are_known),
		CASE(a_line_is_read_as_a_shell_does),
		CASE(builds_come_with_their_options),
		CASE(lines_of_any_length_end),
		CASE(what_is_not_looked_at_is_told),
		CASE(steps_are_known_by_name),
		CASE(lines_are_bounded),
		TAP_END,
	});
	ci_table_close(table);
	return result;
}
