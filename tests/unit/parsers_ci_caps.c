/* parsers_ci_caps.c -- ci: the work is bounded, and what a cap hides is
 * reported. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* Ten commands that call each other ten times, twelve deep, and a script of
 * 1 MB a hundred thousand times: neither takes long. */
static void work_is_bounded(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "commands:\n");
	for (int i = 0; i < 10; i++)
		buf_format(&text,
			   "  c%d: {steps: [c0, c1, c2, c3, c4, c5, c6]}\n", i);
	buf_text(&text, "jobs: {a: {steps: [c0]}}\n");
	o = PROBE(F(".circleci/config.yml", text.bytes));
	ok_has(o, "steps beyond the first 200000");
	ok_json(o, "/warnings/ANY/code", "\"nested\"");
	free(o);
	buf_done(&text);
	buf_text(&text, "commands: {c: {steps: [{run: \"");
	for (int i = 0; i < 100000; i++)
		buf_text(&text, "# a; b\\n");
	buf_text(&text, "\"}]}}\njobs: {a: {steps: [c");
	for (int i = 0; i < 50000; i++)
		buf_text(&text, ",c");
	buf_text(&text, "]}}\n");
	o = PROBE(F(".circleci/config.yml", text.bytes));
	ok_has(o, "there are too many scripts");
	free(o);
	buf_done(&text);
}

/* 1 MB of commands, each word of which is compared with many patterns; and in
 * Groovy, 5 MB that each of a hundred words before it would read. */
static void work_within_one_script_is_bounded(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "a:\n  script:\n  - npm test\n  - |\n");
	for (int i = 0; i < 8000; i++) {
		buf_text(&text, "    docker run mvn mvn mvn mvn mvn mvn");
		for (int k = 0; k < 54; k++)
			buf_text(&text, " :");
		buf_char(&text, '\n');
	}
	buf_text(&text, "  - make check\n");
	o = PROBE(F(".gitlab-ci.yml", text.bytes));
	ok_has(o, "there are too many scripts");
	ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
		"\"npm test\"");
	ok_lacks(o, "make check");
	free(o);
	buf_done(&text);
	for (int i = 0; i < 8; i++)
		buf_text(&text, "dockerfile{");
	for (int i = 0; i < 15; i++)
		buf_text(&text, "filename ");
	buf_char(&text, '"');
	for (int i = 0; i < 1000000; i++)
		buf_text(&text, "xxxxx");
	buf_text(&text, "\"\nsh 'make check'\n");
	o = PROBE(F("Jenkinsfile", text.bytes));
	ok_has(o, "there are too many scripts");
	ok_lacks(o, "make check");
	free(o);
	buf_done(&text);
}

/* A Jenkinsfile with a text of n bytes between before and after. */
static char *jenkins_long(const char *before, size_t n, const char *after)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, before);
	for (size_t i = 0; i < n; i++)
		buf_char(&text, 'a');
	buf_text(&text, after);
	o = PROBE(F("Jenkinsfile", text.bytes));
	buf_done(&text);
	return o;
}

#define LONG_TOLD                                                              \
	"{\"code\":\"string_too_long\",\"source\":\"Jenkinsfile\",\"offset\":"
#define COMMAND_TOLD                                                           \
	"{\"code\":\"command_too_long\",\"source\":\"Jenkinsfile\","           \
	"\"offset\":"

static void a_long_text_of_a_jenkinsfile_is_a_warning(void)
{
	static const struct {
		const char *before, *told;
	} rows[] = {
		{ "stage('", LONG_TOLD "7}" },
		{ "agent { label '", LONG_TOLD "15}" },
		{ "library '", LONG_TOLD "9}" },
		{ "docker.build('", LONG_TOLD "14}" },
		{ "triggers { cron('", LONG_TOLD "17}" },
		{ "dockerfile { filename '", LONG_TOLD "23}" },
		{ "docker.build('a', '", COMMAND_TOLD "19}" },
		{ "sh '", COMMAND_TOLD "4}" },
	};
	char *o;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		o = jenkins_long(rows[i].before, PARSE_STRING_BYTES + 1,
				 "') }\nsh 'npm test'\n");
		ok_json(o, "/warnings/ANY", rows[i].told);
		ok_json(o, "/slice/workflows/ANY/test_commands/ANY/command",
			"\"npm test\"");
		ok_json(o, "/errors", "[]");
		free(o);
	}
	o = jenkins_long("agent { label '", PARSE_STRING_BYTES - 200, "' }");
	ok_json(o, "/warnings", "[]");
	ok_json(o, "/slice/workflows/ANY/runs_on/0", "{}");
	free(o);
}

/* A message that is repeated a thousand times would hide the others. */
static void it_is_told_once_a_file(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "a:\n  script:\n");
	for (int i = 0; i < 300; i++) {
		buf_text(&text, "  - npm test ");
		for (int k = 0; k < 1000; k++)
			buf_text(&text, "aaaa aaaa ");
		buf_char(&text, '\n');
	}
	o = PROBE(F(".gitlab-ci.yml", text.bytes),
		  F(".travis.yml",
		    "script: [[[[[[[[[[[[[[[[[tox]]]]]]]]]]]]]]]]]"
		    "\n"));
	ok_int(json_count(o, "/warnings/ANY/code", "\"command_too_long\""), 1);
	ok_int(json_count(o, "/warnings/ANY/code", "\"command_cut\""), 1);
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"nested\",\"source\":\".travis.yml\"}");
	free(o);
	buf_done(&text);
}

static void tags_beyond_the_sixteenth_are_told(void)
{
	char *o = PROBE(F(".github/workflows/a.yml",
			  "on: push\njobs:\n  b:\n    steps:\n"
			  "    - uses: docker/build-push-action@v5\n"
			  "      with: {tags: \"1\\n2\\n3\\n4\\n5\\n6\\n7\\n"
			  "8\\n9\\n10\\n11\\n12\\n13\\n14\\n15\\n16\\n"
			  "17\"}\n"));

	ok_json(o, "/warnings/ANY/code", "\"command_too_long\"");
	ok_json(o, "/slice/workflows/ANY/image_builds/ANY/tags/ANY", "\"16\"");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(work_is_bounded),
		CASE(work_within_one_script_is_bounded),
		CASE(a_long_text_of_a_jenkinsfile_is_a_warning),
		CASE(it_is_told_once_a_file),
		CASE(tags_beyond_the_sixteenth_are_told),
		TAP_END,
	});
}
