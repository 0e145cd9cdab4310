/* deploy_class.c -- what each input is, by its name and its neighbours. */
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/plural.h"
#include "parsers/deploy/deploy.h"
#include "parsers/languages/language.h"

#define TEMPLATES_MAX 16U /* directories of that name on one way */

/* The first pattern that the whole path fits decides. */
static const struct {
	const char *pattern;
	enum deploy_class class;
} table[] = {
	{ "**/Chart.yaml", DEPLOY_CHART },
	{ "**/{kustomization.yaml,kustomization.yml,Kustomization}",
	  DEPLOY_KUSTOMIZATION },
	{ "**/{docker-compose,compose}.{yaml,yml}", DEPLOY_COMPOSE },
	{ "**/{docker-compose,compose}[-._]*.{yaml,yml}", DEPLOY_COMPOSE },
	{ "**/*.{tf,tfvars,tofu}", DEPLOY_TERRAFORM },
	{ "**/*.{tf,tfvars}.json", DEPLOY_TERRAFORM },
	{ "**/.terraform.lock.hcl", DEPLOY_TERRAFORM },
	{ "**/*.{yaml,yml}", DEPLOY_YAML },
};

static bool is_segment(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(at, word, len) == 0;
}

/* Whether the input lies in the directory "templates" of a chart. */
static bool is_template(const struct parse_inputs *inputs,
			const struct parse_input *in)
{
	const char *at = in->name, *end = in->name + input_dir_len(in);
	unsigned tries = 0;

	while (at < end && tries < TEMPLATES_MAX) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		size_t len = (size_t)((slash ? slash : end) - at);
		size_t dir_len =
			at > in->name ? (size_t)(at - in->name) - 1 : 0;

		if (is_segment(at, len, "templates")) {
			tries++;
			if (input_find(inputs, in->name, dir_len, "Chart.yaml"))
				return true;
		}
		at += len + (slash != NULL);
	}
	return false;
}

static enum deploy_class by_table(const struct parse_input *in)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (glob_match(table[i].pattern, strlen(table[i].pattern),
			       in->name, in->name_len))
			return table[i].class;
	return DEPLOY_NONE;
}

/* A YAML file beside a Chart.yaml: values*.yaml, requirements.yaml. */
static enum deploy_class by_chart(const struct parse_inputs *inputs,
				  const struct parse_input *in)
{
	static const char values[] = "values";
	size_t len;
	const char *base = input_base(in, &len);

	if (!input_find(inputs, in->name, input_dir_len(in), "Chart.yaml"))
		return DEPLOY_YAML;
	if (input_base_is(in, "requirements.yaml"))
		return DEPLOY_REQUIREMENTS;
	if (len >= strlen(values) && memcmp(base, values, strlen(values)) == 0)
		return DEPLOY_VALUES;
	return DEPLOY_YAML;
}

static enum deploy_class class_find(const struct parse_inputs *inputs,
				    const struct parse_input *in)
{
	enum deploy_class class = by_table(in);

	if (class == DEPLOY_TERRAFORM)
		return class;
	if (is_template(inputs, in))
		return DEPLOY_TEMPLATE;
	if (language_is_dockerfile(in))
		class = DEPLOY_DOCKERFILE;
	if (in->is_name_only)
		return DEPLOY_NONE;
	return class == DEPLOY_YAML ? by_chart(inputs, in) : class;
}

/* Files that were copied here from other projects say nothing about this
 * repository. */
static void vendored_note(struct deploy *d, size_t vendored)
{
	struct buf text = { 0 };

	buf_format(&text, "%zu file%s in vendored directories %s left out",
		   vendored, plural_s(vendored), vendored == 1 ? "is" : "are");
	if (vendored > 0 && !buf_has_failed(&text))
		report_note(&d->report->warnings, "vendored", NULL, -1,
			    text.bytes);
	buf_done(&text);
}

void deploy_classify(struct deploy *d)
{
	struct language_table *names = calloc(1, sizeof *names);
	size_t vendored = 0;

	if (names != NULL && language_table_read(names) < 0) {
		free(names);
		names = NULL;
	}
	for (size_t i = 0; i < d->inputs->len; i++) {
		const struct parse_input *in = &d->inputs->items[i];
		enum deploy_class class = class_find(d->inputs, in);

		if (class != DEPLOY_NONE && names != NULL &&
		    language_origin_of(names, in) == LANGUAGE_VENDORED) {
			class = DEPLOY_NONE;
			vendored++;
		}
		d->classes[i] = (uint8_t) class;
	}
	vendored_note(d, vendored);
	free(names);
}

enum deploy_class deploy_class_of(const struct deploy *d,
				  const struct parse_input *in)
{
	return (enum deploy_class)d->classes[in - d->inputs->items];
}

bool deploy_is_dockerfile(struct json_text path)
{
	const struct parse_input in = { .name = path.bytes,
					.name_len = path.len };

	return language_is_dockerfile(&in);
}
