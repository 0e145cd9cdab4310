/* glob.h -- shell-like patterns over relative paths, as bytes.
 *
 * `*` and `?` stay within one segment, `**` as a whole segment stands for any
 * number of them, `[a-z]` and `[!a-z]` are classes, `{a,b}` alternatives; a
 * backslash takes the next byte as it is.  Time is at most the product of the
 * two lengths for each alternative, and alternatives are capped, so a hostile
 * pattern costs no more than a long one. */
#ifndef CUPEL_BASE_GLOB_H
#define CUPEL_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#define GLOB_PATTERN_BYTES 1024 /* a longer pattern matches nothing */
#define GLOB_ALTERNATIVES  256  /* after this many, the rest is not tried */

/* glob_match -- whether the whole of path[0..n-1] fits pattern. */
bool glob_match(const char *pattern, size_t pattern_len, const char *path,
		size_t n);

/* glob_expand -- hand each alternative of pattern, free of braces and
 * NUL-terminated, to take; the text is only good during the call.
 *
 * Returns how many there were, or -E2BIG: the pattern or their number is over
 * its cap; -errno of take, which then was not called again. */
int glob_expand(const char *pattern,
		int (*take)(void *data, const char *plain, size_t n),
		void *data);

#endif
