/* reproduce_node.c -- a script of JavaScript: the values of
 * src/runners/node/call.js as what one would write by hand. */
#include <string.h>

#include "jobs/confirm/literal.h"

static void value_write(struct script *s, const struct json_value *v);

static void text_value(struct script *s, const struct json_value *v)
{
	if (v->type == JSON_STRING)
		script_text(s, v->u.string.bytes, v->u.string.len);
	else
		script_fail(s, "a tag whose value is no string");
}

static void pair_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s, "a pair that is none");
		return;
	}
	/* Computed: a member of that name, "__proto__" too. */
	buf_char(s->out, '[');
	value_write(s, &v->u.array.items[0]);
	buf_text(s->out, "]: ");
	value_write(s, &v->u.array.items[1]);
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
	script_fail(s, "a float that is none");
}

static void regexp_write(struct script *s, const struct json_value *v)
{
	script_items(s, v, "new RegExp(", ")", text_value);
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
		script_fail(s, "a name that is no string");
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

/* The values of a group; a rest is spread. */
static void list_write(struct script *s, const struct json_value *group,
		       const char *open, const char *close)
{
	buf_text(s->out, open);
	for (size_t i = 0; i < group->u.array.len; i++) {
		const struct json_value *a = &group->u.array.items[i];

		buf_text(s->out, i > 0 ? ", " : "");
		if (json_is_text(json_find(a, "by"), "rest"))
			buf_text(s->out, "...");
		value_write(s, json_find(a, "value"));
	}
	buf_text(s->out, close);
}

static void new_write(struct script *s, const struct json_value *v)
{
	const struct json_value *arguments = json_find(v, "arguments");
	const struct json_value *type = json_find(v, "type");

	if (arguments == NULL || arguments->type != JSON_ARRAY ||
	    type == NULL) {
		script_fail(s, "an instance without arguments");
		return;
	}
	buf_text(s->out, "new (");
	member_write(s, type);
	list_write(s, arguments, ")(", ")");
}

/* tag -> text before the value, the value, text behind it. */
static const struct tag_row {
	const char *tag, *before;
	script_write_fn *write;
	const char *after;
} tags[] = {
	{ "$undefined", "", undefined_write, "" },
	{ "$float", "", float_write, "" },
	{ "$object", "", object_write, "" },
	{ "$stub", "", object_write, "" },
	{ "$dict", "", object_write, "" },
	{ "$regexp", "", regexp_write, "" },
	{ "$member", "", member_write, "" },
	{ "$new", "", new_write, "" },
	{ "$bigint", "BigInt(", text_value, ")" },
	{ "$map", "new Map(", value_write, ")" },
	{ "$set", "new Set(", value_write, ")" },
	{ "$bytes", "Buffer.from(", text_value, ", 'hex')" },
	{ "$date", "new Date(", value_write, ")" },
	{ "$call", "function () { return ", value_write, "; }" },
	{ "$throw", "function () { throw new Error(", text_value, "); }" },
	{ "$iter", "", value_write, "[Symbol.iterator]()" },
	{ "$promise", "Promise.resolve(", value_write, ")" },
	{ "$reject", "Promise.reject(new Error(", value_write, "))" },
	{ "$error", "new Error(", text_value, ")" },
};

/* An object without a tag is itself. */
static void members_write(struct script *s, const struct json_value *v)
{
	buf_text(s->out, "{ ");
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		buf_text(s->out, i > 0 ? ", [" : "[");
		script_text(s, m->name.bytes, m->name.len);
		buf_text(s->out, "]: ");
		value_write(s, &m->value);
	}
	buf_text(s->out, " }");
}

static void tag_write(struct script *s, const struct json_value *v)
{
	const struct json_value *inner = NULL;
	const char *tag = script_tag(v, &inner);

	for (size_t i = 0; tag != NULL && i < sizeof tags / sizeof *tags; i++)
		if (strcmp(tags[i].tag, tag) == 0) {
			buf_text(s->out, tags[i].before);
			tags[i].write(s, inner);
			buf_text(s->out, tags[i].after);
			return;
		}
	if (tag != NULL)
		script_fail(s, "a value without a literal");
	else
		members_write(s, v);
}

static void value_write(struct script *s, const struct json_value *v)
{
	if (v == NULL || s->depth == LITERAL_DEPTH) {
		script_fail(s, "a value that is too deep");
		return;
	}
	s->depth++;
	switch (v->type) {
	case JSON_NULL:
		buf_text(s->out, "null");
		break;
	case JSON_BOOL:
		buf_text(s->out, v->u.boolean ? "true" : "false");
		break;
	case JSON_NUMBER:
		buf_add(s->out, v->u.number.bytes, v->u.number.len);
		break;
	case JSON_STRING:
		text_value(s, v);
		break;
	case JSON_ARRAY:
		script_items(s, v, "[", "]", value_write);
		break;
	default:
		tag_write(s, v);
	}
	s->depth--;
}

/* Plain JSON, in ASCII; what the synthesis says of the function. */
static void target_write(struct script *s, const struct json_value *v)
{
	if (s->depth++ > LITERAL_DEPTH || v->type != JSON_OBJECT) {
		value_write(s, v);
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
		script_fail(s, "a function that is not told how to reach");
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
