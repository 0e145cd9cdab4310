/* parse_memory.h -- memory that is refused ends the program.
 *
 * A profile's limit of memory is reached where a hostile repository chooses.
 * Whoever allocates, in hundreds of places and in libyaml and expat, would have
 * to say what is then missing from the answer.  So nobody is ever handed NULL:
 * the linker puts these functions in place of the C library's (room.mk,
 * PARSE_MEMORY_WRAP), and the first refusal ends the program, before anything is
 * written (docs/gather.md).  The caps of arenas and buffers are no refusals:
 * what they leave out is told by those who have them. */
#ifndef CUPEL_PARSERS_PARSE_MEMORY_H
#define CUPEL_PARSERS_PARSE_MEMORY_H

#include <stddef.h>

/* What the linker makes of malloc(3) and its like, where they are wrapped. */
void *__real_malloc(size_t n);
void *__real_calloc(size_t count, size_t n);
void *__real_realloc(void *p, size_t n);
void *__real_reallocarray(void *p, size_t count, size_t n);
char *__real_strdup(const char *text);
void *__real_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *));

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t count, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_reallocarray(void *p, size_t count, size_t n);
char *__wrap_strdup(const char *text);
void *__wrap_tsearch(const void *key, void **root,
		     int (*compare)(const void *, const void *));

/* memory_refuse -- say in one line that memory was refused, and end the program
 * with PARSE_EXIT_MEMORY. */
void memory_refuse(void);

#endif
