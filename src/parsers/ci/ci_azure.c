/* ci_azure.c -- Azure Pipelines.
 *
 * Conditions ("${{ if }}:") and parameters of templates may wrap stages, jobs
 * and steps anywhere, so the keys are looked for at every level.  Source: Azure
 * Pipelines' YAML schema reference. */
#include <stdio.h>
#include <string.h>

#include "parsers/ci/ci.h"

static const struct ci_keys keys = {
	.scripts = { "script", "bash", "pwsh", "powershell" },
	.jobs = { "job", "deployment" },
	.stages = { "stage" },
	.images = { "container", "image" },
	.labels = { "pool", "vmImage" },
	.steps = { "template", "task" },
	.skipped = { "variables", "trigger", "pr", "schedules", "inputs",
		     "repositories", "env" },
	.values = { "parameters" },
	.inputs = "inputs",
};

static struct json_text word(const char *text)
{
	return (struct json_text){ text, strlen(text) };
}

/* trigger and pr: "none", a list of branches, or {branches: {include: ...}} */
static void trigger_take(struct ci_flow *f, const struct yaml_node *doc,
			 const char *name)
{
	static const char *const filters[] = { "branches", "paths", "tags" };
	const struct yaml_node *n = yaml_find(doc, name);

	if (n == NULL || yaml_is_null(n) || yaml_is_text(n, "none"))
		return;
	ci_flow_text(f, CI_TRIGGERS, word(name));
	if (n->type != YAML_MAPPING) {
		ci_flow_filter(f, word(name), "branches", n);
		return;
	}
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		const struct yaml_node *one = yaml_find(n, filters[i]);
		char ignore[32];

		if (one == NULL)
			continue;
		if (one->type != YAML_MAPPING) {
			ci_flow_filter(f, word(name), filters[i], one);
			continue;
		}
		(void)snprintf(ignore, sizeof ignore, "%s-ignore", filters[i]);
		ci_flow_filter(f, word(name), filters[i],
			       yaml_find(one, "include"));
		ci_flow_filter(f, word(name), ignore,
			       yaml_find(one, "exclude"));
	}
}

static void schedules_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n == NULL || n->type != YAML_SEQUENCE || n->u.sequence.len == 0)
		return;
	ci_flow_text(f, CI_TRIGGERS, word("schedules"));
	for (size_t i = 0; i < n->u.sequence.len; i++)
		ci_flow_filter(f, word("schedules"), "cron",
			       yaml_find(n->u.sequence.items[i], "cron"));
}

/* A template has none of these. */
static bool is_triggered(const struct yaml_node *doc)
{
	return yaml_find(doc, "trigger") != NULL ||
	       yaml_find(doc, "pr") != NULL ||
	       yaml_find(doc, "schedules") != NULL;
}

void ci_azure_read(struct ci *ci, const struct parse_input *in,
		   const struct yaml_node *doc, size_t index)
{
	struct ci_flow f;
	size_t len;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_AZURE, in);
	if (strncmp(input_base(in, &len), "azure-pipelines", 15) != 0 &&
	    !is_triggered(doc))
		f.kind = "template";
	f.name = ci_text(&f, yaml_find(doc, "name"));
	trigger_take(&f, doc, "trigger");
	trigger_take(&f, doc, "pr");
	schedules_take(&f, yaml_find(doc, "schedules"));
	ci_flow_walk(&f, &keys, doc);
	ci_flow_close(&f);
}
