/* parsers_ci_places.c -- ci: files in unusual places, and what clouds bring. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

#define ONE_F(name, text) ((struct probe_file)F(name, text))
#define ONE_N(name)       ((struct probe_file)N(name))

/* The provider that a file alone is told to be; NULL: none. */
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
	is_file_of("buildkite", ONE_F("buildkite.yml", "steps: []"));
	is_file_of("drone", ONE_F(".drone/a.yml", "kind: pipeline"));
	is_file_of("teamcity", ONE_N(".teamcity/settings.kts"));
	/* Others lie there, too. */
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

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(unusual_places),
		CASE(cloud_providers),
		TAP_END,
	});
}
