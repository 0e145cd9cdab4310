/* reproduce_python.c -- a script of Python: the module found and the function
 * called as src/runners/python/call.py does, the values of decode.py as what
 * one would write by hand. */
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

static void tuple_write(struct script *s, const struct json_value *v)
{
	bool is_one = v->type == JSON_ARRAY && v->u.array.len == 1;

	script_items(s, v, "(", is_one ? ",)" : ")", value_write);
}

static void set_write(struct script *s, const struct json_value *v)
{
	if (v->type == JSON_ARRAY && v->u.array.len == 0)
		buf_text(s->out, "set()");
	else
		script_items(s, v, "{", "}", value_write);
}

static void bytes_write(struct script *s, const struct json_value *v)
{
	const struct json_text *t = &v->u.string;

	if (v->type != JSON_STRING || t->len % 2 != 0 ||
	    strspn(t->bytes, "0123456789abcdefABCDEF") != t->len) {
		script_fail(s, "bytes that are not hexadecimal");
		return;
	}
	buf_text(s->out, "b\"");
	for (size_t i = 0; i < t->len; i += 2)
		buf_format(s->out, "\\x%.2s", t->bytes + i);
	buf_char(s->out, '"');
}

/* A pair of a $dict. */
static void pair_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s, "a pair that is none");
		return;
	}
	value_write(s, &v->u.array.items[0]);
	buf_text(s->out, ": ");
	value_write(s, &v->u.array.items[1]);
}

static void dict_write(struct script *s, const struct json_value *v)
{
	script_items(s, v, "{", "}", pair_write);
}

static void attribute_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s, "an attribute that is none");
		return;
	}
	buf_char(s->out, '(');
	text_value(s, &v->u.array.items[0]);
	buf_text(s->out, ", ");
	value_write(s, &v->u.array.items[1]);
	buf_char(s->out, ')');
}

static void stub_write(struct script *s, const struct json_value *v)
{
	buf_format(s->out, "stub(lambda s%u: ", s->stubs++);
	script_items(s, v, "[", "])", attribute_write);
	s->stubs--;
}

static void up_write(struct script *s, const struct json_value *v)
{
	uint64_t n = 0;

	if (json_read_u64(v, &n) < 0 || n >= s->stubs)
		script_fail(s, "a stub that is not around it");
	else
		buf_format(s->out, "s%u", s->stubs - 1 - (unsigned)n);
}

static void member_write(struct script *s, const struct json_value *v)
{
	script_path(s, "module", v);
}

/* Arguments between brackets: by position first, as Python wants them. */
static void group_write(struct script *s, const struct json_value *group)
{
	static const char *const order[] = { "position", "rest", "name",
					     "restnamed" };
	const char *comma = "";

	buf_char(s->out, '(');
	for (size_t o = 0; o < 4; o++)
		for (size_t i = 0; i < group->u.array.len; i++) {
			const struct json_value *a = &group->u.array.items[i];
			const struct json_value *name = json_find(a, "name");

			if (!json_is_text(json_find(a, "by"), order[o]))
				continue;
			buf_text(s->out, comma);
			comma = ", ";
			if (o == 2) {
				buf_text(s->out, "**{");
				text_value(s, name);
				buf_text(s->out, ": ");
			}
			buf_text(s->out, o == 1 ? "*" : o == 3 ? "**" : "");
			value_write(s, json_find(a, "value"));
			buf_text(s->out, o == 2 ? "}" : "");
		}
	buf_char(s->out, ')');
}

static void new_write(struct script *s, const struct json_value *v)
{
	const struct json_value *arguments = json_find(v, "arguments");

	if (arguments == NULL || arguments->type != JSON_ARRAY) {
		script_fail(s, "an instance without arguments");
		return;
	}
	member_write(s, json_find(v, "type"));
	group_write(s, arguments);
}

static void type_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_STRING ||
	    !script_is_name(v->u.string.bytes, v->u.string.len))
		script_fail(s, "a type that is no name");
	else
		buf_add(s->out, v->u.string.bytes, v->u.string.len);
}

/* tag -> text before the value, the value, text behind it. */
static const struct tag_row {
	const char *tag, *before;
	script_write_fn *write;
	const char *after;
} tags[] = {
	{ "$tuple", "", tuple_write, "" },
	{ "$set", "", set_write, "" },
	{ "$dict", "", dict_write, "" },
	{ "$bytes", "", bytes_write, "" },
	{ "$stub", "", stub_write, "" },
	{ "$up", "", up_write, "" },
	{ "$member", "", member_write, "" },
	{ "$new", "", new_write, "" },
	{ "$type", "", type_write, "" },
	{ "$frozenset", "frozenset(", value_write, ")" },
	{ "$deque", "collections.deque(", value_write, ")" },
	{ "$iter", "iter(", value_write, ")" },
	{ "$aiter", "aiter_of(", value_write, ")" },
	{ "$await", "await_of(", value_write, ")" },
	{ "$file", "file_of(", value_write, ")" },
	{ "$range", "range(*", value_write, ")" },
	{ "$call", "(lambda v: lambda *_, **__: v)(", value_write, ")" },
	{ "$float", "float(", text_value, ")" },
	{ "$text", "\"\".join(map(chr, ", value_write, "))" },
	{ "$complex", "complex(*map(float, ", value_write, "))" },
	{ "$decimal", "decimal.Decimal(", value_write, ")" },
	{ "$fraction", "fractions.Fraction(", value_write, ")" },
	{ "$path", "pathlib.Path(", value_write, ")" },
	{ "$uuid", "uuid.UUID(", value_write, ")" },
	{ "$date", "datetime.date.fromisoformat(", text_value, ")" },
	{ "$time", "datetime.time.fromisoformat(", text_value, ")" },
	{ "$datetime", "datetime.datetime.fromisoformat(", text_value, ")" },
	{ "$timedelta", "datetime.timedelta(seconds=", value_write, ")" },
};

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
	script_fail(s, "a value without a literal");
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
		buf_text(s->out, "None");
		break;
	case JSON_BOOL:
		buf_text(s->out, v->u.boolean ? "True" : "False");
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

/* Where the last part of a dotted name begins. */
static const char *last_part(const struct json_value *name)
{
	const char *dot =
		memrchr(name->u.string.bytes, '.', name->u.string.len);

	return dot != NULL ? dot + 1 : name->u.string.bytes;
}

static void owner_fill(struct script *s, const struct reproduce_facts *f)
{
	struct json_value owner = *json_find(f->synthesis, "function");
	const char *last = last_part(&owner);

	owner.u.string.len = (size_t)(last - owner.u.string.bytes);
	if (owner.u.string.len-- > 0)
		script_path(s, "", &owner);
}

static void instance_fill(struct script *s, const struct reproduce_facts *f)
{
	const struct json_value *receiver = json_find(f->witness, "receiver");

	buf_text(s->out, receiver != NULL ? "owner" : "None");
	if (receiver != NULL)
		group_write(s, receiver);
}

static void function_fill(struct script *s, const struct reproduce_facts *f)
{
	const struct json_value *name = json_find(f->synthesis, "function");
	const char *last = last_part(name);

	script_text(s, last,
		    name->u.string.len - (size_t)(last - name->u.string.bytes));
}

static void arguments_fill(struct script *s, const struct reproduce_facts *f)
{
	group_write(s, json_find(f->witness, "arguments"));
}

const struct script_fill python_fills[] = {
	{ "OWNER", owner_fill },
	{ "INSTANCE", instance_fill },
	{ "FUNCTION", function_fill },
	{ "ARGUMENTS", arguments_fill },
	{ NULL, NULL },
};
