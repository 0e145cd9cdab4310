/* artifact_world.h -- a directory that plays a dead vessel's tmpfs, for the tests of
 * what leaves it. */
#ifndef CUPEL_TESTS_UNIT_ARTIFACT_WORLD_H
#define CUPEL_TESTS_UNIT_ARTIFACT_WORLD_H

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char top[64]; /* vessel/ plays the tmpfs, host/ is where files go */
static int tmpfs_fd;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ok(fd >= 0);
	ok(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	(void)close(fd);
}

static void set_up(void)
{
	static const char *const dirs[] = { "vessel",       "vessel/scratch",
					    "vessel/tmp",   "vessel/shm",
					    "vessel/upper", "host" };

	(void)strcpy(top, "/tmp/cupel-artifact-XXXXXX");
	ok(mkdtemp(top) != NULL);
	ok_int(chdir(top), 0);
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		ok_int(mkdir(dirs[i], 0755), 0);
	tmpfs_fd = open("vessel", O_PATH | O_DIRECTORY | O_CLOEXEC);
	ok_int(chdir("host"), 0);
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *f)
{
	(void)st;
	(void)flag;
	(void)f;
	return remove(path);
}

static void tear_down(void)
{
	(void)close(tmpfs_fd);
	ok_int(chdir("/"), 0);
	(void)nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
