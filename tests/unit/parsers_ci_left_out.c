/* parsers_ci_left_out.c -- ci: what is left out because of a cap is told, once for
 * each file, and at the cap itself nothing is left out. */
#include "cap_files.h"

/* The command is the n-th word after the image of a container. */
static void container(struct files *f, size_t n, const char *command)
{
	buf_text(file(f, ".gitlab-ci.yml"),
		 "a:\n  script:\n  - docker run -t image");
	numbered(file(f, ".gitlab-ci.yml"), " w", "", 1, n);
	buf_format(file(f, ".gitlab-ci.yml"), " %s\n", command);
}

static void words_in_a_container(struct files *f, size_t n)
{
	container(f, n, "tox");
}

static void shells_in_a_container(struct files *f, size_t n)
{
	container(f, n, "bash -c 'tox'");
}

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

static void of_caps(void)
{
	ALL_HOLD({ words_in_a_container, 6, ".gitlab-ci.yml",
		   "command_too_long", "tox" },
		 { shells_in_a_container, 6, ".gitlab-ci.yml",
		   "command_too_long", "tox" },
		 { steps_in_steps, 12, ".buildkite/pipeline.yml", "nested",
		   "a#v1" },
		 { tokens, 16, "Jenkinsfile", "command_too_long",
		   "make check" });
}

/* Words that begin no test lose nothing, however many they are, and a script of the
 * repository's may have a shell as its last ones. */
static void words_that_lose_nothing(void)
{
	char *o;

	job(&files, "docker run i echo a b c d e f g h i bash -c ls\n"
		    "  - ./x a b c d e f g h bash -c tox");
	o = answer(&files);
	ok_json(o, "/warnings", "[]");
	ok_int(json_count(o, "/slice/workflows/0/test_commands/ANY/runners",
			  "[\"tox\"]"),
	       1);
	free(o);
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
		CASE(of_caps),
		CASE(words_that_lose_nothing),
		CASE(a_pipeline_behind_many_lines),
		TAP_END,
	});
}
