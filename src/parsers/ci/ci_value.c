/* ci_value.c -- the values that an expression in a command may have.  See
 * ci_value.h.
 * Source: GitHub's workflow syntax, "jobs.<job_id>.strategy.matrix",
 * "on.workflow_call.inputs" and "env"; CircleCI's configuration reference,
 * "Reusing config"; Azure Pipelines, "Templates"; GitLab, "CI/CD inputs". */
#include "parsers/ci/ci_value.h"

#include <string.h>

#include "base/buf.h"
#include "parsers/ci/ci.h"
#include "parsers/ci/ci_template.h"

void ci_values_add(struct ci_values *v, struct json_text t)
{
	for (size_t i = 0; i < v->len; i++)
		if (text_order(v->items[i], t) == 0)
			return;
	if (v->len == CI_VALUES_MAX)
		v->is_cut = true;
	else
		v->items[v->len++] = t;
}

const struct yaml_node *ci_member(struct ci *ci, const struct yaml_node *n,
				  struct json_text name)
{
	if (n == NULL || n->type != YAML_MAPPING || name.len == 0 ||
	    ci_is_spent(ci))
		return NULL;
	ci->script_work += n->u.mapping.len / 4 + 1;
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];

		if (p->key->type == YAML_SCALAR &&
		    text_order(p->key->u.text, name) == 0)
			return p->value;
	}
	return NULL;
}

/* --- expressions -------------------------------------------------------------- */

/* How a provider writes an expression that its server replaces. */
static bool marks_of(enum ci_provider provider, const char **ret_open,
		     const char **ret_close)
{
	switch (provider) {
	case CI_GITHUB:
	case CI_FORGEJO:
	case CI_GITEA:
	case CI_AZURE:
		*ret_open = "${{";
		*ret_close = "}}";
		return true;
	case CI_GITLAB:
		*ret_open = "$[[";
		*ret_close = "]]";
		return true;
	case CI_CIRCLECI:
		*ret_open = "<<";
		*ret_close = ">>";
		return true;
	default:
		return false;
	}
}

/* "<<" begins a here document, too. */
static bool is_expression(enum ci_provider provider, struct json_text behind)
{
	while (behind.len > 0 && strchr(" \t\r", behind.bytes[0]) != NULL &&
	       behind.bytes[0] != '\0')
		behind = text_from(behind, 1);
	return provider != CI_CIRCLECI || text_begins(behind, "parameters.") ||
	       text_begins(behind, "pipeline.") ||
	       text_begins(behind, "matrix.");
}

bool ci_expression_cut(enum ci_provider provider, struct json_text text,
		       struct ci_expression *ret)
{
	const char *open, *close, *at = NULL, *end = NULL;
	bool is_found = false;
	size_t from = 0, n;

	if (!marks_of(provider, &open, &close))
		return false;
	n = strlen(open);
	while (!is_found && from < text.len) {
		struct json_text left = text_from(text, from);

		at = memmem(left.bytes, left.len, open, n);
		if (at == NULL)
			return false;
		from = (size_t)(at - text.bytes) + n;
		left = text_from(text, from);
		if (!is_expression(provider, left))
			continue;
		end = left.len > 0 ? memmem(left.bytes, left.len, close,
					    strlen(close))
				   : NULL;
		if (end == NULL)
			return false;
		ret->path = text_trim((struct json_text){
			left.bytes, (size_t)(end - left.bytes) });
		is_found = true;
	}
	if (!is_found)
		return false;
	ret->before =
		(struct json_text){ text.bytes, (size_t)(at - text.bytes) };
	end += strlen(close);
	ret->whole = (struct json_text){ at, (size_t)(end - at) };
	ret->after = text_from(text, (size_t)(end - text.bytes));
	return true;
}

/* --- values of GitHub --------------------------------------------------------- */

/* What stands at the path below n; each item of a sequence on the way counts. */
static void values_take(struct ci *ci, const struct yaml_node *n,
			struct json_text path, struct ci_values *v,
			unsigned depth)
{
	struct json_text rest, name;

	ci->script_work++;
	if (n == NULL || v->is_cut)
		return;
	if (depth > CI_NESTED_MAX) {
		v->is_cut = true;
		return;
	}
	if (n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			values_take(ci, n->u.sequence.items[i], path, v,
				    depth + 1);
	} else if (path.len > 0) {
		name = text_cut(path, '.', &rest);
		values_take(ci, ci_member(ci, n, name), rest, v, depth + 1);
	} else if (n->type == YAML_SCALAR && !yaml_is_null(n)) {
		ci_values_add(v, n->u.text);
	}
}

/* "matrix.x" with all values of x in a list, as they are. */
static bool is_listed(struct ci_flow *f, struct json_text path)
{
	const struct yaml_node *more =
		ci_member(f->ci, f->matrix, TEXT("include"));
	const struct yaml_node *list;
	struct json_text name;

	if (!text_is(text_cut(path, '.', &name), "matrix") ||
	    (more != NULL && more->type != YAML_SEQUENCE))
		return false;
	list = ci_member(f->ci, f->matrix, name);
	if (list == NULL || list->type != YAML_SEQUENCE)
		return false;
	f->ci->script_work += list->u.sequence.len;
	for (size_t i = 0; i < list->u.sequence.len; i++)
		if (list->u.sequence.items[i]->type != YAML_SCALAR ||
		    yaml_is_null(list->u.sequence.items[i]))
			return false;
	return true;
}

/* The value of the innermost place that sets it. */
static void env_take(struct ci_flow *f, struct json_text name,
		     struct ci_values *v)
{
	const struct yaml_node *n = NULL;

	for (size_t i = CI_ENV_MAX_; i > 0 && n == NULL; i--)
		n = ci_member(f->ci, f->env[i - 1], name);
	if (n != NULL && n->type == YAML_SCALAR)
		ci_values_add(v, n->u.text);
}

static void github_take(struct ci_flow *f, struct json_text path,
			struct ci_values *v)
{
	struct json_text rest, first = text_cut(path, '.', &rest);
	const struct yaml_node *input;
	struct ci *ci = f->ci;

	if (text_is(first, "matrix")) {
		values_take(ci, f->matrix, rest, v, 0);
		values_take(ci, ci_member(ci, f->matrix, TEXT("include")), rest,
			    v, 0);
	} else if (text_is(first, "env")) {
		env_take(f, rest, v);
	} else if (text_is(first, "inputs")) {
		input = ci_member(ci, f->inputs, rest);
		values_take(ci, ci_member(ci, input, TEXT("default")), TEXT(""),
			    v, 0);
		values_take(ci, ci_member(ci, input, TEXT("options")), TEXT(""),
			    v, 0);
	}
}

/* --- values of CircleCI ------------------------------------------------------- */

static void expand_in(struct ci_flow *f, const struct ci_scope *scope,
		      struct json_text text, struct ci_values *v,
		      unsigned depth);

/* What is given for a parameter, in the words of who gives it, or its default. */
static void parameter_take(struct ci_flow *f, const struct ci_scope *scope,
			   struct json_text name, struct ci_values *v,
			   unsigned depth)
{
	struct ci *ci = f->ci;
	const struct yaml_node *given = ci_member(ci, scope->given, name);
	const struct yaml_node *matrix = ci_member(ci, scope->matrix, name);

	if (matrix != NULL)
		values_take(ci, matrix, TEXT(""), v, 0);
	else if (given != NULL && given->type == YAML_SCALAR)
		expand_in(f, scope->outer, given->u.text, v, depth + 1);
	else if (given == NULL)
		values_take(ci,
			    ci_member(ci, ci_member(ci, scope->declared, name),
				      TEXT("default")),
			    TEXT(""), v, 0);
}

static void circle_take(struct ci_flow *f, const struct ci_scope *scope,
			struct json_text path, struct ci_values *v,
			unsigned depth)
{
	if (text_begins(path, "pipeline.parameters."))
		values_take(f->ci,
			    ci_member(f->ci,
				      ci_member(f->ci, f->inputs,
						text_from(path, 20)),
				      TEXT("default")),
			    TEXT(""), v, 0);
	else if (text_begins(path, "parameters.") && scope != NULL)
		parameter_take(f, scope, text_from(path, 11), v, depth);
}

/* --- texts with values -------------------------------------------------------- */

static void path_take(struct ci_flow *f, const struct ci_scope *scope,
		      struct json_text path, struct ci_values *v,
		      unsigned depth)
{
	if (ci_is_github(f->provider))
		github_take(f, path, v);
	else if (f->provider == CI_CIRCLECI)
		circle_take(f, scope, path, v, depth);
	else
		ci_template_values(f->ci, f->in, f->provider, path, v, depth);
	/* A value that is computed is not known. */
	for (size_t i = 0; i < v->len; i++)
		if (text_has(v->items[i], "${{") ||
		    text_has(v->items[i], "$[["))
			v->len = 0;
}

/* Texts on their way: what is before is put together. */
struct expansion {
	struct ci_flow *f;
	const struct ci_scope *scope;
	struct ci_values *out;
	unsigned depth, tries;
};

static struct json_text joined(struct ci_values *v, struct json_text a,
			       struct json_text b)
{
	char *text = a.len + b.len < CI_LINE_BYTES
			     ? arena_alloc(v->arena, a.len + b.len + 1)
			     : NULL;

	if (text == NULL) {
		v->is_open = v->is_cut = true;
		return (struct json_text){ NULL, 0 };
	}
	if (a.len > 0)
		memcpy(text, a.bytes, a.len);
	if (b.len > 0)
		memcpy(text + a.len, b.bytes, b.len);
	return (struct json_text){ text, a.len + b.len };
}

/* The value of an expression that was met before; the same one has it again. */
struct chosen {
	struct json_text path, value;
	const struct chosen *before;
	unsigned parts; /* with those before */
};

static const struct chosen *chosen_find(const struct chosen *c,
					struct json_text path)
{
	while (c != NULL && text_order(c->path, path) != 0)
		c = c->before;
	return c;
}

static void texts_add(struct expansion *x, struct json_text before,
		      struct json_text rest, const struct chosen *chosen)
{
	const unsigned parts = chosen != NULL ? chosen->parts : 0;
	struct ci_values values = { .arena = x->out->arena };
	const struct chosen *same;
	struct ci_expression e;

	x->f->ci->script_work += rest.len / 4 + 16;
	if (x->tries == 0 || before.bytes == NULL || parts > CI_PARTS_MAX ||
	    ci_is_spent(x->f->ci)) {
		x->out->is_open = x->out->is_cut = true;
		return;
	}
	x->tries--;
	if (!ci_expression_cut(x->f->provider, rest, &e)) {
		before = joined(x->out, before, rest);
		if (before.bytes != NULL)
			ci_values_add(x->out, before);
		return;
	}
	same = chosen_find(chosen, e.path);
	if (same != NULL)
		ci_values_add(&values, same->value);
	else
		path_take(x->f, x->scope, e.path, &values, x->depth);
	x->out->is_cut |= values.is_cut;
	if (values.len == 0) {
		x->out->is_open = true;
		return;
	}
	before = joined(x->out, before, e.before);
	for (size_t i = 0; i < values.len && before.bytes != NULL; i++) {
		const struct chosen next = { e.path, values.items[i], chosen,
					     parts + 1 };

		texts_add(x, joined(x->out, before, values.items[i]), e.after,
			  &next);
	}
}

static void expand_in(struct ci_flow *f, const struct ci_scope *scope,
		      struct json_text text, struct ci_values *v,
		      unsigned depth)
{
	struct expansion x = { .f = f,
			       .scope = scope,
			       .out = v,
			       .depth = depth,
			       .tries = CI_TRIES_MAX };

	if (depth <= CI_VALUE_DEPTH)
		texts_add(&x, TEXT(""), text, NULL);
	else
		v->is_cut = true;
}

void ci_values_expand(struct ci_flow *f, struct json_text text,
		      struct ci_values *v)
{
	expand_in(f, f->scope, text, v, 0);
}

bool ci_values_decide(struct ci_flow *f, struct json_text text,
		      const struct ci_values *v)
{
	struct ci_expression e;

	if (f->provider == CI_CIRCLECI)
		return !v->is_open;
	if (!ci_is_github(f->provider) || v->is_open || v->is_cut)
		return false;
	while (ci_expression_cut(f->provider, text, &e)) {
		if (!is_listed(f, e.path))
			return false;
		text = e.after;
	}
	return true;
}

void ci_values_open(struct ci_flow *f, struct json_text text,
		    struct ci_values *ret)
{
	struct ci_expression e;

	while (ci_expression_cut(f->provider, text, &e)) {
		struct ci_values values = { .arena = ret->arena };

		path_take(f, f->scope, e.path, &values, 0);
		if (values.len == 0)
			ci_values_add(ret, e.whole);
		text = e.after;
	}
}
