/* parsers_roles.c -- probes over repositories that hold fixtures, examples and
 * expected output: what those say is reported, and does not count. */
#include <stdlib.h>

#include "probe_files.h"

#define PROBE(name, run, ...)                                                  \
	probe_files(                                                           \
		name, run,                                                     \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* A tool that reads other people's manifests has some of each kind. */
static void deployment_of_fixtures_is_none(void)
{
	char *o = PROBE(
		"deployment", deployment_run, F("Dockerfile", "FROM node:20\n"),
		F("lib/manager/helm/__fixtures__/Chart.yaml",
		  "apiVersion: v2\nname: x\nversion: 1.0.0\n"),
		F("lib/manager/compose/__fixtures__/docker-compose.yml",
		  "services:\n  a:\n    image: b:1\n"),
		N("lib/manager/terraform/__fixtures__/main.tf"),
		F("charts/x/tests/expected_templates/a.yaml",
		  "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n"),
		F("lib/manager/kustomize/__fixtures__/kustomization.yaml",
		  "resources: []\n"));

	ok_json(o, "/slice/styles", "[\"docker\"]");
	ok_json(o, "/slice/charts/0",
		"{\"role\":\"fixture\",\"role_reason\":"
		"\"directory __fixtures__\"}");
	ok_json(o, "/slice/compose_services/0", "{\"role\":\"fixture\"}");
	ok_json(o, "/slice/terraform/0", "{\"role\":\"fixture\"}");
	ok_json(o, "/slice/manifests/0", "{\"role\":\"fixture\"}");
	ok_no_json(o, "{\"source\":\"Dockerfile\",\"role\":\"fixture\"}");
	free(o);
}

/* Lists of names have no place for a role. */
static void a_chart_of_fixtures_with_all_its_files(void)
{
	char *o = PROBE("deployment", deployment_run,
			F("Dockerfile", "FROM node:20\n"),
			F("e2e/fixtures/x/Chart.yaml",
			  "apiVersion: v2\nname: x\nversion: 1.0.0\n"),
			F("e2e/fixtures/x/values.yaml", "image: a:1\n"),
			N("e2e/fixtures/x/templates/a.yaml"));

	ok_json(o, "/slice/styles", "[\"docker\"]");
	ok_json(o, "/slice/charts/0",
		"{\"role\":\"fixture\","
		"\"templates\":[\"e2e/fixtures/x/templates/a.yaml\"],"
		"\"values_files\":[\"e2e/fixtures/x/values.yaml\"]}");
	free(o);
}

static void a_chart_of_its_own_has_styles(void)
{
	char *o = PROBE("deployment", deployment_run,
			F("charts/x/Chart.yaml",
			  "apiVersion: v2\nname: x\nversion: 1.0.0\n"),
			N("charts/x/templates/a.yaml"), N("examples/a/main.tf"),
			N("infra/main.tf"));

	ok_json(o, "/slice/styles", "[\"helm\",\"terraform\"]");
	ok_json(o, "/slice/terraform/ANY",
		"{\"source\":\"examples/a/main.tf\",\"role\":\"example\"}");
	free(o);
}

static void ci_of_fixtures_is_no_provider(void)
{
	char *o = PROBE(
		"ci", ci_run,
		F(".github/workflows/a.yml",
		  "name: a\non: push\njobs:\n  t:\n    runs-on: x\n"
		  "    steps:\n      - run: npm test\n"),
		F("lib/azure/__fixtures__/azure-pipelines.yml",
		  "pool: x\nsteps:\n  - script: npm test\n"),
		F("test/jenkins/Jenkinsfile", "pipeline { agent any }\n"));

	ok_json(o, "/slice/providers/0", "{\"name\":\"github-actions\"}");
	ok_no_json(o, "{\"name\":\"azure-pipelines\",\"source\":"
		      "\"lib/azure/__fixtures__/azure-pipelines.yml\"}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"azure-pipelines\",\"role\":\"fixture\"}");
	ok_json(o, "/slice/workflows/ANY",
		"{\"provider\":\"jenkins\",\"role\":\"fixture\"}");
	free(o);
}

/* A package below a directory for tests is a fixture with its configuration and
 * its tests; the package of the tests themselves is not. */
static void packages_below_tests_are_fixtures(void)
{
	char *o = PROBE(
		"test_inventory", test_inventory_run,
		F("package.json", "{\"devDependencies\":{\"mocha\":\"1\"}}"),
		F("test/a.spec.js", "it('a', f); it('b', f);"),
		F("e2e/package.json", "{}"), N("e2e/playwright.config.ts"),
		F("e2e/case/package.json", "{\"jest\":{}}"),
		N("e2e/case/jest.config.js"), N("test/jest.config.js.test.ts"),
		F("e2e/case/__tests__/a.test.js", "it('c', f);"));

	ok_json(o, "/slice/unit_test_count", "2");
	ok_json(o, "/slice/primary", "\"mocha\"");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"e2e/case/__tests__/a.test.js\","
		"\"role\":\"fixture\"}");
	ok_json(o, "/slice/frameworks/ANY",
		"{\"name\":\"playwright\",\"evidence\":\"config\"}");
	ok_no_json(o, "{\"name\":\"jest\",\"evidence\":\"config\"}");
	free(o);
}

/* Configurations of test cases, and sources that have the name of the tool. */
static void bundlers_of_cases_are_none(void)
{
	char *o = PROBE("node_build_system", node_build_system_run,
			F("package.json", "{}"), N("lib/webpack.js"),
			N("src/rollup/rollup.ts"), N("webpack.prod.js"),
			N("test/cases/a/vite.config.ts"),
			N("test/cases/a/rollup.config.js"));

	ok_json(o, "/slice/bundlers",
		"[{\"name\":\"webpack\",\"evidence\":\"config\","
		"\"version\":null,\"source\":\"webpack.prod.js\"}]");
	free(o);
}

/* A lockfile of an example says nothing about the project, and a package that
 * was copied into the repository has no constraint of the project. */
static void the_manager_is_the_projects_own(void)
{
	char *o = PROBE("node_build_system", node_build_system_run,
			N("examples/node/package-lock.json"),
			F("examples/node/package.json", "{\"name\":\"x\"}"));

	ok_json(o, "/slice/package_manager", "null");
	free(o);
	o = PROBE("node_build_system", node_build_system_run,
		  F("package.json", "{}"),
		  F("share/static/components/@a/b/package.json",
		    "{\"name\":\"@a/b\",\"engines\":{\"node\":\">=6\"}}"));
	ok_json(o, "/slice/node_constraints", "[]");
	free(o);
}

/* Tests of tests: each case is a file that a test runs. */
static void tests_below_fixtures_are_not_counted(void)
{
	char *o = PROBE(
		"test_inventory", test_inventory_run,
		F("package.json", "{\"devDependencies\":{\"mocha\":\"1\"}}"),
		F("test/a.spec.js", "it('a', f); it('b', f);"),
		F("test/fixtures/b.spec.js", "it('c', f);"),
		F("examples/x/c.spec.js",
		  "const j = require('@jest/globals'); it('d', f);"),
		F("test/y/package.json",
		  "{\"devDependencies\":{\"vitest\":\"1\"}}"));

	ok_json(o, "/slice/unit_test_count", "2");
	ok_json(o, "/slice/unit/files", "1");
	ok_json(o, "/slice/primary", "\"mocha\"");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"test/fixtures/"
		"b.spec.js\",\"role\":\"fixture\"}");
	ok_no_json(o, "{\"name\":\"vitest\"}");
	free(o);
}

/* What a workspace includes belongs to the project, whatever its name is. */
static void a_workspace_below_examples_is_own(void)
{
	char *o =
		PROBE("test_inventory", test_inventory_run,
		      F("package.json", "{\"workspaces\":[\"examples/*\"],"
					"\"devDependencies\":{\"ava\":\"1\"}}"),
		      F("examples/napi/package.json", "{\"name\":\"n\"}"),
		      F("examples/napi/__tests__/a.spec.js",
			"import test from 'ava'\ntest('a', f)\n"),
		      F("examples/other/b.spec.js",
			"import test from 'ava'\ntest('b', f)\n"));

	ok_json(o, "/slice/unit_test_count", "1");
	ok_json(o, "/slice/files/ANY",
		"{\"source\":\"examples/other/b.spec.js\","
		"\"role\":\"example\"}");
	free(o);
}

static void a_fixture_that_declares_workspaces_includes_nothing(void)
{
	char *o = PROBE(
		"node_manifest", node_manifest_run,
		F("lib/package.json", "{\"name\":\"own\"}"),
		F("test/fixtures/m/package.json",
		  "{\"name\":\"m\",\"workspaces\":[\"p/*\"]}"),
		F("test/fixtures/m/p/a/package.json", "{\"name\":\"a\"}"));

	ok_json(o, "/slice/packages/ANY",
		"{\"name\":\"a\",\"role\":\"fixture\"}");
	ok_json(o, "/slice/packages/ANY", "{\"name\":\"own\"}");
	ok_no_json(o, "{\"name\":\"own\",\"role\":\"fixture\"}");
	free(o);
}

static void broken_fixtures_leave_no_doubt(void)
{
	char *o = PROBE("node_manifest", node_manifest_run,
			F("package.json", "{\"name\":\"r\"}"),
			F("test/fixtures/bad/package.json", "{ broken"),
			F("test/fixtures/bad/package-lock.json", "{ broken"));
	char *own = PROBE("node_manifest", node_manifest_run,
			  F("package.json", "{\"name\":\"r\"}"),
			  F("packages/a/package.json", "{ broken"));

	ok_json(o, "/confidence", "\"high\"");
	ok_json(o, "/warnings/ANY",
		"{\"source\":\"test/fixtures/bad/package.json\"}");
	ok_json(own, "/confidence", "\"low\"");
	free(o);
	free(own);
}

static void lockfiles_of_mocks_have_their_role(void)
{
	char *o = PROBE("node_manifest", node_manifest_run,
			F("package.json", "{\"name\":\"r\"}"),
			F("package-lock.json",
			  "{\"lockfileVersion\":3,\"packages\":{}}"),
			F("mock-registry/x/package-lock.json",
			  "{\"lockfileVersion\":3,\"packages\":{\"node_modules/"
			  "bcrypt\":"
			  "{\"version\":\"5.0.0\"}}}"));

	ok_json(o, "/slice/lockfiles/ANY",
		"{\"source\":\"mock-registry/x/package-lock.json\","
		"\"role\":\"fixture\"}");
	ok_no_json(o,
		   "{\"source\":\"package-lock.json\",\"role\":\"fixture\"}");
	ok_json(o, "/slice/native_modules/0",
		"{\"name\":\"bcrypt\",\"role\":\"fixture\"}");
	free(o);
}

static void bundlers_of_fixtures_are_none(void)
{
	char *o = PROBE("node_build_system", node_build_system_run,
			F("package.json",
			  "{\"name\":\"r\","
			  "\"devDependencies\":{\"rollup\":\"4\"}}"),
			N("fixtures/a/webpack.config.js"),
			F("fixtures/a/package.json",
			  "{\"devDependencies\":{\"parcel\":\"2\"}}"));

	ok_json(o, "/slice/bundlers/0", "{\"name\":\"rollup\"}");
	ok_no_json(o, "{\"name\":\"webpack\"}");
	ok_no_json(o, "{\"name\":\"parcel\"}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(deployment_of_fixtures_is_none),
		CASE(a_chart_of_fixtures_with_all_its_files),
		CASE(a_chart_of_its_own_has_styles),
		CASE(ci_of_fixtures_is_no_provider),
		CASE(packages_below_tests_are_fixtures),
		CASE(bundlers_of_cases_are_none),
		CASE(the_manager_is_the_projects_own),
		CASE(tests_below_fixtures_are_not_counted),
		CASE(a_workspace_below_examples_is_own),
		CASE(a_fixture_that_declares_workspaces_includes_nothing),
		CASE(broken_fixtures_leave_no_doubt),
		CASE(lockfiles_of_mocks_have_their_role),
		CASE(bundlers_of_fixtures_are_none),
		TAP_END,
	});
}
