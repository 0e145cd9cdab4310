/* cache_dir.c -- see cache_dir.h. */
#include "service/cache_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hooks.h"

/* Whether fd is a directory that only the caller can write to. */
static bool is_own(int fd)
{
	struct stat st;

	if (fd >= 0 && test_wall_is_down(TEST_WALL_CACHE_FOLDER))
		return true;
	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (st.st_mode & 022) == 0;
}

/* Open the directory name below parent, and make it if it is missing. */
static int open_own(int parent, const char *name)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_CACHE_FOLDER) ? 0 : O_NOFOLLOW;
	owned_fd int fd = -1;

	if (mkdirat(parent, name, 0700) != 0 && errno != EEXIST)
		return -1;
	fd = openat(parent, name,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC | nofollow);
	return is_own(fd) ? take_fd(&fd) : -1;
}

/* The path that the caller's own variables give may contain links: that is the
 * caller's business. */
static int open_base(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool is_xdg = xdg && xdg[0] == '/';
	owned_fd int fd = -1;

	if (!is_xdg && (home == NULL || home[0] != '/'))
		return -1;
	if (is_xdg)
		(void)mkdir(xdg, 0700); /* the specification asks for it */
	fd = open(is_xdg ? xdg : home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!is_own(fd))
		return -1;
	return is_xdg ? take_fd(&fd) : open_own(fd, ".cache");
}

int cache_dir_open(const char *name)
{
	owned_fd int base = open_base();
	owned_fd int cupel = base < 0 ? -1 : open_own(base, "cupel");
	owned_fd int fd = cupel < 0 ? -1 : open_own(cupel, name);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 ||
	    ((st.st_mode & 077) != 0 &&
	     !test_wall_is_down(TEST_WALL_CACHE_FOLDER)))
		return -1;
	return take_fd(&fd);
}
