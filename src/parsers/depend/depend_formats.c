/* depend_formats.c -- which file belongs to which package manager. */
#include <string.h>

#include "base/glob.h"
#include "parsers/depend/depend.h"

/* The first pattern that fits decides.  jobs/probe/catalogue.c declares the
 * same patterns as inputs. */
static const struct depend_format formats[] = {
	{ .pattern = "**/{.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
	  .name = "npm settings",
	  .ecosystem = DEPEND_NPM,
	  .is_settings = true,
	  .read = depend_settings_lines_read },
	{ .pattern = "**/bunfig.toml",
	  .name = "bunfig.toml",
	  .ecosystem = DEPEND_NPM,
	  .is_settings = true,
	  .read = depend_settings_toml_read },
	{ .pattern = "**/uv.toml",
	  .name = "uv.toml",
	  .ecosystem = DEPEND_PYPI,
	  .is_settings = true,
	  .read = depend_settings_toml_read },
	{ .pattern = "**/.cargo/config{,.toml}",
	  .name = "Cargo settings",
	  .ecosystem = DEPEND_CARGO,
	  .is_settings = true,
	  .read = depend_settings_toml_read },
	{ .pattern = "**/{gradle,maven}-wrapper.properties",
	  .name = "wrapper",
	  .ecosystem = DEPEND_MAVEN,
	  .is_settings = true,
	  .read = depend_wrapper_read },
	{ .pattern = "**/.mvn/maven.config",
	  .name = "maven.config",
	  .ecosystem = DEPEND_MAVEN,
	  .is_settings = true,
	  .read = depend_maven_config_read },
	{ .pattern = "settings.xml",
	  .name = "Maven settings",
	  .ecosystem = DEPEND_MAVEN,
	  .is_settings = true,
	  .read = depend_pom_read },
	{ .pattern = "**/{.mvn,.m2}/{settings,extensions}.xml",
	  .name = "Maven settings",
	  .ecosystem = DEPEND_MAVEN,
	  .is_settings = true,
	  .read = depend_pom_read },
	{ "**/package.json", "package.json", DEPEND_NPM, false, false, NULL },
	{ "**/package-lock.json", "package-lock.json", DEPEND_NPM, true, false,
	  NULL },
	{ "**/npm-shrinkwrap.json", "npm-shrinkwrap.json", DEPEND_NPM, true,
	  false, NULL },
	{ "**/pnpm-lock.yaml", "pnpm-lock.yaml", DEPEND_NPM, true, false,
	  NULL },
	{ "**/yarn.lock", "yarn.lock", DEPEND_NPM, true, false, NULL },
	{ "**/bun.lock", "bun.lock", DEPEND_NPM, true, false, NULL },
	{ "**/pyproject.toml", "pyproject.toml", DEPEND_PYPI, false, false,
	  depend_pyproject_read },
	{ "**/Pipfile", "Pipfile", DEPEND_PYPI, false, false,
	  depend_pipfile_read },
	{ "**/setup.cfg", "setup.cfg", DEPEND_PYPI, false, false,
	  depend_setup_cfg_read },
	{ "**/setup.py", "setup.py", DEPEND_PYPI, false, false,
	  depend_setup_py_read },
	{ "**/Pipfile.lock", "Pipfile.lock", DEPEND_PYPI, true, false,
	  depend_pipfile_lock_read },
	{ "**/poetry.lock", "poetry.lock", DEPEND_PYPI, true, false,
	  depend_poetry_lock_read },
	{ "**/pdm.lock", "pdm.lock", DEPEND_PYPI, true, false,
	  depend_poetry_lock_read },
	{ "**/uv.lock", "uv.lock", DEPEND_PYPI, true, false,
	  depend_uv_lock_read },
	{ "**/{requirements*,*requirements,constraints*}.{txt,in,pip}",
	  "requirements", DEPEND_PYPI, false, false, depend_requirements_read },
	{ "**/requirements/*.{txt,in,pip}", "requirements", DEPEND_PYPI, false,
	  false, depend_requirements_read },
	{ "**/requirements/{base,main,common,prod,production,{min,}test,tests,"
	  "testing,e2e,ci,dev,development,lint,doc,docs,bench,local,all}",
	  "requirements", DEPEND_PYPI, false, false, depend_requirements_read },
	{ "**/go.mod", "go.mod", DEPEND_GO, false, false, depend_go_mod_read },
	{ "**/go.sum", "go.sum", DEPEND_GO, true, false, depend_go_sum_read },
	{ "**/go.work", "go.work", DEPEND_GO, false, false,
	  depend_go_work_read },
	{ "**/Cargo.toml", "Cargo.toml", DEPEND_CARGO, false, false,
	  depend_cargo_toml_read },
	{ "**/Cargo.lock", "Cargo.lock", DEPEND_CARGO, true, false,
	  depend_cargo_lock_read },
	{ "**/pom.xml", "pom.xml", DEPEND_MAVEN, false, false,
	  depend_pom_read },
	{ "**/*.versions.toml", "version catalogue", DEPEND_MAVEN, false, false,
	  depend_gradle_read },
	{ "**/*.gradle{,.kts}", "build.gradle", DEPEND_MAVEN, false, false,
	  depend_groovy_read },
	{ "**/{Gemfile,gems.rb}", "Gemfile", DEPEND_GEM, false, false,
	  depend_gemfile_read },
	{ "**/*.gemspec", "gemspec", DEPEND_GEM, false, false,
	  depend_gemspec_read },
	{ "**/Gemfile.lock", "Gemfile.lock", DEPEND_GEM, true, false,
	  depend_gem_read },
	{ "**/gems.locked", "Gemfile.lock", DEPEND_GEM, true, false,
	  depend_gem_read },
	{ "**/composer.json{,-dist,.dist}", "composer.json", DEPEND_COMPOSER,
	  false, false, depend_composer_read },
	{ "**/composer.lock", "composer.lock", DEPEND_COMPOSER, true, false,
	  depend_composer_lock_read },
};

static bool fits(const struct depend_format *f, const struct parse_input *in)
{
	return glob_match(f->pattern, strlen(f->pattern), in->name,
			  in->name_len);
}

const struct depend_format *depend_format_find(const struct parse_input *in)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (fits(&formats[i], in))
			return &formats[i];
	return NULL;
}

/* No other pattern fits one of these names. */
bool depend_is_requirements(const struct parse_input *in)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].read == depend_requirements_read &&
		    fits(&formats[i], in))
			return true;
	return false;
}
