/* parsers_ci_value.c -- commands whose words come from elsewhere. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* A command stays as it is written; whether it tests is asked with each value
 * of its expression. */
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

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(github_values_of_expressions),
		TAP_END,
	});
}
