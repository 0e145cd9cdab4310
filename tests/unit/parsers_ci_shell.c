/* parsers_ci_shell.c -- ci: scripts of the repository that test by what they
 * run. */
#include <time.h>

#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("ci", ci_run,                                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

#define TESTS(command, ...)                                                    \
	free(ci_command_holds("script", command, PROBE_FILES(__VA_ARGS__)))
#define NO_TESTS(command, ...)                                                 \
	free(ci_command_holds(NULL, command, PROBE_FILES(__VA_ARGS__)))

static void lines_of_a_script(void)
{
	static const char runs[] = "#!/bin/sh\nset -e\nif a; then\n"
				   "  meson \\\n  test -C b\nfi\n";

	TESTS("ci/run.sh", F("ci/run.sh", runs));
	TESTS("bash -x ./ci/run.sh -v", F("ci/run.sh", runs));
	TESTS("cd ci && ./run.sh", F("ci/run.sh", runs));
	TESTS("$TOP/${CI}/run.sh x", F("ci/run.sh", runs));
	TESTS("./a.sh", F("a.sh", "sh b/c.sh\n"), F("b/c.sh", "tox\n"));
	TESTS("./a.sh", F("a.sh", "make unit\n"),
	      F("Makefile", "unit:\n\tci/b.sh\n"), F("ci/b.sh", "nox\n"));
	NO_TESTS("ci/run.sh", F("ci/other.sh", runs));
	NO_TESTS("ci/run.sh --skip-tests", F("ci/run.sh", runs));
	/* Which one is meant is not known. */
	NO_TESTS("$X/run.sh", F("ci/run.sh", runs), F("b/run.sh", runs));
	NO_TESTS("$X/un.sh", F("ci/run.sh", runs));
	NO_TESTS("$X", F("ci/run.sh", runs));
	/* A name that says something else leaves it to the lines. */
	TESTS("./setup.sh", F("setup.sh", "pytest\n"));
	NO_TESTS("./setup.sh", F("setup.sh", "pip install pytest\n"));
	NO_TESTS("./setup-tests.sh", F("setup-tests.sh", "true\n"));
	NO_TESTS("./a.sh", F("a.sh", "# tox\necho tox\nX=tox\n"));
	NO_TESTS("./a.sh", F("fixtures/a.sh", runs));
	NO_TESTS("fixtures/a.sh", F("fixtures/a.sh", runs));
	NO_TESTS("docker run x ./a.sh", F("a.sh", "tox\n"));
}

static const char functions[] = "helper() {\n  tox -e unit\n}\n"
				"_run_build() {\n  cc x.c\n}\n"
				"function _run_unit {\n  helper\n}\n"
				"one() { nox; }\n"
				"die() { exit 1; }\n"
				"handler=\"_run_${1}\"\n$handler\n";

static const char cases[] =
	"case \"$1\" in\n"
	"  build) cc x.c ;;\n"
	"  unit|\"all\")\n    pytest\n    ;;\n"
	"  (nest)\n    case $2 in\n      x) nox ;;\n    esac\n    ;;\n"
	"  *)\n    tox\n    ;;\n"
	"esac\n"
	"echo done\n";

static void parts_by_words(void)
{
	TESTS("./a.sh unit", F("a.sh", functions));
	TESTS("./a.sh one", F("a.sh", functions));
	NO_TESTS("./a.sh build", F("a.sh", functions));
	NO_TESTS("./a.sh", F("a.sh", functions));
	NO_TESTS("./a.sh it", F("a.sh", functions));
	TESTS("./a.sh build", F("a.sh", "f() {\n  tox\n}\nif b; then\n"
					"  f \"$@\"\nfi\n"));
	TESTS("./b.sh unit", F("b.sh", cases));
	TESTS("./b.sh all", F("b.sh", cases));
	TESTS("./b.sh nest", F("b.sh", cases));
	NO_TESTS("./b.sh build", F("b.sh", cases));
	NO_TESTS("./b.sh", F("b.sh", cases));
	TESTS("./c.sh build", F("c.sh", "case $1 in\n build) true;;\nesac\n"
					"tox\n"));
}

/* Scripts that run each other, and that never end what they begin. */
static void hostile_scripts(void)
{
	struct buf big = { 0 };

	NO_TESTS("./a.sh", F("a.sh", "./a.sh\n./b.sh\n"),
		 F("b.sh", "./a.sh x\n./b.sh y\n"));
	NO_TESTS("./a.sh a", F("a.sh", "a() {\n a\n b\n}\nb() {\n a\n b\n}\n"));
	NO_TESTS("./a.sh", F("a.sh", "case\ncase \ncase x in\n)\n()\n(\n|)\n"
				     "a)\ncase y in\n"));
	NO_TESTS("./a.sh", F("a.sh", "() {\nfunction \nfunction  {\n}\n}\n\\"));
	NO_TESTS("./a.sh", F("a.sh", "\xff\xfe\n\x01() {\n\\\n\\\n"));
	NO_TESTS("./a.sh", F("a.sh", "make\n"),
		 F("Makefile", "a:\n\t./a.sh\n"));
	for (unsigned i = 0; i < 20000; i++)
		buf_format(&big, "f%u() {\n  f%u\n  ./a.sh f%u\n}\n", i, i + 1,
			   i);
	buf_text(&big, "f0\n");
	NO_TESTS("./a.sh", F("a.sh", big.bytes));
	buf_done(&big);
}

/* One that is run and was not read is told once; those that nobody runs are not. */
static void what_was_not_read(void)
{
	char *o = PROBE(
		F(".gitlab-ci.yml",
		  "a:\n  script:\n  - ./a.sh\n  - ./a.sh x\n  - ./b.sh\n"
		  "  - $X/c.sh\n  - $X/d.sh\n  - make\n  - make -C n\n"
		  "  - fixtures/f.sh\n"),
		N("a.sh"), F("b.sh", "./e.sh\n"), N("c/c.sh"), N("d/d.sh"),
		F("e/d.sh", "tox\n"), N("e.sh"), N("fixtures/f.sh"),
		F("Makefile", "include i.mk\na:\n"), N("i.mk"), N("n/Makefile"),
		N("other.sh"), N("other/Makefile"));
	static const char *const told[] = { "a.sh", "e.sh", "c/c.sh", "i.mk",
					    "n/Makefile" };
	char at[32], want[80];

	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		(void)snprintf(at, sizeof at, "/warnings/%zu", i);
		(void)snprintf(want, sizeof want,
			       "{\"code\":\"script_unread\",\"source\":\"%s\"}",
			       told[i]);
		ok_json(o, at, want);
	}
	ok_lacks(o, "other");
	ok_lacks(o, "fixtures");
	ok_lacks(o, "d/d.sh\",\"offset");
	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"$X/d.sh\"}]");
	ok_json(o, "/confidence", "\"high\"");
	free(o);
}

/* What is looked for many times, among many, is counted as work. */
static void large_searches(void)
{
	static struct parse_input items[30001];
	static char names[30000][16];
	struct buf script = { 0 }, labels = { 0 };
	clock_t begun = clock();
	char *o;

	for (unsigned i = 0; i < 30000; i++) {
		(void)snprintf(names[i], sizeof names[i], "%05u/a.sh", i);
		items[i + 1] = (struct parse_input){ .name = names[i],
						     .name_len = 10,
						     .bytes = "" };
	}
	buf_text(&script, "a:\n  script:\n");
	for (unsigned i = 0; i < 300000; i++)
		buf_text(&script, "  - $X/b.sh\n");
	items[0] = (struct parse_input){ .name = ".gitlab-ci.yml",
					 .name_len = 14,
					 .bytes = script.bytes,
					 .len = script.len };
	o = probe_inputs("ci", ci_run, &(struct parse_inputs){ items, 30001 });
	ok_has(o, "\"truncated\"");
	free(o);
	script.len = 0;
	buf_text(&labels, "case x in\n");
	for (unsigned i = 0; i < 255; i++) {
		for (unsigned k = 0; k < 650; k++)
			buf_text(&labels, "ab|");
		buf_text(&labels, "ab)\n");
	}
	buf_text(&script, "a:\n  script:\n");
	for (unsigned i = 0; i < 2000; i++) {
		buf_format(&script, "  - ./a.sh %u", i);
		for (unsigned k = 0; k < 60; k++)
			buf_format(&script, " %u", k);
		buf_char(&script, '\n');
	}
	o = PROBE(F(".gitlab-ci.yml", script.bytes), F("a.sh", labels.bytes));
	ok_has(o, "\"truncated\"");
	free(o);
	tap_time(clock() - begun, 10 * CLOCKS_PER_SEC); /* usually 1 s */
	buf_done(&labels);
	buf_done(&script);
}

/* What a shell of another user reads is run, too. */
static void documents_for_shells(void)
{
	char *o =
		PROBE(F(".gitlab-ci.yml",
			"a:\n  script:\n  - |\n"
			"    sudo -i -u x sh << EOF\n    npm test\n    EOF\n"
			"    cat << EOF\n    tox\n    EOF\n"
			"    ssh host << EOF\n    nox\n    EOF\n"
			"    su x -c \"/bin/sh -e\" << EOF\n    ava\n    EOF\n"
			"    su x -c 'sh' << EOF\n    tap\n    EOF\n"
			"    /usr/bin/bash << EOF\n    jest\n    EOF\n"
			"    tee a.sh << EOF\n    tox\n    EOF\n"
			"    tee sh/x << EOF\n    tox\n    EOF\n"
			"    /bin/ << EOF\n    tox\n    EOF\n"));

	ok_json(o, "/slice/workflows/0/test_commands",
		"[{\"command\":\"npm test\"},{\"command\":\"nox\"},"
		"{\"command\":\"ava\"},{\"command\":\"tap\"},"
		"{\"command\":\"jest\"}]");
	ok_lacks(o, "\"tox\"");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(lines_of_a_script),
		CASE(parts_by_words),
		CASE(hostile_scripts),
		CASE(what_was_not_read),
		CASE(large_searches),
		CASE(documents_for_shells),
		TAP_END,
	});
}
