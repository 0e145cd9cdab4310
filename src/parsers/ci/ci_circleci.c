/* ci_circleci.c -- CircleCI: one flow for each workflow of the file.
 * Source: CircleCI's configuration reference. */
#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"

/* Steps that are read in all, because commands call commands and workflows
 * share jobs. */
#define STEPS_MAX 200000U

/* Names of a mapping, sorted. */
struct names {
	const struct yaml_pair **items;
	size_t len;
};

struct circle {
	struct ci *ci;
	const struct parse_input *in;
	const struct yaml_node *doc;
	struct names jobs, commands;
	size_t steps;
};

static int pair_compare(const void *a, const void *b)
{
	struct json_text x = (*(const struct yaml_pair *const *)a)->key->u.text;
	struct json_text y = (*(const struct yaml_pair *const *)b)->key->u.text;

	if (x.len != y.len)
		return x.len < y.len ? -1 : 1;
	return memcmp(x.bytes, y.bytes, x.len);
}

static struct names names_of(const struct yaml_node *n)
{
	struct names names = { NULL, 0 };

	if (n == NULL || n->type != YAML_MAPPING || n->u.mapping.len == 0)
		return names;
	names.items = calloc(n->u.mapping.len, sizeof(*names.items));
	for (size_t i = 0; names.items && i < n->u.mapping.len; i++)
		if (n->u.mapping.pairs[i].key->type == YAML_SCALAR)
			names.items[names.len++] = &n->u.mapping.pairs[i];
	if (names.len > 1)
		qsort(names.items, names.len, sizeof(*names.items),
		      pair_compare);
	return names;
}

static const struct yaml_node *names_find(const struct names *names,
					  const struct yaml_node *name)
{
	const struct yaml_pair key = { name, NULL }, *at = &key;
	const struct yaml_pair **hit;

	if (names->len == 0 || name == NULL || name->type != YAML_SCALAR)
		return NULL;
	hit = bsearch(&at, names->items, names->len, sizeof(*names->items),
		      pair_compare);
	return hit != NULL ? (*hit)->value : NULL;
}

static void steps_take(struct circle *c, struct ci_flow *f,
		       const struct yaml_node *steps, unsigned depth);

/* Steps of when and unless, of a command of this file, or an orb's. */
static void named_step(struct circle *c, struct ci_flow *f,
		       const struct yaml_node *name,
		       const struct yaml_node *value, unsigned depth)
{
	const struct yaml_node *command = names_find(&c->commands, name);

	if (yaml_is_text(name, "run")) {
		ci_flow_script(f, value != NULL && value->type == YAML_MAPPING
					  ? yaml_find(value, "command")
					  : value);
	} else if (yaml_is_text(name, "when") || yaml_is_text(name, "unless")) {
		steps_take(c, f, yaml_find(value, "steps"), depth + 1);
	} else if (command != NULL) {
		steps_take(c, f, yaml_find(command, "steps"), depth + 1);
	} else if (name->type == YAML_SCALAR &&
		   memchr(name->u.text.bytes, '/', name->u.text.len) != NULL) {
		ci_flow_uses(f, "orb-command", name);
		ci_flow_step(f, name, value);
	}
}

static void step_take(struct circle *c, struct ci_flow *f,
		      const struct yaml_node *step, unsigned depth)
{
	if (step->type == YAML_SCALAR) {
		named_step(c, f, step, NULL, depth);
		return;
	}
	if (step->type != YAML_MAPPING)
		return;
	for (size_t i = 0; i < step->u.mapping.len; i++)
		named_step(c, f, step->u.mapping.pairs[i].key,
			   step->u.mapping.pairs[i].value, depth);
}

static void steps_take(struct circle *c, struct ci_flow *f,
		       const struct yaml_node *steps, unsigned depth)
{
	if (steps == NULL || steps->type != YAML_SEQUENCE)
		return;
	if (depth > CI_NESTED_MAX) {
		ci_flow_tell(f, CI_TOLD_NESTED, (int64_t)steps->offset);
		return;
	}
	for (size_t i = 0; i < steps->u.sequence.len; i++) {
		if (c->steps == STEPS_MAX)
			report_note(&c->ci->report->warnings, "truncated",
				    c->in, (int64_t)steps->offset,
				    "steps beyond the first 200000 are left "
				    "out");
		if (c->steps++ >= STEPS_MAX)
			return;
		step_take(c, f, steps->u.sequence.items[i], depth);
	}
}

/* A job or an executor: the first image is the job's, the rest are services. */
static void place_take(struct ci_flow *f, const struct yaml_node *n)
{
	const struct yaml_node *docker = yaml_find(n, "docker");
	const struct yaml_node *executor = yaml_find(n, "executor");

	if (docker != NULL && docker->type == YAML_SEQUENCE)
		for (size_t i = 0; i < docker->u.sequence.len; i++)
			ci_flow_runs_on(f, i == 0 ? "image" : "service",
					yaml_find(docker->u.sequence.items[i],
						  "image"));
	ci_flow_image(f, "machine", yaml_find(n, "machine"), "image");
	ci_flow_image(f, "macos", yaml_find(n, "macos"), "xcode");
	ci_flow_image(f, "executor", executor, "name");
	ci_flow_runs_on(f, "label", yaml_find(n, "resource_class"));
}

static void job_take(struct circle *c, struct ci_flow *f,
		     const struct yaml_node *name,
		     const struct yaml_node *inputs)
{
	const struct yaml_node *job = names_find(&c->jobs, name);

	f->job = ci_text(f, name);
	ci_flow_text(f, CI_JOBS, f->job);
	if (job != NULL) {
		place_take(f, job);
		steps_take(c, f, yaml_find(job, "steps"), 0);
	} else if (f->job.bytes != NULL &&
		   memchr(f->job.bytes, '/', f->job.len) != NULL) {
		ci_flow_uses(f, "orb-job", name);
		ci_flow_step(f, name, inputs);
	}
	steps_take(c, f, yaml_find(inputs, "pre-steps"), 0);
	steps_take(c, f, yaml_find(inputs, "post-steps"), 0);
}

static void workflow_jobs(struct circle *c, struct ci_flow *f,
			  const struct yaml_node *jobs)
{
	if (jobs == NULL || jobs->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < jobs->u.sequence.len; i++) {
		const struct yaml_node *job = jobs->u.sequence.items[i];

		if (job->type == YAML_SCALAR)
			job_take(c, f, job, NULL);
		else if (job->type == YAML_MAPPING && job->u.mapping.len > 0)
			job_take(c, f, job->u.mapping.pairs[0].key,
				 job->u.mapping.pairs[0].value);
	}
}

/* triggers: - schedule: {cron, filters: {branches: {only: ...}}} */
static void triggers_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n == NULL || n->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < n->u.sequence.len; i++) {
		const struct yaml_node *one = n->u.sequence.items[i], *value;
		struct json_text name;

		if (one->type != YAML_MAPPING || one->u.mapping.len == 0)
			continue;
		name = ci_text(f, one->u.mapping.pairs[0].key);
		value = one->u.mapping.pairs[0].value;
		ci_flow_text(f, CI_TRIGGERS, name);
		ci_flow_filter(f, name, "cron", yaml_find(value, "cron"));
		value = yaml_find(yaml_find(value, "filters"), "branches");
		ci_flow_filter(f, name, "branches", yaml_find(value, "only"));
		ci_flow_filter(f, name, "branches-ignore",
			       yaml_find(value, "ignore"));
	}
}

/* Orbs and executors belong to the file, so every workflow has them. */
static void shared_take(struct circle *c, struct ci_flow *f)
{
	const struct yaml_node *orbs = yaml_find(c->doc, "orbs");
	const struct yaml_node *places = yaml_find(c->doc, "executors");

	if (orbs != NULL && orbs->type == YAML_MAPPING)
		for (size_t i = 0;
		     i < orbs->u.mapping.len && !f->lists[CI_USES].is_cut; i++)
			ci_flow_uses(f, "orb", orbs->u.mapping.pairs[i].value);
	if (places != NULL && places->type == YAML_MAPPING)
		for (size_t i = 0;
		     i < places->u.mapping.len && !f->lists[CI_RUNS_ON].is_cut;
		     i++)
			place_take(f, places->u.mapping.pairs[i].value);
}

static void workflows_take(struct circle *c, const struct yaml_node *flows)
{
	for (size_t i = 0; i < flows->u.mapping.len; i++) {
		const struct yaml_pair *p = &flows->u.mapping.pairs[i];
		struct ci_flow f;

		if (p->value->type != YAML_MAPPING)
			continue; /* version: 2 */
		if (slice_is_full(&c->ci->flows) || i >= CI_FLOWS_MAX) {
			c->ci->flows.is_cut = true;
			return;
		}
		ci_flow_open(&f, c->ci, CI_CIRCLECI, c->in);
		f.name = ci_text(&f, p->key);
		triggers_take(&f, yaml_find(p->value, "triggers"));
		shared_take(c, &f);
		workflow_jobs(c, &f, yaml_find(p->value, "jobs"));
		ci_flow_close(&f);
	}
}

/* Without workflows every job of the file runs. */
static void alone_take(struct circle *c, const struct yaml_node *jobs)
{
	struct ci_flow f;

	ci_flow_open(&f, c->ci, CI_CIRCLECI, c->in);
	shared_take(c, &f);
	if (jobs != NULL && jobs->type == YAML_MAPPING)
		for (size_t i = 0; i < jobs->u.mapping.len; i++)
			job_take(c, &f, jobs->u.mapping.pairs[i].key, NULL);
	ci_flow_close(&f);
}

void ci_circleci_read(struct ci *ci, const struct parse_input *in,
		      const struct yaml_node *doc, size_t index)
{
	const struct yaml_node *flows = yaml_find(doc, "workflows");
	struct circle c = { .ci = ci, .in = in, .doc = doc };

	if (index > 0)
		return;
	c.jobs = names_of(yaml_find(doc, "jobs"));
	c.commands = names_of(yaml_find(doc, "commands"));
	if (flows != NULL && flows->type == YAML_MAPPING)
		workflows_take(&c, flows);
	else
		alone_take(&c, yaml_find(doc, "jobs"));
	free(c.jobs.items);
	free(c.commands.items);
}
