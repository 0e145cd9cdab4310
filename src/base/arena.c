/* arena.c -- see arena.h. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small enough that a spec costs one page or two, large enough that a tree of
 * a megabyte costs some hundred blocks. */
#define BLOCK_BYTES 4000

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	max_align_t bytes[];
};

static size_t round_up(size_t n)
{
	const size_t align = _Alignof(max_align_t);

	return (n + align - 1) / align * align;
}

static struct arena_block *block_new(struct arena *a, size_t need)
{
	size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
	struct arena_block *b = calloc(1, sizeof *b + size);

	if (b == NULL)
		return NULL;
	b->size = size;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t n)
{
	struct arena_block *b = a->blocks;
	char *at;

	if (n > SIZE_MAX / 2)
		return NULL;
	n = round_up(n > 0 ? n : 1);
	if (a->cap_bytes > 0 && n > a->cap_bytes - a->used)
		return NULL;
	if (b == NULL || n > b->size - b->used)
		b = block_new(a, n);
	if (b == NULL)
		return NULL;
	at = (char *)b->bytes + b->used;
	b->used += n;
	a->used += n;
	return at;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return arena_alloc(a, bytes);
}

char *arena_copy(struct arena *a, const char *bytes, size_t n)
{
	char *out = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;

	if (out != NULL && n > 0)
		memcpy(out, bytes, n);
	return out;
}

char *arena_text(struct arena *a, const char *text)
{
	return arena_copy(a, text, strlen(text));
}

char *arena_format(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_list again;
	char *out = NULL;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	if (n >= 0)
		out = arena_alloc(a, (size_t)n + 1);
	if (out != NULL)
		(void)vsnprintf(out, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return out;
}

void arena_done(struct arena *a)
{
	struct arena_block *b = a->blocks;

	while (b != NULL) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
	a->blocks = NULL;
	a->used = 0;
}
