/* parsers_depend_hidden.c -- packages that a package manager installs, written so that a
 * quick reader does not see them, or sees others. */
#include "base/buf.h"
#include "probe_files.h"

/* Files; what is told of a dependency, or NULL; the code of an error or a warning, or
 * NULL: there is none. */
struct hidden {
	struct probe_file files[4];
	const char *told, *code;
};

static void hidden_holds(const struct hidden *row)
{
	char *o = probe_files("dependencies", dependencies_run, row->files);
	char want[64];

	if (row->told != NULL)
		ok_json(o, "/slice/dependencies/ANY", row->told);
	if (row->code == NULL) {
		ok_json(o, "", "{\"errors\":[],\"warnings\":[]}");
	} else {
		(void)snprintf(want, sizeof want, "{\"code\":\"%s\"}",
			       row->code);
		ok(json_count(o, "/errors/ANY", want) +
			   json_count(o, "/warnings/ANY", want) >
		   0);
	}
	free(o);
}

static void all_hold(const struct hidden *rows, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hidden_holds(&rows[i]);
}
#define ALL_HOLD(rows) all_hold(rows, sizeof(rows) / sizeof *(rows))

#define NAMED(n) "{\"name\":\"" n "\"}"
#define EVIL     NAMED("evil")

/* --- Python -------------------------------------------------------------------- */

#define LINES(t) F("requirements.txt", t)

/* Source: pip, req/constructors.py and req/req_file.py. */
static void what_has_no_name_is_told_by_its_file(void)
{
	static const struct hidden rows[] = {
		{ { LINES("https://h.example/evil-1.0-py3-none-any.whl\n") },
		  "{\"name\":\"evil\",\"origin\":\"url\"}",
		  NULL },
		{ { LINES("https://h.example/x/evil-1.0.tar.gz#sha256=1\n") },
		  EVIL,
		  NULL },
		{ { LINES("git+https://h.example/o/evil.git@v1\n") },
		  "{\"name\":\"evil\",\"origin\":\"git\"}",
		  NULL },
		/* no version is in the name of a directory */
		{ { LINES("git+https://h.example/evil-2x.git\n") },
		  NAMED("evil-2x"),
		  NULL },
		{ { LINES("./a/evil-2x\n") }, NAMED("evil-2x"), NULL },
		{ { LINES("https://h.example/evil.zip?egg=good\n") },
		  NAMED("evil.zip"),
		  NULL },
		{ { LINES("git+https://h.example/x#a=b&egg=evil\n") },
		  EVIL,
		  NULL },
		{ { LINES("https://h.example/\n") }, NAMED("h.example"), NULL },
		{ { LINES("./a/evil\n") },
		  "{\"name\":\"evil\",\"origin\":\"path\",\"purl\":null}",
		  NULL },
		{ { LINES("../evil[x]\n") },
		  "{\"name\":\"evil\",\"origin\":\"path\"}",
		  NULL },
		{ { LINES("/a/evil-1.zip\n") },
		  "{\"name\":\"evil\",\"origin\":\"path\"}",
		  NULL },
		{ { LINES("${X}\n") }, NULL, "requirement_unread" },
		{ { F("setup.cfg",
		      "[options]\ninstall_requires =\n  %(x)s\n") },
		  NULL,
		  "requirement_unread" },
	};
	char *o = probe_files("dependencies", dependencies_run,
			      PROBE_FILES(LINES("-e .\n.\n..\n-e .[dev]\n")));

	ALL_HOLD(rows);
	ok_json(o, "/slice/dependencies", "[]"); /* the project itself */
	free(o);
}

static void options_of_pip_hide_nothing(void)
{
	static const struct hidden rows[] = {
		{ { LINES("-e./evil\n") }, EVIL, NULL },
		{ { LINES("-e ./evil\n") }, EVIL, NULL },
		{ { LINES("--pre -e ./evil\n") }, EVIL, NULL },
		{ { LINES("--edit ./evil\n") }, EVIL, NULL },
		{ { LINES("--editab=./evil\n") }, EVIL, NULL },
		{ { LINES("evil==1.0 -C x=y\n") },
		  "{\"name\":\"evil\",\"constraint\":\"==1.0\",\"resolved\":"
		  "\"1.0\",\"purl\":\"pkg:pypi/evil@1.0\"}",
		  NULL },
	};

	ALL_HOLD(rows);
}

#define CFG(t) F("setup.cfg", t)

/* Source: setuptools, config/setupcfg.py; Python's configparser. */
static void setup_cfg_is_read_as_by_setuptools(void)
{
	static const struct hidden rows[] = {
		{ { CFG("[options]\n  install_requires =\n    evil\n") },
		  EVIL,
		  NULL },
		{ { CFG("  [options]\ninstall_requires = evil\n") },
		  EVIL,
		  NULL },
		{ { CFG("[options]\ninstall_requires: evil>=1\n") },
		  "{\"name\":\"evil\",\"constraint\":\">=1\"}",
		  NULL },
		{ { CFG("[options]\nInstall-Requires = evil\n") }, EVIL, NULL },
		{ { CFG("[options]\ninstall_requires = a; evil\n") },
		  EVIL,
		  NULL },
		{ { CFG("[options]\ninstall_requires =\n a; b\n c\n") },
		  NAMED("c"),
		  NULL },
		{ { CFG("[options]\ninstall_requires = file: deps.list\n") },
		  NULL,
		  "include_unread" },
		{ { CFG("[options]\ninstall_requires = file: "
			"requirements.txt\n") },
		  NULL,
		  NULL },
	};
	char *o = probe_files(
		"dependencies", dependencies_run,
		PROBE_FILES(CFG("[options]\ninstall_requires =\n  a; "
				"evil<'3'\n  ; evil\n\n  b\nzip_safe = x\n")));

	ALL_HOLD(rows);
	ok_json(o, "/slice/dependencies",
		"[{\"name\":\"a\"},{\"name\":\"b\"}]");
	free(o);
}

#define PROJECT(t) F("pyproject.toml", t)

static void tables_of_pyproject_hide_no_place(void)
{
	static const struct hidden rows[] = {
		{ { PROJECT("[tool.poetry.dependencies]\n"
			    "evil=[{version='1'},{git='https://h.example'}]") },
		  "{\"name\":\"evil\",\"origin\":\"git\"}",
		  NULL },
		{ { PROJECT("[project]\ndependencies=['evil-x']\n"
			    "[tool.uv.sources]\nEvil_X={git='https://h/x'}") },
		  "{\"name\":\"evil-x\",\"origin\":\"git\"}",
		  NULL },
		{ { PROJECT("[project]\ndependencies=['evil']\n"
			    "[tool.uv.sources]\nevil=[{index='x'},"
			    "{url='https://h/x'}]") },
		  "{\"name\":\"evil\",\"origin\":\"url\"}",
		  NULL },
		{ { PROJECT("[project]\ndependencies=['e']\n"
			    "[tool.uv.sources]\ne={index='x'}\n") },
		  "{\"name\":\"e\",\"origin\":\"registry\"}",
		  NULL },
		/* two names that are one for PyPI */
		{ { PROJECT("[project]\ndependencies=['e-v']\n"
			    "[tool.uv.sources]\ne_v={index='x'}\n"
			    "E-v={path='x'}\n'e.v'={index='x'}") },
		  "{\"name\":\"e-v\",\"origin\":\"path\"}",
		  NULL },
		{ { PROJECT("[tool.setuptools.dynamic]\n"
			    "dependencies={file='deps.list'}") },
		  NULL,
		  "include_unread" },
		{ { PROJECT("[tool.setuptools.dynamic]\noptional-dependencies."
			    "a={file=['deps.list']}") },
		  NULL,
		  "include_unread" },
		{ { PROJECT("[tool.setuptools.dynamic]\n"
			    "dependencies={file=['requirements.in']}") },
		  NULL,
		  NULL },
	};

	ALL_HOLD(rows);
}

/* --- other languages ------------------------------------------------------------- */

#define MOD(t) F("go.mod", t)

/* Source: golang.org/x/mod/modfile; go.dev/ref/mod, "replace directive". */
static void go_mod_is_read_as_by_go(void)
{
	static const struct hidden rows[] = {
		{ { MOD("require(\n evil v1\n)\n") }, EVIL, NULL },
		{ { MOD("require (//x\n evil v1\n)\n") }, EVIL, NULL },
		{ { MOD("require evil v1//x\n") },
		  "{\"name\":\"evil\",\"resolved\":\"v1\"}",
		  NULL },
		{ { MOD("require `evil` v1\n") }, EVIL, NULL },
		{ { MOD("require \"evil\" v1 // indirect\n") },
		  "{\"name\":\"evil\",\"kind\":\"indirect\"}",
		  NULL },
		{ { MOD("require (\n a v1\n)//x\nrequire evil v1\n") },
		  EVIL,
		  NULL },
		/* what replaces a module is not replaced */
		{ { MOD("require a v1\nreplace a => evil v2\n"
			"replace evil => b v3\n") },
		  "{\"name\":\"evil\",\"resolved\":\"v2\"}",
		  NULL },
		/* a version is before every version */
		{ { MOD("require a v1\nreplace a => b v2\n"
			"replace a v1 => evil v3\n") },
		  EVIL,
		  NULL },
		{ { MOD("require a v2\nreplace a => evil v2\n"
			"replace a v1 => b v3\n") },
		  EVIL,
		  NULL },
	};

	ALL_HOLD(rows);
}

/* Source: bundler, LockfileParser. */
static void a_lockfile_of_gems_hides_no_gem(void)
{
	char *o = probe_files(
		"dependencies", dependencies_run,
		PROBE_FILES(F("Gemfile.lock",
			      "PLUGIN SOURCE\n  remote: x\n  specs:\n"
			      "    evil (1)\n\nDEPENDENCIES\n  a (~> 1)\n"
			      "  b!\n")));

	ok_json(o, "/slice/packages/ANY", "{\"name\":\"evil\"}");
	ok_json(o, "/slice/dependencies",
		"[{\"name\":\"a\"},{\"name\":\"b\"}]");
	free(o);
}

#define POM(t) F("pom.xml", t)
#define PROFILE                                                                \
	"<project><profiles><profile><dependencies><dependency><groupId>a"     \
	"</groupId><artifactId>evil</artifactId></dependency></dependencies>"  \
	"</profile></profiles></project>"

static void a_pom_hides_nothing_behind_profiles_or_blanks(void)
{
	static const struct hidden profile = { { POM(PROFILE) },
					       NAMED("a:evil"),
					       NULL };
	static const struct hidden more[] = {
		{ { POM("<project><profiles><profile><dependencyManagement>"
			"<dependencies><dependency><groupId>a</groupId>"
			"<artifactId>evil</artifactId></dependency>"
			"</dependencies></dependencyManagement></profile>"
			"</profiles></project>") },
		  "{\"name\":\"a:evil\",\"kind\":\"managed\"}",
		  NULL },
		{ { POM("<project><profiles><profile><modules><module>"
			"examples/x</module></modules></profile></profiles>"
			"</project>"),
		    F("examples/x/pom.xml", PROFILE) },
		  "{\"name\":\"a:evil\",\"role\":\"own\"}",
		  NULL },
	};
	struct buf text = { 0 };
	struct hidden row = { .told = NAMED("a:evil") };

	hidden_holds(&profile);
	ALL_HOLD(more);
	buf_text(&text, "<project><dependencies><dependency><groupId>");
	for (unsigned i = 0; i < 5000; i++)
		buf_char(&text, i % 2 ? '\n' : ' ');
	buf_text(&text, "a</groupId><artifactId>evil</artifactId></dependency>"
			"</dependencies></project>");
	row.files[0] = (struct probe_file)POM(text.bytes);
	hidden_holds(&row);
	text.len = 0;
	buf_text(&text, "<project><dependencies><dependency><groupId>a");
	for (unsigned i = 0; i < 5000; i++)
		buf_char(&text, ' ');
	buf_text(&text, "</groupId><artifactId>evil</artifactId></dependency>"
			"</dependencies></project>");
	row = (struct hidden){ .code = "string_too_long" };
	row.files[0] = (struct probe_file)POM(text.bytes);
	hidden_holds(&row);
	buf_done(&text);
}

/* A version that is installed for another package is not the project's, though the
 * project names it. */
static void the_first_version_of_two_counts(void)
{
	static const struct hidden row = {
		{ F("package.json", "{\"dependencies\":{\"a\":\"1.0.0\"}}"),
		  F("package-lock.json",
		    "{\"lockfileVersion\":3,\"packages\":{\"\":{},"
		    "\"node_modules/a\":{\"version\":\"2.0.0\"},"
		    "\"node_modules/b/node_modules/a\":{\"version\":"
		    "\"1.0.0\"}}}") },
		"{\"name\":\"a\",\"resolved\":\"2.0.0\"}",
		NULL
	};

	hidden_holds(&row);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_has_no_name_is_told_by_its_file),
		CASE(options_of_pip_hide_nothing),
		CASE(setup_cfg_is_read_as_by_setuptools),
		CASE(tables_of_pyproject_hide_no_place),
		CASE(go_mod_is_read_as_by_go),
		CASE(a_lockfile_of_gems_hides_no_gem),
		CASE(the_first_version_of_two_counts),
		CASE(a_pom_hides_nothing_behind_profiles_or_blanks),
		TAP_END,
	});
}
