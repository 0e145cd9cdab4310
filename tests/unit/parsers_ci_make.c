/* parsers_ci_make.c -- ci: a make that tests by what its targets run. */
#include <time.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

#define TESTS(command, ...)                                                    \
	free(ci_command_holds("make", command, PROBE_FILES(__VA_ARGS__)))
#define NO_TESTS(command, ...)                                                 \
	free(ci_command_holds(NULL, command, PROBE_FILES(__VA_ARGS__)))
#define MAKEFILE(text) F("Makefile", text)

static void the_default_goal(void)
{
	TESTS("make", MAKEFILE("all: build unit\nbuild:\n\tcc x.c\n"
			       "unit:\n\t@go test ./...\n"));
	TESTS("make all", MAKEFILE("x:\n\ttrue\nall: unit\nunit: ; tox\n"));
	NO_TESTS("make", MAKEFILE("all: build\nbuild:\n\tcc x.c\n"
				  "unit:\n\tgo test ./...\n"));
	NO_TESTS("make x", MAKEFILE("all: unit\nunit:\n\ttox\nx:\n\ttrue\n"));
	NO_TESTS("make", MAKEFILE(""));
	NO_TESTS("make", F("sub/Makefile", "all:\n\ttox\n"));
	/* Of ".PHONY" and patterns nobody thinks. */
	TESTS("make", MAKEFILE(".PHONY: x\n%.o: %.c\n\tcc\nall:\n\ttox\n"));
	TESTS("make", MAKEFILE(".DEFAULT_GOAL := b\na:\n\ttrue\nb:\n\ttox\n"));
	NO_TESTS("make",
		 MAKEFILE(".DEFAULT_GOAL = a\nb:\n\ttox\na:\n\ttrue\n"));
	/* The first of three names that is there. */
	TESTS("make", F("GNUmakefile", "a:\n\ttox\n"),
	      MAKEFILE("a:\n\ttrue\n"));
	NO_TESTS("make", F("makefile", "a:\n\ttrue\n"),
		 MAKEFILE("a:\n\ttox\n"));
}

static void recipes_and_rules(void)
{
	TESTS("make ci", MAKEFILE("GO ?= go\nOPTS = -v\nci: lint \\\n  unit\n"
				  "unit:\n\t@-$(GO) test $(OPTS)\n"));
	TESTS("make ci", MAKEFILE("P := $(Q)\nQ = tests/run.sh\nci:\n\t$P\n"));
	TESTS("make ci",
	      MAKEFILE("ci:\n\tcd x && \\\n\tnpm ci && \\\n\tnpm test\n"));
	TESTS("make ci", MAKEFILE("ci:: a\nci:: b\na: ;\nb:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("ci: a | b\na:\n\ttrue\nb:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("N = b\nci: $(N)\nb:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("%: common-%\ncommon-ci: common-unit\n"
				  "common-unit:\n\ttox\n"));
	TESTS("make", MAKEFILE("%: common-% ;\ncommon-all: lint unit\n"
			       "common-lint:\n\ttrue\n"
			       "common-unit:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("ci:\n\t$(MAKE) unit\nunit:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("ci:\n\t+@$(MAKE) -C sub ci\n"),
	      F("sub/Makefile", "ci:\n\tpytest\n"));
	TESTS("make ci", MAKEFILE("ci:\n\tcd sub && make\n"),
	      F("sub/Makefile", "ci:\n\tpytest\n"));
	TESTS("make ci", MAKEFILE("include a.mk none.mk\n"),
	      F("a.mk", "ci:\n\ttox\n"));
	TESTS("make -C a/b", F("a/b/Makefile", "include ../.././c/x.mk\n"),
	      F("c/x.mk", "ci:\n\ttox\n"));
	NO_TESTS("make -C a/b", F("a/b/Makefile", "include ../../../x.mk\n"),
		 F("x.mk", "ci:\n\ttox\n"));
	TESTS("make ci", MAKEFILE("X = a\nX += b\nci: $(X)\nb:\n\ttox\n"));
	TESTS("make ci",
	      MAKEFILE("G = $(shell which go)\nci:\n\t$(G) test ./...\n"));
	/* A recipe of several targets; a conditional within one. */
	TESTS("make b", MAKEFILE("a b c:\n\ttrue\nifdef X\n\ttox\nendif\n"));
	/* What is none. */
	NO_TESTS("make ci", MAKEFILE("ci:\n\techo go test\n\t# tox\n"));
	NO_TESTS("make ci", MAKEFILE("ci: X = tox\nci: export Y=tox\n"));
	NO_TESTS("make ci", MAKEFILE("define ci\nci:\n\ttox\nendef\n"));
	NO_TESTS("make ci", MAKEFILE("ci: unit.tests\n\ttrue\n"));
	NO_TESTS("make ci", MAKEFILE("CI = tox\n\nci = \"ci: tox\"\n"));
	NO_TESTS("make ci", MAKEFILE("ci:\n\tdocker run x make unit\n"
				     "unit:\n\ttox\n"));
	NO_TESTS("make ci", F("test/fixtures/Makefile", "ci:\n\ttox\n"));
}

static void words_of_make(void)
{
	static const char makefile[] = "a:\n\ttrue\nb:\n\ttox\n";

	TESTS("make -j4 -k b V=1", MAKEFILE(makefile));
	TESTS("make -j 4 b", MAKEFILE(makefile));
	TESTS("make -j $(nproc) b 2>&1", MAKEFILE(makefile));
	TESTS("sudo -E gmake a b > log", MAKEFILE(makefile));
	TESTS("make CC=gcc b", MAKEFILE(makefile));
	TESTS("make -C sub b", F("sub/Makefile", makefile));
	TESTS("make -Csub b", F("sub/Makefile", makefile));
	TESTS("make --directory=./sub/ b", F("sub/Makefile", makefile));
	TESTS("make -f sub/x.mk b", F("sub/x.mk", makefile));
	TESTS("make -f x.mk -I b b", F("x.mk", makefile));
	TESTS("cd sub && make b", F("sub/Makefile", makefile));
	TESTS("mkdir -p x && (cd x && cmake ..) && make -C .. b",
	      MAKEFILE(makefile));
	NO_TESTS("make -n b", MAKEFILE(makefile));
	NO_TESTS("make -o b", MAKEFILE(makefile));
	NO_TESTS("make > b", MAKEFILE(makefile));
	NO_TESTS("make a", MAKEFILE(makefile));
	NO_TESTS("make c", MAKEFILE(makefile));
	NO_TESTS("cd build && make b", MAKEFILE(makefile));
	NO_TESTS("cd $X && make b", MAKEFILE(makefile));
	NO_TESTS("cd .. && make b", MAKEFILE(makefile));
	NO_TESTS("cd /tmp; make b", MAKEFILE(makefile));
	/* Which target is meant is not known. */
	NO_TESTS("make $X", MAKEFILE("a:\n\ttox\n"));
	NO_TESTS("make a $[[ inputs.x ]]", MAKEFILE("a:\n\ttox\n"));
	NO_TESTS("docker run i make b", MAKEFILE(makefile));
}

/* Where a script is: lines of it, steps, and what is beside a step. */
static void directories(void)
{
	static const char makefile[] = "a:\n\ttox\n";
	char *o = PROBE(
		F("Makefile", makefile), F("sub/Makefile", makefile),
		F(".github/workflows/a.yml",
		  "on: push\ndefaults: {run: {working-directory: none}}\n"
		  "jobs:\n"
		  "  a:\n    steps:\n"
		  "    - run: make one\n"
		  "    - {run: make a two, working-directory: sub}\n"
		  "    - {run: make a three, working-directory: .}\n"
		  "    - run: |\n        cd ../sub\n        make a four\n"
		  "    - run: |\n        cd $GITHUB_WORKSPACE\n"
		  "        make a five\n"
		  "  b:\n    defaults: {run: {working-directory: sub}}\n"
		  "    steps:\n    - run: cd ..\n    - run: make a six\n"),
		F("azure-pipelines.yml",
		  "steps:\n- {script: make a seven, workingDirectory: x}\n"
		  "- {script: make a eight, workingDirectory: sub}\n"),
		F(".circleci/config.yml",
		  "jobs: {a: {steps: [{run: {command: make a nine, "
		  "working_directory: x}}, {run: {command: make a ten, "
		  "working_directory: ./sub}}]}}\n"),
		F(".travis.yml", "install: cd x\nscript: make a eleven\n"),
		F("Jenkinsfile", "dir('x') { sh 'make a twelve' }"),
		F("ci/Jenkinsfile", "sh 'cd x'\nsh 'make a thirteen'"));
	static const char *const there[] = {
		"two", "three", "four", "five",
		"six", "eight", "ten",  "thirteen"
	};
	static const char *const not_there[] = { "one", "seven", "nine",
						 "eleven", "twelve" };
	char want[64];

	for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
		(void)snprintf(want, sizeof want, "\"make a %s\"", there[i]);
		ok_has(o, want);
	}
	for (size_t i = 0; i < sizeof not_there / sizeof *not_there; i++) {
		(void)snprintf(want, sizeof want, "%s\"", not_there[i]);
		ok_lacks(o, want);
	}
	free(o);
}

/* A pattern that fits all does not make what it needs itself, without an end. */
static void a_pattern_is_used_once_in_a_chain(void)
{
	char *o = PROBE(MAKEFILE("%: x-%\nci: a b\nx-b: c\nx-c:\n\ttrue\n"),
			F(".gitlab-ci.yml", "a:\n  script:\n  - make ci\n"));

	ok_has(o, "\"warnings\":[]");
	free(o);
}

/* Cycles of needs, includes, variables and makes end. */
static void hostile_makefiles(void)
{
	struct buf big = { 0 };
	clock_t begun;

	NO_TESTS("make", MAKEFILE("a: b\nb: a\n\t$(MAKE) a\n\tmake b\n"));
	NO_TESTS("make",
		 MAKEFILE("include Makefile a.mk\na: $(X)\n\t$(X)\n"
			  "X = $(Y) $(Y)\nY = $(X) $(X)\n"),
		 F("a.mk", "include a.mk b.mk\n"), F("b.mk", "include a.mk\n"));
	NO_TESTS("make", MAKEFILE("a:\n\tmake -C s\n"),
		 F("s/Makefile", "a:\n\tmake -C ..\n"));
	NO_TESTS("make", MAKEFILE("%: x%\n"));
	NO_TESTS("make", MAKEFILE(":\n::\n=\n:=\n\t\n: :\n;\n$(\n${x\n\\\n"));
	NO_TESTS("make", MAKEFILE("a: $(\n\t$(x\n\t${\n\t$\n\t@\n\\"));
	NO_TESTS("make", MAKEFILE("define\n"));
	NO_TESTS("make", MAKEFILE("a:\n\t\xff\xfe $(\xff)\n\t\x01\n"));
	/* Wide, and no variable of it with any text. */
	for (unsigned i = 0; i < 12; i++) {
		buf_format(&big, "V%u =", i);
		for (unsigned k = 0; k < 100; k++)
			buf_format(&big, "$(V%u)", i + 1);
		buf_char(&big, '\n');
	}
	for (unsigned i = 0; i < 30000; i++)
		buf_format(&big, "t%u: t%u $(V0)\n\t$(V0) true\n", i, i + 1);
	begun = clock();
	NO_TESTS("make", MAKEFILE(big.bytes));
	tap_time(clock() - begun, 20 * CLOCKS_PER_SEC); /* usually 0.3 s */
	buf_done(&big);
}

/* No text may be read once for each of many targets: 1 MB of each holds the
 * probe for less than a second of processor time. */
static void large_makefiles(void)
{
	struct buf wide = { 0 }, vars = { 0 };
	clock_t begun = clock();

	for (unsigned i = 0; i < 20000; i++)
		buf_text(&wide, "a ");
	buf_text(&wide, ":\n");
	for (unsigned i = 0; i < 400000; i++)
		buf_text(&wide, "\t\n");
	NO_TESTS("make", MAKEFILE(wide.bytes));
	tap_time(clock() - begun, 10 * CLOCKS_PER_SEC); /* 100 s before */
	for (unsigned i = 0; i < 2000; i++)
		buf_format(&vars, "v%u=\n", i);
	for (unsigned i = 0; i < 140000; i++)
		buf_text(&vars, "v1999=\n");
	buf_text(&vars, "v5 = tox\na:\n\t$(v5)\n");
	TESTS("make", MAKEFILE(vars.bytes)); /* within its share of work */
	buf_done(&wide);
	buf_done(&vars);
}

/* A long way is left at some point, and a hundred questions are one. */
static void work_is_bounded(void)
{
	struct buf rules = { 0 }, script = { 0 };
	char *o;

	for (unsigned i = 0; i < 1500; i++) {
		buf_format(&rules, "t%u: t%u\n", i, i + 1);
		for (unsigned k = 0; k < 10; k++)
			buf_text(&rules,
				 "\tdocker run mvn mvn mvn mvn mvn :\n");
	}
	buf_text(&script, "a:\n  script:\n");
	for (unsigned i = 0; i < 3000; i++)
		buf_text(&script, "  - make t0\n");
	buf_text(&script, "  - npm test\n");
	o = PROBE(F(".gitlab-ci.yml", script.bytes),
		  F("Makefile", rules.bytes));
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"npm test\"}]");
	free(o);
	buf_done(&rules);
	buf_done(&script);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_default_goal),
		CASE(recipes_and_rules),
		CASE(words_of_make),
		CASE(directories),
		CASE(a_pattern_is_used_once_in_a_chain),
		CASE(hostile_makefiles),
		CASE(large_makefiles),
		CASE(work_is_bounded),
		TAP_END,
	});
}
