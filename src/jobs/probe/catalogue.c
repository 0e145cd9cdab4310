/* catalogue.c -- see catalogue.h. */
#include "jobs/probe/catalogue.h"

#include <string.h>

#define MIB ((uint64_t)1 << 20)

/* Whose file is whose: src/parsers/ci/ci_probe.c. */
static const struct probe_input_rule ci_rules[] = {
	{ ".github/workflows/*.{yml,yaml}", 10 * MIB },
	{ ".github/actions/**/action.{yml,yaml}", 10 * MIB },
	{ "action.{yml,yaml}", 10 * MIB },
	{ "*.gitlab-ci.{yml,yaml}", 10 * MIB },
	{ ".gitlab-*.{yml,yaml}", 10 * MIB },
	{ "{.gitlab,ci}/**/*.gitlab-ci.{yml,yaml}", 10 * MIB },
	{ "{.gitlab/ci,.gitlab-ci}/**/*.{yml,yaml}", 10 * MIB },
	{ ".circleci/config.{yml,yaml}", 10 * MIB },
	{ "**/azure-pipelines*.{yml,yaml}", 10 * MIB },
	{ "{.azure-pipelines,.azuredevops,.pipelines,azure-pipelines}/**/"
	  "*.{yml,yaml}",
	  10 * MIB },
	{ "**/{Jenkinsfile,Jenkinsfile[._-]*,*[._-]Jenkinsfile,*.jenkinsfile}",
	  1 * MIB },
	{ ".travis.{yml,yaml}", 10 * MIB },
	{ "bitbucket-pipelines.{yml,yaml}", 10 * MIB },
	{ "{.drone,drone}.{yml,yaml}", 10 * MIB },
	{ ".drone/**/*.{yml,yaml}", 10 * MIB },
	{ ".woodpecker.{yml,yaml}", 10 * MIB },
	{ ".woodpecker/**/*.{yml,yaml}", 10 * MIB },
	{ "{.buildkite,buildkite}.{yml,yaml}", 10 * MIB },
	{ ".buildkite/**/*.{yml,yaml}", 10 * MIB },
	{ ".tekton/**/*.{yml,yaml}", 10 * MIB },
	{ "**/cloudbuild{,[._-]*}.{yml,yaml}", 10 * MIB },
	{ "{appveyor,.appveyor}.{yml,yaml}", 10 * MIB },
	{ ".cirrus{,.*}.{yml,yaml}", 10 * MIB },
	{ ".cirrus.star", 0 },
	{ "{.forgejo,.gitea}/**/*.{yml,yaml}", 10 * MIB },
	{ "{.build,.builds/*}.{yml,yaml}", 10 * MIB },
	{ ".semaphore/**/*.{yml,yaml}", 10 * MIB },
	{ "{zuul,.zuul}{,.d/**/*}.{yml,yaml}", 0 },
	{ ".teamcity/**/*.{kts,kt,xml}", 0 },
	/* What commands of CI may run.  They are not read, so their hashes say
	 * that they changed. */
	{ "**/*.{sh,bash}", PROBE_HASHED | 10 * MIB },
	{ "**/{Makefile,makefile,GNUmakefile}", PROBE_HASHED | 10 * MIB },
	{ "{*.mk,Makefile.*,*/*.mk,*/*/*.mk}", PROBE_HASHED | 10 * MIB },
	{ "**/composer.json", PROBE_HASHED | 10 * MIB },
	/* Travis CI's default for a package of Node depends on them. */
	{ "{package.json,yarn.lock}", 0 },
	/* Azure Pipelines lie anywhere: these are looked at for their keys. */
	{ "**/{.azure-pipelines,azure-pipelines,.pipelines,pipelines}/**/"
	  "*.{yml,yaml}",
	  10 * MIB },
	{ "{build*,ci,.ci,eng,devops,.devops,.vsts}/**/*.{yml,yaml}",
	  10 * MIB },
	{ "*{azure,pipeline}*.{yml,yaml}", 10 * MIB },
	{ NULL, 0 },
};

/* Whose file is whose: src/parsers/depend/depend_formats.c.  What binds the
 * packages of npm's kin is read with them. */
static const struct probe_input_rule dependencies_rules[] = {
	{ "**/package.json", 5 * MIB },
	{ "**/{package-lock,npm-shrinkwrap}.json", 50 * MIB },
	{ "**/{pnpm-lock.yaml,yarn.lock,bun.lock}", 50 * MIB },
	{ "**/pnpm-workspace.yaml", 10 * MIB },
	{ "**/{lerna,rush}.json", 1 * MIB },
	{ "**/{pyproject.toml,Pipfile,setup.cfg}", 5 * MIB },
	{ "**/setup.py", 1 * MIB },
	{ "**/{uv.lock,poetry.lock,pdm.lock,Pipfile.lock}", 50 * MIB },
	{ "**/{requirements*,*requirements,constraints*}.{txt,in,pip}",
	  5 * MIB },
	{ "**/requirements/*.{txt,in,pip}", 5 * MIB },
	{ "**/requirements/{base,main,common,prod,production,{min,}test,tests,"
	  "testing,e2e,ci,dev,development,lint,doc,docs,bench,local,all}",
	  5 * MIB },
	{ "**/{go.mod,go.work}", 5 * MIB },
	{ "**/go.sum", 50 * MIB },
	{ "**/Cargo.toml", 5 * MIB },
	{ "**/Cargo.lock", 50 * MIB },
	{ "**/pom.xml", 5 * MIB },
	{ "**/*.versions.toml", 5 * MIB },
	{ "**/*gradle.lockfile", 50 * MIB },
	{ "**/*.{gradle,gradle.kts}", 5 * MIB },
	{ "**/{Gemfile,gems.rb,*.gemspec}", 5 * MIB },
	{ "**/{Gemfile.lock,gems.locked}", 50 * MIB },
	{ "**/composer.json{,-dist,.dist}", 5 * MIB },
	{ "**/composer.lock", 50 * MIB },
	{ "**/{.npmrc,.yarnrc,.yarnrc.yml,bunfig.toml,uv.toml}", 1 * MIB },
	{ "**/.cargo/config{,.toml}", 1 * MIB },
	{ "**/{gradle,maven}-wrapper.properties", 1 * MIB },
	{ "**/.mvn/maven.config", 1 * MIB },
	{ "settings.xml", 1 * MIB },
	{ "**/{.mvn,.m2}/{settings,extensions}.xml", 1 * MIB },
	{ NULL, 0 },
};

/* What a chart's templates are is known by their names; CI's YAML is another
 * probe's. */
static const struct probe_input_rule deployment_rules[] = {
	{ "{.github/workflows/**,.circleci/**,.gitlab-ci.yml}", 0 },
	{ "**/pnpm-lock.yaml", 0 },
	{ "**/*.{yaml,yml}", 10 * MIB },
	{ "**/Kustomization", 10 * MIB },
	{ "**/{[Dd]ockerfile,[Cc]ontainerfile}", 1 * MIB },
	{ "**/{[Dd]ockerfile,[Cc]ontainerfile}[._-]*", 1 * MIB },
	{ "**/*.{[Dd]ockerfile,[Cc]ontainerfile}", 1 * MIB },
	{ "**/{,.}[Dd]ockerfiles/*", 1 * MIB },
	{ "**/*.{tf,tfvars,tofu,tf.json,tfvars.json}", 0 },
	{ "**/.terraform.lock.hcl", 0 },
	{ "**/templates/**", 0 },
	{ NULL, 0 },
};

static const struct probe_input_rule language_detection_rules[] = {
	{ "package.json", 5 * MIB },
	{ "pnpm-workspace.yaml", 10 * MIB },
	{ "{Cargo.toml,pyproject.toml,go.work}", 1 * MIB },
	{ "**/*", 0 },
	{ NULL, 0 },
};

static const struct probe_input_rule node_build_system_rules[] = {
	{ "**/package.json", 5 * MIB },
	{ "**/pnpm-workspace.yaml", 10 * MIB },
	{ "**/{lerna,rush}.json", 1 * MIB },
	{ "**/{package-lock,npm-shrinkwrap}.json", 0 },
	{ "**/yarn.lock", 50 * MIB }, /* its head tells the flavour */
	{ "**/{pnpm-lock.yaml,bun.lock,bun.lockb,.pnp.cjs}", 0 },
	{ "**/{.nvmrc,.node-version,.tool-versions}", 1 * MIB },
	{ "**/{mise,.mise}.toml", 1 * MIB },
	{ "**/{.npmrc,.yarnrc,.yarnrc.yml}", 1 * MIB },
	{ "**/{tsconfig,*.tsconfig,tsconfig.*,tsconfig-*,tsconfig_*}.json",
	  1 * MIB },
	{ "**/{*-tsconfig,*-tsconfig.*}.json", 1 * MIB },
	/* what those often extend */
	{ "**/{base,base-*,base.*,*-base,*.base,common,shared,strict}.json",
	  1 * MIB },
	{ "**/{library,nextjs,react-library,react,node*}.json", 1 * MIB },
	{ "**/{tsconfig,tsconfigs,ts-config,typescript-config,"
	  "config-typescript}/**/*.json",
	  1 * MIB },
	{ "**/{nx.json,turbo.json,turbo.jsonc,workspace.jsonc,pants.toml}", 0 },
	{ "**/{MODULE.bazel,WORKSPACE,WORKSPACE.bazel,WORKSPACE.bzlmod}", 0 },
	{ "**/{.buckconfig,lage.config.js,lage.config.cjs,lage.config.mjs}",
	  0 },
	{ "**/.moon/workspace.{yml,yaml}", 0 },
	{ "**/.bazelversion", 1 * MIB },
	{ "**/{*.config.,webpack.,rollup.,rspack.,esbuild.,.babelrc.}*", 0 },
	{ "**/{.babelrc,.swcrc,.parcelrc,bunfig.toml,angular.json,"
	  "webpackfile.js}",
	  0 },
	{ NULL, 0 },
};

static const struct probe_input_rule node_manifest_rules[] = {
	{ "**/package.json", 5 * MIB },
	{ "**/{package-lock,npm-shrinkwrap}.json", 50 * MIB },
	{ "**/{pnpm-lock.yaml,yarn.lock,bun.lock}", 50 * MIB },
	{ "**/pnpm-workspace.yaml", 10 * MIB },
	{ "**/{lerna,rush}.json", 1 * MIB },
	{ "**/{bun.lockb,binding.gyp,Cargo.toml}", 0 },
	{ NULL, 0 },
};

/* A script in JavaScript or TypeScript, by its end.  Written out: a name is
 * soon told from a pattern without classes (match.c). */
#define SCRIPT "{js,jsx,ts,tsx,mjs,cjs,mts,cts}"

static const struct probe_input_rule test_inventory_rules[] = {
	{ "**/package.json", 5 * MIB },
	{ "**/pnpm-workspace.yaml", 10 * MIB },
	{ "**/{lerna,rush}.json", 1 * MIB },
	/* where the project is, as node_build_system sees it */
	{ "**/{package-lock,npm-shrinkwrap}.json", 0 },
	{ "**/{yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb}", 0 },
	{ "**/lcov.info", 50 * MIB },
	{ "**/coverage-summary.json", 5 * MIB },
	{ "**/{pyproject.toml,setup.cfg,tox.ini}", 1 * MIB },
	{ "**/{Makefile,makefile,GNUmakefile}", 1 * MIB },
	{ "**/{CMakeLists.txt,meson.build,Makefile.am}", 1 * MIB },
	{ "**/*{.test,_test,-test,.tests,.cy,.e2e}." SCRIPT, 5 * MIB },
	{ "**/*{.spec,_spec,-spec,Spec}." SCRIPT, 5 * MIB },
	{ "**/{test,tests,spec,e2e,test-*}." SCRIPT, 5 * MIB },
	{ "**/{__tests__,__test__,test,tests,spec,specs,e2e,cypress,playwright}"
	  "/**/*." SCRIPT,
	  5 * MIB },
	{ "**/{test_*,*_test,tests,unittest_*,*_unittest}.py", 5 * MIB },
	{ "**/{test,tests}/**/test*.py", 1 * MIB },
	{ "**/*_test.go", 5 * MIB },
	{ "**/*.rs", 5 * MIB },
	{ "**/*{Test,Tests,TestCase,IT,Spec}.{java,kt,groovy,scala}", 5 * MIB },
	{ "**/Test*.{java,kt,groovy,scala}", 5 * MIB },
	{ "**/{test,tests}/**/*.{java,kt,groovy,scala}", 1 * MIB },
	{ "**/*{Test,TestCase}.php", 5 * MIB },
	{ "**/{test,tests,Test,Tests}/**/*.php", 1 * MIB },
	{ "**/{test_*,*_test,*_spec}.rb", 5 * MIB },
	{ "**/{test_*,unittest_*}.{cc,cpp,cxx}", 5 * MIB },
	{ "**/*{_test,_tests,_unittest,Test,Tests,.test,-test}.{cc,cpp,cxx}",
	  5 * MIB },
	{ "**/{test,tests,unittest,unittests,gtest}/**/*.{cc,cpp,cxx}",
	  1 * MIB },
	{ "**/{test*,Test*,unittest_*,check_*}.c", 5 * MIB },
	{ "**/*{_test,-test,.test,_tests,_unittest,Test,Tests}.c", 5 * MIB },
	{ "**/{test,tests,unittest,unittests,unit-tests,unit_tests}/**/*.c",
	  1 * MIB },
	{ "**/*{Test,Tests}.{cs,fs,vb}", 5 * MIB },
	{ "**/*.bats", 5 * MIB },
	{ "**/{pytest.ini,.pytest.ini,conftest.py}", 0 },
	{ "**/{*.config,*.conf,*.workspace}.*", 0 },
	{ "**/{.mocharc,.mocharc.*,mocha.opts,.taprc,.labrc.js}", 0 },
	{ "**/{jest,jest-e2e,cypress,jasmine,nightwatch,cucumber}.json", 0 },
	{ "**/{jasmine.mjs,cucumber.cjs,cucumber.mjs,cucumber.js}", 0 },
	{ "**/{.testcaferc,.detoxrc}.*", 0 },
	{ NULL, 0 },
};

const struct probe probes[] = {
	{ .name = "ci",
	  .version = "2.0",
	  .schema_version = "1.0",
	  .schema = "ci",
	  .subject = ROLE_OF_DEPLOYMENT,
	  .rules = ci_rules },
	{ .name = "dependencies",
	  .version = "2.0",
	  .schema_version = "1.0",
	  .schema = "dependencies",
	  .subject = ROLE_OF_MANIFEST,
	  .rules = dependencies_rules },
	{ .name = "deployment",
	  .version = "2.0",
	  .schema_version = "1.0",
	  .schema = "deployment",
	  .subject = ROLE_OF_DEPLOYMENT,
	  .rules = deployment_rules },
	{ .name = "language_detection",
	  .version = "1.5",
	  .schema_version = "1.0",
	  .schema = "language_detection",
	  .subject = ROLE_OF_SOURCE,
	  .rules = language_detection_rules },
	{ .name = "node_build_system",
	  .version = "1.14",
	  .schema_version = "1.0",
	  .schema = "node_build_system",
	  .subject = ROLE_OF_MANIFEST,
	  .rules = node_build_system_rules },
	{ .name = "node_manifest",
	  .version = "1.14",
	  .schema_version = "1.1",
	  .schema = "node_manifest",
	  .subject = ROLE_OF_MANIFEST,
	  .rules = node_manifest_rules },
	{ .name = "test_inventory",
	  .version = "2.0",
	  .schema_version = "1.0",
	  .schema = "test_inventory",
	  .subject = ROLE_OF_SOURCE,
	  .rules = test_inventory_rules },
};
const size_t probes_len = sizeof probes / sizeof *probes;

const struct probe *probe_find(const char *name)
{
	for (size_t i = 0; i < probes_len; i++)
		if (strcmp(probes[i].name, name) == 0)
			return &probes[i];
	return NULL;
}
