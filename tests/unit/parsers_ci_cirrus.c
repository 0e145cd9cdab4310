/* parsers_ci_cirrus.c -- ci: the tasks of Cirrus CI. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

static const char cirrus[] =
	"env: {A: make check}\n"
	"common_template: &common\n"
	"  env: {B: c}\n"
	"  prepare_script: ./setup.sh\n"
	"  tail_script: make check-tail\n"
	"task:\n"
	"  name: first\n"
	"  container: {image: 'img:1', dockerfile: ci/Dockerfile}\n"
	"  only_if: $BRANCH == 'pytest'\n"
	"  depends_on: [tox]\n"
	"  node_modules_cache:\n"
	"    folder: x\n"
	"    fingerprint_script: npm test\n"
	"    populate_script: npm ci\n"
	"  install_script: npm ci\n"
	"  test_script:\n"
	"    - npm run build\n"
	"    - npm test -- --one\n"
	"task:\n"
	"  <<: *common\n"
	"  name: outer\n"
	"  matrix:\n"
	"    - name: bsd\n"
	"      freebsd_instance: {matrix: [{image_family: f-14}, {image: "
	"f-15}]}\n"
	"      test_script: cargo test --bsd\n"
	"    - name: mac\n"
	"      macos_instance: {image: [m-1, m-2]}\n"
	"  script: cargo test --all\n"
	"unit_task:\n"
	"  container:\n"
	"    additional_containers: [{name: db, image: 'pg:1'}]\n"
	"  matrix: [{env: {X: 1}}, {env: {X: 2}}]\n"
	"  check_script: go test ./...\n"
	"  on_failure: {report_script: ctest --rerun-failed}\n"
	"  always:\n"
	"    test_artifacts: {path: pytest}\n"
	"  pipe: none\n"
	"image_docker_builder:\n"
	"  build_script: docker build -t a/b .\n"
	"pipe:\n"
	"  name: piped\n"
	"  steps:\n"
	"    - image: 'alpine:1'\n"
	"      lint_script: ruff check\n"
	"      test_script: pytest -q\n"
	"windows_container: {image: 'w:1'}\n"
	"task:\n"
	"  test_script: bats t\n";

static void tasks_are_jobs(void)
{
	char *o = PROBE(F(".cirrus.yml", cirrus));

	ok_json(o, "/slice/providers",
		"[{\"name\":\"cirrus-ci\",\"source\":\".cirrus.yml\"}]");
	ok_json(o, "/slice/workflows/0/jobs",
		"[\"first\",\"bsd\",\"mac\",\"unit\",\"image\",\"piped\"]");
	ok_json(o, "/slice/workflows/0/hidden_jobs", "[\"common_template\"]");
	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"job\":\"first\",\"line\":18,\"source\":\".cirrus.yml\","
		"\"runners\":[\"npm\"],\"command\":\"npm test -- --one\"}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"job\":\"bsd\",\"command\":\"cargo test --bsd\"}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"command\":\"cargo test --all\",\"runners\":[\"cargo\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"command\":\"make check-tail\",\"line\":5}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"job\":\"unit\",\"command\":\"go test ./...\"}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"job\":\"unit\",\"command\":\"ctest --rerun-failed\"}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"job\":\"piped\",\"command\":\"pytest -q\"}");
	ok_json(o, "/slice/workflows/0/test_commands/ANY",
		"{\"job\":null,\"command\":\"bats t\"}");
	ok_lacks(o, "npm test\"");
	ok_lacks(o, "tox");
	ok_lacks(o, "make check\"");
	free(o);
}

static void places_are_images(void)
{
	static const char *const places[] = { "img:1", "f-14", "f-15", "m-1",
					      "m-2",   "pg:1", "w:1" };
	char *o = PROBE(F(".cirrus.yml", cirrus)), want[64];

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		(void)snprintf(want, sizeof want,
			       "{\"kind\":\"image\",\"name\":\"%s\"}",
			       places[i]);
		ok_json(o, "/slice/workflows/0/runs_on/ANY", want);
	}
	ok_json(o, "/slice/workflows/0/image_builds/ANY",
		"{\"job\":\"first\",\"step\":\"container.dockerfile\","
		"\"dockerfile\":\"ci/Dockerfile\",\"line\":8}");
	ok_json(o, "/slice/workflows/0/image_builds/ANY",
		"{\"job\":\"image\",\"command\":\"docker build -t a/b .\"}");
	free(o);
}

/* A program that makes tasks is known by its presence alone. */
static void programs_and_parts(void)
{
	char *o = PROBE(N(".cirrus.star"),
			F(".cirrus.tasks.yml", "a_task: {script: tox}\n"),
			F("sub/.cirrus.yml", "task: {script: npm test}\n"));

	ok_json(o, "/slice/providers",
		"[{\"name\":\"cirrus-ci\",\"source\":\".cirrus.star\"}]");
	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"job\":\"a\",\"command\":\"tox\"}");
	ok_lacks(o, "npm test");
	free(o);
}

/* What a task is called, what is after its matrix, and what is no task. */
static void names_of_tasks(void)
{
	char *o =
		PROBE(F(".cirrus.yml",
			"task:\n  alias: other\n  script: tox\n"
			"task:\n  name: outer\n  matrix: [{name: a}, {x: y}]\n"
			"  script: npm test\n"
			"task:\n  name: last\n"
			"  x_artifacts: {a_script: cargo test}\n"
			"node_cache: {folder: x}\nparts: {a: b}\n"
			"a_artifacts: {path: x}\nartifacts: {path: x}\n"
			"xtask: {script: bats t}\n"
			"---\ntask: {script: go test}\n"));

	ok_json(o, "/slice/workflows/0/jobs",
		"[\"other\",\"outer\",\"a\",\"last\"]");
	ok_json(o, "/slice/workflows/0/hidden_jobs", "[\"parts\",\"xtask\"]");
	ok_json(o, "/slice/workflows/0/test_commands/0",
		"{\"job\":\"other\",\"command\":\"tox\"}");
	ok_json(o, "/slice/workflows/0/test_commands/1",
		"{\"job\":\"outer\",\"command\":\"npm test\"}");
	ok_lacks(o, "cargo test");
	ok_lacks(o, "bats t");
	ok_lacks(o, "go test");
	free(o);
}

/* A name twice is an error everywhere else. */
static void duplicates_are_tasks_here_alone(void)
{
	char *o = PROBE(F(".cirrus.yml", "task: {script: tox}\n"
					 "task: {script: nox}\n"),
			F(".travis.yml", "script: tox\nscript: nox\n"));

	ok_json(o, "/slice/workflows/0/test_commands/1/command", "\"nox\"");
	ok_json(o, "/errors/0",
		"{\"code\":\"duplicate_name\",\"source\":\".travis.yml\"}");
	ok(strstr(o, "\"code\":\"duplicate_name\"") != NULL &&
	   strstr(o, "duplicate_name\",\"source\":\".cirrus") == NULL);
	free(o);
}

/* Keys in the mappings of a task that hold no commands may be called anything. */
static void what_is_no_instruction(void)
{
	static const char *const keys[] = { "env",       "environment",
					    "x_cache",   "docker_arguments",
					    "artifacts", "x_artifacts" };
	char text[128];
	char *o;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		(void)snprintf(text, sizeof text, "task: {%s: {a_script: tox}}",
			       keys[i]);
		o = PROBE(F(".cirrus.yml", text));
		ok_has(o, "\"test_commands\":[]");
		free(o);
	}
	o = PROBE(F(".cirrus.yml", "task: {x: {a_script: tox}}"));
	ok_has(o, "\"command\":\"tox\"");
	free(o);
}

/* Keys with names alone, whose values are no mappings. */
static void what_holds_no_mapping(void)
{
	char *o = PROBE(F(".cirrus.yml",
			  "task:\n  depends_on: [tox, npm test]\n"
			  "  only_if: tox\n  skip: tox\n"
			  "  skip_notifications: tox\n"
			  "  registry_config: tox\n  script: nox\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"nox\"}]");
	ok_lacks(o, "tox");
	free(o);
}

static void hostile_files(void)
{
	static const char *const files[] = {
		"",
		"task",
		"task: [",
		"- a\n- b\n",
		"task: &a [*a]\n",
		"task: [[[[[[[[[[{script: x}]]]]]]]]]]\n",
		"? [a]\n: {script: tox}\n",
		"_task: {script: 1}\ntask: 5\n",
		"task:\n  ? {a: b}\n  : {script: tox}\n",
		"task: {name: [a], alias: {b: c}}\n",
		"task: {container: {dockerfile: [x]}}\n",
		"task: {container: {image: {matrix: {a: b}}}}\n",
		"task: {matrix: {matrix: {matrix: [[], {}, null]}}}\n",
		"\xff\xfe task: x\n",
		"task: {\"_script\": tox, script_: nox}\n",
		"_script: tox\nxtask: {script: tox}\n",
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *o = PROBE(F(".cirrus.yml", files[i]));

		ok_json(o, "/slice/providers/0/name", "\"cirrus-ci\"");
		ok_lacks(o, "\"nox\"");
		free(o);
	}
}

/* Names, depth and size are bounded as in every YAML file. */
static void large_and_deep_files(void)
{
	owned_buf struct buf deep = { 0 }, large = { 0 };
	char *o;

	buf_text(&deep, "task: ");
	for (unsigned i = 0; i < 100; i++)
		buf_text(&deep, "{matrix: ");
	buf_text(&large, "x_task: {script: tox}\n");
	for (unsigned i = 0; i < 20000; i++)
		buf_text(&large, "task: {script: [npm test]}\n");
	o = PROBE(F(".cirrus.a.yml", deep.bytes),
		  F(".cirrus.b.yml", large.bytes));
	ok_json(o, "/errors/0/source", "\".cirrus.a.yml\"");
	ok_json(o, "/slice/workflows/0/test_commands/0/command", "\"tox\"");
	ok_json(o, "/warnings/ANY", "{\"code\":\"truncated\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(tasks_are_jobs),
		CASE(places_are_images),
		CASE(programs_and_parts),
		CASE(names_of_tasks),
		CASE(duplicates_are_tasks_here_alone),
		CASE(what_is_no_instruction),
		CASE(what_holds_no_mapping),
		CASE(hostile_files),
		CASE(large_and_deep_files),
		TAP_END,
	});
}
