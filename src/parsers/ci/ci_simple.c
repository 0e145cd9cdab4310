/* ci_simple.c -- Travis CI, Bitbucket, Drone, Woodpecker, Buildkite.
 * Source: each provider's configuration reference. */
#include <string.h>

#include "parsers/ci/ci.h"

static const struct ci_keys travis_keys = {
	.scripts = { "before_install", "install", "before_script", "script",
		     "after_script", "after_success", "after_failure",
		     "before_deploy", "after_deploy", "before_cache" },
	.jobs = { "name" },
	.stages = { "stage" },
	.labels = { "os", "dist", "osx_image" },
	.services = { "services" },
	.skipped = { "env", "notifications", "addons", "stages", "cache" },
};

static const struct ci_keys bitbucket_keys = {
	.scripts = { "script", "after-script" },
	.jobs = { "name" },
	.images = { "image" },
	.labels = { "runs-on" },
	.services = { "services" },
	.steps = { "pipe" },
	.skipped = { "definitions", "options", "caches", "artifacts",
		     "variables" },
	.inputs = "variables",
};

static const struct ci_keys drone_keys = {
	.scripts = { "commands" },
	.jobs = { "name" },
	.images = { "image" },
	.services = { "services" },
	.skipped = { "trigger", "environment", "settings", "volumes",
		     "platform", "clone", "when" },
};

static const struct ci_keys woodpecker_keys = {
	.scripts = { "commands" },
	.jobs = { "name" },
	.images = { "image" },
	.services = { "services" },
	.keyed = { "steps", "pipeline" },
	.skipped = { "environment", "settings", "volumes", "when", "matrix",
		     "labels", "variables", "clone" },
};

static const struct ci_keys buildkite_keys = {
	.scripts = { "command", "commands" },
	.jobs = { "key", "label", "name" },
	.images = { "image" },
	.labels = { "queue" },
	.steps = { "trigger" },
	.skipped = { "env", "plugins", "notify", "retry", "matrix" },
	.step_kind = "pipeline",
};

/* Whether one of the jobs in the list of that key has a script. */
static bool has_job_script(const struct yaml_node *doc, const char *key)
{
	const struct yaml_node *jobs = yaml_find(doc, key);

	if (jobs != NULL && jobs->type == YAML_MAPPING)
		jobs = yaml_find(jobs, "include");
	for (size_t i = 0; jobs != NULL && jobs->type == YAML_SEQUENCE &&
			   i < jobs->u.sequence.len;
	     i++)
		if (yaml_find(jobs->u.sequence.items[i], "script") != NULL)
			return true;
	return false;
}

/* What is run for a package of Node where nothing says it.  Source: Travis CI's page
 * "Building a JavaScript and Node.js project". */
static void travis_default(struct ci_flow *f, const struct yaml_node *doc)
{
	const struct parse_inputs *in = f->ci->inputs;
	const struct yaml_node *language = yaml_find(doc, "language");
	const bool is_yarn = input_find(in, "", 0, "yarn.lock") != NULL;
	struct ci_origin from = { 0 };

	if (language == NULL || !yaml_is_text(language, "node_js") ||
	    yaml_find(doc, "script") != NULL ||
	    yaml_find(doc, "import") != NULL || has_job_script(doc, "jobs") ||
	    has_job_script(doc, "matrix") ||
	    input_find(in, "", 0, "package.json") == NULL)
		return;
	from.offset = language->offset;
	ci_flow_commands(f, is_yarn ? TEXT("yarn test") : TEXT("npm test"),
			 from);
}

void ci_travis_read(struct ci *ci, const struct parse_input *in,
		    const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *stages = yaml_find(doc, "stages");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_TRAVIS, in);
	for (size_t i = 0; stages != NULL && stages->type == YAML_SEQUENCE &&
			   i < stages->u.sequence.len;
	     i++) {
		const struct yaml_node *one = stages->u.sequence.items[i];

		if (one->type == YAML_MAPPING)
			one = yaml_find(one, "name");
		ci_flow_text(&f, CI_STAGES, ci_text(&f, one));
	}
	ci_flow_walk(&f, &travis_keys, doc);
	travis_default(&f, doc);
	ci_flow_close(&f);
}

/* pipelines: {default: ..., branches: {glob: ...}, pull-requests: ...} */
void ci_bitbucket_read(struct ci *ci, const struct parse_input *in,
		       const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *all = yaml_find(doc, "pipelines");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_BITBUCKET, in);
	for (size_t i = 0;
	     all != NULL && all->type == YAML_MAPPING && i < all->u.mapping.len;
	     i++) {
		const struct yaml_pair *p = &all->u.mapping.pairs[i];
		struct json_text trigger = ci_text(&f, p->key);

		ci_flow_text(&f, CI_TRIGGERS, trigger);
		for (size_t k = 0; p->value->type == YAML_MAPPING &&
				   k < p->value->u.mapping.len;
		     k++)
			ci_flow_filter(&f, trigger, "pattern",
				       p->value->u.mapping.pairs[k].key);
	}
	ci_flow_walk(&f, &bitbucket_keys, doc);
	ci_flow_close(&f);
}

/* Events as text, list, or {include: list}. */
static void events_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n != NULL && n->type == YAML_MAPPING)
		n = yaml_find(n, "include");
	ci_flow_texts(f, CI_TRIGGERS, n);
}

/* Steps of Drone and Woodpecker: an image with settings is a plugin. */
static void plugins_take(struct ci_flow *f, const struct yaml_node *steps)
{
	const struct json_text before = f->job;
	size_t n = 0;

	if (steps != NULL && steps->type == YAML_MAPPING)
		n = steps->u.mapping.len;
	else if (steps != NULL && steps->type == YAML_SEQUENCE)
		n = steps->u.sequence.len;
	for (size_t i = 0; i < n; i++) {
		const struct yaml_node *step, *name;

		if (steps->type == YAML_MAPPING) {
			step = steps->u.mapping.pairs[i].value;
			name = steps->u.mapping.pairs[i].key;
		} else {
			step = steps->u.sequence.items[i];
			name = yaml_find(step, "name");
		}
		if (yaml_find(step, "settings") == NULL)
			continue;
		f->job = ci_text(f, name);
		ci_flow_uses(f, "plugin", yaml_find(step, "image"));
		ci_flow_step(f, yaml_find(step, "image"),
			     yaml_find(step, "settings"));
	}
	f->job = before;
}

void ci_drone_read(struct ci *ci, const struct parse_input *in,
		   const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *kind = yaml_find(doc, "kind");
	const struct yaml_node *trigger = yaml_find(doc, "trigger");
	struct json_text branch = { "branch", 6 };
	struct ci_flow f;

	if (kind != NULL && !yaml_is_text(kind, "pipeline"))
		return; /* secrets, signatures */
	if (index >= CI_FLOWS_MAX || slice_is_full(&ci->flows)) {
		ci->flows.is_cut = true;
		return;
	}
	ci_flow_open(&f, ci, CI_DRONE, in);
	f.name = ci_text(&f, yaml_find(doc, "name"));
	events_take(&f, yaml_find(trigger, "event"));
	ci_flow_filter(&f, branch, "branches", yaml_find(trigger, "branch"));
	plugins_take(&f, yaml_find(doc, "steps"));
	ci_flow_walk(&f, &drone_keys, doc);
	ci_flow_close(&f);
}

void ci_woodpecker_read(struct ci *ci, const struct parse_input *in,
			const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *when = yaml_find(doc, "when");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_WOODPECKER, in);
	events_take(&f, yaml_find(when, "event"));
	for (size_t i = 0; when != NULL && when->type == YAML_SEQUENCE &&
			   i < when->u.sequence.len;
	     i++)
		events_take(&f, yaml_find(when->u.sequence.items[i], "event"));
	plugins_take(&f, yaml_find(doc, "steps"));
	plugins_take(&f, yaml_find(doc, "pipeline"));
	ci_flow_walk(&f, &woodpecker_keys, doc);
	ci_flow_close(&f);
}

/* plugins: - name#version: {...}   or   - name#version */
static void buildkite_plugins(struct ci_flow *f, const struct yaml_node *n,
			      unsigned depth)
{
	if (n == NULL)
		return;
	if (depth > CI_NESTED_MAX) {
		ci_flow_tell(f, CI_TOLD_NESTED, (int64_t)n->offset);
		return;
	}
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			buildkite_plugins(f, n->u.sequence.items[i], depth + 1);
	else if (n->type == YAML_SCALAR)
		ci_flow_uses(f, "plugin", n);
	else
		for (size_t i = 0; i < n->u.mapping.len; i++) {
			ci_flow_uses(f, "plugin", n->u.mapping.pairs[i].key);
			ci_flow_step(f, n->u.mapping.pairs[i].key,
				     n->u.mapping.pairs[i].value);
		}
}

static const struct yaml_node *buildkite_name(const struct yaml_node *step)
{
	const struct yaml_node *name = yaml_find(step, "key");

	if (name == NULL)
		name = yaml_find(step, "label");
	return name != NULL ? name : yaml_find(step, "name");
}

static void buildkite_steps(struct ci_flow *f, const struct yaml_node *steps,
			    unsigned depth)
{
	if (steps == NULL || steps->type != YAML_SEQUENCE)
		return;
	if (depth > CI_NESTED_MAX) {
		ci_flow_tell(f, CI_TOLD_NESTED, (int64_t)steps->offset);
		return;
	}
	for (size_t i = 0; i < steps->u.sequence.len; i++) {
		const struct yaml_node *step = steps->u.sequence.items[i];

		f->job = ci_text(f, buildkite_name(step));
		buildkite_plugins(f, yaml_find(step, "plugins"), 0);
		f->job = (struct json_text){ NULL, 0 };
		buildkite_steps(f, yaml_find(step, "steps"), depth + 1);
	}
}

void ci_buildkite_read(struct ci *ci, const struct parse_input *in,
		       const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *steps = yaml_find(doc, "steps");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_BUILDKITE, in);
	buildkite_steps(&f, steps != NULL ? steps : doc, 0);
	ci_flow_walk(&f, &buildkite_keys, doc);
	ci_flow_close(&f);
}
