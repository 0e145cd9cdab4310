/* folder.c -- see folder.h. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define OPEN_DIR (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct stop {
	bool (*is_over)(const void *data);
	const void *data;
};

/* A stream of its own, so that fd stays open and at its place; NULL with
 * errno. */
static DIR *names_open(int fd)
{
	owned_fd int own = openat(fd, ".", OPEN_DIR);
	DIR *dir = own >= 0 ? fdopendir(own) : NULL;

	if (dir != NULL)
		(void)take_fd(&own);
	return dir;
}

/* The next name besides "." and "..".  Returns 1, 0 at the end, or -errno. */
static int names_next(DIR *dir, const char **ret)
{
	const struct dirent *e;

	do {
		errno = 0;
		e = readdir(dir);
		if (e == NULL)
			return -errno;
	} while (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
	*ret = e->d_name;
	return 1;
}

int folder_has_names(int fd)
{
	DIR *dir = names_open(fd);
	const char *name;
	int r;

	if (dir == NULL)
		return -errno;
	r = names_next(dir, &name);
	(void)closedir(dir);
	return r;
}

/* Remove a file, or a directory that is empty.  For a file the reason is that of
 * the first call.  Returns 0 or -errno. */
static int name_end(int fd, const char *name)
{
	int why;

	if (unlinkat(fd, name, 0) == 0)
		return 0;
	why = errno;
	if (unlinkat(fd, name, AT_REMOVEDIR) == 0)
		return 0;
	return errno == ENOTDIR ? -why : -errno;
}

/* Empty one directory, except for directories in it that are not empty; the
 * name of one of these is given back.  Returns 1 when there is one, 0, -errno. */
static int dir_empty(int fd, const struct stop *stop,
		     char ret_name[NAME_MAX + 1])
{
	DIR *dir = names_open(fd);
	const char *name;
	int r;

	if (dir == NULL)
		return -errno;
	while ((r = names_next(dir, &name)) > 0) {
		if (stop->is_over != NULL && stop->is_over(stop->data)) {
			r = -ECANCELED;
			break;
		}
		r = name_end(fd, name);
		if (r == 0)
			continue;
		if (r != -ENOTEMPTY && r != -EEXIST)
			break;
		r = 1;
		memcpy(ret_name, name, strlen(name) + 1);
		break;
	}
	(void)closedir(dir);
	return r;
}

static int tree_empty(int fd, const struct stop *stop)
{
	int fds[FOLDER_DEPTH_MAX];
	char name[NAME_MAX + 1];
	int depth = 0, r;

	fds[0] = fd;
	for (;;) {
		r = dir_empty(fds[depth], stop, name);
		if (r < 0 || (r == 0 && depth == 0))
			break;
		if (r == 0) { /* the one above removes it now */
			(void)close(fds[depth--]);
			continue;
		}
		if (depth + 1 == FOLDER_DEPTH_MAX) {
			r = -ELOOP;
			break;
		}
		fds[depth + 1] = openat(fds[depth], name, OPEN_DIR);
		if (fds[depth + 1] < 0) {
			r = -errno;
			break;
		}
		depth++;
	}
	while (depth > 0)
		(void)close(fds[depth--]);
	return r;
}

int folder_end(int dir_fd, const char *name, bool (*is_over)(const void *data),
	       const void *data)
{
	const struct stop stop = { is_over, data };
	owned_fd int fd = openat(dir_fd, name, OPEN_DIR);
	int r;

	if (fd < 0)
		return -errno;
	r = tree_empty(fd, &stop);
	if (r == 0 && unlinkat(dir_fd, name, AT_REMOVEDIR) < 0)
		r = -errno;
	return r;
}
