/* parsers_ci_other.c -- ci: Jenkins, the smaller providers, hostile files. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })
#define lacks(text, part) ok(strstr((text), (part)) == NULL)

static const char jenkinsfile[] =
	"#!groovy\n"
	"@Library('shared@v1') _\n"
	"// sh 'tox'\n"
	"/* stage('no') { sh 'nox' } */\n"
	"pipeline {\n"
	"  agent { docker { image 'node:18' } }\n"
	"  triggers { cron('H 4 * * *')\n githubPush()\n"
	"  upstream(up) }\n"
	"  stages {\n"
	"    stage('Build it') {\n"
	"      agent { label \"big\" }\n"
	"      steps {\n"
	"        sh 'npm ci'\n"
	"        sh \"\"\"\n"
	"          npm test -- --x \"${env.Y ?: \"z\"}\"\n"
	"        \"\"\"\n"
	"        sh(returnStatus: true, script: 'go test ./...')\n"
	"        bat 'gradlew.bat test'\n"
	"        echo 'pytest'\n"
	"      }\n"
	"    }\n"
	"    stage(\"Image\") { steps { script {\n"
	"      docker.build(\"a:${env.ID}\", '-f D/F ctx')\n"
	"      docker.image('b').inside { sh \"A=${a ? \"b\" : 'c'} ctest\" }\n"
	"      build job: 'other', wait: false\n"
	"    } } }\n"
	"  }\n"
	"  post { always { sh 'make check' } }\n"
	"}\n";

static void jenkinsfiles_by_their_words(void)
{
	char *o = PROBE(F("Jenkinsfile", jenkinsfile),
			F("ci/Jenkinsfile.release",
			  "node('x') { stage 'Old'\n sh '''mvn verify''' }\n"),
			F("a.jenkinsfile",
			  "pipeline { agent { dockerfile { filename "
			  "'F' dir 'd' } } }"));

	ok_has(o, "\"providers\":[{\"name\":\"jenkins\",\"source\":"
		  "\"Jenkinsfile\"}]");
	ok_has(o, "\"triggers\":[\"cron\",\"githubPush\",\"upstream\"]");
	ok_has(o, "\"stages\":[\"Build it\",\"Image\"]");
	ok_has(o, "\"library\",\"name\":\"shared@v1\"");
	ok_has(o, "\"kind\":\"image\",\"name\":\"node:18\"");
	ok_has(o, "\"kind\":\"label\",\"name\":\"big\"");
	ok_has(o, "\"kind\":\"image\",\"name\":\"b\"");
	ok_has(o, "\"kind\":\"pipeline\",\"name\":\"other\"");
	ok_has(o, "{\"job\":\"Build it\",\"line\":16,\"source\":"
		  "\"Jenkinsfile\",\"runners\":[\"npm\"],");
	ok_has(o, "\"job\":\"Build it\",\"line\":18");
	ok_has(o, "\"runners\":[\"gradle\"]");
	ok_has(o, "\"job\":\"Image\",\"line\":25,\"source\":"
		  "\"Jenkinsfile\",\"runners\":[\"ctest\"]");
	ok_has(o, "\"job\":null,\"line\":29,\"source\":\"Jenkinsfile\","
		  "\"runners\":[\"make\"]");
	ok_has(o, "\"step\":\"docker.build\",\"dockerfile\":\"D/F\","
		  "\"context\":\"ctx\",\"repository\":null,\"tags\":[\"a:${env."
		  "ID}\"]");
	ok_has(o, "\"stages\":[\"Old\"]");
	ok_has(o, "\"command\":\"mvn verify\"");
	ok_has(o, "\"step\":\"agent dockerfile\",\"dockerfile\":\"F\","
		  "\"context\":\"d\"");
	lacks(o, "\"tox\"");
	lacks(o, "\"no\"");
	lacks(o, "\"command\":\"pytest\"");
	free(o);
}

static void smaller_providers(void)
{
	char *o = PROBE(
		F(".travis.yml", "language: ruby\nos: linux\n"
				 "stages: [a, {name: b, if: x}]\n"
				 "script: [bundle exec rspec]\n"
				 "jobs: {include: [{stage: s, name: N, "
				 "script: tox}]}\n"),
		F("bitbucket-pipelines.yml",
		  "image: node:1\n"
		  "pipelines:\n"
		  "  default:\n"
		  "  - step: {name: T, script: [npm test]}\n"
		  "  branches:\n"
		  "    main: [{step: {script: [{pipe: a/b:1}]}}]\n"),
		F(".drone.yml", "kind: pipeline\nname: p\n"
				"trigger: {event: [push], branch: main}\n"
				"steps:\n"
				"- {name: t, image: go, commands: [go test]}\n"
				"- {name: d, image: 'plugins/docker:1', "
				"settings: {dockerfile: D, tags: [x, y]}}\n"
				"---\nkind: secret\nname: k\n"),
		F(".woodpecker/a.yml",
		  "when: [{event: push}]\n"
		  "steps: {t: {image: rust, commands: [cargo test]}}\n"),
		F(".buildkite/pipeline.yml",
		  "steps:\n"
		  "- {label: L, command: make check, agents: {queue: q}}\n"
		  "- wait\n"
		  "- {trigger: other}\n"
		  "- plugins: [{'docker-compose#v3': {build: app, "
		  "config: dc.yml}}]\n"));

	ok_has(o, "\"stages\":[\"a\",\"b\",\"s\"]");
	ok_has(o, "\"job\":null,\"line\":4,\"source\":\".travis.yml\","
		  "\"runners\":[\"rspec\"]");
	ok_has(o, "{\"job\":\"N\",\"line\":5");
	ok_has(o, "\"triggers\":[\"default\",\"branches\"]");
	ok_has(o, "\"filter\":\"pattern\",\"value\":\"main\"");
	ok_has(o, "{\"job\":\"T\",\"line\":4,\"source\":"
		  "\"bitbucket-pipelines.yml\",\"runners\":[\"npm\"]");
	ok_has(o, "\"kind\":\"pipe\",\"name\":\"a/b:1\"");
	ok_has(o, "\"provider\":\"drone\",\"name\":\"p\"");
	ok_has(o, "\"triggers\":[\"push\"]");
	ok_has(o, "\"jobs\":[\"t\",\"d\"]");
	ok_has(o,
	       "\"step\":\"plugins/docker:1\",\"dockerfile\":\"D\","
	       "\"context\":null,\"repository\":null,\"tags\":[\"x\",\"y\"]");
	lacks(o, "\"name\":\"k\"");
	ok_has(o, "\"provider\":\"woodpecker\"");
	ok_has(o, "{\"job\":\"t\",\"line\":2,\"source\":\".woodpecker/a.yml\","
		  "\"runners\":[\"cargo\"]");
	ok_has(o, "\"provider\":\"buildkite\"");
	ok_has(o, "\"kind\":\"label\",\"name\":\"q\"");
	ok_has(o, "\"kind\":\"pipeline\",\"name\":\"other\"");
	ok_has(o, "\"kind\":\"plugin\",\"name\":\"docker-compose#v3\"");
	ok_has(o, "\"tool\":\"docker-compose\"");
	free(o);
}

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

	ok_has(o, "\"provider\":\"tekton\",\"name\":\"p-\"");
	ok_has(o, "\"triggers\":[\"pull_request\",\"push\"]");
	ok_has(o, "\"jobs\":[\"clone\",\"unit\"]");
	ok_has(o, "\"kind\":\"task\",\"name\":\"git-clone\"");
	ok_has(o, "\"job\":\"unit\",\"line\":6,\"source\":\".tekton/pr.yaml\","
		  "\"runners\":[\"go\"]");
	ok_has(o, "\"filter\":\"branches\",\"value\":\"main\"");
	ok_has(o, "\"line\":5,\"source\":\"appveyor.yml\",\"runners\":["
		  "\"npm\"]");
	ok_has(o, "\"line\":6,\"source\":\"appveyor.yml\",\"runners\":["
		  "\"pytest\"]");
	lacks(o, "\"line\":7,\"source\":\"appveyor.yml\"");
	ok_has(o, "\"command\":\"npm test\"");
	ok_has(o, "{\"job\":\"img\",\"line\":3,\"source\":"
		  "\"deploy/cloudbuild.yaml\",\"tool\":\"docker\",");
	ok_has(o, "\"dockerfile\":\"D\",\"context\":\".\",");
	ok_has(o, "\"line\":4,\"source\":\"deploy/cloudbuild.yaml\","
		  "\"runners\":[\"tox\"]");
	free(o);
}

static void scripts_keep_their_lines(void)
{
	char *o = PROBE(F(".gitlab-ci.yml", "a:\n"
					    "  script:\n"
					    "  - |\n"
					    "    cat <<EOF > x\n"
					    "    npm test\n"
					    "    EOF\n"
					    "    bash <<'E'\n"
					    "    tox\n"
					    "    E\n"
					    "    x=$((1 << SHIFT))\n"
					    "    make \\\n"
					    "      check\n"
					    "  - >\n"
					    "    pytest\n"
					    "    -q\n"
					    "  - [nox]\n"));

	lacks(o, "\"npm\"");
	ok_has(o, "\"line\":8,\"source\":\".gitlab-ci.yml\",\"runners\":"
		  "[\"tox\"]");
	ok_has(o, "\"line\":11,\"source\":\".gitlab-ci.yml\",\"runners\":"
		  "[\"make\"],\"command\":\"make \\\\\\n  check\"");
	ok_has(o, "\"line\":13,\"source\":\".gitlab-ci.yml\",\"runners\":"
		  "[\"pytest\"],\"command\":\"pytest -q\"");
	ok_has(o, "\"runners\":[\"nox\"]");
	free(o);
}

static void a_bad_file_leaves_the_rest(void)
{
	char *o = PROBE(F(".github/workflows/bad.yml", "on: [push\njobs: {}"),
			F(".github/workflows/list.yml", "[a]"),
			F(".github/workflows/empty.yml", ""),
			F(".gitlab-ci.yml", "a: {script: tox}\n"),
			F(".travis.yml", "a: *b\n"));

	ok_has(o, "\"confidence\":\"low\"");
	ok_has(o, "{\"code\":\"yaml_syntax\",\"source\":"
		  "\".github/workflows/bad.yml\"");
	ok_has(o, "{\"code\":\"not_a_mapping\",\"source\":"
		  "\".github/workflows/list.yml\"");
	ok_has(o, "{\"code\":\"yaml_alias\"");
	ok_has(o, "\"runners\":[\"tox\"]");
	ok_has(o, "{\"name\":\"travis-ci\",\"source\":\".travis.yml\"}");
	free(o);
}

static void odd_shapes_are_no_crash(void)
{
	static const char *const names[] = {
		".github/workflows/a.yml",
		"action.yml",
		".gitlab-ci.yml",
		".circleci/config.yml",
		"azure-pipelines.yml",
		".travis.yml",
		"bitbucket-pipelines.yml",
		".drone.yml",
		".woodpecker.yml",
		".buildkite/p.yml",
		"Jenkinsfile",
	};
	static const char *const texts[] = {
		"{on: {a: [b]}, jobs: [1], runs: [], workflows: [], "
		"pipelines: 3, steps: {a: 1}, stages: {}, include: {a: b}}",
		"{[a]: {[b]: c}, jobs: {[x]: {steps: [1, [2], {}]}}}",
		"{jobs: {a: {steps: {run: x}, services: 1, container: [], "
		"runs-on: {labels: {a: 1}}}}, steps: [null, ~, 1]}",
		"{workflows: {w: {jobs: [{}, [], null, {a: 1}]}}, orbs: {a: "
		"{}}, "
		"commands: {c: {steps: [c, c, c, c]}}, jobs: {a: {steps: "
		"[c]}}}",
		"&a {script: &s [x, y], script2: *s, trigger: {include: 1}, "
		"schedules: [1], pr: {branches: 1}, when: 1, plugins: {}}",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(PROBE(F(names[i], texts[k])));
}

static void lists_are_cut_with_a_word(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "on: push\njobs:\n");
	for (int i = 0; i < 20000; i++)
		buf_format(&text, "  job%d: {steps: [{run: npm test}]}\n", i);
	o = PROBE(F(".github/workflows/a.yml", text.bytes));
	ok_has(o, "\"code\":\"truncated\",\"source\":"
		  "\".github/workflows/a.yml\",\"message\":\"test_commands:");
	ok_has(o, "\"message\":\"jobs: ");
	ok_has(o, "\"job0\"");
	ok_has(o, "{\"job\":\"job300\",\"line\":303,");
	ok(strlen(o) < (size_t)400 << 10);
	free(o);
	buf_done(&text);
	buf_text(&text, "workflows:\n");
	for (int i = 0; i < 20000; i++)
		buf_format(&text, "  w%d: {jobs: [a, a, a]}\n", i);
	o = PROBE(F(".circleci/config.yml", text.bytes));
	ok_has(o, "\"message\":\"workflows: ");
	ok_has(o, "\"name\":\"w0\"");
	free(o);
	buf_done(&text);
}

/* Two thousand jobs that share a long script; then a file as any other. */
static void a_file_takes_no_other_files_work(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, ".s: &s\n");
	for (int i = 0; i < 1000; i++)
		buf_format(&text, "  - docker build -t a:%d -t b . && x\n", i);
	for (int i = 0; i < 2000; i++)
		buf_format(&text, "job%d: {script: *s}\n", i);
	o = PROBE(F(".gitlab-ci.yml", text.bytes),
		  F(".gitlab/ci/b.gitlab-ci.yml",
		    "b: {script: [npx jest --ci]}\n"));
	ok_has(o, "\"offset\":6589,\"message\":\"scripts are too many");
	ok(strstr(strstr(o, "scripts are too") + 1, "scripts are too") == NULL);
	ok_has(o, "\"npx jest --ci\"");
	ok(strstr(o, "\"code\":\"truncated\",\"source\":\".gitlab/") == NULL);
	free(o);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(jenkinsfiles_by_their_words),
		CASE(smaller_providers),
		CASE(unusual_places),
		CASE(cloud_providers),
		CASE(scripts_keep_their_lines),
		CASE(a_bad_file_leaves_the_rest),
		CASE(odd_shapes_are_no_crash),
		CASE(lists_are_cut_with_a_word),
		CASE(a_file_takes_no_other_files_work),
		TAP_END,
	});
}
