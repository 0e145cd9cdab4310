/* scratch.c -- makes the directory of this process, and removes those that
 * killed workers left. */
#include "worker/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder.h"

#define PREFIX "cupel-worker."
/* A directory younger than this may not be locked yet. */
#define YOUNG_S 60

/* Whether it belonged to a worker of this user that has ended: nobody holds its
 * lock. */
static bool is_left(int dir_fd, const char *name)
{
	owned_fd int fd = openat(
		dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	time_t now = time(NULL); /* steady.c */

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (now - st.st_mtim.tv_sec > YOUNG_S || now < st.st_mtim.tv_sec) &&
	       flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void left_remove(int dir_fd)
{
	owned_fd int own =
		openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = own >= 0 ? fdopendir(own) : NULL;
	const struct dirent *e;

	if (d == NULL)
		return;
	(void)take_fd(&own);
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) == 0 &&
		    is_left(dir_fd, e->d_name))
			(void)folder_end(dir_fd, e->d_name, NULL, NULL);
	(void)closedir(d);
}

static int fail(const char *dir, int sys, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER, sys,
			  "--work: %.300s: %s", dir, strerror(sys));
}

int worker_scratch_make(const char *dir, char ret_path[WORKER_SCRATCH_BYTES],
			struct cupel_error *err)
{
	owned_fd int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	owned_mem char *real = realpath(dir, NULL);
	char path[WORKER_SCRATCH_BYTES];
	owned_fd int fd = -1;

	if (dir_fd < 0 || real == NULL)
		return fail(dir, errno, err);
	if (strlen(real) > WORKER_SCRATCH_BYTES / 2)
		return fail(dir, ENAMETOOLONG, err);
	left_remove(dir_fd);
	(void)snprintf(path, sizeof path, "%s/" PREFIX "XXXXXX", real);
	if (mkdtemp(path) == NULL)
		return fail(dir, errno, err);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return fail(dir, errno, err);
	memcpy(ret_path, path, sizeof path);
	return take_fd(&fd);
}

void worker_scratch_remove(const char *dir, const char *path)
{
	owned_fd int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir_fd >= 0)
		(void)folder_end(dir_fd, strrchr(path, '/') + 1, NULL, NULL);
}
