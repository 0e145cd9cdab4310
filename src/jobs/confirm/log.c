/* log.c -- see log.h. */
#include "jobs/confirm/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/test_wall.h"

static int fail(struct cupel_error *err, const char *path, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "%s: cannot be appended to: %s", path, strerror(sys));
}

static int folder_make(const char *path)
{
	owned_mem char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;

	if (slash == NULL || slash == dir)
		return 0;
	*slash = '\0';
	return mkdir(dir, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

int log_open(const char *path, struct cupel_error *err)
{
	int nofollow = test_wall_is_down("events_links") ? 0 : O_NOFOLLOW;
	owned_fd int fd = -1;
	struct stat st;
	char last = '\n';

	(void)folder_make(path); /* open says what is wrong with it */
	fd = open(path,
		  O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK |
			  O_NOCTTY | nofollow,
		  0600);
	if (fd < 0)
		return fail(err, path, errno);
	if (fstat(fd, &st) < 0)
		return fail(err, path, errno);
	if (!S_ISREG(st.st_mode))
		return fail(err, path, EINVAL);
	if (st.st_size > 0 && pread(fd, &last, 1, st.st_size - 1) == 1 &&
	    last != '\n' && write(fd, "\n", 1) != 1)
		return fail(err, path, errno);
	return take_fd(&fd);
}

int log_append(int fd, const char *line, size_t n, struct cupel_error *err)
{
	struct stat st;
	ssize_t done;

	do
		done = write(fd, line, n);
	while (done < 0 && errno == EINTR);
	if (done == (ssize_t)n)
		return 0;
	if (done < 0)
		return fail(err, "the log", errno);
	/* Only our own tail, and only while it still is the tail. */
	if (fstat(fd, &st) == 0 && st.st_size >= done &&
	    ftruncate(fd, st.st_size - done) < 0)
		return fail(err, "the log", errno);
	return fail(err, "the log", ENOSPC);
}
