/* parsers_ci_large.c -- ci and dependencies: 2 MB of what is read take well below
 * two seconds of processor time. */
#include "cap_files.h"

/* Of processor time.  Usually it is below 1 s, with a sanitizer 3 s, and on a busy
 * machine twice that. */
#ifdef __SANITIZE_ADDRESS__
#define BOUND (12 * CLOCKS_PER_SEC)
#else
#define BOUND (4 * CLOCKS_PER_SEC)
#endif

#define SIZE ((size_t)2 << 20)

/* Repeat the line until the file has SIZE bytes; "%u" in it is a number. */
static void repeat(struct buf *text, const char *before, const char *after)
{
	for (unsigned i = 0; text->len < SIZE; i++)
		buf_format(text, "%s%u%s", before, i, after);
}

static void sourcehut(struct files *f)
{
	buf_text(file(f, ".build.yml"), "sources: [https://h.example/~a/b]\n"
					"tasks:\n");
	repeat(file(f, ".build.yml"), "- t",
	       ": make; cd b; make; cd ./b; make\n");
}

static void semaphore(struct files *f)
{
	buf_text(file(f, ".semaphore/a.yml"), "blocks:\n");
	repeat(file(f, ".semaphore/a.yml"), "- {name: b",
	       ", task: {prologue: {commands: [cd x]}, jobs: [{commands: "
	       "[make]}, {}]}}\n");
}

static void azure(struct files *f)
{
	repeat(file(f, "ci/x.yml"), "# a: ", "\n");
	repeat(file(f, "pipelines/y.yml"), "- script: ", "\n");
}

static void actions(struct files *f)
{
	buf_text(file(f, ".github/workflows/a.yml"),
		 "on: push\njobs:\n  a:\n    steps:\n");
	repeat(file(f, ".github/workflows/a.yml"), "    - {uses: a/b",
	       "@v1, with: {x: y, run: make, command: make unit1}}\n");
}

static void inputs(struct files *f)
{
	buf_text(file(f, ".github/workflows/a.yml"),
		 "on: push\njobs:\n  a:\n    steps:\n    - uses: a/b\n"
		 "      with:\n");
	repeat(file(f, ".github/workflows/a.yml"), "        k", ": make\n");
}

static void image(struct files *f)
{
	buf_text(file(f, ".github/workflows/a.yml"),
		 "on: push\njobs:\n  a:\n    steps:\n    - uses: docker://a\n"
		 "      with:\n        args: |\n");
	repeat(file(f, ".github/workflows/a.yml"),
	       "          /bin/bash -c \"make ", " &&\n");
}

/* Lists of environments of which none is a test, and here documents of shells. */
static void commas(struct files *f)
{
	struct buf *text = file(f, ".gitlab-ci.yml");

	buf_text(text, "a:\n  script:\n");
	while (text->len < SIZE / 2) {
		buf_text(text, "  - tox -e lint");
		for (unsigned i = 0; i < 1500; i++)
			buf_text(text, ",docs");
		buf_text(text, "\n");
	}
	buf_text(text, "  - |\n");
	repeat(text, "    su x -c \"/bin/sh", "/ << EOF\n");
}

/* One input for a thousand steps. */
static void aliases(struct files *f)
{
	struct buf *text = file(f, ".github/workflows/a.yml");

	buf_text(text, "on: push\njobs:\n  a:\n    steps:\n"
		       "    - uses: gradle/gradle-build-action@v2\n"
		       "      with: {arguments: &v '");
	for (unsigned i = 0; i < 6000; i++)
		buf_text(text, "-x a1234 ");
	buf_text(text, "${{ matrix.x }}'}\n");
	for (unsigned i = 0; i < 1000; i++)
		buf_text(text, "    - {uses: gradle/gradle-build-action@v2, "
			       "with: {arguments: *v}}\n");
}

static void of_ci(void)
{
	static void (*const fills[])(struct files * f) = {
		sourcehut, semaphore, azure,  actions,
		inputs,    image,     commas, aliases,
	};

	for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
		clock_t begun;

		fills[i](&files);
		begun = clock();
		free(answer(&files));
		tap_time(clock() - begun, BOUND);
	}
}

/* Each row of a manifest whose reader takes more than it did. */
static void of_dependencies(void)
{
	static const char *const rows[][3] = {
		{ "setup.cfg", "[metadata]\n", "name = \nversion = file: " },
		{ "setup.cfg", "[metadata]\nname", " = \n" },
		{ "requirements/tests", "", "a>=" },
		{ "composer.json-dist", "{\"require\":{", "\"a\":\"1\",\"b" },
		{ "pom.xml", "<project><parent><version>1</version></parent>",
		  "<version>${v}</version>" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf text = { 0 };
		clock_t begun;

		buf_text(&text, rows[i][1]);
		repeat(&text, rows[i][2], "\n");
		begun = clock();
		free(probe_files("dependencies", dependencies_run,
				 (const struct probe_file[]){
					 F(rows[i][0], text.bytes), N(NULL) }));
		tap_time(clock() - begun, BOUND);
		buf_done(&text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(of_ci),
		CASE(of_dependencies),
		TAP_END,
	});
}
