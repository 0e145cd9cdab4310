/* pretty.c -- JSON for people and terminals. */
#include "cli/pretty.h"

#include <stdint.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "base/utf8.h"
#include "boundary/json.h"
#include "cli/cli.h"

static void write_value(struct jsonw *w, const char *key,
			const struct json_value *v);

static void write_array(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < v->u.array.len; i++)
		write_value(w, NULL, &v->u.array.items[i]);
	jsonw_end_array(w);
}

static void write_object(struct jsonw *w, const char *key,
			 const struct json_value *v)
{
	jsonw_object(w, key);
	for (size_t i = 0; i < v->u.object.len; i++)
		write_value(w, v->u.object.members[i].name.bytes,
			    &v->u.object.members[i].value);
	jsonw_end_object(w);
}

/* The depth is limited to what json_parse accepts. */
static void write_value(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	switch (v->type) {
	case JSON_NULL:
		jsonw_null(w, key);
		break;
	case JSON_BOOL:
		jsonw_bool(w, key, v->u.boolean);
		break;
	case JSON_NUMBER:
		jsonw_raw(w, key, v->u.number.bytes, v->u.number.len);
		break;
	case JSON_STRING:
		jsonw_bytes(w, key, v->u.string.bytes, v->u.string.len);
		break;
	case JSON_ARRAY:
		write_array(w, key, v);
		break;
	case JSON_OBJECT:
		write_object(w, key, v);
		break;
	case JSON_TYPE_MAX_:
		break;
	}
}

void pretty_write(const struct json_value *v, struct buf *out)
{
	struct jsonw w = { .out = out, .indent = 2 };

	write_value(&w, NULL, v);
}

/* Write the same bytes to out, with DEL and C1 as \u00XX. */
static void pretty_escape(const char *json, size_t n, struct buf *out)
{
	size_t i = 0;

	while (i < n) {
		uint32_t code = 0;
		size_t len = utf8_read(json + i, n - i, &code);

		if (len == 0)
			len = 1; /* jsonw never writes these */
		/* Line ends come from the layout; within a string they are
		 * escaped. */
		if (code >= 0x7f && utf8_is_control(code))
			buf_format(out, "\\u%04x", (unsigned)code);
		else
			buf_add(out, json + i, len);
		i += len;
	}
}

int pretty_print(const char *json, size_t n)
{
	owned_buf struct buf out = { 0 };

	if (isatty(STDOUT_FILENO) == 1)
		pretty_escape(json, n, &out);
	else
		buf_add(&out, json, n);
	if (n > 0 && json[n - 1] != '\n')
		buf_char(&out, '\n');
	return cli_print(&out);
}
