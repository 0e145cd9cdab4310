/* parsers_ci_value.c -- commands whose words come from elsewhere. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* A command stays as it is written.  Whether it runs tests is decided with each
 * value of its expression. */
static void github_values_of_expressions(void)
{
	char *o = PROBE(
		F(".github/workflows/a.yml",
		  "on: {workflow_call: {inputs: {s: {default: test-node}}}}\n"
		  "jobs:\n"
		  "  a:\n"
		  "    strategy:\n"
		  "      matrix:\n"
		  "        one: [lint, test-full]\n"
		  "        two: [{n: a, args: 'clean verify'}]\n"
		  "        none: [lint, docs]\n"
		  "        include: [{three: 'build'}, {three: 'test'}]\n"
		  "    steps:\n"
		  "    - run: make ${{ matrix.one}}\n"
		  "    - run: mvn -B ${{ matrix.two.args }}\n"
		  "    - run: npm run ${{matrix.three}}\n"
		  "    - run: npm run ${{ inputs.s }}\n"
		  "    - run: yarn ${{ matrix.none }}\n"
		  "    - run: pnpm ${{ matrix.unknown }}\n"
		  "    - run: bun ${{ matrix.one\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"command\":\"make ${{ matrix.one}}\","
		"\"runners\":[\"make\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/1",
		"{\"command\":\"mvn -B ${{ matrix.two.args }}\"}");
	ok_json(o, "/slice/workflows/0/test_commands/2",
		"{\"command\":\"npm run ${{matrix.three}}\"}");
	ok_json(o, "/slice/workflows/0/test_commands/3",
		"{\"command\":\"npm run ${{ inputs.s }}\"}");
	ok(strstr(o, "matrix.none") == NULL && strstr(o, "unknown") == NULL);
	free(o);
}

/* In "a || a -f" a job has one value in both places. */
static void one_value_throughout_a_command(void)
{
	char *o =
		PROBE(F(".github/workflows/a.yml",
			"jobs:\n"
			"  a:\n"
			"    strategy: {matrix: {part: [x, y]}}\n"
			"    steps:\n"
			"    - run: npm run test:${{ matrix.part }} || npm run "
			"test:${{matrix.part}} -- -f\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"resolved\":[\"npm run test:x || npm run test:x -- -f\","
		"\"npm run test:y || npm run test:y -- -f\"]}");
	free(o);
}

/* Lists, and what is none. */
static const char matrices[] =
	"on: {workflow_call: {inputs: {s: {default: lint}}}}\n"
	"jobs:\n"
	"  a:\n"
	"    env: {all: lint}\n"
	"    strategy:\n"
	"      matrix:\n"
	"        all: [lint, docs]\n"
	"        one: [lint, py3]\n"
	"        null: [lint, ~]\n"
	"        map: [{x: lint}]\n"
	"        call: ${{ fromJSON('[]') }}\n"
	"        text: lint\n"
	"        mix: [lint, {x: lint}]\n"
	"        value: [lint, '${{ inputs.s }}']\n"
	"        many: [lint-1, lint-2, lint-3, lint-4, lint-5,\n"
	"               lint-6, lint-7, lint-8, lint-9, lint-10,\n"
	"               lint-11, lint-12, lint-13, lint-14,\n"
	"               lint-15, lint-16, lint-17]\n"
	"        include: [{all: ~}, {all: pylint}, {more: lint}]\n"
	"    steps:\n"
	"    - run: tox -e ${{ matrix.all }}\n"
	"    - run: tox -e ${{ matrix.one }}\n"
	"    - run: tox -e ${{ matrix.null }}\n"
	"    - run: tox -e ${{ matrix.map.x }}\n"
	"    - run: tox -e ${{ matrix.call }}\n"
	"    - run: tox -e ${{ matrix.many }}\n"
	"    - run: tox -e ${{ matrix.more }}\n"
	"    - run: tox -e ${{ inputs.s }}\n"
	"    - run: tox -e ${{ matrix.text }}\n"
	"    - run: tox -e ${{ matrix.mix }}\n"
	"    - run: tox -e ${{ matrix.value }}\n"
	"    - run: tox -e ${{ env.all }}\n"
	"    - run: tox -e ${{ matrix.all }}-${{ matrix.more }}\n"
	"  b:\n"
	"    strategy:\n"
	"      matrix:\n"
	"        all: [lint]\n"
	"        include: ${{ fromJSON('[]') }}\n"
	"    steps:\n"
	"    - run: tox -v -e ${{ matrix.all }}\n";

/* Where every value stands in a list of the matrix, and none makes it a test, the
 * command is none, although tox with an unknown environment is one. */
static void values_that_are_all_known_decide(void)
{
	char *o = PROBE(F(".github/workflows/a.yml", matrices));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"tox -e ${{ matrix.one }}\","
		"\"resolved\":[\"tox -e py3\"]},"
		"{\"command\":\"tox -e ${{ matrix.null }}\"},"
		"{\"command\":\"tox -e ${{ matrix.map.x }}\"},"
		"{\"command\":\"tox -e ${{ matrix.call }}\"},"
		"{\"command\":\"tox -e ${{ matrix.many }}\"},"
		"{\"command\":\"tox -e ${{ matrix.more }}\"},"
		"{\"command\":\"tox -e ${{ inputs.s }}\"},"
		"{\"command\":\"tox -e ${{ matrix.text }}\"},"
		"{\"command\":\"tox -e ${{ matrix.mix }}\"},"
		"{\"command\":\"tox -e ${{ matrix.value }}\"},"
		"{\"command\":\"tox -e ${{ env.all }}\"},"

		"{\"command\":\"tox -e ${{ matrix.all }}-${{ matrix.more }}\"},"
		"{\"command\":\"tox -v -e ${{ matrix.all }}\"}]");
	free(o);
}

/* The innermost of step, job and workflow sets the value. */
static void github_values_of_variables(void)
{
	char *o = PROBE(F(".github/workflows/a.yml",
			  "on: push\nenv: {TOOL: cargo, OFF: npm}\njobs:\n"
			  "  a:\n    env: {OFF: echo, IN: npm}\n    steps:\n"
			  "    - run: ${{ env.TOOL }} test --locked\n"
			  "    - run: ${{ env.OFF }} test one\n"
			  "    - run: ${{ env.STEP }} test two\n"
			  "      env: {STEP: pytest}\n"
			  "    - run: ${{ env.STEP }} test three\n"
			  "    - run: ${{ env.IN }} test four\n"
			  "    - run: ${{ env.no }} test five\n"
			  "    - run: ${{ env }} test six\n"
			  "  b:\n    steps:\n"
			  "    - run: ${{ env.IN }} test seven\n"
			  "    - run: ${{ env.OFF }} test eight\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"command\":\"${{ env.TOOL }} test --locked\","
		"\"runners\":[\"cargo\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/1",
		"{\"command\":\"${{ env.STEP }} test two\","
		"\"runners\":[\"pytest\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/2",
		"{\"command\":\"${{ env.IN }} test four\"}");
	ok_json(o, "/slice/workflows/0/test_commands/3",
		"{\"command\":\"${{ env.OFF }} test eight\",\"job\":\"b\"}");
	ok_no_json(o, "{\"command\":\"${{ env.IN }} test seven\"}");
	ok_lacks(o, "test one");
	ok_lacks(o, "test three");
	ok_lacks(o, "test five");
	ok_lacks(o, "test six");
	free(o);
}

#define ACTION "runs:\n  using: composite\n  steps:\n"

/* A value for an input of an action that runs it. */
static void github_values_for_actions(void)
{
	char *o =
		PROBE(F(".github/workflows/a.yml",
			"on: push\njobs:\n  a:\n    steps:\n"
			"    - uses: ./src/.github/actions/run\n"
			"      with: {Command: ./ci/test.sh, shell: test.sh}\n"
			"    - uses: ./.github/actions/run/\n"
			"      with: {command: ./ci/build.sh}\n"
			"    - uses: ./.github/actions/outer\n"
			"      with:\n        arguments: |\n          -Pa\n"
			"          build\n"
			"    - uses: ./.github/actions/outer\n"
			"      with: {arguments: assemble}\n"
			"    - uses: ./.github/actions/none\n"
			"      with: {arguments: npm test one}\n"
			"    - uses: ./.github/actions/always\n"
			"      with: {x: two}\n"
			"    - uses: ./.github/actions/self\n"
			"      with: {x: three}\n"
			"    - uses: owner/name@v1\n"
			"      with: {x-command: npm test four}\n"),
		      F(".github/actions/run/action.yml", ACTION
			"  - run: |\n      if a; then\n        ${{ inputs."
			"command || 'x' }}\n      fi\n"
			"  - run: echo ${{ inputs.shell }}\n"),
		      F(".github/actions/outer/action.yaml", ACTION
			"  - uses: ./.github/actions/inner\n"
			"    with: {args: '--x ${{ inputs.arguments }}'}\n"),
		      F(".github/actions/inner/action.yml", ACTION
			"  - uses: gradle/gradle-build-action@v2\n"
			"    with: {arguments: 'a ${{ inputs.args }}'}\n"),
		      F(".github/actions/none/action.yml", ACTION
			"  - run: echo ${{ inputs.argument }} ${{ inputs\n"),
		      F(".github/actions/always/action.yml",
			ACTION "  - run: npm test ${{ inputs.x }}\n"),
		      F(".github/actions/self/action.yml",
			ACTION "  - uses: ./.github/actions/self\n"
			       "    with: {x: '${{ inputs.x }}'}\n"));

	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"command\":\"./ci/test.sh\",\"runners\":[\"script\"],"
		"\"step\":\"./src/.github/actions/run\",\"job\":\"a\","
		"\"line\":6,\"source\":\".github/workflows/a.yml\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/1",
		"{\"command\":\"-Pa\\nbuild\\n\",\"runners\":[\"gradle\"],"
		"\"step\":\"./.github/actions/outer\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"command\":\"npm test ${{ inputs.x }}\"}");
	ok_lacks(o, "ci/build.sh");
	ok_lacks(o, "assemble");
	ok_lacks(o, "npm test one");
	ok_lacks(o, "\"two");
	ok_lacks(o, "\"three");
	ok_lacks(o, "npm test four");
	free(o);
}

/* The same for a workflow that others call, on the way to an action. */
static void github_values_for_workflows(void)
{
	char *o =
		PROBE(F(".github/workflows/a.yml",
			"on: push\njobs:\n  a:\n"
			"    uses: ./.github/workflows/called.yml\n"
			"    with: {script: 'test:unit', other: test}\n"
			"  b:\n    uses: ./.github/workflows/called.yml\n"
			"    with: {script: lint}\n"
			"  c:\n    uses: o/r/.github/workflows/called.yml@v1\n"
			"    with: {script: 'test:c'}\n"),
		      F(".github/workflows/called.yml",
			"on:\n  workflow_call:\n    inputs: {script: {type: "
			"string}}\n"
			"jobs:\n  d:\n    steps:\n"
			"    - run: npm run ${{ inputs.script }}\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"command\":\"test:unit\",\"runners\":[\"npm\"],"
		"\"step\":\"./.github/workflows/called.yml\",\"job\":\"a\","
		"\"line\":5}");
	ok_json(o, "/slice/workflows/0", "{\"jobs\":[\"a\",\"b\",\"c\"]}");
	ok_lacks(o, "\"test\"");
	ok_lacks(o, "test:c");
	free(o);
}

static void jenkins_values_of_variables(void)
{
	char *o = PROBE(
		F("Jenkinsfile",
		  "def mvn = 'mvn -B'\nString all = \"npm test\"\n"
		  "final two = \"make check\", three = 'make docs'\n"
		  "def cut = a ? 'x' : 'pytest cut'\n"
		  "pipeline {\n environment {\n  TOOL = 'yarn'\n }\n"
		  " stages { stage('T') { steps {\n"
		  "  sh \"${mvn} verify -P$x\"\n  sh \"$TOOL test\"\n"
		  "  sh \"${env.TOOL} run test:e2e\"\n  sh all\n  sh(two)\n"
		  "  sh three\n  sh unknown\n  sh \"${unknown} test\"\n"
		  "  sh \"${mvn.x} verify\"\n  sh \"${mvn\"\n  sh '$'\n"
		  "  sh \"${mvn} compile\"\n  all.sh\n"
		  " }}}\n}\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"command\":\"${mvn} verify -P$x\",\"runners\":[\"maven\"],"
		"\"job\":\"T\",\"line\":10}");
	ok_json(o, "/slice/workflows/0/test_commands/1",
		"{\"command\":\"$TOOL test\",\"runners\":[\"yarn\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/2",
		"{\"command\":\"${env.TOOL} run test:e2e\"}");
	ok_json(o, "/slice/workflows/0/test_commands/3",
		"{\"command\":\"npm test\",\"job\":\"T\",\"line\":2}");
	ok_json(o, "/slice/workflows/0/test_commands/4",
		"{\"command\":\"make check\"}");
	ok_lacks(o, "make docs");
	ok_lacks(o, "unknown");
	ok_lacks(o, "mvn.x");
	ok_lacks(o, "compile");
	ok_lacks(o, "cut");
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
		F("Makefile", "all:\n\ttrue\nunit:\n\ttox\n"),
		F(".github/workflows/a.yml",
		  "on: push\nenv: {x: test}\njobs:\n  a:\n"
		  "    defaults: {run: {working-directory: none}}\n"
		  "    steps:\n"
		  "    - {uses: a/wrap@v3, with: {linters: nox, run: make "
		  "unit}}\n"
		  "    - {uses: a/wrap@v3, with: {command: 'npm run ${{ env.x "
		  "}}'}}\n"
		  "    - {uses: a/wrap@v3, with: {name: npm test one}}\n"
		  "    - {uses: actions/github-script@v7, with: {script: npm "
		  "test "
		  "two}}\n"
		  "    - {uses: ./local, with: {run: npm test three}}\n"
		  "    - {uses: nick-fields/retry@v2, with: {command: tox}}\n"
		  "    - {uses: 'docker://a/b:1', with: {args: nox, run: "
		  "trial}}\n"
		  "    - {uses: a/wrap@v3, with: {args: nox}}\n"
		  "    - {uses: a/wrap@v3, with: {run: {a: npm test}, script: "
		  "[pytest]}}\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"make unit\"},"
		"{\"command\":\"npm run ${{ env.x }}\",\"resolved\":["
		"\"npm run test\"]},{\"command\":\"tox\"},"
		"{\"command\":\"nox\"},"
		"{\"command\":\"pytest\"}]");
	free(o);
}

/* An input that is known for a test has values, too, and words that take it back. */
static void values_of_inputs(void)
{
	char *o = PROBE(
		F(".github/actions/a/action.yml",
		  "inputs: {x: {default: build}, y: {default: assemble}}\n"
		  "runs:\n  using: composite\n  steps:\n"
		  "  - uses: gradle/gradle-build-action@v2\n"
		  "    with: {arguments: '-Pa=${{ b.c }} ${{ inputs.x }}'}\n"
		  "  - uses: gradle/gradle-build-action@v2\n"
		  "    with: {arguments: '${{ inputs.y }}'}\n"
		  "  - uses: gradle/gradle-build-action@v2\n"
		  "    with: {arguments: '${{ inputs.x }} -x test'}\n"),
		F(".github/workflows/a.yml",
		  "on: push\njobs:\n  a:\n    steps:\n"
		  "    - uses: gradle/gradle-build-action@v2\n"
		  "      with: {arguments: publish -x check}\n"
		  "    - uses: gradle/gradle-build-action@v2\n"
		  "      with: {arguments: build --exclude-task=test}\n"
		  "    - uses: gradle/gradle-build-action@v2\n"
		  "      with: {arguments: build -p test -x javadoc}\n"));

	ok_json(o, "/slice/workflows/ANY/test_commands",
		"[{\"command\":\"-Pa=${{ b.c }} ${{ inputs.x }}\","
		"\"runners\":[\"gradle\"]}]");
	ok_json(o, "/slice/workflows/ANY/test_commands",
		"[{\"command\":\"build -p test -x javadoc\"}]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(github_values_of_expressions),
		CASE(one_value_throughout_a_command),
		CASE(values_that_are_all_known_decide),
		CASE(github_values_of_variables),
		CASE(github_values_for_actions),
		CASE(github_values_for_workflows),
		CASE(jenkins_values_of_variables),
		CASE(jenkins_lines_go_on),
		CASE(commands_for_other_actions),
		CASE(values_of_inputs),
		TAP_END,
	});
}
