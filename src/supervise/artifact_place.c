/* artifact_place.c -- paths inside, as directories of the one tmpfs. */
#include "supervise/artifact_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/hooks.h"

#define NAMES_MAX 65536 /* entries of one directory that are looked at */

/* The directories of the one tmpfs, and where the command saw them. */
static const struct {
	const char *inside, *dir;
} views[] = {
	{ "/scratch", "scratch" },
	{ "/tmp", "tmp" },
	{ "/dev/shm", "shm" },
	{ "/repo", "upper" },
};

/* What follows the view's name in path; NULL when path is not below it. */
static const char *below_view(const char *path, const char *inside)
{
	size_t n = strlen(inside);

	if (strncmp(path, inside, n) != 0 ||
	    (path[n] != '/' && path[n] != '\0'))
		return NULL;
	return path + n;
}

/* The view that path lies below, and what follows its name; NULL for none. */
static const char *find_view(const char *path, const char **ret_dir)
{
	const char *rest = NULL;

	for (size_t v = 0; v < sizeof views / sizeof *views && rest == NULL;
	     v++) {
		rest = below_view(path, views[v].inside);
		*ret_dir = views[v].dir;
	}
	return rest;
}

bool place_is_known(const char *path)
{
	const char *dir;

	return find_view(path, &dir) != NULL;
}

int place_open_dir(int dir_fd, const char *name)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_ARTIFACT_LINKS) ? 0 : O_NOFOLLOW;

	return openat(dir_fd, name,
		      O_PATH | O_DIRECTORY | O_CLOEXEC | nofollow);
}

/* As place_open(), of what follows the name of a view. */
static int descend(int top_fd, const char *rest,
		   char ret_name[PLACE_NAME_BYTES])
{
	owned_fd int at = place_open_dir(top_fd, ".");

	(void)memcpy(ret_name, ".", 2);
	while (at >= 0) {
		size_t n;
		int below;

		rest += strspn(rest, "/");
		n = strcspn(rest, "/");
		if (n == 0)
			return take_fd(&at);
		if (strcmp(ret_name, ".") != 0) {
			below = place_open_dir(at, ret_name);
			if (below < 0)
				return -errno;
			cleanup_fd(&at);
			at = below;
		}
		if (n >= PLACE_NAME_BYTES ||
		    (n == 2 && memcmp(rest, "..", 2) == 0))
			return -EINVAL;
		memcpy(ret_name, rest, n);
		ret_name[n] = '\0';
		rest += n;
	}
	return -errno;
}

int place_open(int tmpfs_fd, const char *path, char ret_name[PLACE_NAME_BYTES])
{
	const char *dir = NULL, *rest = find_view(path, &dir);
	owned_fd int top = -1;

	if (rest == NULL)
		return -EXDEV;
	top = place_open_dir(tmpfs_fd, dir);
	return top < 0 ? -errno : descend(top, rest, ret_name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Add name to the *ret_len names that there are.  Returns 0 or -ENOMEM. */
static int name_add(const char *name, struct arena *arena, size_t *room,
		    char ***ret, size_t *ret_len)
{
	if (*ret_len == *room) {
		size_t more = *room > 0 ? *room * 2 : 64;
		char **names = realloc(*ret, more * sizeof *names);

		if (names == NULL)
			return -ENOMEM;
		*ret = names;
		*room = more;
	}
	(*ret)[*ret_len] = arena_text(arena, name);
	if ((*ret)[*ret_len] == NULL)
		return -ENOMEM;
	(*ret_len)++;
	return 0;
}

int place_read_names(int dir_fd, struct arena *arena, char ***ret,
		     size_t *ret_len)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	int r = dir == NULL ? -errno : 0;
	struct dirent *e;
	size_t room = 0;

	*ret = NULL;
	*ret_len = 0;
	if (dir == NULL && fd >= 0)
		(void)close(fd);
	while (dir != NULL && r == 0 && (e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		r = *ret_len == NAMES_MAX
			    ? 1
			    : name_add(e->d_name, arena, &room, ret, ret_len);
	}
	if (dir != NULL)
		(void)closedir(dir);
	if (*ret_len > 0)
		qsort(*ret, *ret_len, sizeof **ret, compare_names);
	return r;
}
