/* parsers_ci_template.c -- ci: commands with parameters, and what is given for
 * them. */
#include <time.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* What a caller of a template gives, or its default if one gives nothing. */
static void azure_parameters(void)
{
	char *o = PROBE(
		F("azure-pipelines.yml",
		  "trigger: [main]\njobs:\n"
		  "- template: ci/azure-pipelines/t.yml\n"
		  "  parameters: {script: 'test:unit', goals: verify}\n"
		  "- template: /ci/azure-pipelines/t.yml\n"
		  "  parameters: {script: lint, goals: verify}\n"
		  "- template: ci/azure-pipelines/t.yml@other\n"
		  "  parameters: {script: 'test:other'}\n"
		  "- template: ci/azure-pipelines/list.yml\n"
		  "  parameters: {computed: \"${{ variables.x }}\"}\n"
		  "- template: "
		  "ci/azure-pipelines/azure-pipelines-hand.yml@self\n"
		  "  parameters: {script: 'test:hand'}\n"),
		F("ci/azure-pipelines/azure-pipelines-hand.yml",
		  "parameters: {script: ''}\njobs:\n"
		  "- template: t.yml\n"
		  "  parameters: {script: '${{ parameters.script }}'}\n"),
		F("ci/azure-pipelines/t.yml",
		  "parameters:\n  script: build\n  goals: package -DskipTests\n"
		  "steps:\n"
		  "- script: npm run ${{ parameters.script }}\n"
		  "- script: mvn ${{ parameters.goals }}\n"
		  "- script: npm test ${{ parameters.none }}\n"
		  "- script: npm run ${{ parameters.my-test-none }}\n"),
		F("ci/azure-pipelines/list.yml",
		  "parameters:\n- {name: tool, default: tox, values: [tox, "
		  "nox]}\n"
		  "- {name: computed, default: nox}\n"
		  "steps:\n- bash: ${{ parameters.tool }} -q\n"
		  "- bash: ${{ parameters.computed }} -v\n"));

	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"command\":\"npm run ${{ parameters.script }}\","
		"\"runners\":[\"npm\"],\"line\":5,\"resolved\":"
		"[\"npm run test:unit\",\"npm run test:hand\"],"
		"\"unresolved\":[]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/1",
		"{\"command\":\"mvn ${{ parameters.goals }}\","
		"\"resolved\":[\"mvn verify\"],\"unresolved\":[]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/2",
		"{\"command\":\"npm test ${{ parameters.none }}\","
		"\"resolved\":[],"
		"\"unresolved\":[\"${{ parameters.none }}\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"command\":\"${{ parameters.tool }} -q\","
		"\"runners\":[\"tox\",\"nox\"],"
		"\"resolved\":[\"tox -q\",\"nox -q\"]}");
	ok_lacks(o, "my-test-none");
	ok_lacks(o, "test:other");
	ok_lacks(o, "computed }} -v");
	free(o);
}

static void gitlab_inputs(void)
{
	char *o = PROBE(
		F(".gitlab-ci.yml",
		  "include:\n- local: /ci/a.gitlab-ci.yml\n"
		  "  inputs: {goal: test-one, tool: pytest}\n"
		  "- local: ci/a.gitlab-ci.yml\n  inputs: {goal: lint}\n"
		  "down:\n  trigger:\n    include:\n"
		  "    - {local: ci/b.gitlab-ci.yml, inputs: {x: nox}}\n"),
		F("ci/a.gitlab-ci.yml",
		  "spec:\n  inputs:\n    goal: {default: test-none}\n"
		  "    tool: {default: tox, options: [tox, ruff]}\n    open:\n"
		  "---\nj:\n  script:\n  - npm run $[[ inputs.goal ]]\n"
		  "  - $[[ inputs.tool ]]\n  - npm test $[[ inputs.open ]]\n"
		  "  - $[[ inputs.open ]] test\n"),
		F("ci/b.gitlab-ci.yml",
		  "spec: {inputs: {x: {}}}\n---\n"
		  "k:\n  script: [\"$[[ inputs.x ]] -a\"]\n"));

	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"command\":\"npm run $[[ inputs.goal ]]\","
		"\"resolved\":[\"npm run test-one\"],\"unresolved\":[]}");
	/* One of the callers gives no tool: the default is one of the values. */
	ok_json(o, "/slice/workflows/ANY/test_commands/1",
		"{\"command\":\"$[[ inputs.tool ]]\","
		"\"resolved\":[\"pytest\",\"tox\"],\"unresolved\":[]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/2",
		"{\"command\":\"npm test $[[ inputs.open ]]\","
		"\"resolved\":[],\"unresolved\":[\"$[[ inputs.open ]]\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/0",
		"{\"job\":\"k\",\"runners\":[\"nox\"],"
		"\"resolved\":[\"nox -a\"]}");
	ok_lacks(o, "inputs.open ]] test");
	free(o);
}

static const char circle[] =
	"version: 2.1\n"
	"parameters: {suite: {type: string, default: test-pipe}}\n"
	"commands:\n"
	"  run_it:\n"
	"    parameters: {script: {default: lint}, tool: {type: string}}\n"
	"    steps:\n"
	"    - run: << parameters.tool >> run << parameters.script >>\n"
	"  wrap:\n"
	"    parameters: {what: {type: string}}\n"
	"    steps:\n"
	"    - run_it: {tool: npm, script: << parameters.what >>}\n"
	"  d1: {parameters: {x: {}}, steps: [{run: << parameters.x >> test}]}\n"
	"  d2: {parameters: {x: {}}, steps: [{d1: {x: << parameters.x >>}}]}\n"
	"  d3: {parameters: {x: {}}, steps: [{d2: {x: << parameters.x >>}}]}\n"
	"  d4: {parameters: {x: {}}, steps: [{d3: {x: << parameters.x >>}}]}\n"
	"  d5: {parameters: {x: {}}, steps: [{d4: {x: << parameters.x >>}}]}\n"
	"  d6: {parameters: {x: {}}, steps: [{d5: {x: << parameters.x >>}}]}\n"
	"jobs:\n"
	"  unit:\n"
	"    parameters: {version: {default: '1'}, extra: {type: string}}\n"
	"    steps:\n"
	"    - run_it: {tool: yarn}\n"
	"    - run_it: {tool: yarn, script: 'test:yarn'}\n"
	"    - wrap: {what: test-wrap}\n"
	"    - run: npm run << pipeline.parameters.suite >>\n"
	"    - run: tox -e py<< parameters.version >>\n"
	"    - run: nox << pipeline.id >> << parameters.nobody >>\n"
	"    - run: tox -e << parameters.extra >>\n"
	"    - run: |\n        cat << END\n        npm test\n        END\n"
	"    - run: << parameters.version >> test\n"
	"    - d4: {x: cargo}\n"
	"    - d6: {x: mix}\n"
	"workflows:\n"
	"  w:\n"
	"    jobs:\n"
	"    - unit: {extra: lint, matrix: {parameters: {version: [2, 3]}}}\n";

static void circleci_parameters(void)
{
	static const char first[] = "/slice/workflows/0/test_commands/0",
			  any[] = "/slice/workflows/0/test_commands/ANY";
	char *o = PROBE(F(".circleci/config.yml", circle));

	ok_json(o, first,
		"{\"command\":"
		"\"<< parameters.tool >> run << parameters.script >>\","
		"\"runners\":[\"yarn\"],\"line\":7,\"job\":\"unit\","
		"\"resolved\":[\"yarn run test:yarn\"],\"unresolved\":[]}");
	ok_json(o, any,
		"{\"runners\":[\"npm\"],"
		"\"resolved\":[\"npm run test-wrap\"]}");
	ok_json(o, any,
		"{\"command\":\"npm run << pipeline.parameters.suite >>\","
		"\"resolved\":[\"npm run test-pipe\"]}");
	ok_json(o, any,
		"{\"command\":\"tox -e py<< parameters.version >>\","
		"\"resolved\":[\"tox -e py2\",\"tox -e py3\"]}");
	ok_json(o, any,
		"{\"command\":"
		"\"nox << pipeline.id >> << parameters.nobody >>\","
		"\"resolved\":[],\"unresolved\":[\"<< pipeline.id >>\","
		"\"<< parameters.nobody >>\"]}");
	/* A value is followed through so many and no more. */
	ok_json(o, any, "{\"resolved\":[\"cargo test\"]}");
	ok_lacks(o, "mix test");
	/* All its values are known, and none is a test. */
	ok_lacks(o, "parameters.extra");
	ok_lacks(o, "run lint");
	ok_lacks(o, "\"npm test\"");
	ok_lacks(o, "version >> test");
	free(o);
}

static void github_expressions(void)
{
	char *o =
		PROBE(F(".github/workflows/a.yml",
			"on: {workflow_call: {inputs: {s: {default: unit}}}}\n"
			"jobs:\n  a:\n    strategy:\n      matrix:\n"
			"        py: ['3.1', '3.2']\n        t: [test, lint]\n"
			"        j: ['${{ fromJSON(x) }}']\n"
			"    steps:\n"
			"    - run: npm run ${{ matrix.t }}:${{ inputs.s }}\n"
			"    - run: tox -e ${{ matrix.py }}-${{ github.sha }}\n"
			"    - run: make ${{ matrix.test-x }}\n"
			"    - run: make ${{ matrix.j }}\n"
			"    - run: docker build -t a:${{ github.sha }} .\n"));

	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"command\":\"npm run ${{ matrix.t }}:${{ inputs.s }}\","
		"\"resolved\":[\"npm run test:unit\"],\"unresolved\":[]}");
	ok_json(o, "/slice/workflows/0/test_commands/1",
		"{\"command\":\"tox -e ${{ matrix.py }}-${{ github.sha }}\","
		"\"resolved\":[],\"unresolved\":[\"${{ github.sha }}\"]}");
	ok_json(o, "/slice/workflows/0/image_builds/0",
		"{\"tags\":[\"a:${{ github.sha }}\"]}");
	ok_lacks(o, "\"make ");
	free(o);
}

/* Templates that include each other, values that lead to themselves, and more
 * values than anybody would try. */
static void hostile_templates(void)
{
	struct buf many = { 0 };
	char *o;

	o = PROBE(F("azure-pipelines.yml",
		    "jobs:\n- template: a/azure-pipelines-b.yml\n"
		    "  parameters: {x: '${{ parameters.x }}', y: [a, {b: c}]}\n"
		    "- template: ../../../etc/x.yml\n- template: [a]\n"
		    "- template: ''\n- template: /\n- template: '@'\n"),
		  F("a/azure-pipelines-b.yml",
		    "parameters: [x, {name: [x]}, {name: x, values: {a: b}}]\n"
		    "jobs:\n- template: ../azure-pipelines.yml\n"
		    "  parameters: {x: '${{ parameters.x }}'}\n"
		    "- script: npm run ${{ parameters.x }} ${{ parameters.y }} "
		    "${{ parameters. }} ${{ }} ${{\n"),
		  F(".gitlab-ci.yml", "include: [[[{local: {}, inputs: 5}]], "
				      "{local: .gitlab-ci.yml}]\nspec: [a]\n"),
		  F(".circleci/config.yml",
		    "commands: {c: {parameters: 5, steps: [{c: {x: << "
		    "parameters.x >>}}, {run: << parameters.x >> test}]}}\n"
		    "jobs: {j: {parameters: [x], steps: [{c: {x: << "
		    "parameters.x >>}}]}}\n"));
	ok_lacks(o, "\"runners\"");
	free(o);
	buf_text(&many, "on: push\njobs:\n  a:\n    strategy:\n"
			"      matrix:\n        x: &l [");
	for (unsigned i = 0; i < 5000; i++)
		buf_format(&many, "test-%u, ", i);
	buf_text(&many, "test]\n        y: *l\n        z: *l\n        u: *l\n"
			"    steps:\n");
	for (unsigned i = 0; i < 2000; i++)
		buf_text(&many,
			 "    - run: npm run ${{ matrix.x }} ${{ matrix.y "
			 "}} ${{ matrix.z }} ${{ matrix.u }}\n");
	o = PROBE(F(".github/workflows/a.yml", many.bytes));
	ok_json(o, "/slice/workflows/0/test_commands/0/resolved/15",
		"\"npm run test-0 test-0 test-0 test-15\"");
	free(o);
	buf_done(&many);
}

/* Files that include each other many times, mappings with many keys, and openings
 * without an end: each cost minutes of processor time once. */
static void large_templates(void)
{
	struct buf a = { 0 }, b = { 0 };
	clock_t begun = clock();
	char *o;

	buf_text(&a, "steps:\n- script: make ${{ parameters.x }}\n");
	for (unsigned i = 0; i < 256; i++) {
		buf_text(&a, "- template: b.yml\n"
			     "  parameters: {x: '${{ parameters.x }}'}\n");
		buf_text(&b, i == 0 ? "steps:\n" : "");
		buf_text(&b, "- template: a.yml\n"
			     "  parameters: {x: '${{ parameters.x }}'}\n");
	}
	o = PROBE(F("azure-pipelines/a.yml", a.bytes),
		  F("azure-pipelines/b.yml", b.bytes));
	ok_has(o, "\"truncated\"");
	free(o);
	a.len = 0;
	buf_text(&a, "on: push\njobs:\n  a:\n    strategy:\n      matrix:\n");
	for (unsigned i = 0; i < 100000; i++)
		buf_format(&a, "        k%05u: [1]\n", i);
	buf_text(&a, "    steps:\n");
	for (unsigned i = 0; i < 50000; i++)
		buf_text(&a, "    - run: make ${{matrix.k99998}} "
			     "${{matrix.k99999}} ${{matrix.x}}\n");
	o = PROBE(F(".github/workflows/a.yml", a.bytes));
	ok_has(o, "\"truncated\"");
	free(o);
	a.len = 0;
	buf_text(&a, "jobs:\n  j:\n    steps:\n    - run: make ");
	for (unsigned i = 0; i < 300000; i++)
		buf_text(&a, "<< ");
	buf_text(&a, ">>\n    - run: npm test\n");
	o = PROBE(F(".circleci/config.yml", a.bytes));
	ok_has(o, "\"npm test\"");
	free(o);
	tap_time(clock() - begun, 15 * CLOCKS_PER_SEC); /* usually 2 s */
	buf_done(&a);
	buf_done(&b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(azure_parameters),
		CASE(gitlab_inputs),
		CASE(circleci_parameters),
		CASE(github_expressions),
		CASE(hostile_templates),
		CASE(large_templates),
		TAP_END,
	});
}
