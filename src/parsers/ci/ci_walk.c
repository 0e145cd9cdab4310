/* ci_walk.c -- reads the files of providers that differ only in the names of
 * their keys.  See ci_flow_walk() in ci.h. */
#include <string.h>

#include "parsers/ci/ci.h"

static bool is_one_of(const char *const *list, struct json_text t)
{
	for (size_t i = 0; i < CI_KEYS && list[i] != NULL; i++)
		if (text_is(t, list[i]))
			return true;
	return false;
}

static const struct yaml_node *find_one_of(const struct yaml_node *n,
					   const char *const *list)
{
	const struct yaml_node *hit = NULL;

	for (size_t i = 0; hit == NULL && i < CI_KEYS && list[i] != NULL; i++)
		hit = yaml_find(n, list[i]);
	return hit;
}

static void node_walk(struct ci_flow *f, const struct ci_keys *keys,
		      const struct yaml_node *n, bool names_job);

/* A mapping whose keys name jobs. */
static void keyed_walk(struct ci_flow *f, const struct ci_keys *keys,
		       const struct yaml_node *n)
{
	const struct json_text before = f->job;

	for (size_t i = 0; i < n->u.mapping.len; i++) {
		f->job = ci_text(f, n->u.mapping.pairs[i].key);
		ci_flow_text(f, CI_JOBS, f->job);
		node_walk(f, keys, n->u.mapping.pairs[i].value, false);
	}
	f->job = before;
}

static void step_take(struct ci_flow *f, const struct ci_keys *keys,
		      const char *kind, const struct yaml_node *name,
		      const struct yaml_node *beside)
{
	ci_flow_uses(f, keys->step_kind ? keys->step_kind : kind, name);
	ci_flow_step(f, name,
		     keys->inputs ? yaml_find(beside, keys->inputs) : NULL);
}

/* Names, or images by name. */
static void services_take(struct ci_flow *f, const struct yaml_node *n)
{
	if (n->type == YAML_SCALAR)
		ci_flow_runs_on(f, "service", n);
	else if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			ci_flow_image(f, "service", n->u.sequence.items[i],
				      "image");
	else
		for (size_t i = 0; i < n->u.mapping.len; i++)
			ci_flow_image(f, "service", n->u.mapping.pairs[i].value,
				      "image");
}

/* Read one pair of a mapping; true when nothing below it is left to read. */
static bool pair_take(struct ci_flow *f, const struct ci_keys *keys,
		      const struct yaml_node *n, const struct yaml_pair *p,
		      struct json_text key)
{
	bool is_scalar = p->value->type == YAML_SCALAR;

	if (is_one_of(keys->skipped, key))
		return true;
	if (is_one_of(keys->scripts, key))
		ci_flow_script(f, p->value);
	if (is_one_of(keys->services, key)) {
		services_take(f, p->value);
		return true;
	}
	if (is_one_of(keys->labels, key))
		ci_flow_runs_on(f, "label", p->value);
	if (is_one_of(keys->images, key)) {
		ci_flow_image(f, "image", p->value, "name");
		return true;
	}
	if (is_one_of(keys->steps, key) && is_scalar)
		step_take(f, keys, key.bytes, p->value, n);
	if (is_one_of(keys->keyed, key) && p->value->type == YAML_MAPPING) {
		keyed_walk(f, keys, p->value);
		return true;
	}
	return is_scalar;
}

static void mapping_walk(struct ci_flow *f, const struct ci_keys *keys,
			 const struct yaml_node *n, bool names_job)
{
	const struct json_text before = f->job;
	const struct yaml_node *job =
		names_job ? find_one_of(n, keys->jobs) : NULL;

	ci_flow_text(f, CI_STAGES, ci_text(f, find_one_of(n, keys->stages)));
	if (job != NULL && job->type == YAML_SCALAR) {
		f->job = ci_text(f, job);
		ci_flow_text(f, CI_JOBS, f->job);
	}
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];
		struct json_text key = { "", 0 };

		if (p->key->type == YAML_SCALAR)
			key = p->key->u.text;
		if (!pair_take(f, keys, n, p, key))
			node_walk(f, keys, p->value,
				  !is_one_of(keys->values, key));
	}
	f->job = before;
}

/* Depth is bounded by the reader: PARSE_DEPTH. */
static void node_walk(struct ci_flow *f, const struct ci_keys *keys,
		      const struct yaml_node *n, bool names_job)
{
	if (n->type == YAML_MAPPING)
		mapping_walk(f, keys, n, names_job);
	else if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			node_walk(f, keys, n->u.sequence.items[i], true);
}

void ci_flow_walk(struct ci_flow *f, const struct ci_keys *keys,
		  const struct yaml_node *n)
{
	if (n != NULL)
		node_walk(f, keys, n, false);
}
