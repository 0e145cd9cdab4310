/* reproduce_python.c -- writes a script of Python.  It finds the module and
 * calls the function as src/runners/python/call.py does.  The values of
 * decode.py are written as one would by hand. */
#include <string.h>

#include "jobs/confirm/literal.h"

static void tuple_write(struct script *s, const struct json_value *v)
{
	bool is_one = v->type == JSON_ARRAY && v->u.array.len == 1;

	script_items(s, v, "(", is_one ? ",)" : ")", script_value);
}

static void set_write(struct script *s, const struct json_value *v)
{
	if (v->type == JSON_ARRAY && v->u.array.len == 0)
		buf_text(s->out, "set()");
	else
		script_items(s, v, "{", "}", script_value);
}

static void bytes_write(struct script *s, const struct json_value *v)
{
	const struct json_text *t = &v->u.string;

	if (v->type != JSON_STRING || t->len % 2 != 0 ||
	    strspn(t->bytes, "0123456789abcdefABCDEF") != t->len) {
		script_fail(s, "bytes are not hexadecimal");
		return;
	}
	buf_text(s->out, "b\"");
	for (size_t i = 0; i < t->len; i += 2)
		buf_format(s->out, "\\x%.2s", t->bytes + i);
	buf_char(s->out, '"');
}

/* One pair of a $dict. */
static void pair_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s, "an entry is not a pair of a key and a value");
		return;
	}
	script_value(s, &v->u.array.items[0]);
	buf_text(s->out, ": ");
	script_value(s, &v->u.array.items[1]);
}

static void dict_write(struct script *s, const struct json_value *v)
{
	script_items(s, v, "{", "}", pair_write);
}

static void attribute_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len != 2) {
		script_fail(s,
			    "an attribute is not a pair of a name and a value");
		return;
	}
	buf_char(s->out, '(');
	script_string(s, &v->u.array.items[0]);
	buf_text(s->out, ", ");
	script_value(s, &v->u.array.items[1]);
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
		script_fail(s, "a stub refers to one that it is not inside of");
	else
		buf_format(s->out, "s%u", s->stubs - 1 - (unsigned)n);
}

static void member_write(struct script *s, const struct json_value *v)
{
	script_path(s, "module", v);
}

/* The arguments between the brackets, those by position first, as Python
 * wants. */
static void group_write(struct script *s, const struct json_value *group)
{
	static const char *const order[] = { "position", "rest", "name",
					     "restnamed" };
	const char *comma = "";
	size_t written = 0;

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
				script_string(s, name);
				buf_text(s->out, ": ");
			}
			buf_text(s->out, o == 1 ? "*" : o == 3 ? "**" : "");
			script_value(s, json_find(a, "value"));
			buf_text(s->out, o == 2 ? "}" : "");
			written++;
		}
	if (written != group->u.array.len)
		script_fail(s, "an argument is passed in an unknown way");
	buf_char(s->out, ')');
}

static void new_write(struct script *s, const struct json_value *v)
{
	const struct json_value *arguments = json_find(v, "arguments");

	if (arguments == NULL || arguments->type != JSON_ARRAY) {
		script_fail(s, "an instance has no list of arguments");
		return;
	}
	member_write(s, json_find(v, "type"));
	group_write(s, arguments);
}

static void type_write(struct script *s, const struct json_value *v)
{
	if (v->type != JSON_STRING ||
	    !script_is_name(v->u.string.bytes, v->u.string.len))
		script_fail(s, "a type is not a name");
	else
		buf_add(s->out, v->u.string.bytes, v->u.string.len);
}

static const struct script_tag tags[] = {
	{ "$tuple", "", tuple_write, "" },
	{ "$set", "", set_write, "" },
	{ "$dict", "", dict_write, "" },
	{ "$bytes", "", bytes_write, "" },
	{ "$stub", "", stub_write, "" },
	{ "$up", "", up_write, "" },
	{ "$member", "", member_write, "" },
	{ "$new", "", new_write, "" },
	{ "$type", "", type_write, "" },
	{ "$frozenset", "frozenset(", script_value, ")" },
	{ "$deque", "collections.deque(", script_value, ")" },
	{ "$iter", "iter(", script_value, ")" },
	{ "$aiter", "aiter_of(", script_value, ")" },
	{ "$await", "await_of(", script_value, ")" },
	{ "$file", "file_of(", script_value, ")" },
	{ "$range", "range(*", script_value, ")" },
	{ "$call", "(lambda v: lambda *_, **__: v)(", script_value, ")" },
	{ "$float", "float(", script_string, ")" },
	{ "$text", "\"\".join(map(chr, ", script_value, "))" },
	{ "$complex", "complex(*map(float, ", script_value, "))" },
	{ "$decimal", "decimal.Decimal(", script_value, ")" },
	{ "$fraction", "fractions.Fraction(", script_value, ")" },
	{ "$path", "pathlib.Path(", script_value, ")" },
	{ "$uuid", "uuid.UUID(", script_value, ")" },
	{ "$date", "datetime.date.fromisoformat(", script_string, ")" },
	{ "$time", "datetime.time.fromisoformat(", script_string, ")" },
	{ "$datetime", "datetime.datetime.fromisoformat(", script_string, ")" },
	{ "$timedelta", "datetime.timedelta(seconds=", script_value, ")" },
};

const struct literal python_literal = {
	"None", "False", "True", tags, sizeof tags / sizeof *tags, NULL
};

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
