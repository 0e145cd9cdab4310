/* deploy_probe.c -- the probe: how the repository is put into operation. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/role.h"
#include "parsers/deploy/deploy.h"

/* What the lists share; the rest of the slice is "styles". */
#define LISTS_BYTES (PARSE_SLICE_BYTES - ((size_t)4 << 10))

static const char *const list_keys[] = {
	[DEPLOY_CHARTS] = "charts",
	[DEPLOY_KUSTOMIZATIONS] = "kustomizations",
	[DEPLOY_OVERLAYS] = "overlays",
	[DEPLOY_MANIFESTS] = "manifests",
	[DEPLOY_OBJECTS] = "objects",
	[DEPLOY_TERRAFORMS] = "terraform",
	[DEPLOY_COMPOSE_FILES] = "compose_files",
	[DEPLOY_COMPOSE_SERVICES] = "compose_services",
	[DEPLOY_DOCKERFILES] = "dockerfiles",
	[DEPLOY_IMAGES] = "images",
	[DEPLOY_PROBES] = "probes",
	[DEPLOY_SECURITY] = "security_contexts",
};
static_assert(sizeof list_keys / sizeof *list_keys == DEPLOY_LISTS,
	      "a key for every list");

static const struct {
	enum deploy_class class;
	const char *style;
} styles[] = {
	{ DEPLOY_CHART, "helm" },      { DEPLOY_KUSTOMIZATION, "kustomize" },
	{ DEPLOY_YAML, "manifests" },  { DEPLOY_TERRAFORM, "terraform" },
	{ DEPLOY_COMPOSE, "compose" }, { DEPLOY_DOCKERFILE, "docker" },
};

static bool ends_with(const struct parse_input *in, const char *word)
{
	size_t len = strlen(word);

	return in->name_len >= len &&
	       memcmp(in->name + in->name_len - len, word, len) == 0;
}

static void terraform_write(struct deploy *d, const struct parse_input *in)
{
	struct slice_list *l = &d->lists[DEPLOY_TERRAFORMS];
	const char *kind = "configuration";
	struct jsonw *w;

	if (slice_is_full(l))
		return;
	if (input_base_is(in, ".terraform.lock.hcl"))
		kind = "lock";
	else if (ends_with(in, ".tfvars") || ends_with(in, ".tfvars.json"))
		kind = "variables";
	w = slice_item(l);
	jsonw_text(w, "kind", kind);
	source_write(w, "source", in);
	slice_item_end(l);
}

typedef void read_fn(struct deploy *d, const struct parse_input *in);

/* Kustomizations are read before, a chart's requirements with it, and
 * templates never. */
static read_fn *const readers[DEPLOY_CLASS_MAX_] = {
	[DEPLOY_CHART] = deploy_chart_read,
	[DEPLOY_VALUES] = deploy_values_read,
	[DEPLOY_COMPOSE] = deploy_compose_read,
	[DEPLOY_DOCKERFILE] = deploy_dockerfile_read,
	[DEPLOY_TERRAFORM] = terraform_write,
	[DEPLOY_YAML] = deploy_manifest_read,
};

void deploy_found(struct deploy *d, enum deploy_class class,
		  const struct parse_input *in)
{
	d->found[class]++;
	d->has_own[class] = d->has_own[class] || input_is_own(in);
}

/* Compose files and manifests count only when their content shows that they are
 * such files. */
static void classes_count(struct deploy *d)
{
	for (size_t i = 0; i < d->inputs->len; i++)
		deploy_found(d, (enum deploy_class)d->classes[i],
			     &d->inputs->items[i]);
	d->found[DEPLOY_COMPOSE] = d->found[DEPLOY_YAML] = 0;
	d->has_own[DEPLOY_COMPOSE] = d->has_own[DEPLOY_YAML] = false;
}

/* What a name or a neighbour makes another kind of file may have manifests all the
 * same: values.yaml, compose.yaml, Dockerfile.yaml. */
static bool may_have_manifests(const struct deploy *d,
			       const struct parse_input *in)
{
	const enum deploy_class class = deploy_class_of(d, in);

	return (class == DEPLOY_VALUES || class == DEPLOY_REQUIREMENTS ||
		class == DEPLOY_COMPOSE || class == DEPLOY_DOCKERFILE) &&
	       (ends_with(in, ".yaml") || ends_with(in, ".yml"));
}

/* What compose files include.  One may include the next, so begin again until there
 * are no more; each is read once. */
static void included_read(struct deploy *d)
{
	bool is_done = false;

	while (!is_done) {
		is_done = true;
		for (size_t i = 0; i < d->inputs->len; i++) {
			if (d->included[i] != DEPLOY_TO_BE_READ)
				continue;
			is_done = false;
			d->included[i] = DEPLOY_INCLUDED;
			deploy_compose_read(d, &d->inputs->items[i]);
		}
	}
}

static void files_read(struct deploy *d)
{
	for (size_t i = 0; i < d->inputs->len; i++) {
		const struct parse_input *in = &d->inputs->items[i];
		read_fn *read = readers[d->classes[i]];

		if (read != NULL)
			read(d, in);
		if (may_have_manifests(d, in))
			deploy_manifest_read(d, in);
	}
	included_read(d);
}

static void slice_write(struct deploy *d)
{
	struct jsonw w = { .out = &d->report->slice };

	jsonw_object(&w, NULL);
	jsonw_array(&w, "styles");
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
		if (d->has_own[styles[i].class])
			jsonw_text(&w, NULL, styles[i].style);
	jsonw_end_array(&w);
	deploy_warnings_end(d);
	slice_lists_write(d->lists, DEPLOY_LISTS, LISTS_BYTES, &w, d->report);
	jsonw_end_object(&w);
}

static void deploy_done(struct deploy *d)
{
	slice_lists_done(d->lists, DEPLOY_LISTS);
	free(d->classes);
	free(d->is_patch);
	free(d->included);
	free(d->images);
	free(d->overlays);
	arena_done(&d->facts);
}

/* Over inputs with roles. */
static int inputs_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct deploy d = { .inputs = in, .report = r };
	int e = -ENOMEM;

	r->version = "2.0";
	d.facts.cap_bytes = DEPLOY_FACTS_BYTES;
	d.classes = calloc(in->len + 1, sizeof *d.classes);
	d.is_patch = calloc(in->len + 1, sizeof *d.is_patch);
	d.included = calloc(in->len + 1, sizeof *d.included);
	for (size_t i = 0; i < DEPLOY_LISTS; i++)
		d.lists[i].key = list_keys[i];
	if (d.classes != NULL && d.is_patch != NULL && d.included != NULL) {
		deploy_classify(&d);
		classes_count(&d);
		e = deploy_kustomizations_read(&d);
	}
	if (e == 0) {
		deploy_overlays_write(&d);
		files_read(&d);
		deploy_images_write(&d);
		slice_write(&d);
	}
	deploy_done(&d);
	return e;
}

int deployment_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct role_inputs own = { 0 };
	int e = role_inputs_open(in, ROLE_OF_DEPLOYMENT, &own);

	if (e == 0)
		e = inputs_run(&own.inputs, r);
	role_inputs_done(&own);
	return e;
}
