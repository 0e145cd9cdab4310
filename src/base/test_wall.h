/* test_wall.h -- walls of a gather, and around what a vessel leaves, taken down:
 * for the controls of attacks.
 *
 * Only in builds with CUPEL_TEST_HOOKS, which are never installed: everywhere
 * else the answer is a constant and nothing of this is left in the program.
 * The walls of a vessel are taken down in its plan (plan/drop.h).
 */
#ifndef CUPEL_BASE_TEST_WALL_H
#define CUPEL_BASE_TEST_WALL_H

#include <stdbool.h>

#ifdef CUPEL_TEST_HOOKS
#include <stdlib.h>
#include <string.h>
#endif

/* test_wall_is_down -- whether CUPEL_TEST_GATHER_DROP, "walk,beneath", has
 * that name. */
static inline bool test_wall_is_down(const char *name)
{
#ifdef CUPEL_TEST_HOOKS
	const char *down = getenv("CUPEL_TEST_GATHER_DROP");
	size_t len = strlen(name);

	while (down != NULL && down[0] != '\0') {
		size_t n = strcspn(down, ",");

		if (n == len && memcmp(down, name, len) == 0)
			return true;
		down += n + (down[n] == ',');
	}
	return false;
#else
	(void)name;
	return false;
#endif
}

#endif
