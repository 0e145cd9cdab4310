/* reproduce_node.c -- writes a script of JavaScript.  The values of
 * src/runners/node/call.js are written as one would by hand. */
#include <string.h>

#include "jobs/confirm/literal.h"

static void pair_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s, "an entry is not a pair of a key and a value");
		return;
	}
	/* A computed key, so that "__proto__" is a member of that name, too. */
	buf_char(s->out, '[');
	script_value(s, &v->u.array.items[0]);
	buf_text(s->out, "]: ");
	script_value(s, &v->u.array.items[1]);
}

static void object_write(struct script *s, const struct json_value *v)
{
	script_items(s, v, "{ ", " }", pair_write);
}

static void float_write(struct script *s, const struct json_value *v)
{
	static const char *const words[][2] = { { "nan", "NaN" },
						{ "inf", "Infinity" },
						{ "-inf", "-Infinity" },
						{ "-0", "-0" } };

	for (size_t i = 0; i < 4; i++)
		if (json_is_text(v, words[i][0])) {
			buf_text(s->out, words[i][1]);
			return;
		}
	script_fail(s, "a float is not nan, inf, -inf or -0");
}

static void regexp_write(struct script *s, const struct json_value *v)
{
	script_items(s, v, "new RegExp(", ")", script_string);
}

static void undefined_write(struct script *s, const struct json_value *v)
{
	(void)v;
	buf_text(s->out, "undefined");
}

static void member_write(struct script *s, const struct json_value *v)
{
	const struct json_text *t = &v->u.string;
	const char *dot;
	struct json_value rest = *v;
	size_t len;

	if (v->type != JSON_STRING) {
		script_fail(s, "a name is not a string");
		return;
	}
	dot = memchr(t->bytes, '.', t->len);
	len = dot != NULL ? (size_t)(dot - t->bytes) : t->len;
	buf_text(s->out, "hand(");
	script_text(s, t->bytes, len);
	buf_char(s->out, ')');
	if (dot == NULL)
		return;
	rest.u.string.bytes = dot + 1;
	rest.u.string.len = t->len - len - 1;
	script_path(s, "", &rest);
}

/* The values of a group, with a rest spread out. */
static void list_write(struct script *s, const struct json_value *group,
		       const char *open, const char *close)
{
	buf_text(s->out, open);
	for (size_t i = 0; i < group->u.array.len; i++) {
		const struct json_value *a = &group->u.array.items[i];

		buf_text(s->out, i > 0 ? ", " : "");
		if (json_is_text(json_find(a, "by"), "rest"))
			buf_text(s->out, "...");
		script_value(s, json_find(a, "value"));
	}
	buf_text(s->out, close);
}

static void new_write(struct script *s, const struct json_value *v)
{
	const struct json_value *arguments = json_find(v, "arguments");
	const struct json_value *type = json_find(v, "type");

	if (arguments == NULL || arguments->type != JSON_ARRAY ||
	    type == NULL) {
		script_fail(s,
			    "an instance has no type, or no list of arguments");
		return;
	}
	buf_text(s->out, "new (");
	member_write(s, type);
	list_write(s, arguments, ")(", ")");
}

static const struct script_tag tags[] = {
	{ "$undefined", "", undefined_write, "" },
	{ "$float", "", float_write, "" },
	{ "$object", "", object_write, "" },
	{ "$stub", "", object_write, "" },
	{ "$dict", "", object_write, "" },
	{ "$regexp", "", regexp_write, "" },
	{ "$member", "", member_write, "" },
	{ "$new", "", new_write, "" },
	{ "$bigint", "BigInt(", script_string, ")" },
	{ "$map", "new Map(", script_value, ")" },
	{ "$set", "new Set(", script_value, ")" },
	{ "$bytes", "Buffer.from(", script_string, ", 'hex')" },
	{ "$date", "new Date(", script_value, ")" },
	{ "$call", "function () { return ", script_value, "; }" },
	{ "$throw", "function () { throw new Error(", script_string, "); }" },
	{ "$iter", "", script_value, "[Symbol.iterator]()" },
	{ "$promise", "Promise.resolve(", script_value, ")" },
	{ "$reject", "Promise.reject(new Error(", script_value, "))" },
	{ "$error", "new Error(", script_string, ")" },
};

/* An object without a tag is written as it is. */
static void members_write(struct script *s, const struct json_value *v)
{
	buf_text(s->out, "{ ");
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		buf_text(s->out, i > 0 ? ", [" : "[");
		script_text(s, m->name.bytes, m->name.len);
		buf_text(s->out, "]: ");
		script_value(s, &m->value);
	}
	buf_text(s->out, " }");
}

const struct literal node_literal = {
	"null", "false", "true", tags, sizeof tags / sizeof *tags, members_write
};

/* Write as plain JSON, in ASCII, what the synthesis says about the function. */
static void target_write(struct script *s, const struct json_value *v)
{
	if (s->depth++ > LITERAL_DEPTH || v->type != JSON_OBJECT) {
		script_value(s, v);
	} else {
		members_write(s, v);
	}
	s->depth--;
}

static void target_fill(struct script *s, const struct reproduce_facts *f)
{
	static const char *const wanted[] = { "module", "ways",     "this",
					      "locals", "receiver", "member" };
	const struct json_value *target = json_find(f->synthesis, "target");
	const char *comma = "";

	if (target == NULL || target->type != JSON_OBJECT) {
		script_fail(s, "the way to the function is missing");
		return;
	}
	buf_text(s->out, "{ ");
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		const struct json_value *v = json_find(target, wanted[i]);

		if (v == NULL)
			continue;
		buf_format(s->out, "%s%s: ", comma, wanted[i]);
		target_write(s, v);
		comma = ", ";
	}
	buf_text(s->out, " }");
}

static void instance_fill(struct script *s, const struct reproduce_facts *f)
{
	const struct json_value *receiver = json_find(f->witness, "receiver");

	if (receiver != NULL)
		list_write(s, receiver, "(", ")");
	else
		buf_text(s->out, "()");
}

static void arguments_fill(struct script *s, const struct reproduce_facts *f)
{
	list_write(s, json_find(f->witness, "arguments"), "[", "]");
}

const struct script_fill node_fills[] = {
	{ "TARGET", target_fill },
	{ "INSTANCE", instance_fill },
	{ "ARGUMENTS", arguments_fill },
	{ NULL, NULL },
};
