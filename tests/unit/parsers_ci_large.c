/* parsers_ci_large.c -- ci and dependencies: 2 MB of what is read take well below
 * two seconds of processor time. */
#include "cap_files.h"

/* Of processor time.  Usually it is at most 1.8 s, which is the ring's: it spends two
 * thirds of the work for scripts.  With a sanitizer it is 3.4 s, and on a busy machine
 * twice that. */
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

static void makefile(struct files *f)
{
	buf_text(file(f, "Makefile"), "all:\n\ttrue\nunit:\n\ttox\n");
}

static void sourcehut(struct files *f)
{
	makefile(f);
	buf_text(file(f, ".build.yml"), "sources: [https://h.example/~a/b]\n"
					"tasks:\n");
	repeat(file(f, ".build.yml"), "- t",
	       ": make; cd b; make; cd ./b; make\n");
}

static void sourcehut_source(struct files *f)
{
	buf_text(file(f, ".builds/a.yml"), "sources: [");
	repeat(file(f, ".builds/a.yml"), "/", "");
	buf_text(file(f, ".builds/a.yml"), "]\ntasks:\n");
	for (unsigned i = 0; i < 1000; i++)
		buf_text(file(f, ".builds/a.yml"), "- a: cd b; make\n");
}

static void semaphore(struct files *f)
{
	makefile(f);
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
	makefile(f);
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

/* One value many times, and commands that have it. */
static void matrix(struct files *f)
{
	struct buf *text = file(f, ".github/workflows/a.yml");

	buf_text(text, "on: push\njobs:\n  a:\n    strategy:\n"
		       "      matrix:\n        x: [lint");
	while (text->len < SIZE / 2)
		buf_text(text, ",lint");
	buf_text(text, "]\n    steps:\n");
	repeat(text, "    - run: tox -e ${{ matrix.x }}-", "\n");
}

static void appended(struct files *f)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "a: $(X)\n\t$(X)\n");
	repeat(file(f, "Makefile"), "X += ", "\n");
}

static void of_itself(struct files *f)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "a: $(X)\n\t$(X)\n");
	repeat(file(f, "Makefile"), "X := $(X) $(X) $(Y) ", "\nY = $(X)\n");
}

static void twice(struct files *f)
{
	job(f, "make");
	for (unsigned i = 0; i < 1900; i++)
		buf_format(file(f, "Makefile"), "v%u = $(v%u)$(v%u)\n", i,
			   i + 1, i + 1);
	repeat(file(f, "Makefile"), "all: $(v0) t", "\n");
}

/* As many as the depth allows, so that each target takes all its steps. */
static void wide(struct files *f)
{
	job(f, "make");
	for (unsigned i = 0; i < 1900; i++)
		buf_format(file(f, "Makefile"), "w%u =\n", i);
	for (unsigned i = 0; i < 13; i++)
		buf_format(file(f, "Makefile"), "v%u = $(v%u)$(v%u)\n", i,
			   i + 1, i + 1);
	repeat(file(f, "Makefile"), "all: $(v0) t", "\n");
}

static void scripts(struct files *f)
{
	for (unsigned i = 0; i < 3000; i++)
		buf_format(file(f, ".gitlab-ci.yml"),
			   "j%u: {script: [./a.sh %u, npm run %u]}\n", i, i, i);
	repeat(file(f, "a.sh"), "./a.sh ", "; make; npm run x\n");
	buf_text(file(f, "package.json"), "{\"scripts\":{");
	repeat(file(f, "package.json"), "\"", "\":\"./a.sh x; npm run y\",");
	buf_text(file(f, "package.json"), "\"x\":\"y\"}}");
}

/* Scripts that run each other in a ring, so that no answer is kept, and four files
 * that run them. */
static void ring(struct files *f)
{
	for (unsigned i = 0; i < 4; i++) {
		struct buf *text = file(f, ".github/workflows/%u.yml", i);

		buf_text(text, "on: push\njobs:\n");
		for (unsigned k = 0; k < 3000; k++)
			buf_format(text,
				   "  j%u: {steps: [{run: ./s0.sh %u}]}\n", k,
				   k);
	}
	for (unsigned i = 0; i < 6; i++)
		for (unsigned k = 0; k < 50; k++)
			buf_format(file(f, "s%u.sh", i), "./s%u.sh %u\n",
				   (i + 1) % 6, k);
}

/* Scripts that may only report, by names alone; each runs others, in a ring. */
static void coverage(struct files *f)
{
	struct buf *text = file(f, "package.json");
	unsigned i = 0;

	buf_text(file(f, ".gitlab-ci.yml"), "a:\n  script:\n");
	for (unsigned k = 0; k < 2000; k++)
		buf_format(file(f, ".gitlab-ci.yml"),
			   "  - npm run %u:coverage && npm run %u:coverage\n",
			   k, k + 1);
	buf_text(text, "{\"scripts\":{");
	for (; text->len < SIZE / 2 - 200; i++) /* the cap of the file */
		buf_format(text,
			   "\"%u:coverage\":\"c8 report; npm run %u:coverage; "
			   "npm run %u:coverage\",",
			   i, i + 1, (i * 7 + 3) % 1000);
	buf_format(text, "\"%u:coverage\":\"npm run 0:coverage\"}}", i);
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
		sourcehut, sourcehut_source,
		semaphore, azure,
		actions,   inputs,
		image,     appended,
		of_itself, twice,
		wide,      scripts,
		ring,      coverage,
		commas,    matrix,
		aliases,
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
