/* report_text.c -- see report_text.h. */
#include "jobs/gather/report_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/hooks.h"
#include "base/utf8.h"
#include "jobs/gather/model.h"

#define NAMES_COMPARED 200U /* of one list, for names that stand twice */

void code_put(struct buf *out, struct json_text text)
{
	size_t end = text.len > REPORT_TEXT_BYTES
			     ? utf8_cut(text.bytes, text.len, REPORT_TEXT_BYTES)
			     : text.len;

	if (test_wall_is_down(TEST_WALL_REPORT_CODE)) {
		buf_add(out, text.bytes, text.len);
		return;
	}
	if (text.len == 0) {
		buf_text(out, "(empty)");
		return;
	}
	buf_char(out, '`');
	for (size_t i = 0; i < end;) {
		uint32_t c = 0;
		size_t len = utf8_read(text.bytes + i, end - i, &c);

		if (c == '\\')
			buf_text(out, "\\\\");
		else if (len == 0 || c == '`' || c < 0x20 || c == 0x7f)
			buf_format(out, "\\x%02x",
				   (unsigned char)text.bytes[i]);
		else if (utf8_is_control(c))
			buf_format(out, "\\u{%x}", (unsigned)c);
		else
			buf_add(out, text.bytes + i, len);
		i += len > 0 ? len : 1;
	}
	buf_char(out, '`');
	if (end < text.len)
		buf_format(out, " (cut: %zu bytes)", text.len);
}

bool value_put(struct buf *out, const struct json_value *v)
{
	if (v == NULL)
		return false;
	switch (v->type) {
	case JSON_STRING:
		code_put(out, v->u.string);
		return true;
	case JSON_NUMBER:
		code_put(out, v->u.number);
		return true;
	case JSON_BOOL:
		buf_text(out, v->u.boolean ? "yes" : "no");
		return true;
	default:
		return false;
	}
}

static const struct json_value *list_of(const struct json_value *v,
					const char *key)
{
	const struct json_value *list = v ? json_find(v, key) : NULL;

	return list != NULL && list->type == JSON_ARRAY ? list : NULL;
}

size_t items_len(const struct json_value *v, const char *key)
{
	const struct json_value *list = list_of(v, key);

	return list ? list->u.array.len : 0;
}

uint64_t number_of(const struct json_value *v, const char *key)
{
	const struct json_value *n = v ? json_find(v, key) : NULL;
	uint64_t value = 0;

	return n != NULL && json_read_u64(n, &value) == 0 ? value : 0;
}

bool is_true(const struct json_value *v, const char *key)
{
	const struct json_value *b = v ? json_find(v, key) : NULL;

	return b != NULL && b->type == JSON_BOOL && b->u.boolean;
}

const struct json_value *slice_of(const struct gather_run *run,
				  const char *probe)
{
	for (size_t i = 0; i < run->probes_len; i++) {
		const struct gather_probe *p = &run->probes[i];
		const struct json_value *slice =
			p->tree ? json_find(p->tree, "slice") : NULL;

		if (strcmp(p->probe->name, probe) == 0)
			return slice != NULL && slice->type == JSON_OBJECT
				       ? slice
				       : NULL;
	}
	return NULL;
}

static const struct json_value *name_of(const struct json_value *item,
					const struct report_list *list)
{
	return list->name != NULL ? json_find(item, list->name) : item;
}

static void more_put(struct buf *out, const struct json_value *item,
		     const struct report_list *list)
{
	const char *before = " (";

	for (size_t i = 0; i < 3 && list->more[i] != NULL; i++) {
		owned_buf struct buf one = { 0 };

		if (!value_put(&one, json_find(item, list->more[i])))
			continue;
		buf_text(out, before);
		buf_add(out, one.bytes, one.len);
		before = ", ";
	}
	if (before[0] == ',')
		buf_char(out, ')');
}

/* Whether the fact is from a fixture, an example or the like. */
static bool is_of_others(const struct json_value *item)
{
	static const char *const roles[] = { "fixture", "example", "vendored",
					     "generated" };
	const struct json_value *role = json_find(item, "role");

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (role != NULL && json_is_text(role, roles[i]))
			return true;
	return false;
}

static void item_put(struct buf *out, const struct json_value *item,
		     const struct report_list *list)
{
	const struct json_value *source = json_find(item, "source");

	buf_text(out, "- ");
	if (!value_put(out, name_of(item, list)))
		buf_text(out, "(unnamed)");
	more_put(out, item, list);
	if (source != NULL && source != name_of(item, list)) {
		buf_text(out, " in ");
		(void)value_put(out, source);
	}
	buf_char(out, '\n');
}

void list_put(struct buf *out, const struct json_value *slice,
	      const struct report_list *list)
{
	const struct json_value *v = list_of(slice, list->key);
	size_t len = v ? v->u.array.len : 0, own = 0, shown = 0;

	for (size_t i = 0; i < len; i++)
		own += !is_of_others(&v->u.array.items[i]);
	if (own == 0)
		return;
	buf_format(out, "\n%s (%zu):\n\n", list->title, own);
	for (size_t i = 0; i < len && shown < list->most; i++) {
		const struct json_value *item = &v->u.array.items[i];

		if (is_of_others(item))
			continue;
		item_put(out, item, list);
		shown++;
	}
	if (own > shown)
		buf_format(out, "- and %zu more\n", own - shown);
	if (len > own)
		buf_format(out,
			   "- and %zu of fixtures, examples and other people's "
			   "files\n",
			   len - own);
}

/* Whether the i-th name stands earlier in the list. */
static bool is_repeated(const struct json_value *v, size_t i,
			const struct report_list *list)
{
	const struct json_value *name = name_of(&v->u.array.items[i], list);

	for (size_t k = 0; k < i; k++) {
		const struct json_value *other =
			name_of(&v->u.array.items[k], list);

		if (other != NULL && json_equal(name, other))
			return true;
	}
	return false;
}

void names_put(struct buf *out, const struct json_value *slice,
	       const struct report_list *list)
{
	const struct json_value *v = list_of(slice, list->key);
	size_t len = v ? v->u.array.len : 0, shown = 0;

	for (size_t i = 0; i < len && i < NAMES_COMPARED; i++) {
		const struct json_value *name =
			name_of(&v->u.array.items[i], list);

		if (name == NULL || is_of_others(&v->u.array.items[i]) ||
		    is_repeated(v, i, list))
			continue;
		if (shown++ >= list->most)
			continue;
		if (shown == 1)
			buf_format(out, "- %s: ", list->title);
		else
			buf_text(out, ", ");
		if (!value_put(out, name))
			buf_text(out, "(unnamed)");
		more_put(out, &v->u.array.items[i], list);
	}
	if (shown > list->most)
		buf_format(out, " and %zu more", shown - list->most);
	if (len > NAMES_COMPARED)
		buf_text(out, " and others");
	if (shown > 0)
		buf_char(out, '\n');
}
