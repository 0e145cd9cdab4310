/* control.c -- see control.h. */
#include "jobs/confirm/control.h"

#include <string.h>

#include "base/buf.h"

/* Written out they are compared exactly: 1 is not 1.0 here. */
static bool is_same(const struct json_value *a, const struct json_value *b)
{
	owned_buf struct buf x = { 0 }, y = { 0 };

	if (a == NULL || b == NULL)
		return a == b;
	json_write(a, &x);
	json_write(b, &y);
	return !buf_has_failed(&x) && !buf_has_failed(&y) && x.len == y.len &&
	       memcmp(x.bytes, y.bytes, x.len) == 0;
}

static bool is_named(const struct json_value *argument, const char *name)
{
	const struct json_value *own = json_find(argument, "name");

	return own != NULL && own->type == JSON_STRING &&
	       strcmp(own->u.string.bytes, name) == 0;
}

static const struct json_value *argument_find(const struct json_value *list,
					      const char *name)
{
	for (size_t i = 0; i < list->u.array.len; i++)
		if (is_named(&list->u.array.items[i], name))
			return &list->u.array.items[i];
	return NULL;
}

/* The next argument, from *at on, that does not have that name; NULL = none is
 * left. */
static const struct json_value *other_next(const struct json_value *list,
					   const char *name, size_t *at)
{
	while (*at < list->u.array.len) {
		const struct json_value *one = &list->u.array.items[(*at)++];

		if (!is_named(one, name))
			return one;
	}
	return NULL;
}

/* Whether both lists have the same arguments except for that one.  How they are
 * passed may differ: an argument that is left out makes the next a keyword. */
static bool has_same_others(const struct json_value *a,
			    const struct json_value *b, const char *name)
{
	size_t i = 0, j = 0;

	for (;;) {
		const struct json_value *x = other_next(a, name, &i);
		const struct json_value *y = other_next(b, name, &j);

		if (x == NULL || y == NULL)
			return x == y;
		if (!is_same(json_find(x, "name"), json_find(y, "name")) ||
		    !is_same(json_find(x, "value"), json_find(y, "value")))
			return false;
	}
}

bool control_is(const struct json_value *witness,
		const struct json_value *other, const char *argument)
{
	const struct json_value *a = json_find(witness, "arguments");
	const struct json_value *b = json_find(other, "arguments");
	const struct json_value *mine = argument_find(a, argument);
	const struct json_value *its = argument_find(b, argument);

	if (mine != NULL && its != NULL &&
	    is_same(json_find(mine, "value"), json_find(its, "value")))
		return false;
	return (mine != NULL || its != NULL) &&
	       has_same_others(a, b, argument) &&
	       is_same(json_find(witness, "receiver"),
		       json_find(other, "receiver"));
}

const struct json_value *control_find(const struct json_value *witnesses,
				      const struct json_value *witness,
				      const char *argument, size_t *at)
{
	while (*at < witnesses->u.array.len) {
		const struct json_value *other =
			&witnesses->u.array.items[(*at)++];

		if (control_is(witness, other, argument))
			return other;
	}
	return NULL;
}
