/* tests_framework.c -- recognises test frameworks by their signs. */
#include <assert.h>
#include <string.h>

#include "parsers/tests/tests.h"

const struct tool tests_framework_tools[FRAMEWORK_SCRIPTS_END_] = {
	[FRAMEWORK_VITEST] = { "vitest", "vitest.config. vitest.workspace.",
			       NULL, "vitest", "vitest" },
	[FRAMEWORK_JEST] = { "jest", "jest.config. jest.json jest-e2e.json",
			     "jest", "jest jest-cli @jest/core",
			     "jest jest-cli react-scripts:test" },
	[FRAMEWORK_MOCHA] = { "mocha", ".mocharc .mocharc. mocha.opts", "mocha",
			      "mocha", "mocha _mocha electron-mocha" },
	[FRAMEWORK_AVA] = { "ava", "ava.config.", "ava", "ava", "ava" },
	[FRAMEWORK_TAP] = { "tap", ".taprc", "tap", "tap @tapjs/core", "tap" },
	[FRAMEWORK_TAPE] = { "tape", NULL, NULL, "tape", "tape" },
	[FRAMEWORK_JASMINE] = { "jasmine", "jasmine.json jasmine.mjs", NULL,
				"jasmine jasmine-core",
				"jasmine jasmine-node" },
	[FRAMEWORK_UVU] = { "uvu", NULL, NULL, "uvu", "uvu" },
	[FRAMEWORK_QUNIT] = { "qunit", NULL, NULL, "qunit qunitjs", "qunit" },
	[FRAMEWORK_NODE_TEST] = { "node:test", NULL, NULL, NULL,
				  "node:--test tsx:--test ts-node:--test" },
	[FRAMEWORK_BUN_TEST] = { "bun:test", NULL, NULL, NULL, "bun:test" },
	[FRAMEWORK_DENO] = { "deno", NULL, NULL, NULL, "deno:test" },
	[FRAMEWORK_LAB] = { "lab", ".labrc.js", NULL, "@hapi/lab lab", "lab" },
	[FRAMEWORK_WEB_TEST_RUNNER] = { "web-test-runner",
					"web-test-runner.config.", NULL,
					"@web/test-runner",
					"web-test-runner wtr" },
	[FRAMEWORK_KARMA] = { "karma", "karma.conf. karma.config.", NULL,
			      "karma", "karma" },
	[FRAMEWORK_PLAYWRIGHT] = { "playwright",
				   "playwright.config. playwright-ct.config.",
				   NULL,
				   "@playwright/test "
				   "@playwright/experimental-ct-react",
				   "playwright:test" },
	[FRAMEWORK_CYPRESS] = { "cypress", "cypress.config. cypress.json", NULL,
				"cypress", "cypress cypress-run" },
	[FRAMEWORK_WEBDRIVERIO] = { "webdriverio", "wdio.conf.", NULL,
				    "@wdio/cli webdriverio", "wdio" },
	[FRAMEWORK_TESTCAFE] = { "testcafe", ".testcaferc.", NULL, "testcafe",
				 "testcafe" },
	[FRAMEWORK_NIGHTWATCH] = { "nightwatch",
				   "nightwatch.conf. nightwatch.json", NULL,
				   "nightwatch", "nightwatch" },
	[FRAMEWORK_PROTRACTOR] = { "protractor", "protractor.conf.", NULL,
				   "protractor", "protractor" },
	[FRAMEWORK_DETOX] = { "detox", ".detoxrc.", "detox", "detox",
			      "detox:test" },
	[FRAMEWORK_CUCUMBER] = { "cucumber",
				 "cucumber.js cucumber.cjs cucumber.mjs "
				 "cucumber.json",
				 NULL, "@cucumber/cucumber cucumber",
				 "cucumber-js cucumber" },
};

static const char *const other_names[] = {
	[FRAMEWORK_PYTEST - FRAMEWORK_SCRIPTS_END_] = "pytest",
	[FRAMEWORK_UNITTEST - FRAMEWORK_SCRIPTS_END_] = "unittest",
	[FRAMEWORK_GO - FRAMEWORK_SCRIPTS_END_] = "go",
	[FRAMEWORK_CARGO - FRAMEWORK_SCRIPTS_END_] = "cargo",
	[FRAMEWORK_JUNIT - FRAMEWORK_SCRIPTS_END_] = "junit",
	[FRAMEWORK_TESTNG - FRAMEWORK_SCRIPTS_END_] = "testng",
	[FRAMEWORK_SPOCK - FRAMEWORK_SCRIPTS_END_] = "spock",
	[FRAMEWORK_SCALATEST - FRAMEWORK_SCRIPTS_END_] = "scalatest",
	[FRAMEWORK_KOTLIN_TEST - FRAMEWORK_SCRIPTS_END_] = "kotlin.test",
	[FRAMEWORK_PHPUNIT - FRAMEWORK_SCRIPTS_END_] = "phpunit",
	[FRAMEWORK_RSPEC - FRAMEWORK_SCRIPTS_END_] = "rspec",
	[FRAMEWORK_MINITEST - FRAMEWORK_SCRIPTS_END_] = "minitest",
	[FRAMEWORK_TEST_UNIT - FRAMEWORK_SCRIPTS_END_] = "test-unit",
	[FRAMEWORK_GOOGLETEST - FRAMEWORK_SCRIPTS_END_] = "googletest",
	[FRAMEWORK_CATCH2 - FRAMEWORK_SCRIPTS_END_] = "catch2",
	[FRAMEWORK_DOCTEST - FRAMEWORK_SCRIPTS_END_] = "doctest",
	[FRAMEWORK_BOOST_TEST - FRAMEWORK_SCRIPTS_END_] = "boost.test",
	[FRAMEWORK_XUNIT - FRAMEWORK_SCRIPTS_END_] = "xunit",
	[FRAMEWORK_NUNIT - FRAMEWORK_SCRIPTS_END_] = "nunit",
	[FRAMEWORK_MSTEST - FRAMEWORK_SCRIPTS_END_] = "mstest",
	[FRAMEWORK_BATS - FRAMEWORK_SCRIPTS_END_] = "bats",
	[FRAMEWORK_ACUTEST - FRAMEWORK_SCRIPTS_END_] = "acutest",
	[FRAMEWORK_CHECK - FRAMEWORK_SCRIPTS_END_] = "check",
	[FRAMEWORK_CLAR - FRAMEWORK_SCRIPTS_END_] = "clar",
	[FRAMEWORK_CMOCKA - FRAMEWORK_SCRIPTS_END_] = "cmocka",
	[FRAMEWORK_CPPUTEST - FRAMEWORK_SCRIPTS_END_] = "cpputest",
	[FRAMEWORK_CRITERION - FRAMEWORK_SCRIPTS_END_] = "criterion",
	[FRAMEWORK_CUNIT - FRAMEWORK_SCRIPTS_END_] = "cunit",
	[FRAMEWORK_GLIB - FRAMEWORK_SCRIPTS_END_] = "glib",
	[FRAMEWORK_GREATEST - FRAMEWORK_SCRIPTS_END_] = "greatest",
	[FRAMEWORK_MUNIT - FRAMEWORK_SCRIPTS_END_] = "munit",
	[FRAMEWORK_UNITY - FRAMEWORK_SCRIPTS_END_] = "unity",
	[FRAMEWORK_UTEST - FRAMEWORK_SCRIPTS_END_] = "utest",
};
static_assert(sizeof other_names / sizeof *other_names ==
		      FRAMEWORK_MAX_ - FRAMEWORK_SCRIPTS_END_,
	      "a name for every framework");
static_assert(FRAMEWORK_MAX_ <= TOOLS_MAX, "a bit for every framework");

/* What a file that uses the framework imports or calls. */
static const struct {
	const char *module;
	enum framework framework;
} modules[] = {
	{ "vitest", FRAMEWORK_VITEST },
	{ "@jest/globals", FRAMEWORK_JEST },
	{ "mocha", FRAMEWORK_MOCHA },
	{ "ava", FRAMEWORK_AVA },
	{ "tap", FRAMEWORK_TAP },
	{ "@tapjs/core", FRAMEWORK_TAP },
	{ "tape", FRAMEWORK_TAPE },
	{ "jasmine", FRAMEWORK_JASMINE },
	{ "uvu", FRAMEWORK_UVU },
	{ "qunit", FRAMEWORK_QUNIT },
	{ "QUnit", FRAMEWORK_QUNIT },
	{ "node:test", FRAMEWORK_NODE_TEST },
	{ "bun:test", FRAMEWORK_BUN_TEST },
	{ "Deno", FRAMEWORK_DENO },
	{ "@hapi/lab", FRAMEWORK_LAB },
	{ "@playwright/test", FRAMEWORK_PLAYWRIGHT },
	{ "cypress", FRAMEWORK_CYPRESS },
	{ "webdriverio", FRAMEWORK_WEBDRIVERIO },
	{ "@wdio/globals", FRAMEWORK_WEBDRIVERIO },
	{ "testcafe", FRAMEWORK_TESTCAFE },
	{ "nightwatch", FRAMEWORK_NIGHTWATCH },
	{ "protractor", FRAMEWORK_PROTRACTOR },
	{ "detox", FRAMEWORK_DETOX },
	{ "@cucumber/cucumber", FRAMEWORK_CUCUMBER },
};

const char *tests_framework_name(enum framework f)
{
	if (f >= FRAMEWORK_MAX_)
		return NULL;
	return f < FRAMEWORK_SCRIPTS_END_
		       ? tests_framework_tools[f].name
		       : other_names[f - FRAMEWORK_SCRIPTS_END_];
}

bool tests_framework_is_e2e(enum framework f)
{
	return f >= FRAMEWORK_PLAYWRIGHT && f < FRAMEWORK_SCRIPTS_END_;
}

uint64_t tests_framework_module(struct json_text module)
{
	for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
		if (text_is(module, modules[i].module))
			return BIT(modules[i].framework);
	return 0;
}

void tests_framework_seen(struct inventory *inv, enum framework f,
			  const char *evidence, const struct parse_input *in)
{
	const struct json_text none = { NULL, 0 };

	if (f >= FRAMEWORK_MAX_ || !input_is_own(in) ||
	    (inv->imported & BIT(f)) != 0)
		return;
	inv->imported |= BIT(f);
	inv->seen |= BIT(f);
	project_tool_fact(&inv->lists[INVENTORY_FRAMEWORKS],
			  tests_framework_name(f), evidence, none, in);
}

/* Whether a line opens the section that configures pytest. */
static bool has_section(const struct parse_input *in, const char *section)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	while (line_next(&lines, &line, &offset))
		if (text_begins(line, section))
			return true;
	return false;
}

static bool configures_pytest(const struct parse_input *in)
{
	static const struct {
		const char *base, *section;
	} rows[] = {
		{ "pyproject.toml", "[tool.pytest" },
		{ "setup.cfg", "[tool:pytest]" },
		{ "tox.ini", "[pytest]" },
		{ "pytest.ini", NULL },
		{ ".pytest.ini", NULL },
		{ "conftest.py", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (input_base_is(in, rows[i].base))
			return rows[i].section == NULL ||
			       (!in->is_name_only &&
				has_section(in, rows[i].section));
	return false;
}

/* A jest.config.js counts like a dependency for the package that it lies in. */
static void config_declare(struct inventory *inv, const struct parse_input *in)
{
	const struct project *p = &inv->project;
	const struct manifest *m =
		project_manifest_in(p, in->name, input_dir_len(in));
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	for (size_t f = 0; m != NULL && f < FRAMEWORK_SCRIPTS_END_; f++)
		if (project_tool_fits_config(&tests_framework_tools[f], base))
			inv->declared[m - p->manifests] |= BIT(f);
}

/* What a script runs counts for a package that declares no unit framework.
 * Returns all that were found. */
static uint64_t manifest_declare(struct inventory *inv,
				 const struct manifest *m)
{
	const struct tools t = { tests_framework_tools,
				 FRAMEWORK_SCRIPTS_END_ };
	uint64_t *declared = &inv->declared[m - inv->project.manifests];
	uint64_t scripts = 0;
	uint64_t found = project_tools_in_manifest(
		&t, &inv->project, m, &inv->lists[INVENTORY_FRAMEWORKS],
		&scripts);

	*declared |= found;
	if ((*declared & FRAMEWORK_UNIT) == 0)
		*declared |= scripts;
	return found | scripts;
}

/* Whether it is the package of the tests themselves, "test/package.json": beside
 * it the project's own tests lie. */
static bool is_of_tests(const struct project *p, const struct manifest *m)
{
	const struct json_text path = { m->in->name, m->in->name_len };
	const struct json_text dir = { m->in->name, input_dir_len(m->in) };

	return m != p->top && !input_is_own(m->in) &&
	       role_of(dir, ROLE_OF_MANIFEST, &p->homes).kind == ROLE_OWN &&
	       role_of(path, ROLE_OF_SOURCE, &p->homes).kind == ROLE_OWN;
}

void tests_frameworks_read(struct inventory *inv)
{
	const struct tools t = { tests_framework_tools,
				 FRAMEWORK_SCRIPTS_END_ };
	struct slice_list *list = &inv->lists[INVENTORY_FRAMEWORKS];
	const struct project *p = &inv->project;
	const struct json_text none = { NULL, 0 };

	inv->seen |= project_tools_in_files(&t, p, ROLE_OF_SOURCE, list);
	for (size_t i = 0; i < p->inputs->len; i++)
		if (!input_is_installed(&p->inputs->items[i]) &&
		    input_is_own(&p->inputs->items[i]))
			config_declare(inv, &p->inputs->items[i]);
	for (const struct manifest *m = project_manifest_next(p, NULL);
	     m != NULL; m = project_manifest_next(p, m))
		inv->seen |= manifest_declare(inv, m);
	/* It says what the tests below it are, and nothing of the project. */
	for (size_t i = 0; i < p->manifests_len; i++)
		if (is_of_tests(p, &p->manifests[i]))
			(void)manifest_declare(inv, &p->manifests[i]);
	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];

		if (input_is_installed(in) || !input_is_own(in) ||
		    !configures_pytest(in))
			continue;
		inv->seen |= BIT(FRAMEWORK_PYTEST);
		project_tool_fact(list, "pytest", "config", none, in);
	}
	inv->configured = inv->seen;
}

/* The framework with the most unit test files; without any, the one home
 * declares. */
enum framework tests_framework_primary(const struct inventory *inv)
{
	const struct project *p = &inv->project;
	enum framework best = FRAMEWORK_NONE;
	uint64_t declared = 0;

	for (enum framework f = 0; f < FRAMEWORK_MAX_; f++)
		if (inv->files_of[f] > 0 && !tests_framework_is_e2e(f) &&
		    (best == FRAMEWORK_NONE ||
		     inv->files_of[f] > inv->files_of[best]))
			best = f;
	if (p->top != NULL)
		declared = inv->declared[p->top - p->manifests];
	for (enum framework f = 0; f < FRAMEWORK_MAX_; f++)
		if (best == FRAMEWORK_NONE && (declared & BIT(f)) != 0)
			best = f;
	for (enum framework f = 0; f < FRAMEWORK_MAX_; f++)
		if (best == FRAMEWORK_NONE && (inv->seen & BIT(f)) != 0)
			best = f;
	return best;
}
