/* schema_eval.c -- checks a value against a schema: the walk itself. */
#include "boundary/schema_eval.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define POINTER_BYTES 512
#define MESSAGE_BYTES 256

static schema_eval_fn *const evaluators[KW_EVALUATED] = {
	[KW_REF] = eval_ref,
	[KW_DYNAMIC_REF] = eval_dynamic_ref,
	[KW_TYPE] = eval_type,
	[KW_CONST] = eval_const,
	[KW_ENUM] = eval_enum,
	[KW_MULTIPLE_OF] = eval_multiple_of,
	[KW_MAXIMUM] = eval_bound,
	[KW_EXCLUSIVE_MAXIMUM] = eval_bound,
	[KW_MINIMUM] = eval_bound,
	[KW_EXCLUSIVE_MINIMUM] = eval_bound,
	[KW_MAX_LENGTH] = eval_length,
	[KW_MIN_LENGTH] = eval_length,
	[KW_PATTERN] = eval_pattern,
	[KW_MAX_ITEMS] = eval_item_count,
	[KW_MIN_ITEMS] = eval_item_count,
	[KW_UNIQUE_ITEMS] = eval_unique_items,
	[KW_MAX_PROPERTIES] = eval_property_count,
	[KW_MIN_PROPERTIES] = eval_property_count,
	[KW_REQUIRED] = eval_required,
	[KW_DEPENDENT_REQUIRED] = eval_dependent_required,
	[KW_PREFIX_ITEMS] = eval_prefix_items,
	[KW_ITEMS] = eval_items,
	[KW_CONTAINS] = eval_contains,
	[KW_PROPERTY_NAMES] = eval_property_names,
	[KW_PROPERTIES] = eval_properties,
	[KW_PATTERN_PROPERTIES] = eval_pattern_properties,
	[KW_ADDITIONAL_PROPERTIES] = eval_additional_properties,
	[KW_DEPENDENT_SCHEMAS] = eval_dependent_schemas,
	[KW_ALL_OF] = eval_all_of,
	[KW_ANY_OF] = eval_any_of,
	[KW_ONE_OF] = eval_one_of,
	[KW_NOT] = eval_not,
	[KW_IF] = eval_if,
	[KW_UNEVALUATED_ITEMS] = eval_unevaluated_items,
	[KW_UNEVALUATED_PROPERTIES] = eval_unevaluated_properties,
};

bool schema_stop(struct eval *e, enum schema_code code, const char *why)
{
	if (!e->stop)
		(void)schema_fail(&e->fault, code, "%s", why);
	e->stop = true;
	return false;
}

bool schema_spend(struct eval *e, uint64_t steps)
{
	if (e->stop)
		return false;
	if (steps > e->steps)
		return schema_stop(e, SCHEMA_TOO_COSTLY,
				   "checking the value against this schema "
				   "takes too many steps");
	e->steps -= steps;
	return true;
}

bool schema_matches(struct eval *e, const struct pattern *p,
		    const struct json_text *text)
{
	enum pattern_result r;

	if (!schema_spend(e, 1))
		return false;
	r = pattern_match(p, text->bytes, text->len, &e->steps);
	if (r == PATTERN_LIMIT)
		return schema_stop(e, SCHEMA_MATCH_LIMIT,
				   "a pattern reached its match limit");
	return r == PATTERN_MATCH;
}

const struct schema_rule *schema_sibling(const struct schema_node *node,
					 enum keyword_id id)
{
	return node->rule_of[id] > 0 ? &node->rules[node->rule_of[id] - 1]
				     : NULL;
}

static void write_path(const struct path *path, struct buf *out)
{
	const struct path *way[SCHEMA_DEPTH + 1];
	size_t n = 0;

	for (; path != NULL && n < SCHEMA_DEPTH; path = path->up)
		way[n++] = path;
	while (n > 0) {
		n--;
		if (way[n]->name != NULL)
			schema_pointer_token(out, way[n]->name->bytes,
					     way[n]->name->len);
		else
			buf_format(out, "/%zu", way[n]->index);
	}
}

static struct schema_violation *violation_new(struct eval *e)
{
	struct schema_report *r = e->report;

	r->total++;
	if (r->len == SCHEMA_VIOLATIONS_MAX)
		return NULL;
	if (r->violations == NULL)
		r->violations = arena_array(e->arena, SCHEMA_VIOLATIONS_MAX,
					    sizeof *r->violations);
	return r->violations != NULL ? &r->violations[r->len++] : NULL;
}

bool schema_violate(const struct frame *f, const struct schema_rule *rule,
		    const char *fmt, ...)
{
	owned_buf struct buf text = { .cap_bytes = 1 << 20 };
	struct schema_violation *out;
	const char *keyword =
		rule != NULL ? schema_keywords[rule->id].name : NULL;
	char message[MESSAGE_BYTES * 2];
	va_list ap;

	out = f->quiet ? NULL : violation_new(f->e);
	if (out == NULL)
		return false;
	buf_text(&text, "");
	write_path(f->path, &text);
	out->instance = schema_printable(f->e->arena, &text, POINTER_BYTES);
	text.len = 0;
	schema_location(f->node, keyword, &text);
	out->schema = schema_printable(f->e->arena, &text, POINTER_BYTES);
	va_start(ap, fmt);
	(void)vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	text.len = 0;
	buf_text(&text, message);
	out->message = schema_printable(f->e->arena, &text, MESSAGE_BYTES);
	return false;
}

static bool run_rules(const struct frame *f)
{
	bool valid = true;

	for (size_t i = 0; i < f->node->len; i++) {
		const struct schema_rule *rule = &f->node->rules[i];

		if (rule->id >= KW_EVALUATED)
			break;
		if (!valid && rule->id >= KW_UNEVALUATED_ITEMS)
			break;
		if (!schema_spend(f->e, 1))
			return false;
		valid = evaluators[rule->id](f, rule) && valid;
		if (f->e->stop || (!valid && f->quiet))
			return false;
	}
	return valid;
}

static bool run_object(struct frame *f, struct seen *into)
{
	struct scope scope = { f->scope, f->node->resource };
	struct seen own;
	bool asks = into != NULL ||
		    f->node->rule_of[KW_UNEVALUATED_ITEMS] > 0 ||
		    f->node->rule_of[KW_UNEVALUATED_PROPERTIES] > 0;
	bool valid;

	if (f->scope == NULL || f->scope->resource != f->node->resource)
		f->scope = &scope;
	if (f->v->type != JSON_ARRAY && f->v->type != JSON_OBJECT)
		asks = false;
	f->seen = asks ? &own : NULL;
	if (asks && !seen_init(&own, f->v))
		return schema_stop(f->e, SCHEMA_NO_MEMORY, "no memory");
	valid = run_rules(f);
	if (valid && asks && into != NULL)
		seen_merge(into, &own);
	if (asks)
		seen_done(&own);
	return valid;
}

static bool apply(struct frame *f, struct seen *into)
{
	struct eval *e = f->e;
	bool valid;

	if (!schema_spend(e, 1))
		return false;
	if (e->depth == SCHEMA_DEPTH)
		return schema_stop(e, SCHEMA_TOO_DEEP,
				   "the schemas refer to one another without "
				   "end, or are nested too deep");
	if (f->node->value->type == JSON_BOOL) {
		valid = f->node->value->u.boolean;
		return valid || schema_violate(f, NULL, "is not allowed");
	}
	e->depth++;
	valid = run_object(f, into);
	e->depth--;
	return valid;
}

bool schema_apply_here(const struct frame *f, const struct schema_node *node,
		       bool quiet)
{
	struct frame here = *f;

	here.node = node;
	here.quiet = f->quiet || quiet;
	return apply(&here, f->seen);
}

bool schema_apply_at(const struct frame *f, const struct schema_node *node,
		     const struct json_value *v, const struct path *at)
{
	struct frame there = *f;

	there.node = node;
	there.v = v;
	there.path = at;
	return apply(&there, NULL);
}

bool schema_apply_quietly(const struct frame *f, const struct schema_node *node,
			  const struct json_value *v)
{
	struct frame there = *f;

	there.node = node;
	there.v = v;
	there.quiet = true;
	return apply(&there, NULL);
}

int schema_validate(const struct schema_set *set, const struct json_value *v,
		    struct arena *arena, struct schema_report *ret,
		    struct schema_fault *fault)
{
	struct schema_report report = { 0 };
	struct eval e = { .arena = arena,
			  .report = &report,
			  .steps = SCHEMA_STEPS };
	struct frame f = { .e = &e, .node = set->root, .v = v };

	if (set->root == NULL)
		return schema_fail(fault, SCHEMA_UNRESOLVED,
				   "no root document was chosen");
	report.valid = apply(&f, NULL);
	if (e.stop) {
		*fault = e.fault;
		return -EINVAL;
	}
	*ret = report;
	return 0;
}
