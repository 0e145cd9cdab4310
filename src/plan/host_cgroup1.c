/* host_cgroup1.c -- see host_cgroup.h and docs/memory.md: the memory controller
 * of cgroup version 1, where version 2 has none. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plan/host_cgroup.h"

#define TEXT_BYTES 4096 /* of /proc/self/cgroup: a line for each hierarchy */

/* Whether the list "a,b,c" of n bytes contains that word. */
static bool list_has(const char *list, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0; at < n;) {
		const char *comma = memchr(list + at, ',', n - at);
		size_t end = comma != NULL ? (size_t)(comma - list) : n;

		if (end - at == len && memcmp(list + at, word, len) == 0)
			return true;
		at = end + 1;
	}
	return false;
}

/* A line is "4:memory:/a/b": a number, the controllers, the path. */
const char *cgroup1_find_own(const char *text, size_t *ret_len)
{
	for (; *text != '\0'; text += strcspn(text, "\n")) {
		const char *list, *path;
		size_t n;

		text += *text == '\n';
		n = strcspn(text, "\n");
		list = memchr(text, ':', n);
		path = list != NULL ? memchr(list + 1, ':',
					     n - (size_t)(list + 1 - text))
				    : NULL;
		if (path == NULL ||
		    !list_has(list + 1, (size_t)(path - list - 1), "memory"))
			continue;
		path++;
		n -= (size_t)(path - text);
		/* "/../x" is above the root of our cgroup namespace.  A last
		 * line without its end was cut off. */
		if (n == 0 || path[0] != '/' || path[n] != '\n' ||
		    (n >= 3 && memcmp(path, "/..", 3) == 0))
			return NULL;
		*ret_len = n;
		return path;
	}
	return NULL;
}

/* Somebody who may write in the directory above could take the limit away from
 * a run, or put processes of his own beside it. */
static bool is_ours_alone(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() &&
	       (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
	       faccessat(AT_FDCWD, dir, W_OK, AT_EACCESS) == 0;
}

int cgroup1_look(const struct cgroup_place *at, struct arena *arena,
		 struct host_cgroup *ret)
{
	char text[TEXT_BYTES];
	char dir[PATH_MAX];
	owned_fd int fd = open(at->self, O_RDONLY | O_CLOEXEC);
	const char *path;
	ssize_t n = -1;
	size_t len = 0;

	if (fd >= 0)
		n = read(fd, text, sizeof text - 1);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	path = cgroup1_find_own(text, &len);
	if (path == NULL || strlen(at->mount) + len >= sizeof dir)
		return 0;
	(void)snprintf(dir, sizeof dir, "%s%.*s", at->mount,
		       len > 1 ? (int)len : 0, path);
	if (!is_ours_alone(dir))
		return 0;
	ret->dir = arena_text(arena, dir);
	if (ret->dir == NULL)
		return -ENOMEM;
	ret->kind = CGROUP_V1;
	ret->has = ret->can = CGROUP_MEMORY;
	return 0;
}
