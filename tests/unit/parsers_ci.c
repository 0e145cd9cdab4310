/* parsers_ci.c -- ci over files in memory, one promise for each provider. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

static void github_steps_are_told(const char *o)
{
	ok_json(o, "/slice/workflows/ANY/trigger_filters/ANY",
		"{\"filter\":\"cron\",\"value\":\"0 1 * * *\"}");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"b\",\"c\"]");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"action\",\"name\":\"actions/checkout@v4\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"local-action\",\"name\":\"./.github/actions/x\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"image\",\"name\":\"docker://alpine:3\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"job\":\"c\",\"line\":20,"
		"\"source\":\".github/workflows/a.yml\","
		"\"kind\":\"workflow\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"label\",\"name\":\"${{ matrix.os }}\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"node:20\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"service\",\"name\":\"pg\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"b\",\"line\":17,"
		"\"source\":\".github/workflows/a.yml\","
		"\"runners\":[\"npm\"],\"command\":\"npm test\","
		"\"step\":null}");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"tool\":\"docker\",\"command\":null,"
		"\"step\":\"docker/build-push-action@v5\","
		"\"dockerfile\":\"D\",\"context\":\".\",\"repository\":null,"
		"\"tags\":[\"a\",\"b\"]}");
}

static void github_workflows(void)
{
	char *o = PROBE(F(".github/workflows/a.yml",
			  "name: A\n"
			  "on:\n"
			  "  push: {branches: [main]}\n"
			  "  schedule: [{cron: '0 1 * * *'}]\n"
			  "  workflow_dispatch:\n"
			  "jobs:\n"
			  "  b:\n"
			  "    runs-on: [self-hosted, '${{ matrix.os }}']\n"
			  "    container: {image: 'node:20'}\n"
			  "    services: {db: {image: pg}}\n"
			  "    steps:\n"
			  "    - uses: actions/checkout@v4\n"
			  "    - uses: ./.github/actions/x\n"
			  "    - uses: docker://alpine:3\n"
			  "    - run: |\n"
			  "        npm ci\n"
			  "        npm test\n"
			  "    - uses: docker/build-push-action@v5\n"
			  "      with: {file: D, context: ., tags: \"a\\nb\"}\n"
			  "  c: {uses: o/r/.github/workflows/w.yml@v1}\n"));

	ok_json(o, "/slice/providers",
		"[{\"name\":\"github-actions\","
		"\"source\":\".github/workflows/a.yml\"}]");
	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"github-actions\",\"name\":\"A\","
		"\"kind\":\"workflow\","
		"\"source\":\".github/workflows/a.yml\","
		"\"triggers\":[\"push\",\"schedule\",\"workflow_dispatch\"]}");
	ok_json(o, "/slice/workflows/ANY/trigger_filters/ANY",
		"{\"trigger\":\"push\",\"filter\":\"branches\","
		"\"value\":\"main\",\"line\":3}");
	github_steps_are_told(o);
	free(o);
}

static void github_triggers_in_three_forms(void)
{
	char *o = PROBE(F(".github/workflows/a.yml", "on: push\njobs: {}\n"),
			F(".github/workflows/b.yml",
			  "on: [push, pull_request]\njobs: {}\n"),
			F(".github/workflows/c.yml",
			  "\"on\": {push: null}\njobs: {}\n"),
			F(".github/workflows/d.yml", "jobs: 1\n"));

	ok_json(o, "/slice/workflows/ANY",
		"{\"source\":\".github/workflows/a.yml\","
		"\"triggers\":[\"push\"]}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"source\":\".github/workflows/b.yml\","
		"\"triggers\":[\"push\",\"pull_request\"]}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"source\":\".github/workflows/c.yml\","
		"\"triggers\":[\"push\"]}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"source\":\".github/workflows/d.yml\",\"triggers\":[]}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"no_jobs\","
		"\"source\":\".github/workflows/d.yml\"}");
	free(o);
}

static void github_actions_are_no_provider(void)
{
	char *o =
		PROBE(F("action.yml",
			"name: X\nruns: {using: docker, image: Dockerfile}\n"),
		      F(".github/actions/y/action.yaml",
			"runs:\n  using: composite\n  steps:\n"
			"  - run: make check\n    shell: bash\n"
			"  - uses: a/b@v1\n"));

	ok_json(o, "/slice/providers", "[]");
	ok_json(o, "/slice/workflows/ANY",
		"{\"name\":\"X\",\"kind\":\"action\"}");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY/dockerfile",
		"\"Dockerfile\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"runners\":[\"make\"],\"command\":\"make check\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"action\",\"name\":\"a/b@v1\"}");
	free(o);
}

static void gitlab_commands_are_told(const char *o)
{
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-remote\","
		"\"name\":\"https://x.test/b.yml\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-local\",\"name\":\"c.yml\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-project\",\"name\":\"g/p\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-file\",\"name\":\"/e.yml\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-template\",\"name\":\"T.yml\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-component\",\"name\":\"$S/c@1\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"extends\",\"name\":\".other\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"pipeline\",\"name\":\"g/q\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"job\":null,\"line\":2,\"source\":\".gitlab-ci.yml\","
		"\"kind\":\"image\",\"name\":\"ruby:3\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"py\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"service\",\"name\":\"pg\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"label\",\"name\":\"linux\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\".base\",\"line\":12,"
		"\"source\":\".gitlab-ci.yml\",\"runners\":[\"tox\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"pytest -q\"");
	ok_json(o, "/warnings/ANY/code", "\"yaml_tag\"");
}

static void gitlab_jobs_are_what_is_no_keyword(void)
{
	char *o = PROBE(
		F(".gitlab-ci.yml",
		  "workflow: {name: W, rules: [{if: '$CI_X == \"a\"'}]}\n"
		  "default: {image: ruby:3, before_script: [bundle]}\n"
		  "stages: [build, test]\n"
		  "variables: {A: b}\n"
		  "include:\n"
		  "- /a.yml\n"
		  "- https://x.test/b.yml\n"
		  "- {local: c.yml}\n"
		  "- {project: g/p, file: [/d.yml, /e.yml]}\n"
		  "- {template: T.yml}\n"
		  "- {component: $S/c@1}\n"
		  ".base: {script: [tox]}\n"
		  "unit:\n"
		  "  stage: test\n"
		  "  extends: [.base, .other]\n"
		  "  image: {name: py, entrypoint: ['']}\n"
		  "  services: [redis, {name: pg, alias: db}]\n"
		  "  tags: [linux]\n"
		  "  only: [merge_requests, main]\n"
		  "  script:\n"
		  "  - !reference [.base, script]\n"
		  "  - pytest -q\n"
		  "image:\n"
		  "  script: docker build -t $CI_REGISTRY_IMAGE:$CI_SHA .\n"
		  "down: {trigger: {project: g/q}}\n"));

	ok_json(o, "/slice/workflows/ANY",
		"{\"name\":\"W\",\"kind\":\"workflow\"}");
	ok_json(o, "/slice/workflows/ANY/triggers",
		"[\"$CI_X == \\\"a\\\"\",\"merge_requests\"]");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"unit\",\"down\"]");
	ok_json(o, "/slice/workflows/ANY/hidden_jobs", "[\".base\"]");
	ok_json(o, "/slice/workflows/ANY/stages", "[\"build\",\"test\"]");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"include-local\",\"name\":\"/a.yml\"}");
	gitlab_commands_are_told(o);
	free(o);
}

static void gitlab_headers_and_templates(void)
{
	char *o = PROBE(F(".gitlab-ci.yml",
			  "spec: {inputs: {a: {}}}\n---\nj: {script: tox}\n"),
			F(".gitlab/ci/x.yml", "k: {script: nox}\n"));

	ok_json(o, "/slice/workflows/ANY",
		"{\"kind\":\"workflow\",\"source\":\".gitlab-ci.yml\"}");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"j\"]");
	ok_json(o, "/slice/workflows/ANY",
		"{\"kind\":\"template\",\"source\":\".gitlab/ci/x.yml\"}");
	ok_json(o, "/errors", "[]");
	free(o);
}

static void circleci_steps_are_told(const char *o)
{
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"orb-command\","
		"\"name\":\"node/install-packages\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"orb-job\",\"name\":\"node/test\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"n\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"service\",\"name\":\"redis\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"npm test\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command", "\"tox\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"go test ./...\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/step",
		"\"node/test\"");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"dockerfile\":\"D\",\"context\":null,\"repository\":null,"
		"\"tags\":[\"<< x >>\"]}");
	ok_lacks(o, "nox");
	ok_no_json(o, "{\"name\":\"version\"}");
}

static void circleci_workflows_have_their_jobs(void)
{
	char *o = PROBE(
		F(".circleci/config.yml",
		  "version: 2.1\n"
		  "orbs: {node: circleci/node@5}\n"
		  "executors: {e: {docker: [{image: cimg/go:1}]}}\n"
		  "commands:\n"
		  "  c: {steps: [{run: go test ./...}, c]}\n"
		  "jobs:\n"
		  "  a:\n"
		  "    docker: [{image: n}, {image: redis}]\n"
		  "    steps:\n"
		  "    - checkout\n"
		  "    - run: {name: T, command: npm test}\n"
		  "    - when: {condition: 1, steps: [{run: tox}]}\n"
		  "    - node/install-packages\n"
		  "    - c\n"
		  "  unused: {executor: e, steps: [{run: nox}]}\n"
		  "workflows:\n"
		  "  version: 2\n"
		  "  w:\n"
		  "    triggers: [{schedule: {cron: '1 2 * * *'}}]\n"
		  "    jobs:\n"
		  "    - a\n"
		  "    - hold: {type: approval}\n"
		  "    - node/test: {requires: [a]}\n"
		  "    - docker/publish: {dockerfile: D, tag: << x >>}\n"));

	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"circleci\",\"name\":\"w\"}");
	ok_json(o, "/slice/workflows/ANY/triggers", "[\"schedule\"]");
	ok_json(o, "/slice/workflows/ANY/jobs",
		"[\"a\",\"hold\",\"node/test\",\"docker/publish\"]");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"orb\",\"name\":\"circleci/node@5\"}");
	circleci_steps_are_told(o);
	free(o);
	o = PROBE(F(".circleci/config.yml",
		    "jobs: {build: {machine: true, steps: [{run: tox}]}}\n"));
	ok_json(o, "/slice/workflows/ANY/name", "null");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"build\"]");
	free(o);
}

static void azure_steps_are_told(const char *o)
{
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"J\",\"line\":13,"
		"\"source\":\"azure-pipelines.yml\",\"runners\":[\"go\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"runners\":[\"dotnet\"],\"command\":\"test\","
		"\"step\":\"DotNetCoreCLI@2\"}");
	ok_no_json(o, "{\"command\":\"build\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command", "\"tox\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"P\",\"line\":23}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"job\":null,\"line\":26,"
		"\"source\":\"azure-pipelines.yml\",\"kind\":\"image\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"make check\"");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY/dockerfile", "\"D\"");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"template\",\"name\":\"t.yml@r\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"label\",\"name\":\"ubuntu-22.04\"}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"kind\":\"template\","
		"\"source\":\".azure-pipelines/t.yml\"}");
}

static void azure_nests_at_will(void)
{
	char *o = PROBE(
		F("azure-pipelines.yml",
		  "name: $(Rev)\n"
		  "trigger: {branches: {include: [main], exclude: [x]}}\n"
		  "pr: none\n"
		  "schedules: [{cron: 0 0 * * *}]\n"
		  "extends: {template: t.yml@r}\n"
		  "stages:\n"
		  "- stage: S\n"
		  "  jobs:\n"
		  "  - job: J\n"
		  "    pool: {vmImage: ubuntu-22.04}\n"
		  "    steps:\n"
		  "    - ${{ if eq(1, 2) }}:\n"
		  "      - bash: go test ./...\n"
		  "    - task: DotNetCoreCLI@2\n"
		  "      inputs: {command: test}\n"
		  "    - task: DotNetCoreCLI@2\n"
		  "      inputs: {command: build}\n"
		  "    - task: Bash@3\n"
		  "      inputs: {script: tox}\n"
		  "    - task: Docker@2\n"
		  "      inputs: {command: buildAndPush, Dockerfile: D}\n"
		  "  - deployment: P\n"
		  "    strategy: {runOnce: {deploy: {steps: [script: nox]}}}\n"
		  "  - template: j.yml\n"
		  "    parameters: {job: no, steps: [{script: make check}]}\n"
		  "resources: {containers: [{image: I}]}\n"),
		F(".azure-pipelines/t.yml", "steps: []\n"));

	ok_json(o, "/slice/workflows/ANY/triggers",
		"[\"trigger\",\"schedules\"]");
	ok_json(o, "/slice/workflows/ANY/trigger_filters/ANY",
		"{\"filter\":\"branches-ignore\",\"value\":\"x\"}");
	ok_json(o, "/slice/workflows/ANY/stages", "[\"S\"]");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"J\",\"P\"]");
	azure_steps_are_told(o);
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(github_workflows),
		CASE(github_triggers_in_three_forms),
		CASE(github_actions_are_no_provider),
		CASE(gitlab_jobs_are_what_is_no_keyword),
		CASE(gitlab_headers_and_templates),
		CASE(circleci_workflows_have_their_jobs),
		CASE(azure_nests_at_will),
		TAP_END,
	});
}
