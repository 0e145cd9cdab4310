/* parsers_ci_places.c -- ci: files in unusual places, and the providers of
 * clouds. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

#define ONE_F(name, text) ((struct probe_file)F(name, text))
#define ONE_N(name)       ((struct probe_file)N(name))

/* The provider that is named for a file that is alone; NULL: none. */
static void is_file_of(const char *provider, struct probe_file f)
{
	char *o = PROBE({ f.name, f.text });
	char text[128] = "\"providers\":[]";

	if (provider != NULL)
		(void)snprintf(text, sizeof text,
			       "\"providers\":[{\"name\":\"%s\",", provider);
	ok_has(o, text);
	free(o);
}

static void unusual_places(void)
{
	static const char azure[] = "trigger: [main]\nsteps:\n- script: tox\n";

	is_file_of("jenkins", ONE_F("ci/Jenkinsfile_nightly", "node { }"));
	is_file_of("jenkins", ONE_F("Jenkinsfile-arm", "node { }"));
	is_file_of("azure-pipelines",
		   ONE_F("build/azure-pipelines/a.yml", azure));
	is_file_of("azure-pipelines", ONE_F("a/.azure-pipelines/b.yml", azure));
	is_file_of("azure-pipelines", ONE_F("pipelines/x/c.yaml", azure));
	is_file_of("azure-pipelines",
		   ONE_F("eng/ci.yml", "parameters: []\njobs:\n"
				       "- job: x\n  steps: []\n"));
	is_file_of("azure-pipelines",
		   ONE_F("build/t.yml",
			 "stages:\n- template: a.yml\n- stage: b\n"));
	is_file_of("azure-pipelines",
		   ONE_F("buildlib/pr/tests.yml", "parameters: {a: b}\njobs:\n"
						  "  - job: x\n"));
	is_file_of("gitlab-ci",
		   ONE_F(".gitlab-a-ci.yml", "a: {script: tox}\n"));
	is_file_of("gitlab-ci", ONE_F(".gitlab-ci-a.yaml", "stages: [a]\n"));
	is_file_of("buildkite", ONE_F("buildkite.yml", "steps: []"));
	is_file_of("drone", ONE_F(".drone/a.yml", "kind: pipeline"));
	is_file_of("teamcity", ONE_N(".teamcity/settings.kts"));
	is_file_of("zuul", ONE_N(".zuul.yaml"));
	is_file_of("zuul", ONE_N("zuul.d/a/jobs.yml"));
	is_file_of("forgejo-actions",
		   ONE_F(".forgejo/workflows/a.yml", "jobs: {}"));
	is_file_of("sourcehut", ONE_F(".builds/a.yml", "tasks: []"));
	is_file_of("semaphore", ONE_F(".semaphore/a.yml", "blocks: []"));
	is_file_of(NULL, ONE_F("x/.build.yml", "tasks: []"));
	/* Other files are also there. */
	is_file_of(NULL, ONE_F(".github/actions/x/a.sh", "a: [\n"));
	is_file_of(NULL, ONE_F(".gitlab/Makefile", "a:\n\ttox\n"));
	is_file_of(NULL, ONE_F(".buildkite/b.bash", "- x\n"));
	is_file_of(NULL, ONE_F(".circleci/c.mk", "a: b\n"));
	is_file_of(NULL, ONE_F("ci/pipelines/concourse.yml",
			       "jobs:\n- name: x\n  plan:\n  - task: unit\n"));
	is_file_of(NULL, ONE_F("pipelines/gitlab.yml",
			       "include:\n- template: A.gitlab-ci.yml\n"
			       "stages: [a]\nx:\n  script:\n  - tox\n"));
	is_file_of(NULL,
		   ONE_F("build/values.yml", "steps:\n  script: no list\n"));
	is_file_of(NULL, ONE_F("eng/x.yml", "a:\n  steps:\n  - script: tox\n"));
	is_file_of(NULL, ONE_F("build/empty.yml", ""));
}

static void cloud_providers(void)
{
	char *o = PROBE(
		F(".tekton/pr.yaml",
		  "apiVersion: tekton.dev/v1\nkind: PipelineRun\n"
		  "metadata: {generateName: p-, annotations: {"
		  "pipelinesascode.tekton.dev/on-event: '[pull_request, "
		  "push]'}}\n"
		  "spec: {pipelineSpec: {tasks: [\n"
		  "{name: clone, taskRef: {name: git-clone}},\n"
		  "{name: unit, taskSpec: {steps: [{image: go, "
		  "script: go test ./...}]}}]}}\n"
		  "---\napiVersion: v1\nkind: Secret\n"),
		F("appveyor.yml", "image: Ubuntu\nbranches: {only: [main]}\n"
				  "install: [npm ci]\ntest_script:\n"
				  "- cmd: npm test\n- ps: pytest\n"
				  "cache: [npm test]\n"),
		F("deploy/cloudbuild.yaml",
		  "steps:\n- {name: gcr.io/cloud-builders/npm, args: [test]}\n"
		  "- {name: 'gcr.io/cloud-builders/docker:1', id: img, "
		  "args: [build, -t, a/b, -f, D, .]}\n"
		  "- {name: python, entrypoint: bash, args: [-c, tox]}\n"));

	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"tekton\",\"name\":\"p-\"}");
	ok_json(o, "/slice/workflows/ANY/triggers",
		"[\"pull_request\",\"push\"]");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"clone\",\"unit\"]");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"task\",\"name\":\"git-clone\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"unit\",\"line\":6,\"source\":\".tekton/pr.yaml\","
		"\"runners\":[\"go\"]}");
	ok_json(o, "/slice/workflows/ANY/trigger_filters/ANY",
		"{\"filter\":\"branches\",\"value\":\"main\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":5,\"source\":\"appveyor.yml\","
		"\"runners\":[\"npm\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":6,\"source\":\"appveyor.yml\","
		"\"runners\":[\"pytest\"]}");
	ok_no_json(o, "{\"line\":7,\"source\":\"appveyor.yml\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"npm test\"");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"job\":\"img\",\"line\":3,"
		"\"source\":\"deploy/cloudbuild.yaml\",\"tool\":\"docker\"}");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"dockerfile\":\"D\",\"context\":\".\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":4,\"source\":\"deploy/cloudbuild.yaml\","
		"\"runners\":[\"tox\"]}");
	free(o);
}

static void cirrus(void)
{
	char *o = PROBE(
		F(".cirrus.yml",
		  "container: {image: 'gcc:12'}\n"
		  "task:\n"
		  "  freebsd_instance: {image_family: freebsd-12-2}\n"
		  "  script: pkg install -y gmake && gmake test\n"
		  "lint_task:\n  test_script: [tox]\n"
		  "mac_task:\n  name: mac\n  env: {test_script: npm test}\n"
		  "  matrix:\n  - name: new\n    unit_script: pytest\n"
		  "  - xscript: ctest\n"
		  "notask:\n  script: cargo test\n"));

	ok_json(o, "/slice/workflows/ANY/jobs", "[\"lint\",\"mac\",\"new\"]");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"job\":null,\"kind\":\"image\",\"name\":\"gcc:12\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"freebsd-12-2\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":null,\"line\":4,\"runners\":[\"make\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"lint\",\"line\":6,\"runners\":[\"tox\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"new\",\"line\":12,\"runners\":[\"pytest\"]}");
	/* A variable, a key that only ends like one, a mapping that is no task. */
	ok_no_json(o, "{\"line\":9}");
	ok_no_json(o, "{\"line\":13}");
	ok_no_json(o, "{\"line\":15}");
	free(o);
}

static void forges_like_github(void)
{
	char *o =
		PROBE(F(".gitea/workflows/a.yaml",
			"on: push\nenv: {x: test}\njobs:\n  a:\n"
			"    steps:\n    - run: npm run test-${{ env.x }}\n"),
		      F(".forgejo/workflows/b.yml",
			"on: [push]\njobs: {b: {runs-on: docker, steps: [{run: "
			"tox}]}}\n"));

	ok_json(o, "/slice/providers/0/name", "\"forgejo-actions\"");
	ok_json(o, "/slice/providers/1/name", "\"gitea-actions\"");
	ok_json(o, "/slice/workflows/0",
		"{\"provider\":\"forgejo-actions\",\"kind\":\"workflow\","
		"\"triggers\":[\"push\"],\"jobs\":[\"b\"]}");
	ok_json(o, "/slice/workflows/0/test_commands/0/command", "\"tox\"");
	ok_json(o, "/slice/workflows/1/test_commands/0/command",
		"\"npm run test-${{ env.x }}\"");
	free(o);
}

static void sourcehut(void)
{
	char *o = PROBE(F(".build.yml",
			  "image: alpine/edge\n"
			  "sources:\n- https://git.example/~a/b.git#main\n"
			  "tasks:\n- setup: |\n    meson build\n"
			  "- t: |\n    make check one\n    cd b\n"
			  "    make all\n"
			  "- u: make -C b check two\n"
			  "- x: ninja -C b/build test\n- [y]\n- z\n"));

	ok_json(o, "/slice/workflows",
		"[{\"provider\":\"sourcehut\",\"jobs\":[\"setup\",\"t\",\"u\","
		"\"x\"]}]");
	ok_json(o, "/slice/workflows/0/runs_on",
		"[{\"kind\":\"image\",\"name\":\"alpine/edge\"}]");
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"make check one\",\"job\":\"t\"},"
		"{\"command\":\"make -C b check two\"},"
		"{\"command\":\"ninja -C b/build test\"}]");
	free(o);
	o = PROBE(F(".build.yml", "sources: [[a], /, '#']\ntasks: {a: b}\n"),
		  F(".builds/a.yml", "sources: ['/#', x]\n"
				     "tasks: [{a: 'cd ; make'}, [{}], 5]\n"),
		  F(".builds/b.yml", "sources: x\ntasks:\n- [tox]\n"));
	ok_json(o, "/slice/workflows/2/test_commands", "[]");
	free(o);
}

static void semaphore(void)
{
	char *o = PROBE(
		F(".semaphore/semaphore.yml",
		  "version: v1.0\nname: Checks\n"
		  "agent: {machine: {type: big, os_image: ubuntu2204}}\n"
		  "global_job_config: {prologue: {commands: [nox]}}\n"
		  "blocks:\n- name: Lint\n  task:\n    jobs:\n"
		  "    - name: lint\n      commands: [make lint]\n"
		  "- name: Tests\n  task:\n"
		  "    prologue: {commands: [checkout, cd sub]}\n"
		  "    epilogue: {always: {commands: [npm test]}}\n"
		  "    jobs:\n    - name: unit\n"
		  "      commands: [make check, cd x]\n"
		  "    - name: more\n      commands:\n      - make check more\n"
		  "after_pipeline: {task: {jobs: [x]}}\n"));

	ok_json(o, "/slice/workflows",
		"[{\"provider\":\"semaphore\",\"name\":\"Checks\",\"jobs\":["
		"\"lint\",\"unit\",\"more\"],\"stages\":[\"Lint\",\"Tests\"]}"
		"]");
	ok_json(o, "/slice/workflows/0/runs_on",
		"[{\"kind\":\"label\",\"name\":\"big\"},"
		"{\"kind\":\"image\",\"name\":\"ubuntu2204\"}]");
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"nox\",\"job\":null},"
		"{\"command\":\"make check\",\"job\":\"unit\"},"
		"{\"command\":\"make check more\",\"job\":\"more\"},"
		"{\"command\":\"npm test\",\"job\":null}]");
	free(o);
	o = PROBE(F(".semaphore/a.yml",
		    "agent: [x]\nblocks: [{task: {jobs: [[a], {commands: {}}], "
		    "agent: {containers: [a, {image: b}]}}}, 5]\n"));
	ok_json(o, "/errors", "[]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(unusual_places),
		CASE(cloud_providers),
		CASE(cirrus),
		CASE(forges_like_github),
		CASE(sourcehut),
		CASE(semaphore),
		TAP_END,
	});
}
