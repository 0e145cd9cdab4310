/* deploy_yaml.c -- reading YAML for deployment, and small helpers over it. */
#include <stdio.h>
#include <string.h>

#include "parsers/deploy/deploy.h"

void deploy_warn(struct deploy *d, const char *code,
		 const struct parse_input *in, size_t offset,
		 const char *message)
{
	if (d->warned != in)
		d->warned_len = 0;
	d->warned = in;
	if (d->warned_len++ < DEPLOY_WARNINGS_FILE &&
	    d->report->warnings.total < DEPLOY_WARNINGS_MAX)
		report_note(&d->report->warnings, code, in, (int64_t)offset,
			    message);
	else
		d->unsaid++;
}

void deploy_warnings_end(struct deploy *d)
{
	char text[64];

	if (d->unsaid == 0)
		return;
	(void)snprintf(text, sizeof text, "%zu more warnings are not listed",
		       d->unsaid);
	report_note(&d->report->warnings, "more_notes", NULL, -1, text);
}

static bool is_templated(const struct parse_input *in)
{
	return in->len > 0 && memmem(in->bytes, in->len, "{{", 2) != NULL;
}

/* Errors of a file with template expressions are told as one warning. */
static void templated_read(struct deploy *d, const struct parse_input *in,
			   struct arena *arena, struct yaml_documents *ret)
{
	struct parse_report aside;
	bool failed, has_warnings;

	parse_report_init(&aside);
	failed = yaml_read(in, NULL, arena, ret, &aside) < 0;
	has_warnings = aside.warnings.total > 0;
	parse_report_done(&aside);
	if (failed) {
		deploy_warn(d, "templated", in, 0,
			    "holds template expressions, and is not YAML "
			    "before they are filled in");
	} else if (has_warnings) {
		arena_done(arena);
		(void)yaml_read(in, NULL, arena, ret, d->report);
	}
}

void deploy_read(struct deploy *d, const struct parse_input *in,
		 struct arena *arena, struct yaml_documents *ret)
{
	*ret = (struct yaml_documents){ 0 };
	if (is_templated(in))
		templated_read(d, in, arena, ret);
	else
		(void)yaml_read(in, NULL, arena, ret, d->report);
}

struct json_text deploy_text(struct deploy *d, const struct parse_input *in,
			     const struct yaml_node *n, const char *key)
{
	return yaml_text(yaml_find(n, key), in, d->report);
}

size_t deploy_count(const struct yaml_node *n)
{
	return n != NULL && n->type == YAML_SEQUENCE ? n->u.sequence.len : 0;
}

bool deploy_visit(struct deploy *d, const struct parse_input *in)
{
	if (d->visits++ < DEPLOY_VISITS_MAX)
		return true;
	if (!d->is_spent)
		report_note(&d->report->warnings, "truncated", in, -1,
			    "the repository's YAML is too large to be looked "
			    "at whole: from here on, parts are left out");
	d->is_spent = true;
	return false;
}
