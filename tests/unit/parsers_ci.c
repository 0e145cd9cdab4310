/* parsers_ci.c -- ci over files in memory, one promise for each provider. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })
#define lacks(text, part) ok(strstr((text), (part)) == NULL)

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

	ok_has(o, "\"providers\":[{\"name\":\"github-actions\","
		  "\"source\":\".github/workflows/a.yml\"}]");
	ok_has(o, "{\"provider\":\"github-actions\",\"name\":\"A\","
		  "\"kind\":\"workflow\",\"source\":"
		  "\".github/workflows/a.yml\",\"triggers\":[\"push\","
		  "\"schedule\",\"workflow_dispatch\"]");
	ok_has(o, "{\"trigger\":\"push\",\"filter\":\"branches\","
		  "\"value\":\"main\",\"line\":3,");
	ok_has(o, "\"filter\":\"cron\",\"value\":\"0 1 * * *\"");
	ok_has(o, "\"jobs\":[\"b\",\"c\"]");
	ok_has(o, "\"kind\":\"action\",\"name\":\"actions/checkout@v4\"");
	ok_has(o, "\"kind\":\"local-action\",\"name\":\"./.github/actions/x\"");
	ok_has(o, "\"kind\":\"image\",\"name\":\"docker://alpine:3\"");
	ok_has(o, "{\"job\":\"c\",\"line\":20,\"source\":"
		  "\".github/workflows/a.yml\",\"kind\":\"workflow\",");
	ok_has(o, "\"kind\":\"label\",\"name\":\"${{ matrix.os }}\"");
	ok_has(o, "\"kind\":\"image\",\"name\":\"node:20\"");
	ok_has(o, "\"kind\":\"service\",\"name\":\"pg\"");
	ok_has(o, "{\"job\":\"b\",\"line\":17,\"source\":"
		  "\".github/workflows/a.yml\",\"runners\":[\"npm\"],"
		  "\"command\":\"npm test\",\"step\":null}");
	ok_has(o, "\"tool\":\"docker\",\"command\":null,\"step\":"
		  "\"docker/build-push-action@v5\",\"dockerfile\":\"D\","
		  "\"context\":\".\",\"repository\":null,"
		  "\"tags\":[\"a\",\"b\"]");
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

	ok_has(o, "a.yml\",\"triggers\":[\"push\"]");
	ok_has(o, "b.yml\",\"triggers\":[\"push\",\"pull_request\"]");
	ok_has(o, "c.yml\",\"triggers\":[\"push\"]");
	ok_has(o, "d.yml\",\"triggers\":[]");
	ok_has(o, "\"code\":\"no_jobs\",\"source\":\".github/workflows/d.yml");
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

	ok_has(o, "\"providers\":[]");
	ok_has(o, "\"name\":\"X\",\"kind\":\"action\"");
	ok_has(o, "\"dockerfile\":\"Dockerfile\"");
	ok_has(o, "\"runners\":[\"make\"],\"command\":\"make check\"");
	ok_has(o, "\"kind\":\"action\",\"name\":\"a/b@v1\"");
	free(o);
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

	ok_has(o, "\"name\":\"W\",\"kind\":\"workflow\"");
	ok_has(o, "\"triggers\":[\"$CI_X == \\\"a\\\"\",\"merge_requests\"]");
	ok_has(o, "\"jobs\":[\"unit\",\"down\"]");
	ok_has(o, "\"hidden_jobs\":[\".base\"]");
	ok_has(o, "\"stages\":[\"build\",\"test\"]");
	ok_has(o, "\"include-local\",\"name\":\"/a.yml\"");
	ok_has(o, "\"include-remote\",\"name\":\"https://x.test/b.yml\"");
	ok_has(o, "\"include-local\",\"name\":\"c.yml\"");
	ok_has(o, "\"include-project\",\"name\":\"g/p\"");
	ok_has(o, "\"include-file\",\"name\":\"/e.yml\"");
	ok_has(o, "\"include-template\",\"name\":\"T.yml\"");
	ok_has(o, "\"include-component\",\"name\":\"$S/c@1\"");
	ok_has(o, "\"extends\",\"name\":\".other\"");
	ok_has(o, "\"pipeline\",\"name\":\"g/q\"");
	ok_has(o, "{\"job\":null,\"line\":2,\"source\":\".gitlab-ci.yml\","
		  "\"kind\":\"image\",\"name\":\"ruby:3\"}");
	ok_has(o, "\"kind\":\"image\",\"name\":\"py\"");
	ok_has(o, "\"kind\":\"service\",\"name\":\"pg\"");
	ok_has(o, "\"kind\":\"label\",\"name\":\"linux\"");
	ok_has(o, "\"job\":\".base\",\"line\":12,\"source\":\".gitlab-ci.yml\","
		  "\"runners\":[\"tox\"]");
	ok_has(o, "\"command\":\"pytest -q\"");
	ok_has(o, "\"code\":\"yaml_tag\"");
	free(o);
}

static void gitlab_headers_and_templates(void)
{
	char *o = PROBE(F(".gitlab-ci.yml",
			  "spec: {inputs: {a: {}}}\n---\nj: {script: tox}\n"),
			F(".gitlab/ci/x.yml", "k: {script: nox}\n"));

	ok_has(o, "\"kind\":\"workflow\",\"source\":\".gitlab-ci.yml\"");
	ok_has(o, "\"jobs\":[\"j\"]");
	ok_has(o, "\"kind\":\"template\",\"source\":\".gitlab/ci/x.yml\"");
	lacks(o, "\"errors\":[{");
	free(o);
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

	ok_has(o, "\"provider\":\"circleci\",\"name\":\"w\"");
	ok_has(o, "\"triggers\":[\"schedule\"]");
	ok_has(o, "\"jobs\":[\"a\",\"hold\",\"node/test\",\"docker/publish\"]");
	ok_has(o, "\"kind\":\"orb\",\"name\":\"circleci/node@5\"");
	ok_has(o, "\"orb-command\",\"name\":\"node/install-packages\"");
	ok_has(o, "\"orb-job\",\"name\":\"node/test\"");
	ok_has(o, "\"image\",\"name\":\"n\"");
	ok_has(o, "\"service\",\"name\":\"redis\"");
	ok_has(o, "\"command\":\"npm test\"");
	ok_has(o, "\"command\":\"tox\"");
	ok_has(o, "\"command\":\"go test ./...\"");
	ok_has(o, "\"step\":\"node/test\"");
	ok_has(o, "\"dockerfile\":\"D\",\"context\":null,"
		  "\"repository\":null,\"tags\":[\"<< x >>\"]");
	lacks(o, "nox");
	lacks(o, "\"name\":\"version\"");
	free(o);
	o = PROBE(F(".circleci/config.yml",
		    "jobs: {build: {machine: true, steps: [{run: tox}]}}\n"));
	ok_has(o, "\"name\":null");
	ok_has(o, "\"jobs\":[\"build\"]");
	free(o);
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

	ok_has(o, "\"triggers\":[\"trigger\",\"schedules\"]");
	ok_has(o, "\"filter\":\"branches-ignore\",\"value\":\"x\"");
	ok_has(o, "\"stages\":[\"S\"]");
	ok_has(o, "\"jobs\":[\"J\",\"P\"]");
	ok_has(o, "{\"job\":\"J\",\"line\":13,\"source\":"
		  "\"azure-pipelines.yml\",\"runners\":[\"go\"]");
	ok_has(o, "\"runners\":[\"dotnet\"],\"command\":\"test\","
		  "\"step\":\"DotNetCoreCLI@2\"");
	lacks(o, "\"command\":\"build\"");
	ok_has(o, "\"command\":\"tox\"");
	ok_has(o, "{\"job\":\"P\",\"line\":23,");
	ok_has(o, "{\"job\":null,\"line\":26,\"source\":"
		  "\"azure-pipelines.yml\",\"kind\":\"image\"");
	ok_has(o, "\"command\":\"make check\"");
	ok_has(o, "\"dockerfile\":\"D\"");
	ok_has(o, "\"template\",\"name\":\"t.yml@r\"");
	ok_has(o, "\"label\",\"name\":\"ubuntu-22.04\"");
	ok_has(o, "\"kind\":\"template\",\"source\":\".azure-pipelines/t.yml");
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
