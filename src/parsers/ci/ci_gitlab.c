/* ci_gitlab.c -- GitLab CI/CD: the pipeline file and files meant for include.
 * Source: GitLab's CI/CD YAML syntax reference. */
#include <string.h>

#include "parsers/ci/ci.h"

/* Top-level names that are not jobs. */
static const char *const keywords[] = {
	"default",       "include",      "stages",   "variables",
	"workflow",      "image",        "services", "cache",
	"before_script", "after_script", "spec",     "types",
};

/* "only" and "except" name these; whatever else they name is a ref. */
static const char *const refs[] = {
	"api",
	"branches",
	"chat",
	"external",
	"external_pull_requests",
	"merge_requests",
	"pipelines",
	"pushes",
	"schedules",
	"tags",
	"triggers",
	"web",
};

static bool is_listed(const char *const *list, size_t n, struct json_text t)
{
	for (size_t i = 0; i < n; i++)
		if (text_is(t, list[i]))
			return true;
	return false;
}

static bool is_remote(struct json_text t)
{
	return (t.len > 8 && memcmp(t.bytes, "https://", 8) == 0) ||
	       (t.len > 7 && memcmp(t.bytes, "http://", 7) == 0);
}

static void include_one(struct ci_flow *f, const struct yaml_node *n)
{
	static const char *const kinds[][2] = {
		{ "local", "include-local" },
		{ "remote", "include-remote" },
		{ "template", "include-template" },
		{ "component", "include-component" },
		{ "project", "include-project" },
		{ "artifact", "include-artifact" },
	};

	if (n->type == YAML_SCALAR) {
		ci_flow_uses(f,
			     is_remote(n->u.text) ? "include-remote"
						  : "include-local",
			     n);
		return;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		ci_flow_uses(f, kinds[i][1], yaml_find(n, kinds[i][0]));
	if (yaml_find(n, "project") == NULL)
		return;
	n = yaml_find(n, "file");
	if (n != NULL && n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			ci_flow_uses(f, "include-file", n->u.sequence.items[i]);
	else
		ci_flow_uses(f, "include-file", n);
}

static void include_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n == NULL)
		return;
	if (n->type != YAML_SEQUENCE) {
		include_one(f, n);
		return;
	}
	for (size_t i = 0; i < n->u.sequence.len; i++)
		include_one(f, n->u.sequence.items[i]);
}

/* workflow: rules: - if: ... says when a pipeline is made at all. */
static void rules_take(struct ci_flow *f, const struct yaml_node *rules)
{
	if (rules == NULL || rules->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < rules->u.sequence.len; i++)
		ci_flow_text(f, CI_TRIGGERS,
			     ci_text(f, yaml_find(rules->u.sequence.items[i],
						  "if")));
}

/* A bit for each keyword of only that was seen. */
static void only_take(const struct yaml_node *only, unsigned *seen)
{
	if (only != NULL && only->type == YAML_MAPPING)
		only = yaml_find(only, "refs");
	if (only == NULL || only->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < only->u.sequence.len; i++)
		for (size_t k = 0; k < sizeof refs / sizeof *refs; k++)
			if (yaml_is_text(only->u.sequence.items[i], refs[k]))
				*seen |= 1U << k;
}

static void only_write(struct ci_flow *f, unsigned seen)
{
	for (size_t k = 0; k < sizeof refs / sizeof *refs; k++)
		if (seen & 1U << k)
			ci_flow_text(
				f, CI_TRIGGERS,
				(struct json_text){ refs[k], strlen(refs[k]) });
}

static void images_take(struct ci_flow *f, const struct yaml_node *n)
{
	const struct yaml_node *services = yaml_find(n, "services");

	ci_flow_image(f, "image", yaml_find(n, "image"), "name");
	if (services == NULL || services->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < services->u.sequence.len; i++)
		ci_flow_image(f, "service", services->u.sequence.items[i],
			      "name");
}

/* The keys that a job, `default` and the top level have in common. */
static void settings_take(struct ci_flow *f, const struct yaml_node *n)
{
	images_take(f, n);
	ci_flow_runs_on(f, "label", yaml_find(n, "tags"));
	ci_flow_script(f, yaml_find(n, "before_script"));
	ci_flow_script(f, yaml_find(n, "script"));
	ci_flow_script(f, yaml_find(n, "after_script"));
}

static void extends_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n == NULL || n->type == YAML_MAPPING)
		return;
	if (n->type == YAML_SCALAR) {
		ci_flow_uses(f, "extends", n);
		return;
	}
	for (size_t i = 0; i < n->u.sequence.len; i++)
		ci_flow_uses(f, "extends", n->u.sequence.items[i]);
}

/* trigger: group/project, or {project: ...}, or {include: ...}. */
static void downstream_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n == NULL)
		return;
	if (n->type == YAML_SCALAR) {
		ci_flow_uses(f, "pipeline", n);
		return;
	}
	ci_flow_uses(f, "pipeline", yaml_find(n, "project"));
	include_take(f, yaml_find(n, "include"));
}

static void job_take(struct ci_flow *f, const struct yaml_node *job,
		     unsigned *seen)
{
	settings_take(f, job);
	extends_take(f, yaml_find(job, "extends"));
	downstream_take(f, yaml_find(job, "trigger"));
	only_take(yaml_find(job, "only"), seen);
}

static void top_take(struct ci_flow *f, const struct yaml_node *doc)
{
	const struct yaml_node *workflow = yaml_find(doc, "workflow");
	unsigned seen = 0;

	f->name = ci_text(f, yaml_find(workflow, "name"));
	rules_take(f, yaml_find(workflow, "rules"));
	include_take(f, yaml_find(doc, "include"));
	ci_flow_texts(f, CI_STAGES, yaml_find(doc, "stages"));
	ci_flow_texts(f, CI_STAGES, yaml_find(doc, "types"));
	settings_take(f, doc);
	settings_take(f, yaml_find(doc, "default"));
	for (size_t i = 0; i < doc->u.mapping.len; i++) {
		const struct yaml_pair *p = &doc->u.mapping.pairs[i];
		struct json_text name = ci_text(f, p->key);

		if (name.bytes == NULL || p->value->type != YAML_MAPPING ||
		    is_listed(keywords, sizeof keywords / sizeof *keywords,
			      name))
			continue;
		ci_flow_text(f, name.bytes[0] == '.' ? CI_HIDDEN : CI_JOBS,
			     name);
		f->job = name;
		job_take(f, p->value, &seen);
	}
	only_write(f, seen);
}

void ci_gitlab_read(struct ci *ci, const struct parse_input *in,
		    const struct yaml_node *doc, size_t index)
{
	struct ci_flow f;

	/* The header of a file with inputs. */
	if (yaml_find(doc, "spec") != NULL && doc->u.mapping.len == 1)
		return;
	if (index > 1) {
		report_note(&ci->report->warnings, "more_documents", in,
			    (int64_t)doc->offset,
			    "only a header and one document are read");
		return;
	}
	ci_flow_open(&f, ci, CI_GITLAB, in);
	if (!input_base_is(in, ".gitlab-ci.yml") || input_dir_len(in) > 0)
		f.kind = "template";
	top_take(&f, doc);
	ci_flow_close(&f);
}
