/* ci_cirrus.c -- Cirrus CI: tasks with instructions whose names end in
 * "_script".
 *
 * Source: Cirrus CI's guide, "Writing Tasks" (tasks, instructions, matrix). */
#include <string.h>

#include "parsers/ci/ci.h"

/* The part of a name before the ending, or bytes NULL: "a_task" for "task" is
 * "a", and "task" itself is "". */
static struct json_text name_before(struct json_text name, const char *ending)
{
	const struct json_text none = { NULL, 0 };
	const size_t n = strlen(ending);

	if (!text_ends(name, ending))
		return none;
	name.len -= n;
	if (name.len == 0)
		return name;
	if (name.bytes[name.len - 1] != '_')
		return none;
	name.len--;
	return name;
}

static bool is_called(struct json_text name, const char *ending)
{
	return name_before(name, ending).bytes != NULL;
}

/* Mappings that hold neither commands nor places. */
static bool is_skipped(struct json_text key)
{
	return text_in(key, "env environment docker_arguments") ||
	       is_called(key, "cache") || is_called(key, "artifacts");
}

static bool is_place(struct json_text key)
{
	return is_called(key, "container") || is_called(key, "instance") ||
	       is_called(key, "docker_builder") ||
	       text_is(key, "additional_containers");
}

/* A container that is built from a Dockerfile of the repository. */
static void dockerfile_take(struct ci_flow *f, const struct yaml_node *n)
{
	const struct json_text none = { NULL, 0 };
	const struct ci_build b = { .tool = { "docker", 6 },
				    .dockerfile = ci_text(f, n) };

	if (b.dockerfile.bytes != NULL)
		ci_flow_build(f, none,
			      (struct json_text){ "container.dockerfile", 20 },
			      ci_flow_line(f, n->offset), &b);
}

/* A container or an instance, or several of them in lists named "matrix".
 * Depth is bounded by the reader: PARSE_DEPTH. */
static void place_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			place_take(f, n->u.sequence.items[i]);
	if (n->type != YAML_MAPPING)
		return;
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];
		struct json_text key = ci_text(f, p->key);

		if (text_in(key, "image image_name image_family")) {
			ci_flow_image(f, "image", p->value, "matrix");
			place_take(f, p->value);
		} else if (text_is(key, "dockerfile")) {
			dockerfile_take(f, p->value);
		} else if (text_in(key, "matrix additional_containers")) {
			place_take(f, p->value);
		}
	}
}

static const struct yaml_node *name_of(const struct yaml_node *n)
{
	const struct yaml_node *name = yaml_find(n, "name");

	return name != NULL ? name : yaml_find(n, "alias");
}

static void task_take(struct ci_flow *f, const struct yaml_node *n);

/* Each of them is a task with more; some have names. */
static void tasks_take(struct ci_flow *f, const struct yaml_node *n)
{
	const struct json_text before = f->job;

	if (n->type != YAML_SEQUENCE) {
		task_take(f, n);
		return;
	}
	for (size_t i = 0; i < n->u.sequence.len; i++) {
		const struct yaml_node *one = n->u.sequence.items[i];
		struct json_text name = ci_text(f, name_of(one));

		if (name.bytes != NULL) {
			f->job = name;
			ci_flow_text(f, CI_JOBS, name);
		}
		task_take(f, one);
		f->job = before;
	}
}

/* Depth is bounded by the reader: PARSE_DEPTH. */
static void task_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n->type != YAML_MAPPING)
		return;
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];
		struct json_text key = ci_text(f, p->key);

		if (key.bytes == NULL || is_skipped(key))
			continue;
		if (is_called(key, "script"))
			ci_flow_script(f, p->value);
		else if (is_place(key))
			place_take(f, p->value);
		else
			tasks_take(f, p->value);
	}
}

/* Whether all tasks of the matrix have names, so that the task's own name is no
 * job's. */
static bool has_named_matrix(const struct yaml_node *task)
{
	const struct yaml_node *matrix = yaml_find(task, "matrix");

	if (matrix == NULL || matrix->type != YAML_SEQUENCE)
		return false;
	for (size_t i = 0; i < matrix->u.sequence.len; i++)
		if (name_of(matrix->u.sequence.items[i]) == NULL)
			return false;
	return matrix->u.sequence.len > 0;
}

static void job_take(struct ci_flow *f, struct json_text key,
		     const struct yaml_node *task)
{
	f->job = ci_text(f, name_of(task));
	if (f->job.bytes == NULL && key.len > 0)
		f->job = key;
	if (!has_named_matrix(task))
		ci_flow_text(f, CI_JOBS, f->job);
	task_take(f, task);
	f->job = (struct json_text){ NULL, 0 };
}

void ci_cirrus_read(struct ci *ci, const struct parse_input *in,
		    const struct yaml_node *doc, size_t index)
{
	static const char *const jobs[] = { "task", "pipe", "docker_builder" };
	struct ci_flow f;

	if (index > 0)
		return;
	ci_flow_open(&f, ci, CI_CIRRUS, in);
	for (size_t i = 0; i < doc->u.mapping.len; i++) {
		const struct yaml_pair *p = &doc->u.mapping.pairs[i];
		struct json_text key = ci_text(&f, p->key);
		struct json_text name = { NULL, 0 };

		if (key.bytes == NULL || p->value->type == YAML_SCALAR)
			continue;
		for (size_t k = 0;
		     k < sizeof jobs / sizeof *jobs && name.bytes == NULL; k++)
			name = name_before(key, jobs[k]);
		if (name.bytes != NULL)
			job_take(&f, name, p->value);
		else if (is_place(key))
			place_take(&f, p->value);
		else if (!is_skipped(key))
			ci_flow_text(&f, CI_HIDDEN, key);
	}
	ci_flow_close(&f);
}
