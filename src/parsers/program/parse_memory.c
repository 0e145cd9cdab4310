/* parse_memory.c -- see parse_memory.h. */
#include "parsers/program/parse_memory.h"

#include <unistd.h>

#include "parsers/program/parse_exit.h"

void memory_refuse(void)
{
	static const char line[] = "cupel-parse: memory was refused\n";

	(void)!write(STDERR_FILENO, line, sizeof line - 1);
	_exit(PARSE_EXIT_MEMORY);
}

/* Of no bytes, NULL is no refusal: realloc(3) frees then. */
static void *given(void *p, size_t n)
{
	if (p == NULL && n > 0)
		memory_refuse();
	return p;
}

void *__wrap_malloc(size_t n)
{
	return given(__real_malloc(n), n);
}

void *__wrap_calloc(size_t count, size_t n)
{
	return given(__real_calloc(count, n), count > 0 ? n : 0);
}

void *__wrap_realloc(void *p, size_t n)
{
	return given(__real_realloc(p, n), n);
}

void *__wrap_reallocarray(void *p, size_t count, size_t n)
{
	return given(__real_reallocarray(p, count, n), count > 0 ? n : 0);
}

char *__wrap_strdup(const char *text)
{
	return given(__real_strdup(text), 1);
}

void *__wrap_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *))
{
	return given(__real_tsearch(key, root, compare), 1);
}
