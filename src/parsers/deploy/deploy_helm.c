/* deploy_helm.c -- reads a Helm chart: its description, dependencies and
 * content.
 *
 * Versions 1 and 2 of the chart format; in version 1 the dependencies stand in
 * requirements.yaml.  Templates are listed by name.
 * Source: helm.sh/docs/topics/charts. */
#include <stdio.h>
#include <string.h>

#include "base/name.h"
#include "parsers/common/address_clean.h"
#include "parsers/deploy/deploy.h"

#define LISTED_MAX 200U /* templates, values files: more are counted */

struct chart {
	const struct parse_input *in;
	struct jsonw *w; /* at the open object */
};

/* file://../common is a directory beside the chart. */
static void repository_check(struct deploy *d, const struct parse_input *in,
			     struct json_text repository, size_t offset)
{
	static const char head[] = "file://";
	size_t len = strlen(head);

	if (repository.len <= len || memcmp(repository.bytes, head, len) != 0)
		return;
	repository.bytes += len;
	repository.len -= len;
	deploy_check_path(d, in, repository, offset);
}

static void dependency_write(struct deploy *d, const struct parse_input *in,
			     struct jsonw *w, const struct yaml_node *n)
{
	struct json_text repository = deploy_text(d, in, n, "repository");

	if (n->type != YAML_MAPPING)
		return;
	repository_check(d, in, repository, n->offset);
	jsonw_object(w, NULL);
	text_put(w, "name", deploy_text(d, in, n, "name"));
	text_put(w, "version", deploy_text(d, in, n, "version"));
	address_put(w, "repository", repository, ADDRESS_TEXT);
	text_put(w, "alias", deploy_text(d, in, n, "alias"));
	text_put(w, "condition", deploy_text(d, in, n, "condition"));
	source_write(w, "source", in);
	jsonw_end_object(w);
}

static void dependencies_of(struct deploy *d, const struct parse_input *in,
			    struct jsonw *w, const struct yaml_node *top)
{
	const struct yaml_node *list = yaml_find(top, "dependencies");
	size_t len = deploy_count(list);

	if (len > DEPLOY_ITEMS_MAX) {
		len = DEPLOY_ITEMS_MAX;
		deploy_warn(d, "truncated", in, list->offset,
			    "more than 1000 dependencies");
	}
	for (size_t i = 0; i < len; i++)
		dependency_write(d, in, w, list->u.sequence.items[i]);
}

static void dependencies_write(struct deploy *d, const struct chart *c,
			       const struct yaml_node *top)
{
	const struct parse_input *old =
		input_find(d->inputs, c->in->name, input_dir_len(c->in),
			   "requirements.yaml");
	struct arena arena = { 0 };
	struct yaml_documents docs;

	jsonw_array(c->w, "dependencies");
	dependencies_of(d, c->in, c->w, top);
	if (old != NULL && deploy_class_of(d, old) == DEPLOY_REQUIREMENTS) {
		deploy_read(d, old, &arena, &docs);
		if (docs.len > 0)
			dependencies_of(d, old, c->w, docs.items[0]);
		arena_done(&arena);
	}
	jsonw_end_array(c->w);
}

/* The names of one class that begin with the chart's directory and head. */
static void names_write(struct deploy *d, const struct chart *c,
			enum deploy_class class, const char *head,
			const char *key)
{
	owned_buf struct buf prefix = { 0 };
	size_t count = 0, dir = input_dir_len(c->in);
	char counted[32];

	buf_add(&prefix, c->in->name, dir);
	buf_text(&prefix, dir > 0 ? "/" : "");
	buf_text(&prefix, head);
	jsonw_array(c->w, key);
	for (size_t i = deploy_first(d->inputs, &prefix); i < d->inputs->len;
	     i++) {
		const struct parse_input *in = &d->inputs->items[i];

		if (!deploy_begins(in, &prefix))
			break;
		if (deploy_class_of(d, in) == class && count++ < LISTED_MAX)
			input_name_write(c->w, NULL, in);
	}
	jsonw_end_array(c->w);
	(void)snprintf(counted, sizeof counted, "%s_count", key);
	jsonw_uint(c->w, counted, count);
}

static void chart_write(struct deploy *d, const struct chart *c,
			const struct yaml_node *top)
{
	owned_buf struct buf dir = { 0 };

	name_write(&dir, c->in->name, input_dir_len(c->in));
	jsonw_text(c->w, "path", dir.len > 0 ? dir.bytes : ".");
	text_put(c->w, "name", deploy_text(d, c->in, top, "name"));
	text_put(c->w, "version", deploy_text(d, c->in, top, "version"));
	text_put(c->w, "app_version", deploy_text(d, c->in, top, "appVersion"));
	text_put(c->w, "api_version", deploy_text(d, c->in, top, "apiVersion"));
	text_put(c->w, "type", deploy_text(d, c->in, top, "type"));
	dependencies_write(d, c, top);
	names_write(d, c, DEPLOY_VALUES, "values", "values_files");
	names_write(d, c, DEPLOY_TEMPLATE, "templates/", "templates");
	source_write(c->w, "source", c->in);
}

void deploy_chart_read(struct deploy *d, const struct parse_input *in)
{
	struct slice_list *l = &d->lists[DEPLOY_CHARTS];
	struct arena arena = { 0 };
	struct yaml_documents docs;
	const struct yaml_node *top = NULL;

	if (slice_is_full(l))
		return;
	deploy_read(d, in, &arena, &docs);
	if (docs.len > 0)
		top = docs.items[0];
	if (top != NULL && top->type != YAML_MAPPING) {
		report_note(&d->report->errors, "not_a_mapping", in,
			    (int64_t)top->offset,
			    "expected a chart's name and version");
		top = NULL;
	}
	chart_write(d, &(struct chart){ in, slice_item(l) }, top);
	slice_item_end(l);
	arena_done(&arena);
}
