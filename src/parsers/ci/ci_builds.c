/* ci_builds.c -- SourceHut's builds and Semaphore.
 * Source: the reference of builds.sr.ht, "Build manifests"; Semaphore's "Pipeline
 * YAML". */
#include <string.h>

#include "parsers/ci/ci.h"

/* --- SourceHut ---------------------------------------------------------------- */

void ci_sourcehut_read(struct ci *ci, const struct parse_input *in,
		       const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *tasks = yaml_find(doc, "tasks");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_SOURCEHUT, in);
	ci_flow_runs_on(&f, "image", yaml_find(doc, "image"));
	for (size_t i = 0; tasks != NULL && tasks->type == YAML_SEQUENCE &&
			   i < tasks->u.sequence.len;
	     i++) {
		const struct yaml_node *task = tasks->u.sequence.items[i];

		for (size_t k = 0;
		     task->type == YAML_MAPPING && k < task->u.mapping.len;
		     k++) {
			f.job = ci_text(&f, task->u.mapping.pairs[k].key);
			ci_flow_text(&f, CI_JOBS, f.job);
			ci_flow_script(&f, task->u.mapping.pairs[k].value);
		}
	}
	ci_flow_close(&f);
}

/* --- Semaphore ---------------------------------------------------------------- */

static void machine_take(struct ci_flow *f, const struct yaml_node *agent)
{
	const struct yaml_node *machine = yaml_find(agent, "machine");
	const struct yaml_node *containers = yaml_find(agent, "containers");

	ci_flow_runs_on(f, "label", yaml_find(machine, "type"));
	ci_flow_runs_on(f, "image", yaml_find(machine, "os_image"));
	for (size_t i = 0;
	     containers != NULL && containers->type == YAML_SEQUENCE &&
	     i < containers->u.sequence.len;
	     i++)
		ci_flow_runs_on(
			f, i == 0 ? "image" : "service",
			yaml_find(containers->u.sequence.items[i], "image"));
}

/* The commands of a part such as "prologue", and of what depends on the end. */
static void part_take(struct ci_flow *f, const struct yaml_node *part)
{
	static const char *const ends[] = { "always", "on_pass", "on_fail" };

	ci_flow_script(f, yaml_find(part, "commands"));
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		ci_flow_script(f,
			       yaml_find(yaml_find(part, ends[i]), "commands"));
}

static void task_take(struct ci_flow *f, const struct yaml_node *task)
{
	const struct yaml_node *jobs = yaml_find(task, "jobs");

	machine_take(f, yaml_find(task, "agent"));
	part_take(f, yaml_find(task, "prologue"));
	for (size_t i = 0; jobs != NULL && jobs->type == YAML_SEQUENCE &&
			   i < jobs->u.sequence.len;
	     i++) {
		const struct yaml_node *job = jobs->u.sequence.items[i];

		f->job = ci_text(f, yaml_find(job, "name"));
		ci_flow_text(f, CI_JOBS, f->job);
		ci_flow_script(f, yaml_find(job, "commands"));
		f->job = (struct json_text){ NULL, 0 };
	}
	part_take(f, yaml_find(task, "epilogue"));
}

void ci_semaphore_read(struct ci *ci, const struct parse_input *in,
		       const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *blocks = yaml_find(doc, "blocks");
	const struct yaml_node *all = yaml_find(doc, "global_job_config");
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_SEMAPHORE, in);
	f.name = ci_text(&f, yaml_find(doc, "name"));
	machine_take(&f, yaml_find(doc, "agent"));
	part_take(&f, yaml_find(all, "prologue"));
	part_take(&f, yaml_find(all, "epilogue"));
	for (size_t i = 0; blocks != NULL && blocks->type == YAML_SEQUENCE &&
			   i < blocks->u.sequence.len;
	     i++) {
		const struct yaml_node *block = blocks->u.sequence.items[i];

		ci_flow_text(&f, CI_STAGES,
			     ci_text(&f, yaml_find(block, "name")));
		task_take(&f, yaml_find(block, "task"));
	}
	task_take(&f, yaml_find(yaml_find(doc, "after_pipeline"), "task"));
	ci_flow_close(&f);
}
