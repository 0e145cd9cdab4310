/* arena.h -- memory that is freed all at once.
 *
 * A value tree, a spec and a plan each own one arena; what they point to lives
 * as long as it does and nothing in it is freed by itself.  An arena has a
 * cap: hostile input runs into the cap, not into the machine. */
#ifndef CUPEL_BASE_ARENA_H
#define CUPEL_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zero is valid: an empty arena without a cap. */
struct arena {
	struct arena_block *blocks;
	size_t used;      /* bytes handed out, rounding included */
	size_t cap_bytes; /* most bytes to hand out; 0 = no cap */
};

/* arena_alloc -- n zeroed bytes aligned for any type (n may be 0), or NULL
 * when memory or the cap has run out. */
void *arena_alloc(struct arena *a, size_t n);

/* arena_array -- count zeroed elements of size bytes, or NULL (also on
 * overflow of the product). */
void *arena_array(struct arena *a, size_t count, size_t size);

/* arena_copy -- a copy of bytes[0..n-1] with a NUL after it, or NULL. */
char *arena_copy(struct arena *a, const char *bytes, size_t n);

/* arena_text -- a copy of a NUL-terminated string, or NULL. */
char *arena_text(struct arena *a, const char *text);

/* arena_format -- printf(3) into the arena, or NULL. */
char *arena_format(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* arena_done -- free everything.  The arena is empty and usable again. */
void arena_done(struct arena *a);

#endif
