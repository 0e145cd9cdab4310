/* depend_formats.c -- which file belongs to which package manager. */
#include <string.h>

#include "base/glob.h"
#include "parsers/depend/depend.h"

/* The first pattern that fits decides.  jobs/probe/catalogue.c declares the
 * same patterns as inputs. */
static const struct depend_format formats[] = {
	{ "**/package.json", "package.json", DEPEND_NPM, false, NULL },
	{ "**/package-lock.json", "package-lock.json", DEPEND_NPM, true, NULL },
	{ "**/npm-shrinkwrap.json", "npm-shrinkwrap.json", DEPEND_NPM, true,
	  NULL },
	{ "**/pnpm-lock.yaml", "pnpm-lock.yaml", DEPEND_NPM, true, NULL },
	{ "**/yarn.lock", "yarn.lock", DEPEND_NPM, true, NULL },
	{ "**/bun.lock", "bun.lock", DEPEND_NPM, true, NULL },
	{ "**/pyproject.toml", "pyproject.toml", DEPEND_PYPI, false,
	  depend_pyproject_read },
	{ "**/Pipfile", "Pipfile", DEPEND_PYPI, false, depend_pipfile_read },
	{ "**/setup.cfg", "setup.cfg", DEPEND_PYPI, false,
	  depend_setup_cfg_read },
	{ "**/Pipfile.lock", "Pipfile.lock", DEPEND_PYPI, true,
	  depend_pipfile_lock_read },
	{ "**/poetry.lock", "poetry.lock", DEPEND_PYPI, true,
	  depend_poetry_lock_read },
	{ "**/uv.lock", "uv.lock", DEPEND_PYPI, true, depend_uv_lock_read },
	{ "**/{requirements*,*requirements,constraints*}.{txt,in}",
	  "requirements", DEPEND_PYPI, false, depend_requirements_read },
	{ "**/requirements/*.{txt,in}", "requirements", DEPEND_PYPI, false,
	  depend_requirements_read },
	{ "**/go.mod", "go.mod", DEPEND_GO, false, depend_go_mod_read },
	{ "**/go.sum", "go.sum", DEPEND_GO, true, depend_go_sum_read },
	{ "**/go.work", "go.work", DEPEND_GO, false, depend_go_work_read },
	{ "**/Cargo.toml", "Cargo.toml", DEPEND_CARGO, false,
	  depend_cargo_toml_read },
	{ "**/Cargo.lock", "Cargo.lock", DEPEND_CARGO, true,
	  depend_cargo_lock_read },
	{ "**/pom.xml", "pom.xml", DEPEND_MAVEN, false, depend_pom_read },
	{ "**/*.versions.toml", "version catalogue", DEPEND_MAVEN, false,
	  depend_gradle_read },
	{ "**/*.gradle{,.kts}", "build.gradle", DEPEND_MAVEN, false,
	  depend_groovy_read },
	{ "**/{Gemfile,gems.rb}", "Gemfile", DEPEND_GEM, false,
	  depend_gemfile_read },
	{ "**/*.gemspec", "gemspec", DEPEND_GEM, false, depend_gemspec_read },
	{ "**/Gemfile.lock", "Gemfile.lock", DEPEND_GEM, true,
	  depend_gem_read },
	{ "**/gems.locked", "Gemfile.lock", DEPEND_GEM, true, depend_gem_read },
	{ "**/composer.json", "composer.json", DEPEND_COMPOSER, false,
	  depend_composer_read },
	{ "**/composer.lock", "composer.lock", DEPEND_COMPOSER, true,
	  depend_composer_lock_read },
};

const struct depend_format *depend_format_find(const struct parse_input *in)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (glob_match(formats[i].pattern, strlen(formats[i].pattern),
			       in->name, in->name_len))
			return &formats[i];
	return NULL;
}
