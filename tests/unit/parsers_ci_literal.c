/* parsers_ci_literal.c -- ci: a command is told as it stands.  Its own words decide
 * whether it is a test, and nothing is put in place of an expression. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

static void expressions_are_texts(void)
{
	char *o = PROBE(
		F(".github/workflows/a.yml",
		  "on: {workflow_call: {inputs: {s: {default: test-node}}}}\n"
		  "env: {TOOL: cargo, x: test}\n"
		  "jobs:\n"
		  "  a:\n"
		  "    strategy: {matrix: {one: [lint, test], e: [lint]}}\n"
		  "    steps:\n"
		  "    - run: make ${{ matrix.one }}\n"
		  "    - run: npm run ${{ inputs.my-test-s }}\n"
		  "    - run: npm run ${{ env.x }}\n"
		  "    - run: ${{ env.TOOL }} test\n"
		  "    - run: npm run test:${{ matrix.one }}\n"
		  "    - run: tox -e ${{ matrix.e }}\n"
		  "    - run: npm test ${{ inputs.x && 'a; b' }}\n"
		  "    - run: docker build -t a:${{ github.sha }} .\n"
		  "    - uses: gradle/gradle-build-action@v2\n"
		  "      with: {arguments: '${{ matrix.one }}'}\n"
		  "    - uses: ./.github/actions/x\n"
		  "      with: {command: npm test handed on}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"npm run test:${{ matrix.one }}\"},"
		"{\"command\":\"tox -e ${{ matrix.e }}\"},"
		"{\"command\":\"npm test ${{ inputs.x && 'a; b' }}\"}]");
	ok_json(o, "/slice/workflows/0/image_builds/0",
		"{\"tags\":[\"a:${{ github.sha }}\"]}");
	ok_lacks(o, "resolved");
	free(o);
	o = PROBE(F(".gitlab-ci.yml", "j:\n  script:\n"
				      "  - $[[ inputs.test-tool ]]\n"
				      "  - npm run $[[ inputs.my:test ]]\n"
				      "  - npm test $[[ inputs.open ]]\n"));
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"npm test $[[ inputs.open ]]\"}]");
	free(o);
	o = PROBE(F(".circleci/config.yml",
		    "commands:\n  c:\n    parameters: {s: {default: test}}\n"
		    "    steps: [{run: npm run << parameters.s >>}]\n"
		    "jobs:\n  a:\n    steps:\n    - c: {s: test}\n"
		    "    - run: npm run << parameters.a-test >>\n"
		    "    - run: tox -e py<< parameters.version >>\n"
		    "    - run: |\n        cat << END\n        npm test\n"
		    "        END\n"));
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"tox -e py<< parameters.version >>\"}]");
	free(o);
}

/* A command, the runner of which it is a test by its own words, or NULL. */
static const char *const rows[][2] = {
	{ "make test", "make" },
	{ "make -C sub check", "make" },
	{ "make", NULL },
	{ "make all", NULL },
	{ "npm run test:unit", "npm" },
	{ "npm run ci", NULL },
	{ "npm run coverage", "npm" },
	{ "composer test", "composer" },
	{ "composer ci", NULL },
	{ "./run-tests.sh", "script" },
	{ "ci/test.sh", "script" },
	{ "ci/run.sh", NULL },
	{ "./setup-tests.sh", NULL },
	{ "npx c8 report", NULL },
	{ "npx codecov", NULL },
	{ "npx nyc mocha", "mocha" },
	{ "$X test", NULL },
	{ "$X/run-tests.sh", "script" },
};

/* What a Makefile, a manifest or a script has in it does not matter. */
static void its_own_words_decide(void)
{
	static const struct probe_file others[] = {
		F("Makefile", "all: unit\nunit:\n\ttox\ntest check:\n\ttrue\n"),
		F("package.json",
		  "{\"scripts\":{\"ci\":\"jest\",\"test:unit\":\"true\","
		  "\"coverage\":\"c8 report\"}}"),
		F("composer.json", "{\"scripts\":{\"ci\":\"phpunit\"}}"),
		F("ci/run.sh", "tox\n"),
		F("run-tests.sh", "true\n"),
		N(NULL)
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = ci_command_holds(rows[i][1], rows[i][0], others);

		ok_json(o, "/warnings", "[]");
		free(o);
	}
}

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
			free(ci_command_holds(
				NULL, command,
				(const struct probe_file[]){ N(NULL) }));
		}
}

static void jenkins_variables_are_texts(void)
{
	char *o = PROBE(F("Jenkinsfile",
			  "def all = 'npm test'\ndef mvn = 'mvn -B'\n"
			  "node {\n sh all\n sh(all)\n"
			  " sh \"${mvn} verify\"\n sh \"mvn verify -P$x\"\n"
			  " sh \"${mvn\"\n sh '$'\n}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"mvn verify -P$x\",\"line\":7}]");
	free(o);
}

/* In a text of Groovy's a line goes on behind two backslashes. */
static void jenkins_lines_go_on(void)
{
	char *o =
		PROBE(F("Jenkinsfile",
			"node {\n  sh \"\"\"docker run \\\\\n -t \\\\\r\n"
			"  --entrypoint=\"script/test/ci\" \\\\\n x\n\"\"\"\n"
			"  sh \"\"\"docker build . \\\\\n -t y\n\"\"\"\n}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"runners\":[\"script\"]}]");
	ok_json(o, "/slice/workflows/0/image_builds", "[{\"tags\":[\"y\"]}]");
	free(o);
}

/* Commands among the inputs of actions that nobody here knows. */
static void commands_for_other_actions(void)
{
	char *o = PROBE(
		F(".github/workflows/a.yml",
		  "on: push\njobs:\n  a:\n    steps:\n"
		  "    - {uses: a/wrap@v3, with: {linters: nox, run: make "
		  "check}}\n"
		  "    - {uses: a/wrap@v3, with: {name: npm test one}}\n"
		  "    - {uses: actions/github-script@v7, with: {script: npm "
		  "test two}}\n"
		  "    - {uses: ./local, with: {run: npm test three}}\n"
		  "    - {uses: nick-fields/retry@v2, with: {command: tox}}\n"
		  "    - {uses: 'docker://a/b:1', with: {args: nox, run: "
		  "trial}}\n"
		  "    - {uses: a/wrap@v3, with: {args: nox}}\n"
		  "    - {uses: a/wrap@v3, with: {run: {a: npm test}, script: "
		  "[pytest]}}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"make check\"},{\"command\":\"tox\"},"
		"{\"command\":\"nox\"},{\"command\":\"pytest\"}]");
	free(o);
}

/* An input that is known for a test has words that take it back. */
static void words_of_inputs(void)
{
	char *o = PROBE(F(".github/workflows/a.yml",
			  "on: push\njobs:\n  a:\n    steps:\n"
			  "    - uses: gradle/gradle-build-action@v2\n"
			  "      with: {arguments: publish -x check}\n"
			  "    - uses: gradle/gradle-build-action@v2\n"
			  "      with: {arguments: build --exclude-task=test}\n"
			  "    - uses: gradle/gradle-build-action@v2\n"
			  "      with: {arguments: build -p test -x javadoc}\n"
			  "    - uses: gradle/gradle-build-action@v2\n"
			  "      with: {arguments: '-Pa=${{ b.c }} check'}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"build -p test -x javadoc\"},"
		"{\"command\":\"-Pa=${{ b.c }} check\","
		"\"runners\":[\"gradle\"]}]");
	free(o);
}

/* What a shell of another user reads is run, too. */
static void documents_for_shells(void)
{
	char *o =
		PROBE(F(".gitlab-ci.yml",
			"a:\n  script:\n  - |\n"
			"    sudo -i -u x sh << EOF\n    npm test\n    EOF\n"
			"    cat << EOF\n    tox\n    EOF\n"
			"    ssh host << EOF\n    nox\n    EOF\n"
			"    su x -c \"/bin/sh -e\" << EOF\n    ava\n    EOF\n"
			"    su x -c 'sh' << EOF\n    tap\n    EOF\n"
			"    /usr/bin/bash << EOF\n    jest\n    EOF\n"
			"    tee a.sh << EOF\n    tox\n    EOF\n"
			"    tee sh/x << EOF\n    tox\n    EOF\n"
			"    /bin/ << EOF\n    tox\n    EOF\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"npm test\"},{\"command\":\"nox\"},"
		"{\"command\":\"ava\"},{\"command\":\"tap\"},"
		"{\"command\":\"jest\"}]");
	ok_lacks(o, "\"tox\"");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(expressions_are_texts),
		CASE(its_own_words_decide),
		CASE(checks_that_are_called_tests),
		CASE(jenkins_variables_are_texts),
		CASE(jenkins_lines_go_on),
		CASE(commands_for_other_actions),
		CASE(words_of_inputs),
		CASE(documents_for_shells),
		TAP_END,
	});
}
