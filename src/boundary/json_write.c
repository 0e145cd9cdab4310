/* json_write.c -- a value tree as JSON: as it was read, or canonical. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jsonw.h"
#include "boundary/decimal.h"
#include "boundary/json.h"

static void write_name(const struct json_member *m, size_t i, struct buf *out)
{
	if (i > 0)
		buf_char(out, ',');
	jsonw_quote(out, m->name.bytes, m->name.len);
	buf_char(out, ':');
}

static void write_plain(const struct json_value *v, struct buf *out)
{
	switch (v->type) {
	case JSON_BOOL:
		buf_text(out, v->u.boolean ? "true" : "false");
		break;
	case JSON_NUMBER:
		buf_add(out, v->u.number.bytes, v->u.number.len);
		break;
	case JSON_STRING:
		jsonw_quote(out, v->u.string.bytes, v->u.string.len);
		break;
	default:
		buf_text(out, "null");
		break;
	}
}

void json_write(const struct json_value *v, struct buf *out)
{
	if (v->type == JSON_ARRAY) {
		buf_char(out, '[');
		for (size_t i = 0; i < v->u.array.len; i++) {
			if (i > 0)
				buf_char(out, ',');
			json_write(&v->u.array.items[i], out);
		}
		buf_char(out, ']');
	} else if (v->type == JSON_OBJECT) {
		buf_char(out, '{');
		for (size_t i = 0; i < v->u.object.len; i++) {
			write_name(&v->u.object.members[i], i, out);
			json_write(&v->u.object.members[i].value, out);
		}
		buf_char(out, '}');
	} else {
		write_plain(v, out);
	}
}

/* The rank of a lead byte of UTF-8 in the order of UTF-16. A character of four
 * bytes is a surrogate pair in UTF-16, and that sorts before U+E000 to U+FFFF
 * (lead bytes ee and ef). */
static int utf16_weight(unsigned char c)
{
	return c == 0xee || c == 0xef ? c + 0x10 : c;
}

static int utf16_order(const void *a, const void *b)
{
	const struct json_member *x = *(const struct json_member *const *)a;
	const struct json_member *y = *(const struct json_member *const *)b;
	size_t n = x->name.len < y->name.len ? x->name.len : y->name.len;

	for (size_t i = 0; i < n; i++) {
		unsigned char p = (unsigned char)x->name.bytes[i];
		unsigned char q = (unsigned char)y->name.bytes[i];

		if (p != q)
			return utf16_weight(p) < utf16_weight(q) ? -1 : 1;
	}
	return (x->name.len > y->name.len) - (x->name.len < y->name.len);
}

static int canonical_object(const struct json_value *v, struct buf *out)
{
	owned_mem const struct json_member **order = NULL;
	size_t n = v->u.object.len;

	order = calloc(n > 0 ? n : 1, sizeof *order);
	if (order == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = &v->u.object.members[i];
	qsort(order, n, sizeof *order, utf16_order);
	buf_char(out, '{');
	for (size_t i = 0; i < n; i++) {
		int r;

		write_name(order[i], i, out);
		r = json_write_canonical(&order[i]->value, out);
		if (r < 0)
			return r;
	}
	buf_char(out, '}');
	return 0;
}

static int canonical_array(const struct json_value *v, struct buf *out)
{
	buf_char(out, '[');
	for (size_t i = 0; i < v->u.array.len; i++) {
		int r;

		if (i > 0)
			buf_char(out, ',');
		r = json_write_canonical(&v->u.array.items[i], out);
		if (r < 0)
			return r;
	}
	buf_char(out, ']');
	return 0;
}

int json_write_canonical(const struct json_value *v, struct buf *out)
{
	struct decimal d;

	switch (v->type) {
	case JSON_ARRAY:
		return canonical_array(v, out);
	case JSON_OBJECT:
		return canonical_object(v, out);
	case JSON_NUMBER:
		d = decimal_read(v->u.number.bytes, v->u.number.len);
		return decimal_to_es(&d, out);
	default:
		write_plain(v, out);
		return 0;
	}
}
