/* parsers_ci_left_out_values.c -- ci: values, templates and called files that are
 * left out because of a cap are told, once for each file. */
#include "cap_files.h"

/* --- templates ---------------------------------------------------------------- */

#define PIPELINE "azure-pipelines.yml"
#define RUN_X    "- script: npm run ${{ parameters.x }}\n"
#define TOLD     "\"resolved\":[\"npm run test\"]"

/* The pipeline and those that have parameters are n. */
static void templates(struct files *f, size_t n)
{
	buf_text(file(f, PIPELINE), "# template:\nsteps:\n");
	for (size_t i = 2; i <= n; i++)
		buf_text(file(f, "azure-pipelines/%s%02zu.yml",
			      i < n ? "t" : "z", i < n ? i : 0),
			 i < n ? "# parameters\nsteps:\n"
			       : "parameters: {x: test}\nsteps:\n" RUN_X);
}

static void calls(struct files *f, size_t n)
{
	buf_text(file(f, "azure-pipelines/t.yml"), "steps:\n" RUN_X);
	buf_text(file(f, PIPELINE), "steps:\n");
	for (size_t i = 1; i <= n; i++)
		buf_format(file(f, PIPELINE),
			   "- template: azure-pipelines/t.yml\n"
			   "  parameters: {x: %s}\n",
			   i < n ? "build" : "test");
}

/* n thousands of nodes, each with memory of its own. */
static void memory(struct files *f, size_t n)
{
	struct buf *text = file(f, "azure-pipelines/t.yml");

	buf_text(text, "parameters:\n- {name: x, default: test}\n"
		       "steps:\n" RUN_X "- x: [");
	for (size_t i = 0; i < n * 1000; i++)
		buf_text(text, "a,");
	buf_text(text, "a]\n");
}

static void of_templates(void)
{
	char *o;

	ALL_HOLD({ templates, 64, "azure-pipelines/z00.yml", NULL, TOLD },
		 { calls, 512, PIPELINE, NULL, TOLD });
	memory(&files, 1);
	o = answer(&files);
	ok_json(o, "/warnings", "[]");
	ok_has(o, TOLD);
	free(o);
	memory(&files, 400);
	o = answer(&files);
	ok_json(o, "/warnings",
		"[{\"code\":\"truncated\",\"source\":"
		"\"azure-pipelines/t.yml\"}]");
	ok_json(o, "/errors", "[]");
	free(o);
}

/* --- files that are called ---------------------------------------------------- */

#define FLOW "on: push\njobs:\n  a:\n    steps:\n"

static void called(struct files *f, size_t n)
{
	buf_text(file(f, ".github/workflows/a.yml"), FLOW);
	for (size_t i = 1; i <= n; i++) {
		const char *name = i < n ? "a" : "last";

		buf_format(file(f, ".github/workflows/a.yml"),
			   "    - uses: ./.github/actions/%s%zu\n"
			   "      with: {command: %s}\n",
			   name, i < n ? i : 0, i < n ? "true" : "npm test");
		buf_text(file(f, ".github/actions/%s%zu/action.yml", name,
			      i < n ? i : 0),
			 "runs: {steps: [{run: '${{ inputs.command }}'}]}\n");
	}
}

static void handed_on(struct files *f, size_t n)
{
	buf_text(file(f, ".github/workflows/a.yml"),
		 FLOW "    - uses: ./.github/actions/a1\n"
		      "      with: {command: npm test}\n");
	for (size_t i = 1; i < n; i++)
		buf_format(file(f, ".github/actions/a%zu/action.yml", i),
			   "runs: {steps: [{uses: ./.github/actions/a%zu, "
			   "with: {command: '${{ inputs.command }}'}}]}\n",
			   i + 1);
	buf_text(file(f, ".github/actions/a%zu/action.yml", n),
		 "runs: {steps: [{run: '${{ inputs.command }}'}]}\n");
}

static void of_called_files(void)
{
	ALL_HOLD({ called, 16, ".github/actions/last0/action.yml", NULL,
		   "\"npm test\"" },
		 { handed_on, 4, ".github/actions/a5/action.yml", NULL,
		   "\"npm test\"" });
}

/* One that hands a value on to itself loses nothing. */
static void a_ring_of_files(void)
{
	char *o;

	handed_on(&files, 3);
	file(&files, ".github/actions/a3/action.yml")->len = 0;
	buf_text(file(&files, ".github/actions/a3/action.yml"),
		 "runs: {steps: [{uses: ./.github/actions/a1, with: {command: "
		 "'${{ inputs.command }}'}}]}\n");
	o = answer(&files);
	ok_json(o, "/warnings", "[]");
	ok_json(o, "/errors", "[]");
	free(o);
}

/* --- values ------------------------------------------------------------------- */

static void values(struct files *f, size_t n)
{
	struct buf *text = file(f, ".github/workflows/a.yml");

	buf_text(text, "on: push\njobs:\n  a:\n    strategy:\n      matrix:\n"
		       "        x: [");
	for (size_t i = 1; i < n; i++)
		buf_format(text, "v%zu, ", i);
	buf_text(text,
		 "test]\n    steps:\n    - run: npm run ${{ matrix.x }}\n");
}

static void expressions(struct files *f, size_t n)
{
	struct buf *text = file(f, ".github/workflows/a.yml");

	buf_text(text, "on: push\nenv: {x: test, y: ''}\n"
		       "jobs:\n  a:\n    steps:\n    - run: npm run ");
	for (size_t i = 1; i < n; i++)
		buf_text(text, "${{ env.y }}");
	buf_text(text, "${{ env.x }}\n");
}

/* A job gives the value, and n commands hand it on. */
static void parameters(struct files *f, size_t n)
{
	struct buf *text = file(f, ".circleci/config.yml");

	buf_text(text, "jobs: {j: {steps: [{c1: {x: test}}]}}\ncommands:\n");
	for (size_t i = 1; i < n; i++)
		buf_format(text,
			   "  c%zu: {steps: [{c%zu: {x: << parameters.x "
			   ">>}}]}\n",
			   i, i + 1);
	buf_format(text,
		   "  c%zu: {steps: [{run: npm run << parameters.x >>}]}\n", n);
}

static void of_values(void)
{
	ALL_HOLD({ values, 16, ".github/workflows/a.yml", NULL, TOLD },
		 { expressions, 8, ".github/workflows/a.yml", NULL, TOLD },
		 { parameters, 4, ".circleci/config.yml", NULL, TOLD });
}

static void assigned(struct files *f, size_t n)
{
	for (size_t i = 1; i < n; i++)
		buf_format(file(f, "Jenkinsfile"), "def v%zu = 'x'\n", i);
	buf_text(file(f, "Jenkinsfile"), "def v = 'make check'\nsh v\n");
}

/* A name of an expression may be long. */
static void of_names(void)
{
	struct buf *text;
	char *o;

	ALL_HOLD({ assigned, 64, "Jenkinsfile", NULL, "make check" });
	text = file(&files, ".github/workflows/a.yml");
	buf_text(text, "on: push\nenv: {");
	for (size_t i = 0; i < 100; i++)
		buf_char(text, 'x');
	buf_text(text, ": test}\njobs:\n  a:\n    steps:\n"
		       "    - run: npm run ${{ env.");
	for (size_t i = 0; i < 100; i++)
		buf_char(text, 'x');
	buf_text(text, " }}\n");
	o = answer(&files);
	ok_has(o, TOLD);
	ok_json(o, "/warnings", "[]");
	free(o);
}

/* --- what is only a doubt for a gate, because it compares the whole file ---------- */

static void steps_in_steps(struct files *f, size_t n)
{
	struct buf *text = file(f, ".buildkite/pipeline.yml");

	buf_text(text, "steps:\n");
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = 0; k < i; k++)
			buf_text(text, "  ");
		buf_text(text, i < n ? "- steps:\n" : "- plugins: [a#v1]\n");
	}
}

static void tokens(struct files *f, size_t n)
{
	buf_text(file(f, "Jenkinsfile"), "sh(");
	for (size_t i = 1; i < n / 2; i++)
		buf_text(file(f, "Jenkinsfile"), "a,");
	buf_text(file(f, "Jenkinsfile"), n % 2 ? "a, " : "");
	buf_text(file(f, "Jenkinsfile"), "script: 'make check')\n");
}

static void resolved_is_long(struct files *f, size_t n)
{
	struct buf *text = file(f, ".github/workflows/a.yml");

	buf_text(text, "on: push\nenv:\n  x: ");
	for (size_t i = 9; i < n; i++)
		buf_char(text, 'x');
	buf_text(text, "\njobs:\n  a:\n    steps:\n"
		       "    - run: npm test ${{ env.x }}\n");
}

static void of_doubts(void)
{
	ALL_HOLD(
		{ steps_in_steps, 12, ".buildkite/pipeline.yml", "nested",
		  "a#v1" },
		{ tokens, 16, "Jenkinsfile", "command_too_long", "make check" },
		{ resolved_is_long, 1000, ".github/workflows/a.yml",
		  "command_cut", NULL });
}

/* Where the keys of Azure's stand in a file does not matter. */
static void a_pipeline_behind_many_lines(void)
{
	char *o;

	for (size_t i = 0; i < 30000; i++)
		buf_text(file(&files, "ci/x.yml"), "# a: b\n");
	buf_text(file(&files, "ci/x.yml"), "steps:\n- script: npm test\n");
	o = answer(&files);
	ok_has(o, "\"npm test\"");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(of_templates),
		CASE(of_called_files),
		CASE(a_ring_of_files),
		CASE(of_values),
		CASE(of_names),
		CASE(of_doubts),
		CASE(a_pipeline_behind_many_lines),
		TAP_END,
	});
}
