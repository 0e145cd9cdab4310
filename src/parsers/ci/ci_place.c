/* ci_place.c -- finds the provider of a file by its name or its content.  See
 * ci.h. */
#include <string.h>

#include "base/glob.h"
#include "parsers/ci/ci.h"

/* The first row that fits decides; jobs/probe/catalogue.c declares all these
 * files. */
static const struct {
	const char *pattern;
	enum ci_provider provider;
	bool is_guess; /* the name is not enough: the content must fit, too */
} files[] = {
	{ ".github/**/*.{yml,yaml}", CI_GITHUB, false },
	{ "action.{yml,yaml}", CI_GITHUB, false },
	{ "**/*.gitlab-ci.{yml,yaml}", CI_GITLAB, false },
	{ ".gitlab-*.{yml,yaml}", CI_GITLAB, false },
	{ ".gitlab/**/*.{yml,yaml}", CI_GITLAB, false },
	{ ".gitlab-ci/**/*.{yml,yaml}", CI_GITLAB, false },
	{ ".circleci/**/*.{yml,yaml}", CI_CIRCLECI, false },
	{ "**/azure-pipelines*.{yml,yaml}", CI_AZURE, false },
	{ "{.azure-pipelines,.azuredevops,.pipelines,azure-pipelines}/**/"
	  "*.{yml,yaml}",
	  CI_AZURE, false },
	{ "**/{Jenkinsfile,Jenkinsfile[._-]*,*[._-]Jenkinsfile,*.jenkinsfile}",
	  CI_JENKINS, false },
	{ ".travis.{yml,yaml}", CI_TRAVIS, false },
	{ "bitbucket-pipelines.{yml,yaml}", CI_BITBUCKET, false },
	{ "{.drone,drone}.{yml,yaml}", CI_DRONE, false },
	{ ".drone/**/*.{yml,yaml}", CI_DRONE, false },
	{ ".woodpecker.{yml,yaml}", CI_WOODPECKER, false },
	{ ".woodpecker/**/*.{yml,yaml}", CI_WOODPECKER, false },
	{ "{.buildkite,buildkite}.{yml,yaml}", CI_BUILDKITE, false },
	{ ".buildkite/**/*.{yml,yaml}", CI_BUILDKITE, false },
	{ ".tekton/**/*.{yml,yaml}", CI_TEKTON, false },
	{ "**/cloudbuild{,[._-]*}.{yml,yaml}", CI_CLOUD_BUILD, false },
	{ "{appveyor,.appveyor}.{yml,yaml}", CI_APPVEYOR, false },
	{ ".cirrus{,.*}.{yml,yaml}", CI_CIRRUS, false },
	{ ".cirrus.star", CI_CIRRUS, false },
	{ ".forgejo/**/*.{yml,yaml}", CI_FORGEJO, false },
	{ ".gitea/**/*.{yml,yaml}", CI_GITEA, false },
	{ ".build.{yml,yaml}", CI_SOURCEHUT, false },
	{ ".builds/*.{yml,yaml}", CI_SOURCEHUT, false },
	{ ".semaphore/**/*.{yml,yaml}", CI_SEMAPHORE, false },
	{ "{zuul,.zuul}{,.d/**/*}.{yml,yaml}", CI_ZUUL, false },
	{ ".teamcity/**", CI_TEAMCITY, false },
	{ "**/{.azure-pipelines,azure-pipelines,.pipelines,pipelines}/**/"
	  "*.{yml,yaml}",
	  CI_AZURE, true },
	{ "{build*,ci,.ci,eng,devops,.devops,.vsts}/**/*.{yml,yaml}", CI_AZURE,
	  true },
	{ "*{azure,pipeline}*.{yml,yaml}", CI_AZURE, true },
};

/* The key of a line "key: ..." or "- key: ...", and what stands behind it. */
static struct json_text key_of(struct json_text line, bool *ret_is_item,
			       struct json_text *ret_value)
{
	struct json_text key, trimmed = text_trim(line);

	*ret_is_item = text_begins(trimmed, "- ");
	if (*ret_is_item)
		trimmed = text_trim(text_from(trimmed, 2));
	key = text_cut(trimmed, ':', ret_value);
	if (ret_value->bytes == NULL)
		key.len = 0;
	return key;
}

/* "Name@2": a task of Azure's, whose version is part of its name. */
static bool is_task(struct json_text value)
{
	struct json_text version, name;

	name = text_cut(text_unquote(text_trim(value)), '@', &version);
	return name.len > 0 && version.bytes != NULL && version.len > 0 &&
	       version.bytes[0] >= '0' && version.bytes[0] <= '9';
}

/* A step, job or stage as only Azure Pipelines writes it.  Concourse has tasks
 * without a version, GitLab includes templates. */
static bool is_azure_item(struct json_text key, struct json_text value)
{
	if (text_is(key, "task"))
		return is_task(value);
	return text_in(key, "script bash pwsh powershell checkout job stage "
			    "deployment");
}

/* Whether the content is Azure's: one of its keys at the top, and one of its
 * steps, jobs or stages below. */
static bool is_azure(const struct parse_input *in)
{
	bool has_top = false, has_item = false, is_item;
	struct lines lines = lines_of(in);
	struct json_text line, key, value;
	size_t offset;

	while (!(has_top && has_item) && line_next(&lines, &line, &offset)) {
		key = key_of(line, &is_item, &value);
		if (is_item)
			has_item = has_item || is_azure_item(key, value);
		else if (line.len > 0 && line.bytes == key.bytes)
			has_top = has_top || text_in(key, "stages jobs steps "
							  "extends");
	}
	return has_top && has_item;
}

bool ci_provider_find(const struct parse_input *in, enum ci_provider *ret)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!glob_match(files[i].pattern, strlen(files[i].pattern),
				in->name, in->name_len))
			continue;
		if (files[i].is_guess && !is_azure(in))
			return false;
		*ret = files[i].provider;
		return true;
	}
	return false;
}
