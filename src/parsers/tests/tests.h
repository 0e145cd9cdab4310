/* tests.h -- what the pieces of test_inventory share; private to it. */
#ifndef CUPEL_PARSERS_TESTS_H
#define CUPEL_PARSERS_TESTS_H

#include "parsers/common/slice_list.h"
#include "parsers/project/project.h"
#include "parsers/project/project_tool.h"

/* In the order in which they are preferred when several fit a file. */
enum framework {
	FRAMEWORK_VITEST,
	FRAMEWORK_JEST,
	FRAMEWORK_MOCHA,
	FRAMEWORK_AVA,
	FRAMEWORK_TAP,
	FRAMEWORK_TAPE,
	FRAMEWORK_JASMINE,
	FRAMEWORK_UVU,
	FRAMEWORK_QUNIT,
	FRAMEWORK_NODE_TEST,
	FRAMEWORK_BUN_TEST,
	FRAMEWORK_DENO,
	FRAMEWORK_LAB,
	FRAMEWORK_WEB_TEST_RUNNER,
	FRAMEWORK_KARMA,
	/* end-to-end frameworks, up to the next mark */
	FRAMEWORK_PLAYWRIGHT,
	FRAMEWORK_CYPRESS,
	FRAMEWORK_WEBDRIVERIO,
	FRAMEWORK_TESTCAFE,
	FRAMEWORK_NIGHTWATCH,
	FRAMEWORK_PROTRACTOR,
	FRAMEWORK_DETOX,
	FRAMEWORK_CUCUMBER,
	FRAMEWORK_SCRIPTS_END_,
	/* frameworks of other languages than JavaScript */
	FRAMEWORK_PYTEST = FRAMEWORK_SCRIPTS_END_,
	FRAMEWORK_UNITTEST,
	FRAMEWORK_GO,
	FRAMEWORK_CARGO,
	FRAMEWORK_JUNIT,
	FRAMEWORK_TESTNG,
	FRAMEWORK_SPOCK,
	FRAMEWORK_SCALATEST,
	FRAMEWORK_KOTLIN_TEST,
	FRAMEWORK_PHPUNIT,
	FRAMEWORK_RSPEC,
	FRAMEWORK_MINITEST,
	FRAMEWORK_TEST_UNIT,
	FRAMEWORK_GOOGLETEST,
	FRAMEWORK_CATCH2,
	FRAMEWORK_DOCTEST,
	FRAMEWORK_BOOST_TEST,
	FRAMEWORK_XUNIT,
	FRAMEWORK_NUNIT,
	FRAMEWORK_MSTEST,
	FRAMEWORK_BATS,
	FRAMEWORK_ACUTEST,
	FRAMEWORK_CHECK,
	FRAMEWORK_CLAR,
	FRAMEWORK_CMOCKA,
	FRAMEWORK_CPPUTEST,
	FRAMEWORK_CRITERION,
	FRAMEWORK_CUNIT,
	FRAMEWORK_GLIB,
	FRAMEWORK_GREATEST,
	FRAMEWORK_MUNIT,
	FRAMEWORK_UNITY,
	FRAMEWORK_UTEST,
	FRAMEWORK_MAX_,
	FRAMEWORK_NONE = FRAMEWORK_MAX_
};

#define BIT(f)         ((uint64_t)1 << (f))
#define FRAMEWORK_UNIT (BIT(FRAMEWORK_PLAYWRIGHT) - 1)
#define FRAMEWORK_E2E  (BIT(FRAMEWORK_SCRIPTS_END_) - 1 - FRAMEWORK_UNIT)

enum inventory_list {
	INVENTORY_FRAMEWORKS,
	INVENTORY_COMMANDS,
	INVENTORY_FILES,
	INVENTORY_LISTS_MAX_
};

/* Files of a kind, and what is in them. */
struct inventory_sum {
	uint64_t files, tests, skipped, todo;
};

struct inventory {
	struct project project;
	struct parse_report *report;
	struct slice_list lists[INVENTORY_LISTS_MAX_];
	/* By index of the manifest: the frameworks that it declares. */
	uint64_t *declared;
	uint64_t imported; /* frameworks that one file was noted to import */
	/* Frameworks that were seen before any test was looked at, all that
	 * were seen, and the number of files of each. */
	uint64_t configured, seen;
	uint64_t files_of[FRAMEWORK_MAX_];
	struct inventory_sum unit, e2e;
};

/* tests_framework.c */
extern const struct tool tests_framework_tools[FRAMEWORK_SCRIPTS_END_];
const char *tests_framework_name(
	enum framework f); /* NULL for FRAMEWORK_NONE */
bool tests_framework_is_e2e(enum framework f);
/* tests_framework_module -- the bit of the framework that has the module. */
uint64_t tests_framework_module(struct json_text module);
/* tests_framework_seen -- note evidence in a file, once for each framework. */
void tests_framework_seen(struct inventory *inv, enum framework f,
			  const char *evidence, const struct parse_input *in);
void tests_frameworks_read(struct inventory *inv);
enum framework tests_framework_primary(const struct inventory *inv);

/* tests_command.c */
void tests_commands_read(struct inventory *inv);
/* tests_command_put -- note a command, both strings ending with a zero byte. */
void tests_command_put(struct inventory *inv, const char *name,
		       const char *command, const struct parse_input *in);

/* tests_build_commands_read -- note for each build system how it runs the tests
 * that its files declare; of several files the one nearest to the top is the
 * source. */
void tests_build_commands_read(struct inventory *inv);

/* tests_joined.c: lines that go on behind a backslash. */

/* tests_joined_next -- the next line and those that it goes on with, as they
 * stand in the input.
 *
 * @only_indented	whether it goes on only with lines that are indented
 * Returns false when there is none left. */
bool tests_joined_next(struct lines *l, bool only_indented,
		       struct json_text *ret, size_t *ret_offset);
/* tests_joined_write -- the text of tests_joined_next(), or the end of it, as one
 * line; t itself if it is one.
 *
 * @out	room for t.len bytes */
struct json_text tests_joined_write(struct json_text t, char *out);

/* tests_file.c */
void tests_files_read(struct inventory *inv);

/* tests_coverage.c: write "coverage", an object or null.  Returns 0 or
 * -ENOMEM. */
int tests_coverage_write(struct inventory *inv, struct jsonw *slice);

#endif
