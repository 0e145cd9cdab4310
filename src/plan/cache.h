/* cache.h -- what the directory of --cache has in it.
 *
 * The caller makes DIR.  A run that ended by itself leaves there
 *
 *	CACHEDIR.TAG	the text below, so that other programs know what it is
 *			(bford.info/cachedir) and this one knows its own
 *	current		the name of the tree that the next run is shown
 *	tree-HEX	that tree, and older ones that a run still looks at
 *	.cupel-HEX	one of the two files, half written: cupel was killed
 *
 * A tree is never changed: who adds to it makes another, in which the files that
 * stay are hard links, and then renames a new `current` into place.  While a
 * run looks at a tree it holds a shared flock(2) on it, and who removes one takes
 * an exclusive one first.  See docs/cache.md. */
#ifndef CUPEL_PLAN_CACHE_H
#define CUPEL_PLAN_CACHE_H

#include <stdbool.h>
#include <string.h>

#define CACHE_TAG_NAME "CACHEDIR.TAG"
#define CACHE_TAG                                                              \
	"Signature: 8a477f597d28d172789f06886806bc55\n"                        \
	"# A cache of cupel (--cache).  Untrusted code wrote what is in it.\n"
#define CACHE_CURRENT    "current"
#define CACHE_TREE       "tree-"
#define CACHE_TREE_BYTES 22 /* "tree-", 16 hexadecimal digits, NUL */

/* cache_is_tree -- whether name has the form of a tree's. */
static inline bool cache_is_tree(const char *name)
{
	size_t n = sizeof CACHE_TREE - 1;

	return strlen(name) == CACHE_TREE_BYTES - 1 &&
	       strncmp(name, CACHE_TREE, n) == 0 &&
	       strspn(name + n, "0123456789abcdef") == 16;
}

/* cache_is_marked -- whether the directory has the mark, whole and the caller's
 * own. */
bool cache_is_marked(int dir_fd);

/* cache_is_left -- whether name is a file that a killed cupel left half written
 * there: one of a temporary's name and only one name, the caller's own, with
 * the beginning of what we write.  Anything else may be the caller's. */
bool cache_is_left(int dir_fd, const char *name);

/* cache_current_read -- the name in `current` below dir_fd; empty when nothing
 * was kept yet.  Returns 0 or -errno (-EINVAL: it is no name of a tree). */
int cache_current_read(int dir_fd, char ret[CACHE_TREE_BYTES + 2]);

#endif
