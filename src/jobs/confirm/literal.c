/* literal.c -- see literal.h. */
#include "jobs/confirm/literal.h"

#include <string.h>

#include "base/utf8.h"

void script_fail(struct script *s, const char *why)
{
	if (s->why == NULL)
		s->why = why;
}

/* Escape one code point that is not printable ASCII. */
static void escape(struct script *s, uint32_t code)
{
	if (code < 0x10000)
		buf_format(s->out, "\\u%04x", code);
	else if (s->language == LANGUAGE_PYTHON)
		buf_format(s->out, "\\U%08x", code);
	else
		buf_format(s->out, "\\u{%x}", code);
}

void script_text(struct script *s, const char *bytes, size_t n)
{
	buf_char(s->out, '"');
	while (n > 0) {
		uint32_t code = 0;
		size_t len = utf8_read(bytes, n, &code);

		if (len == 0) {
			code = 0xfffd;
			len = 1;
		}
		if (code == '"' || code == '\\')
			buf_format(s->out, "\\%c", (int)code);
		else if (code == '\n')
			buf_text(s->out, "\\n");
		else if (code >= 32 && code < 127)
			buf_char(s->out, (char)code);
		else
			escape(s, code);
		bytes += len;
		n -= len;
	}
	buf_char(s->out, '"');
}

bool script_is_name(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i];
		bool is_letter =
			((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';

		if (!is_letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return n > 0;
}

void script_path(struct script *s, const char *prefix,
		 const struct json_value *name)
{
	const char *at;
	size_t left;

	buf_text(s->out, prefix);
	if (name == NULL || name->type != JSON_STRING) {
		script_fail(s, "a name is not a string");
		return;
	}
	at = name->u.string.bytes;
	left = name->u.string.len;
	for (;;) {
		const char *dot = memchr(at, '.', left);
		size_t len = dot != NULL ? (size_t)(dot - at) : left;

		if (!script_is_name(at, len)) {
			script_fail(s, "a name is not a plain identifier");
			return;
		}
		buf_char(s->out, '.');
		buf_add(s->out, at, len);
		if (dot == NULL)
			return;
		at += len + 1;
		left -= len + 1;
	}
}

void script_items(struct script *s, const struct json_value *array,
		  const char *open, const char *close, script_write_fn *write)
{
	if (array == NULL || array->type != JSON_ARRAY) {
		script_fail(s, "the value of a tag is not an array");
		return;
	}
	buf_text(s->out, open);
	for (size_t i = 0; i < array->u.array.len; i++) {
		if (i > 0)
			buf_text(s->out, ", ");
		write(s, &array->u.array.items[i]);
	}
	buf_text(s->out, close);
}

void script_string(struct script *s, const struct json_value *v)
{
	if (v != NULL && v->type == JSON_STRING)
		script_text(s, v->u.string.bytes, v->u.string.len);
	else
		script_fail(s, "the value of a tag is not a string");
}

/* The name and value of an object whose one member is a tag; NULL for
 * everything else. */
static const char *tag_of(const struct json_value *v,
			  const struct json_value **ret)
{
	const struct json_member *m;

	if (v->u.object.len != 1)
		return NULL;
	m = &v->u.object.members[0];
	if (m->name.bytes[0] != '$' ||
	    memchr(m->name.bytes, '\0', m->name.len) != NULL)
		return NULL;
	*ret = &m->value;
	return m->name.bytes;
}

static void object_write(struct script *s, const struct json_value *v)
{
	const struct literal *l = s->literal;
	const struct json_value *inner = NULL;
	const char *tag = tag_of(v, &inner);

	for (size_t i = 0; tag != NULL && i < l->tags_len; i++)
		if (strcmp(l->tags[i].tag, tag) == 0) {
			buf_text(s->out, l->tags[i].before);
			l->tags[i].write(s, inner);
			buf_text(s->out, l->tags[i].after);
			return;
		}
	if (tag != NULL || l->object == NULL)
		script_fail(s, "a value has no literal in this language");
	else
		l->object(s, v);
}

void script_value(struct script *s, const struct json_value *v)
{
	if (v == NULL || s->depth == LITERAL_DEPTH) {
		script_fail(s, "a value is missing, or nested too deep");
		return;
	}
	s->depth++;
	switch (v->type) {
	case JSON_NULL:
		buf_text(s->out, s->literal->null);
		break;
	case JSON_BOOL:
		buf_text(s->out,
			 v->u.boolean ? s->literal->yes : s->literal->no);
		break;
	case JSON_NUMBER:
		buf_add(s->out, v->u.number.bytes, v->u.number.len);
		break;
	case JSON_STRING:
		script_string(s, v);
		break;
	case JSON_ARRAY:
		script_items(s, v, "[", "]", script_value);
		break;
	default:
		object_write(s, v);
	}
	s->depth--;
}
