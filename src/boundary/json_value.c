/* json_value.c -- looking into a value tree: members, equality. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/decimal.h"
#include "boundary/json_private.h"

static int text_order(const struct json_text *a, const struct json_text *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int order = n > 0 ? memcmp(a->bytes, b->bytes, n) : 0;

	if (order != 0)
		return order;
	return (a->len > b->len) - (a->len < b->len);
}

static bool text_equal(const struct json_text *a, const struct json_text *b)
{
	return a->len == b->len && text_order(a, b) == 0;
}

/* By name; members of one name in the order of the text. */
static int member_order(const void *a, const void *b)
{
	const struct json_member *x = *(const struct json_member *const *)a;
	const struct json_member *y = *(const struct json_member *const *)b;
	int order = text_order(&x->name, &y->name);

	return order != 0 ? order : (x > y) - (x < y);
}

static const struct json_member *twice_in_few(const struct json_value *v)
{
	const struct json_member *m = v->u.object.members;

	for (size_t i = 1; i < v->u.object.len; i++)
		for (size_t k = 0; k < i; k++)
			if (text_equal(&m[i].name, &m[k].name))
				return &m[i];
	return NULL;
}

const struct json_member *json_index_build(struct json_value *v)
{
	const struct json_member **index = v->u.object.index;
	const struct json_member *first = NULL;
	size_t n = v->u.object.len;

	if (index == NULL)
		return twice_in_few(v);
	for (size_t i = 0; i < n; i++)
		index[i] = &v->u.object.members[i];
	qsort(index, n, sizeof *index, member_order);
	for (size_t i = 1; i < n; i++)
		if (text_equal(&index[i - 1]->name, &index[i]->name) &&
		    (first == NULL || index[i] < first))
			first = index[i];
	return first;
}

static const struct json_value *find_indexed(const struct json_value *v,
					     const struct json_text *name)
{
	const struct json_member *const *index = v->u.object.index;
	size_t low = 0;
	size_t high = v->u.object.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = text_order(name, &index[mid]->name);

		if (order == 0)
			return &index[mid]->value;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

const struct json_value *json_find_bytes(const struct json_value *v,
					 const char *name, size_t len)
{
	const struct json_text want = { name, len };

	if (v == NULL || v->type != JSON_OBJECT)
		return NULL;
	if (v->u.object.index != NULL)
		return find_indexed(v, &want);
	for (size_t i = 0; i < v->u.object.len; i++)
		if (text_equal(&v->u.object.members[i].name, &want))
			return &v->u.object.members[i].value;
	return NULL;
}

const struct json_value *json_find(const struct json_value *v, const char *name)
{
	return json_find_bytes(v, name, strlen(name));
}

bool json_is_text(const struct json_value *v, const char *text)
{
	const struct json_text want = { text, strlen(text) };

	return v != NULL && v->type == JSON_STRING &&
	       text_equal(&v->u.string, &want);
}

int json_read_u64(const struct json_value *v, uint64_t *ret)
{
	struct decimal d;

	if (v == NULL || v->type != JSON_NUMBER)
		return -EINVAL;
	d = decimal_read(v->u.number.bytes, v->u.number.len);
	return decimal_to_u64(&d, ret);
}

static bool array_equal(const struct json_value *a, const struct json_value *b)
{
	if (a->u.array.len != b->u.array.len)
		return false;
	for (size_t i = 0; i < a->u.array.len; i++)
		if (!json_equal(&a->u.array.items[i], &b->u.array.items[i]))
			return false;
	return true;
}

static bool object_equal(const struct json_value *a, const struct json_value *b)
{
	if (a->u.object.len != b->u.object.len)
		return false;
	for (size_t i = 0; i < a->u.object.len; i++) {
		const struct json_member *m = &a->u.object.members[i];
		const struct json_value *other =
			json_find_bytes(b, m->name.bytes, m->name.len);

		if (other == NULL || !json_equal(&m->value, other))
			return false;
	}
	return true;
}

bool json_equal(const struct json_value *a, const struct json_value *b)
{
	struct decimal x;
	struct decimal y;

	if (a->type != b->type)
		return false;
	switch (a->type) {
	case JSON_BOOL:
		return a->u.boolean == b->u.boolean;
	case JSON_NUMBER:
		x = decimal_read(a->u.number.bytes, a->u.number.len);
		y = decimal_read(b->u.number.bytes, b->u.number.len);
		return decimal_order(&x, &y) == 0;
	case JSON_STRING:
		return text_equal(&a->u.string, &b->u.string);
	case JSON_ARRAY:
		return array_equal(a, b);
	case JSON_OBJECT:
		return object_equal(a, b);
	case JSON_NULL:
	case JSON_TYPE_MAX_:
		break;
	}
	return true;
}
