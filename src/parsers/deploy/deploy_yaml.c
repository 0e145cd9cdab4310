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
	(void)snprintf(text, sizeof text,
		       "more warnings, which are not listed: %zu", d->unsaid);
	report_note(&d->report->warnings, "more_notes", NULL, -1, text);
}

static bool is_templated(const struct parse_input *in)
{
	return in->len > 0 && memmem(in->bytes, in->len, "{{", 2) != NULL;
}

static bool has_no_memory(const struct parse_report *r)
{
	static const char code[] = "\"code\":\"memory\"";

	return r->errors.text.len > 0 &&
	       memmem(r->errors.text.bytes, r->errors.text.len, code,
		      sizeof code - 1) != NULL;
}

/* Errors of a file with template expressions are told as one warning, unless the
 * file needs too much memory. */
static void templated_read(struct deploy *d, const struct parse_input *in,
			   struct arena *arena, struct yaml_documents *ret)
{
	struct parse_report aside;
	bool failed, has_warnings, is_too_large;

	parse_report_init(&aside);
	aside.merged = d->report->merged;
	failed = yaml_read(in, NULL, arena, ret, &aside) < 0;
	has_warnings = aside.warnings.total > 0;
	d->report->merged = aside.merged;
	is_too_large = has_no_memory(&aside);
	parse_report_done(&aside);
	if (is_too_large) {
		deploy_warn(d, "truncated", in, 0,
			    "needs too much memory, and is not examined whole");
	} else if (failed) {
		deploy_warn(d, "templated", in, 0,
			    "has template expressions, and is not YAML until "
			    "they are filled in");
	} else if (has_warnings) {
		arena_done(arena);
		(void)yaml_read(in, NULL, arena, ret, d->report);
	}
}

static void spent_note(struct deploy *d, const struct parse_input *in)
{
	if (!d->is_spent)
		report_note(&d->report->warnings, "truncated", in, -1,
			    "the repository has too much YAML to examine all "
			    "of it: from here on, parts are left out");
	d->is_spent = true;
}

/* Each node is looked at a few times, wherever an alias repeats it. */
static void nodes_count(struct deploy *d, const struct parse_input *in,
			struct yaml_documents *docs)
{
	if (docs->nodes > DEPLOY_VISITS_MAX - d->nodes) {
		spent_note(d, in);
		docs->len = 0;
	} else {
		d->nodes += docs->nodes;
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
	nodes_count(d, in, ret);
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
	spent_note(d, in);
	return false;
}
