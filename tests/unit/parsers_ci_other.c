/* parsers_ci_other.c -- ci: Jenkins, the smaller providers, hostile files. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

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

	ok_json(o, "/slice/providers",
		"[{\"name\":\"jenkins\",\"source\":\"Jenkinsfile\"}]");
	ok_json(o, "/slice/workflows/ANY/triggers",
		"[\"cron\",\"githubPush\",\"upstream\"]");
	ok_json(o, "/slice/workflows/ANY/stages", "[\"Build it\",\"Image\"]");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"library\",\"name\":\"shared@v1\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"node:18\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"label\",\"name\":\"big\"}");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"image\",\"name\":\"b\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"pipeline\",\"name\":\"other\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"Build it\",\"line\":16,"
		"\"source\":\"Jenkinsfile\",\"runners\":[\"npm\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"Build it\",\"line\":18}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/runners",
		"[\"gradle\"]");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"Image\",\"line\":25,\"source\":\"Jenkinsfile\","
		"\"runners\":[\"ctest\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":null,\"line\":29,\"source\":\"Jenkinsfile\","
		"\"runners\":[\"make\"]}");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"step\":\"docker.build\",\"dockerfile\":\"D/F\","
		"\"context\":\"ctx\",\"repository\":null,"
		"\"tags\":[\"a:${env.ID}\"]}");
	ok_json(o, "/slice/workflows/ANY/stages", "[\"Old\"]");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"mvn verify\"");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"step\":\"agent dockerfile\",\"dockerfile\":\"F\","
		"\"context\":\"d\"}");
	ok_no_json(o, "\"tox\"");
	ok_no_json(o, "\"no\"");
	ok_no_json(o, "{\"command\":\"pytest\"}");
	free(o);
}

static void smaller_commands_are_told(const char *o)
{
	ok_json(o, "/slice/workflows/ANY/trigger_filters/ANY",
		"{\"filter\":\"pattern\",\"value\":\"main\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"T\",\"line\":4,"
		"\"source\":\"bitbucket-pipelines.yml\","
		"\"runners\":[\"npm\"]}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"pipe\",\"name\":\"a/b:1\"}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"drone\",\"name\":\"p\"}");
	ok_json(o, "/slice/workflows/ANY/triggers", "[\"push\"]");
	ok_json(o, "/slice/workflows/ANY/jobs", "[\"t\",\"d\"]");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY",
		"{\"step\":\"plugins/docker:1\",\"dockerfile\":\"D\","
		"\"context\":null,\"repository\":null,\"tags\":[\"x\",\"y\"]}");
	ok_no_json(o, "{\"name\":\"k\"}");
	ok_json(o, "/slice/workflows/ANY/provider", "\"woodpecker\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"t\",\"line\":2,\"source\":\".woodpecker/a.yml\","
		"\"runners\":[\"cargo\"]}");
	ok_json(o, "/slice/workflows/ANY/provider", "\"buildkite\"");
	ok_json(o, "/slice/workflows/ANY/runs_on/ANY",
		"{\"kind\":\"label\",\"name\":\"q\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"pipeline\",\"name\":\"other\"}");
	ok_json(o, "/slice/workflows/ANY/uses/ANY",
		"{\"kind\":\"plugin\",\"name\":\"docker-compose#v3\"}");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY/tool",
		"\"docker-compose\"");
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

	ok_json(o, "/slice/workflows/ANY/stages", "[\"a\",\"b\",\"s\"]");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":null,\"line\":4,\"source\":\".travis.yml\","
		"\"runners\":[\"rspec\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"N\",\"line\":5}");
	ok_json(o, "/slice/workflows/ANY/triggers",
		"[\"default\",\"branches\"]");
	smaller_commands_are_told(o);
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

	ok_no_json(o, "\"npm\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":8,\"source\":\".gitlab-ci.yml\","
		"\"runners\":[\"tox\"]}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":11,\"source\":\".gitlab-ci.yml\","
		"\"runners\":[\"make\"],\"command\":\"make \\\\\\n  check\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"line\":13,\"source\":\".gitlab-ci.yml\","
		"\"runners\":[\"pytest\"],\"command\":\"pytest -q\"}");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/runners",
		"[\"nox\"]");
	free(o);
}

static void a_bad_file_leaves_the_rest(void)
{
	char *o = PROBE(F(".github/workflows/bad.yml", "on: [push\njobs: {}"),
			F(".github/workflows/list.yml", "[a]"),
			F(".github/workflows/empty.yml", ""),
			F(".gitlab-ci.yml", "a: {script: tox}\n"),
			F(".travis.yml", "a: *b\n"));

	ok_json(o, "/confidence", "\"low\"");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"yaml_syntax\","
		"\"source\":\".github/workflows/bad.yml\"}");
	ok_json(o, "/errors/ANY",
		"{\"code\":\"not_a_mapping\","
		"\"source\":\".github/workflows/list.yml\"}");
	ok_json(o, "/errors/ANY/code", "\"yaml_alias\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/runners",
		"[\"tox\"]");
	ok_json(o, "/slice/providers/ANY",
		"{\"name\":\"travis-ci\",\"source\":\".travis.yml\"}");
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
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\","
		"\"source\":\".github/workflows/a.yml\","
		"\"message\":\"test_commands: more than 64 KiB of them, the "
		"rest is left out\"}");
	ok_json(o, "/warnings/ANY/message",
		"\"jobs: more than 64 KiB of them, the rest is left out\"");
	ok_json(o, "/slice/workflows/ANY/jobs/ANY", "\"job0\"");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY",
		"{\"job\":\"job300\",\"line\":303}");
	ok(strlen(o) < (size_t)400 << 10);
	free(o);
	buf_done(&text);
	buf_text(&text, "workflows:\n");
	for (int i = 0; i < 20000; i++)
		buf_format(&text, "  w%d: {jobs: [a, a, a]}\n", i);
	o = PROBE(F(".circleci/config.yml", text.bytes));
	ok_json(o, "/warnings/ANY/message",
		"\"workflows: there are too many items, the rest is left "
		"out\"");
	ok_json(o, "/slice/workflows/ANY/name", "\"w0\"");
	free(o);
	buf_done(&text);
}

/* Two thousand jobs that share a long script; then an ordinary file. */
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
	ok_json(o, "/warnings/ANY",
		"{\"offset\":23803,"
		"\"message\":\"there are too many scripts, or they are too "
		"large: the rest of this file's scripts are not examined\"}");
	ok_int(json_count(o, "/warnings/ANY", "{\"offset\":23803}"), 1);
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"npx jest --ci\"");
	ok_no_json(o, "{\"code\":\"truncated\","
		      "\"source\":\".gitlab/b.gitlab-ci.yml\"}");
	free(o);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(jenkinsfiles_by_their_words),
		CASE(smaller_providers),
		CASE(scripts_keep_their_lines),
		CASE(a_bad_file_leaves_the_rest),
		CASE(odd_shapes_are_no_crash),
		CASE(lists_are_cut_with_a_word),
		CASE(a_file_takes_no_other_files_work),
		TAP_END,
	});
}
