/* ci_github.c -- GitHub Actions: workflows and actions.
 * Source: GitHub's workflow syntax and metadata syntax. */
#include <string.h>

#include "parsers/ci/ci.h"

static const char *const filters[] = {
	"branches",     "branches-ignore", "tags", "tags-ignore", "paths",
	"paths-ignore", "types",           "cron", "workflows",
};

static void event_filters(struct ci_flow *f, struct json_text event,
			  const struct yaml_node *n)
{
	if (n->type == YAML_SEQUENCE) { /* schedule: [{cron: ...}] */
		for (size_t i = 0; i < n->u.sequence.len; i++)
			if (n->u.sequence.items[i]->type == YAML_MAPPING)
				event_filters(f, event, n->u.sequence.items[i]);
		return;
	}
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		ci_flow_filter(f, event, filters[i], yaml_find(n, filters[i]));
}

/* "on" as one name, as a list of names, or as a mapping of them. */
static void triggers_take(struct ci_flow *f, const struct yaml_node *on)
{
	if (on == NULL || on->type != YAML_MAPPING) {
		ci_flow_texts(f, CI_TRIGGERS, on);
		return;
	}
	for (size_t i = 0; i < on->u.mapping.len; i++) {
		const struct yaml_pair *p = &on->u.mapping.pairs[i];
		struct json_text event = ci_text(f, p->key);

		ci_flow_text(f, CI_TRIGGERS, event);
		event_filters(f, event, p->value);
	}
}

/* "docker://image", "./a/local/one", "owner/name@version". */
static const char *uses_kind(struct json_text uses)
{
	if (uses.len > 9 && memcmp(uses.bytes, "docker://", 9) == 0)
		return "image";
	return uses.len > 1 && uses.bytes[0] == '.' ? "local-action" : "action";
}

/* Inputs of an action of somebody else's that no row of the table knows: by these
 * names they are commands.  One of actions/github-script is JavaScript, and an
 * image has "args". */
static void commands_take(struct ci_flow *f, struct json_text uses,
			  const struct yaml_node *with)
{
	const char *names =
		text_begins(uses, "docker://")
			? "args"
			: "run runs command commands cmd script scripts";
	struct ci_step step;

	if (with == NULL || with->type != YAML_MAPPING ||
	    text_begins(uses, ".") ||
	    text_begins(uses, "actions/github-script@") ||
	    ci_step_find(f->ci->table, uses, 0, &step))
		return;
	for (size_t i = 0; i < with->u.mapping.len; i++) {
		const struct yaml_pair *p = &with->u.mapping.pairs[i];

		if (p->key->type == YAML_SCALAR &&
		    text_in(p->key->u.text, names))
			ci_flow_script(f, p->value);
	}
}

static void steps_take(struct ci_flow *f, const struct yaml_node *steps)
{
	if (steps == NULL || steps->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < steps->u.sequence.len; i++) {
		const struct yaml_node *step = steps->u.sequence.items[i];
		const struct yaml_node *uses = yaml_find(step, "uses");
		struct json_text name = ci_text(f, uses);

		if (name.bytes != NULL) {
			ci_flow_uses(f, uses_kind(name), uses);
			ci_flow_step(f, uses, yaml_find(step, "with"));
			commands_take(f, name, yaml_find(step, "with"));
		}
		ci_flow_script(f, yaml_find(step, "run"));
	}
}

static void runs_on_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n != NULL && n->type == YAML_MAPPING) {
		ci_flow_runs_on(f, "group", yaml_find(n, "group"));
		n = yaml_find(n, "labels");
	}
	ci_flow_runs_on(f, "label", n);
}

static void services_take(struct ci_flow *f, const struct yaml_node *services)
{
	if (services == NULL || services->type != YAML_MAPPING)
		return;
	for (size_t i = 0; i < services->u.mapping.len; i++)
		ci_flow_image(f, "service", services->u.mapping.pairs[i].value,
			      "image");
}

static void job_take(struct ci_flow *f, const struct yaml_node *job)
{
	ci_flow_uses(f, "workflow", yaml_find(job, "uses"));
	runs_on_take(f, yaml_find(job, "runs-on"));
	ci_flow_image(f, "image", yaml_find(job, "container"), "image");
	services_take(f, yaml_find(job, "services"));
	steps_take(f, yaml_find(job, "steps"));
}

static void workflow_take(struct ci_flow *f, const struct yaml_node *doc)
{
	const struct yaml_node *jobs = yaml_find(doc, "jobs");

	triggers_take(f, yaml_find(doc, "on"));
	if (jobs == NULL || jobs->type != YAML_MAPPING) {
		report_note(&f->ci->report->warnings, "no_jobs", f->in,
			    (int64_t)doc->offset, "expected jobs by name");
		return;
	}
	for (size_t i = 0; i < jobs->u.mapping.len; i++) {
		f->job = ci_text(f, jobs->u.mapping.pairs[i].key);
		ci_flow_text(f, CI_JOBS, f->job);
		job_take(f, jobs->u.mapping.pairs[i].value);
	}
}

/* An action that is an image of its own is built from its Dockerfile. */
static void action_image(struct ci_flow *f, const struct yaml_node *image)
{
	struct json_text name = ci_text(f, image);
	const struct json_text none = { NULL, 0 };
	struct ci_build b = { .tool = { "docker", 6 }, .dockerfile = name };

	if (name.len > 9 && memcmp(name.bytes, "docker://", 9) == 0)
		ci_flow_uses(f, "image", image);
	else if (name.bytes != NULL)
		ci_flow_build(f, none, (struct json_text){ "runs.image", 10 },
			      ci_flow_line(f, image->offset), &b);
}

static void action_take(struct ci_flow *f, const struct yaml_node *doc)
{
	const struct yaml_node *runs = yaml_find(doc, "runs");

	f->kind = "action";
	ci_flow_runs_on(f, "runtime", yaml_find(runs, "using"));
	if (yaml_is_text(yaml_find(runs, "using"), "docker"))
		action_image(f, yaml_find(runs, "image"));
	steps_take(f, yaml_find(runs, "steps"));
}

void ci_github_read(struct ci *ci, const struct parse_input *in,
		    const struct yaml_node *doc, size_t index)
{
	enum ci_provider provider = CI_GITHUB;
	struct ci_flow f;

	(void)ci_provider_find(in, &provider);
	if (index > 0) {
		report_note(&ci->report->warnings, "more_documents", in,
			    (int64_t)doc->offset,
			    "only the first document is read");
		return;
	}
	ci_flow_open(&f, ci, provider, in);
	f.name = ci_text(&f, yaml_find(doc, "name"));
	if (ci_is_action(in) && yaml_find(doc, "runs") != NULL)
		action_take(&f, doc);
	else
		workflow_take(&f, doc);
	ci_flow_close(&f);
}
