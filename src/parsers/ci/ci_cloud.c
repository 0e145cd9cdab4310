/* ci_cloud.c -- Tekton, Google Cloud Build, AppVeyor.
 * Source: each provider's configuration reference. */
#include <string.h>

#include "parsers/ci/ci.h"

static const struct ci_keys appveyor_keys = {
	.scripts = { "init", "install", "before_build", "build_script",
		     "after_build", "before_test", "test_script", "after_test",
		     "cmd", "ps", "sh", "pwsh" },
	.labels = { "image" },
	.services = { "services" },
	.skipped = { "environment", "notifications", "cache", "artifacts",
		     "branches", "version" },
};

void ci_appveyor_read(struct ci *ci, const struct parse_input *in,
		      const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *branches = yaml_find(doc, "branches");
	struct json_text push = { "push", 4 };
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_APPVEYOR, in);
	ci_flow_filter(&f, push, "branches", yaml_find(branches, "only"));
	ci_flow_filter(&f, push, "branches-ignore",
		       yaml_find(branches, "except"));
	ci_flow_walk(&f, &appveyor_keys, doc);
	ci_flow_close(&f);
}

/* The program of a builder's image when a step names no entry point: the last
 * part of the image's name. */
static struct json_text builder_of(struct json_text image)
{
	const char *slash = memrchr(image.bytes, '/', image.len);

	if (slash != NULL)
		image = text_from(image, (size_t)(slash - image.bytes) + 1);
	image = text_cut(image, '@', NULL);
	return text_cut(image, ':', NULL);
}

/* Add a word behind a space; false when it does not fit. */
static bool word_add(char *line, size_t *len, struct json_text word)
{
	if (word.len + 1 > CI_LINE_BYTES - *len)
		return false;
	if (*len > 0)
		line[(*len)++] = ' ';
	if (word.len > 0)
		memcpy(line + *len, word.bytes, word.len);
	*len += word.len;
	return true;
}

/* A step of Cloud Build: a program with arguments, or a shell with a script. */
static void build_step(struct ci_flow *f, const struct yaml_node *step)
{
	const struct yaml_node *args = yaml_find(step, "args");
	struct json_text program = ci_text(f, yaml_find(step, "entrypoint"));
	struct json_text image = ci_text(f, yaml_find(step, "name"));
	struct ci_origin from = { .offset = step->offset };
	char line[CI_LINE_BYTES];
	size_t len = 0;

	f->job = ci_text(f, yaml_find(step, "id"));
	ci_flow_text(f, CI_JOBS, f->job);
	ci_flow_runs_on(f, "image", yaml_find(step, "name"));
	ci_flow_script(f, yaml_find(step, "script"));
	if (program.bytes == NULL && image.bytes != NULL)
		program = builder_of(image);
	if (program.bytes == NULL || args == NULL ||
	    args->type != YAML_SEQUENCE || !word_add(line, &len, program))
		return;
	for (size_t i = 0; i < args->u.sequence.len; i++) {
		struct json_text arg = ci_text(f, args->u.sequence.items[i]);

		if (i > 0 &&
		    yaml_is_text(args->u.sequence.items[i - 1], "-c")) {
			ci_flow_script(f, args->u.sequence.items[i]);
			return;
		}
		if (arg.bytes != NULL && !word_add(line, &len, arg)) {
			ci_flow_tell(f, CI_TOLD_LONG, (int64_t)from.offset);
			break;
		}
	}
	ci_flow_commands(f, (struct json_text){ line, len }, from);
}

void ci_cloud_build_read(struct ci *ci, const struct parse_input *in,
			 const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *steps = yaml_find(doc, "steps");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_CLOUD_BUILD, in);
	for (size_t i = 0; steps != NULL && steps->type == YAML_SEQUENCE &&
			   i < steps->u.sequence.len;
	     i++)
		if (steps->u.sequence.items[i]->type == YAML_MAPPING)
			build_step(&f, steps->u.sequence.items[i]);
	ci_flow_close(&f);
}

/* Steps of a Tekton task, with the image and the script of each. */
static void tekton_steps(struct ci_flow *f, const struct yaml_node *steps)
{
	if (steps == NULL || steps->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < steps->u.sequence.len; i++) {
		const struct yaml_node *step = steps->u.sequence.items[i];

		ci_flow_runs_on(f, "image", yaml_find(step, "image"));
		ci_flow_script(f, yaml_find(step, "script"));
		ci_flow_script(f, yaml_find(step, "args"));
	}
}

/* Tasks of a pipeline, written in place or referred to by name. */
static void tekton_tasks(struct ci_flow *f, const struct yaml_node *tasks)
{
	if (tasks == NULL || tasks->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < tasks->u.sequence.len; i++) {
		const struct yaml_node *task = tasks->u.sequence.items[i];
		const struct yaml_node *ref = yaml_find(task, "taskRef");

		f->job = ci_text(f, yaml_find(task, "name"));
		ci_flow_text(f, CI_JOBS, f->job);
		if (ref != NULL && yaml_find(ref, "name") != NULL)
			ci_flow_uses(f, "task", yaml_find(ref, "name"));
		tekton_steps(f,
			     yaml_find(yaml_find(task, "taskSpec"), "steps"));
	}
	f->job = (struct json_text){ NULL, 0 };
}

/* Pipelines as Code has annotations that say when a run starts: "[push]". */
static void tekton_triggers(struct ci_flow *f, const struct yaml_node *notes)
{
	static const char key[] = "pipelinesascode.tekton.dev/on-event";
	struct json_text list = ci_text(f, yaml_find(notes, key));

	while (list.bytes != NULL && list.len > 0) {
		struct json_text rest, event = text_cut(list, ',', &rest);

		event = text_trim(event);
		if (text_begins(event, "["))
			event = text_trim(text_from(event, 1));
		if (text_ends(event, "]"))
			event.len--;
		ci_flow_text(f, CI_TRIGGERS, text_unquote(text_trim(event)));
		list = rest;
	}
}

void ci_tekton_read(struct ci *ci, const struct parse_input *in,
		    const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *spec = yaml_find(doc, "spec");
	const struct yaml_node *about = yaml_find(doc, "metadata");
	const struct yaml_node *inner = yaml_find(spec, "pipelineSpec");
	struct ci_flow f;

	if (!text_begins(
		    yaml_text(yaml_find(doc, "apiVersion"), in, ci->report),
		    "tekton.dev/"))
		return; /* other resources may be in the same files */
	if (index >= CI_FLOWS_MAX || slice_is_full(&ci->flows)) {
		ci->flows.is_cut = true;
		return;
	}
	ci_flow_open(&f, ci, CI_TEKTON, in);
	f.name = ci_text(&f, yaml_find(about, "name"));
	if (f.name.bytes == NULL)
		f.name = ci_text(&f, yaml_find(about, "generateName"));
	tekton_triggers(&f, yaml_find(about, "annotations"));
	for (size_t i = 0; i < 2; i++) {
		tekton_tasks(&f, yaml_find(i == 0 ? spec : inner, "tasks"));
		tekton_tasks(&f, yaml_find(i == 0 ? spec : inner, "finally"));
	}
	tekton_steps(&f, yaml_find(spec, "steps"));
	tekton_steps(&f, yaml_find(yaml_find(spec, "taskSpec"), "steps"));
	ci_flow_close(&f);
}
