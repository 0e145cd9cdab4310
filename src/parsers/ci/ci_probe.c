/* ci_probe.c -- the probe: finds the provider of each file and calls its
 * reader. */
#include "parsers/ci/ci.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/role.h"

/* The whole slice except the brackets and keys of the lists. */
#define LISTS_BYTES (PARSE_SLICE_BYTES - ((size_t)64 << 10))

const char *const ci_provider_names[CI_PROVIDER_MAX_] = {
	[CI_GITHUB] = "github-actions",
	[CI_GITLAB] = "gitlab-ci",
	[CI_CIRCLECI] = "circleci",
	[CI_AZURE] = "azure-pipelines",
	[CI_JENKINS] = "jenkins",
	[CI_TRAVIS] = "travis-ci",
	[CI_BITBUCKET] = "bitbucket",
	[CI_DRONE] = "drone",
	[CI_WOODPECKER] = "woodpecker",
	[CI_BUILDKITE] = "buildkite",
	[CI_TEKTON] = "tekton",
	[CI_CLOUD_BUILD] = "google-cloud-build",
	[CI_APPVEYOR] = "appveyor",
	[CI_CIRRUS] = "cirrus-ci",
	[CI_FORGEJO] = "forgejo-actions",
	[CI_GITEA] = "gitea-actions",
	[CI_SOURCEHUT] = "sourcehut",
	[CI_SEMAPHORE] = "semaphore",
	[CI_TEAMCITY] = "teamcity",
	[CI_ZUUL] = "zuul",
};

static ci_reader *const readers[CI_PROVIDER_MAX_] = {
	[CI_GITHUB] = ci_github_read,
	[CI_GITLAB] = ci_gitlab_read,
	[CI_CIRCLECI] = ci_circleci_read,
	[CI_AZURE] = ci_azure_read,
	[CI_TRAVIS] = ci_travis_read,
	[CI_BITBUCKET] = ci_bitbucket_read,
	[CI_DRONE] = ci_drone_read,
	[CI_WOODPECKER] = ci_woodpecker_read,
	[CI_BUILDKITE] = ci_buildkite_read,
	[CI_TEKTON] = ci_tekton_read,
	[CI_CLOUD_BUILD] = ci_cloud_build_read,
	[CI_APPVEYOR] = ci_appveyor_read,
	[CI_CIRRUS] = ci_cirrus_read,
	[CI_FORGEJO] = ci_github_read,
	[CI_GITEA] = ci_github_read,
	[CI_SOURCEHUT] = ci_sourcehut_read,
	[CI_SEMAPHORE] = ci_semaphore_read,
};

bool ci_is_action(const struct parse_input *in)
{
	return input_base_is(in, "action.yml") ||
	       input_base_is(in, "action.yaml");
}

static void yaml_file(struct ci *ci, const struct parse_input *in,
		      enum ci_provider provider)
{
	struct arena arena = { 0 };
	/* Every task of Cirrus CI may be called "task". */
	const struct yaml_caps caps = { .keeps_duplicates =
						provider == CI_CIRRUS };
	struct yaml_documents docs;
	size_t index = 0;

	/* The file exists, whatever it holds.  An action alone is no CI. */
	if (ci->seen[provider] == NULL && !ci_is_action(in) && input_is_own(in))
		ci->seen[provider] = in;
	(void)yaml_read(in, &caps, &arena, &docs, ci->report);
	for (size_t i = 0; i < docs.len; i++) {
		if (docs.items[i]->type == YAML_MAPPING)
			readers[provider](ci, in, docs.items[i], index++);
		else if (provider == CI_BUILDKITE &&
			 docs.items[i]->type == YAML_SEQUENCE)
			readers[provider](ci, in, docs.items[i], index++);
		else if (!yaml_is_null(docs.items[i]))
			report_note(&ci->report->errors, "not_a_mapping", in,
				    (int64_t)docs.items[i]->offset,
				    "expected a mapping at the top");
	}
	arena_done(&arena);
}

/* TeamCity's Kotlin and Cirrus CI's Starlark are programs, and most jobs of Zuul's
 * lie in other repositories, so only their presence is reported. */
static void present(struct ci *ci, const struct parse_input *in,
		    enum ci_provider provider)
{
	if ((provider == CI_TEAMCITY || provider == CI_CIRRUS ||
	     provider == CI_ZUUL) &&
	    ci->seen[provider] == NULL && input_is_own(in))
		ci->seen[provider] = in;
}

static void providers_write(const struct ci *ci, struct jsonw *w)
{
	jsonw_array(w, "providers");
	for (size_t i = 0; i < CI_PROVIDER_MAX_; i++) {
		if (ci->seen[i] == NULL)
			continue;
		jsonw_object(w, NULL);
		jsonw_text(w, "name", ci_provider_names[i]);
		source_write(w, "source", ci->seen[i]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void work_share(struct ci *ci)
{
	size_t left = ci->script_work < CI_SCRIPT_WORK
			      ? CI_SCRIPT_WORK - ci->script_work
			      : 0;

	ci->script_end = ci->script_work + left / CI_SCRIPT_SHARE;
}

/* Over inputs with roles. */
static int inputs_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct ci ci = { .inputs = in,
			 .report = r,
			 .table = ci_table_open(),
			 .flows = { .key = "workflows" } };
	struct jsonw w = { .out = &r->slice };
	enum ci_provider provider;

	r->version = "2.0";
	if (ci.table == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < in->len; i++) {
		const struct parse_input *one = &in->items[i];

		if (!ci_provider_find(one, &provider))
			continue;
		work_share(&ci);
		if (one->is_name_only)
			present(&ci, one, provider);
		else if (provider == CI_JENKINS)
			ci_jenkins_read(&ci, one);
		else
			yaml_file(&ci, one, provider);
	}
	jsonw_object(&w, NULL);
	providers_write(&ci, &w);
	slice_lists_write(&ci.flows, 1, LISTS_BYTES, &w, r);
	jsonw_end_object(&w);
	slice_lists_done(&ci.flows, 1);
	free(ci.ends);
	free(ci.told);
	ci_table_close(ci.table);
	return 0;
}

int ci_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct role_inputs own = { 0 };
	int e = role_inputs_open(in, ROLE_OF_DEPLOYMENT, &own);

	if (e == 0)
		e = inputs_run(&own.inputs, r);
	role_inputs_done(&own);
	return e;
}
