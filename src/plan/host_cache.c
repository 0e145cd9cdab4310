/* host_cache.c -- reads the directory of --cache, and holds the tree in it that
 * the run will see. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "plan/cache.h"
#include "plan/host_path.h"
#include "spec/inside.h"
#include "spec/spec.h"

#define TRIES     8 /* others may finish a new tree while we look */
#define OPEN_DIR  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define OPEN_FILE (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static int refuse(const char *dir, int sys, const char *why,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, sys,
			  "--cache: '%.200s' %s", dir, why);
}

/* Read a small regular file of the caller's own.  Returns its length, at most
 * room - 1, or -errno. */
static ssize_t text_read(int dir_fd, const char *name, char *ret, size_t room)
{
	owned_fd int fd = openat(dir_fd, name, OPEN_FILE);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return -EINVAL;
	n = read(fd, ret, room - 1);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	return n;
}

bool cache_is_marked(int dir_fd)
{
	char text[sizeof CACHE_TAG + 1];
	ssize_t n = text_read(dir_fd, CACHE_TAG_NAME, text, sizeof text);

	return n > 0 && strcmp(text, CACHE_TAG) == 0;
}

/* Whether n bytes are the beginning of the line in `current`. */
static bool begins_current(const char *text, size_t n)
{
	size_t word = sizeof CACHE_TREE - 1;

	if (n <= word)
		return strncmp(text, CACHE_TREE, n) == 0;
	if (n == CACHE_TREE_BYTES && text[n - 1] == '\n')
		n--;
	return n < CACHE_TREE_BYTES && strncmp(text, CACHE_TREE, word) == 0 &&
	       strspn(text + word, "0123456789abcdef") == n - word;
}

bool cache_is_left(int dir_fd, const char *name)
{
	char text[sizeof CACHE_TAG + 1];
	struct stat st;
	ssize_t n;

	if (!outfile_is_temp(name) ||
	    fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_nlink != 1)
		return false;
	n = text_read(dir_fd, name, text, sizeof text);
	return n >= 0 && (strncmp(text, CACHE_TAG, (size_t)n) == 0 ||
			  begins_current(text, (size_t)n));
}

/* Whether there is nothing but what a killed cupel left.  Returns 1, 0 or
 * -errno. */
static int is_unused(int dir_fd)
{
	owned_fd int fd = openat(dir_fd, ".", OPEN_DIR);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	int r = 1;

	if (dir == NULL)
		return -errno;
	(void)take_fd(&fd);
	while (r > 0) {
		errno = 0;
		e = readdir(dir);
		if (e == NULL) {
			r = errno != 0 ? -errno : r;
			break;
		}
		r = strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0 ||
		    cache_is_left(dir_fd, e->d_name);
	}
	(void)closedir(dir);
	return r;
}

/* Whether the directory is a cache or may become one.  A home directory, a
 * repository or / is not empty and has no such mark.  Returns 1, 0 or -errno. */
static int is_ours(int dir_fd)
{
	if (test_wall_is_down(TEST_WALL_CACHE_TAG) || cache_is_marked(dir_fd))
		return 1;
	return is_unused(dir_fd);
}

static int dir_check(const struct host *h, const char *dir, int dir_fd,
		     struct cupel_error *err)
{
	struct stat st;
	int r;

	if (fstat(dir_fd, &st) < 0)
		return refuse(dir, errno, "cannot be examined", err);
	if (st.st_uid != geteuid())
		return refuse(dir, EPERM,
			      "does not belong to the user who runs cupel",
			      err);
	if ((st.st_mode & 077) != 0)
		return refuse(dir, EPERM,
			      "is open to other users; run chmod 700 on it",
			      err);
	if (h->has_repo && (inside_is_at(dir, h->repo.path) ||
			    inside_is_at(h->repo.path, dir)))
		return refuse(
			dir, EINVAL,
			"and the repository overlap; choose another directory",
			err);
	r = is_ours(dir_fd);
	if (r < 0)
		return refuse(dir, -r, "cannot be read", err);
	if (r == 0)
		return refuse(dir, ENOTEMPTY,
			      "is neither empty nor a cache that cupel made; "
			      "name an empty directory",
			      err);
	return 0;
}

int cache_current_read(int dir_fd, char ret[CACHE_TREE_BYTES + 2])
{
	ssize_t n = text_read(dir_fd, CACHE_CURRENT, ret, CACHE_TREE_BYTES + 2);

	if (n == -ENOENT)
		ret[0] = '\0';
	if (n < 0)
		return n == -ENOENT ? 0 : (int)n;
	if (n > 0 && ret[n - 1] == '\n')
		ret[n - 1] = '\0';
	return cache_is_tree(ret) ? 0 : -EINVAL;
}

/* Hold the tree, unless it is gone or about to go.  Returns 0, -EAGAIN or
 * another -errno. */
static int tree_hold(struct host *h, struct host_cache *c, const char *name)
{
	owned_fd int fd = openat(c->dir_fd, name, OPEN_DIR);
	struct stat st, now;
	char *path;

	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	if (flock(fd, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	if (fstat(fd, &st) < 0 ||
	    fstatat(c->dir_fd, name, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
	    now.st_ino != st.st_ino)
		return -EAGAIN;
	path = arena_format(&h->arena, "%s/%s", c->dir, name);
	if (path == NULL || host_source_fill(h, path, &st, &c->tree) < 0)
		return -ENOMEM;
	c->tree.dst = INSIDE_CACHE;
	c->tree_fd = take_fd(&fd);
	c->has_tree = true;
	return 0;
}

static int tree_find(struct host *h, struct host_cache *c)
{
	char name[CACHE_TREE_BYTES + 2];
	int r = -EAGAIN;

	for (int i = 0; r == -EAGAIN && i < TRIES; i++) {
		r = cache_current_read(c->dir_fd, name);
		if (r == 0 && name[0] == '\0')
			return 0;
		if (r == 0)
			r = tree_hold(h, c, name);
	}
	return r;
}

/* There is no tree to show: say why. */
static int tree_refuse(const char *dir, int sys, struct cupel_error *err)
{
	if (sys == ENOMEM)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_BUSY,
				  sys, "--cache: '%.200s': no memory", dir);
	if (sys == EAGAIN)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_BUSY,
				  sys,
				  "--cache: '%.200s' is being changed by other "
				  "runs; try again",
				  dir);
	return refuse(dir, sys,
		      "has a file `current` without the tree that it names; "
		      "empty the directory",
		      err);
}

int host_cache_read(struct host *h, const struct spec *spec,
		    struct cupel_error *err)
{
	struct host_cache *c = &h->cache;
	owned_fd int fd = -1;
	char real[PATH_MAX];
	int r;

	if (spec->cache == NULL)
		return 0;
	if (realpath(spec->cache, real) != NULL)
		fd = open(real, OPEN_DIR);
	if (fd < 0)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, errno,
			"--cache: '%.200s': %s%s", spec->cache, strerror(errno),
			errno == ENOENT ? "; make it with mkdir -m 700" : "");
	r = dir_check(h, real, fd, err);
	if (r < 0)
		return r;
	c->dir = arena_text(&h->arena, real);
	r = c->dir == NULL ? -ENOMEM : 0;
	c->dir_fd = take_fd(&fd);
	if (r == 0)
		r = tree_find(h, c);
	return r < 0 ? tree_refuse(real, -r, err) : 0;
}

void host_cache_close(struct host *h)
{
	struct host_cache *c = &h->cache;

	if (c->dir_fd > 0)
		(void)close(c->dir_fd);
	if (c->has_tree)
		(void)close(c->tree_fd);
	*c = (struct host_cache){ 0 };
}
