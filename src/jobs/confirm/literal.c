/* literal.c -- see literal.h. */
#include "jobs/confirm/literal.h"

#include <string.h>

#include "base/utf8.h"

void script_fail(struct script *s, const char *why)
{
	if (s->why == NULL)
		s->why = why;
}

/* One code point that is no printable ASCII. */
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
		script_fail(s, "a name that is no string");
		return;
	}
	at = name->u.string.bytes;
	left = name->u.string.len;
	for (;;) {
		const char *dot = memchr(at, '.', left);
		size_t len = dot != NULL ? (size_t)(dot - at) : left;

		if (!script_is_name(at, len)) {
			script_fail(s, "a name that is no plain identifier");
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
		script_fail(s, "a tag whose value is no array");
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

const char *script_tag(const struct json_value *v,
		       const struct json_value **ret)
{
	const struct json_member *m;

	if (v->type != JSON_OBJECT || v->u.object.len != 1)
		return NULL;
	m = &v->u.object.members[0];
	if (m->name.bytes[0] != '$' ||
	    memchr(m->name.bytes, '\0', m->name.len) != NULL)
		return NULL;
	*ret = &m->value;
	return m->name.bytes;
}
