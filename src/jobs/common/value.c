/* value.c -- see value.h. */
#include "jobs/common/value.h"

#include <string.h>

static struct json_text text_of(const char *s)
{
	return (struct json_text){ s, strlen(s) };
}

struct json_value value_text(const char *s)
{
	if (s == NULL)
		return (struct json_value){ .type = JSON_NULL };
	return (struct json_value){ .type = JSON_STRING,
				    .u.string = text_of(s) };
}

struct json_value value_number(struct arena *arena, uint64_t n)
{
	const char *s = arena_format(arena, "%llu", (unsigned long long)n);

	if (s == NULL)
		return (struct json_value){ .type = JSON_NULL };
	return (struct json_value){ .type = JSON_NUMBER,
				    .u.number = text_of(s) };
}

bool value_object(struct arena *arena, size_t n, struct json_value *ret)
{
	*ret = (struct json_value){ .type = JSON_OBJECT };
	ret->u.object.members =
		arena_array(arena, n, sizeof *ret->u.object.members);
	return ret->u.object.members != NULL;
}

bool value_array(struct arena *arena, size_t n, struct json_value *ret)
{
	*ret = (struct json_value){ .type = JSON_ARRAY };
	ret->u.array.items = arena_array(arena, n, sizeof *ret->u.array.items);
	return ret->u.array.items != NULL;
}

void value_member(struct json_value *object, const char *name,
		  struct json_value value)
{
	struct json_member *m =
		&object->u.object.members[object->u.object.len++];

	m->name = text_of(name);
	m->value = value;
}

void value_item(struct json_value *array, struct json_value item)
{
	array->u.array.items[array->u.array.len++] = item;
}
