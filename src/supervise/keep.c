/* keep.c -- see keep.h: one keeper at a time, a new tree, a new `current`, and
 * the trees that nobody looks at any more. */
#include "supervise/keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "plan/cache.h"
#include "plan/plan.h"
#include "supervise/clock.h"

#define FILE_MODE 0600
#define OPEN_DIR  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static bool is_over(const void *k)
{
	return keep_why_over(k) != NULL;
}

/* Under a temporary name; outfile_put() gives it its own. */
static bool text_write(int dir_fd, const char *name, const char *text,
		       struct outfile *o)
{
	return outfile_open_at(dir_fd, name, FILE_MODE, o) == 0 &&
	       outfile_write(o->fd, text, strlen(text)) == 0;
}

/* --- what nobody needs any more ---------------------------------------------- */

/* Remove a tree, unless a run still looks at it. */
static void tree_clean(const struct keep *k, const char *name)
{
	owned_fd int tree = openat(k->dir_fd, name, OPEN_DIR);

	if (tree >= 0 && (flock(tree, LOCK_EX | LOCK_NB) == 0 ||
			  test_wall_is_down(TEST_WALL_KEEP_LOCK)))
		(void)folder_end(k->dir_fd, name, is_over, k);
}

/* Remove the trees that are not current, and half-written files.  Only who
 * keeps makes them, and we are the only one.  What is not removed before it is
 * over, a later run removes. */
static void dir_clean(const struct keep *k, const char *current)
{
	owned_fd int fd = openat(k->dir_fd, ".", OPEN_DIR);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (dir == NULL)
		return;
	(void)take_fd(&fd);
	while (!is_over(k) && (e = readdir(dir)) != NULL) {
		if (cache_is_left(k->dir_fd, e->d_name))
			(void)unlinkat(k->dir_fd, e->d_name, 0);
		else if (cache_is_tree(e->d_name) &&
			 strcmp(e->d_name, current) != 0)
			tree_clean(k, e->d_name);
	}
	(void)closedir(dir);
}

/* Remove what was made for nothing, for a little longer although it is over.  The
 * mark stays as long as there is anything that it marks. */
static void made_end(const struct keep *k, const char *name, bool has_marked)
{
	const struct keep end = {
		.cancel_fd = -1,
		.deadline_ns = clock_after_ms(clock_now_ns(), KEEP_REMOVE_MS),
	};
	int r = folder_end(k->dir_fd, name, is_over, &end);

	if (has_marked && (r == 0 || r == -ENOENT))
		(void)unlinkat(k->dir_fd, CACHE_TAG_NAME, 0);
}

/* --- a new tree --------------------------------------------------------------- */

static const char *tree_name(char ret[CACHE_TREE_BYTES])
{
	uint64_t r;

	if (getrandom(&r, sizeof r, 0) != (ssize_t)sizeof r)
		return "write_failed";
	(void)snprintf(ret, CACHE_TREE_BYTES, CACHE_TREE "%016" PRIx64, r);
	return NULL;
}

/* The mark comes first, and is on the disk before it has its name: a directory
 * that has something else in it and no mark is refused for good. */
static const char *mark_make(const struct keep *k, bool *ret_has_marked)
{
	struct outfile o = OUTFILE_NONE;
	const char *why = NULL;

	if (cache_is_marked(k->dir_fd))
		return NULL;
	if (!text_write(k->dir_fd, CACHE_TAG_NAME, CACHE_TAG, &o))
		why = "write_failed";
	if (why == NULL)
		why = keep_sync(k, SYNC_FILE, o.fd);
	if (why == NULL && outfile_put(&o) < 0)
		why = "write_failed";
	*ret_has_marked = why == NULL;
	outfile_done(&o);
	return why;
}

static const char *tree_make(const struct keep *k, int upper, const char *name,
			     struct kept *ret)
{
	owned_fd int made = -1;

	if (mkdirat(k->dir_fd, name, 0700) < 0)
		return "write_failed";
	made = openat(k->dir_fd, name, OPEN_DIR);
	return made < 0 ? "write_failed"
			: keep_tree_write(k, k->tree_fd, upper, made, ret);
}

/* Say that it is the one, when all of it is on the disk, and not before. */
static const char *tree_put(const struct keep *k, const char *name)
{
	struct outfile o = OUTFILE_NONE;
	char line[CACHE_TREE_BYTES + 1];
	const char *why = NULL;

	(void)snprintf(line, sizeof line, "%s\n", name);
	if (!text_write(k->dir_fd, CACHE_CURRENT, line, &o))
		why = "write_failed";
	if (why == NULL)
		why = keep_sync(k, SYNC_FILESYSTEM, k->dir_fd);
	if (why == NULL)
		why = keep_why_over(k);
	if (why == NULL && outfile_put(&o) < 0)
		why = "write_failed";
	outfile_done(&o);
	return why;
}

static const char *keep_new(const struct keep *k, int upper, const char *name,
			    struct kept *ret)
{
	bool has_marked = false;
	const char *why = mark_make(k, &has_marked);

	if (why == NULL)
		why = tree_make(k, upper, name, ret);
	if (why == NULL)
		why = tree_put(k, name);
	if (why != NULL)
		made_end(k, name, has_marked);
	return why;
}

static const char *keep(const struct keep *k, int upper, struct kept *ret)
{
	/* of a description of our own: a lock belongs to one */
	owned_fd int lock = openat(k->dir_fd, ".", OPEN_DIR);
	char now[CACHE_TREE_BYTES + 2], name[CACHE_TREE_BYTES];
	const char *why;

	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) < 0)
		return "busy";
	if (cache_current_read(k->dir_fd, now) < 0 || strcmp(now, k->tree) != 0)
		return "changed_meanwhile";
	dir_clean(k, now);
	why = keep_why_over(k);
	if (why == NULL)
		why = tree_name(name);
	if (why == NULL)
		why = keep_new(k, upper, name, ret);
	if (why != NULL)
		return why;
	ret->is_saved = true;
	/* Until the disk has the new name the old tree is the one that a power
	 * failure would leave. */
	if (keep_sync(k, SYNC_FILE, k->dir_fd) != NULL)
		return NULL;
	if (k->tree_fd >= 0)
		(void)flock(k->tree_fd, LOCK_UN);
	dir_clean(k, name);
	return NULL;
}

void keep_write(const struct keep *k, struct kept *ret)
{
	owned_fd int upper =
		k->tmpfs_fd < 0 ? -1
				: openat(k->tmpfs_fd, PLAN_CACHE_DIR, OPEN_DIR);
	int has = upper < 0 ? -errno : folder_has_names(upper);

	*ret = (struct kept){ 0 };
	if (has < 0)
		ret->why = "unreadable";
	else if (has > 0)
		ret->why = keep(k, upper, ret);
	if (ret->why != NULL)
		*ret = (struct kept){ .why = ret->why };
}
