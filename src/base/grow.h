/* grow.h -- room for one more item in an array on the heap. */
#ifndef CUPEL_BASE_GROW_H
#define CUPEL_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* array_grow -- make room for item number len; *room doubles.
 *
 * @items	the array, of *room items of size bytes; moved, and never freed
 * Returns false without memory, and *items is as it was. */
static inline bool array_grow(void **items, size_t len, size_t *room,
			      size_t size)
{
	size_t more = *room > 0 ? *room * 2 : 32;
	void *p;

	if (len < *room)
		return true;
	p = reallocarray(*items, more, size);
	if (p == NULL)
		return false;
	*items = p;
	*room = more;
	return true;
}

#endif
