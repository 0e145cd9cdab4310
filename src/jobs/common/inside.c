/* inside.c -- see inside.h. */
#include "jobs/common/inside.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/cleanup.h"

#define LEVELS_MAX 4096 /* half of PATH_MAX: each level has a name */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool inside_is_below(int dir_fd, int root_fd)
{
	owned_fd int at = openat(dir_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat root, here, above;

	if (at < 0 || fstat(root_fd, &root) < 0 || fstat(at, &here) < 0)
		return true;
	for (int level = 0; level < LEVELS_MAX; level++) {
		int up;

		if (is_same(&here, &root))
			return true;
		up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (up < 0)
			return true;
		cleanup_fd(&at);
		at = up;
		if (fstat(at, &above) < 0)
			return true;
		if (is_same(&above, &here))
			return false; /* the root is its own parent */
		here = above;
	}
	return true;
}
