/* old_files.c -- inodes, sizes and times at the places of a phase's files.  See
 * old_files.h. */
#include "supervise/old_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/hooks.h"
#include "supervise/artifact.h"
#include "supervise/artifact_place.h"

/* These values differ once a file is written to or replaced.  The time of
 * change is not used, because removing a link to the file changes it. */
struct old_file {
	uint64_t ino;
	int64_t size;
	struct timespec written;
	/* It has other names: a program that writes by one of them, a log for
	 * example, does not know that it writes here. */
	bool is_linked;
};

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static void file_add(struct old_files *old, const struct stat *st)
{
	if (old->len == old->room) {
		size_t room = old->room > 0 ? old->room * 2 : 16;
		void *items = realloc(old->items, room * sizeof *old->items);

		if (items == NULL) {
			old->is_unknown = true;
			return;
		}
		old->items = items;
		old->room = room;
	}
	old->items[old->len++] = (struct old_file){
		.ino = st->st_ino,
		.size = st->st_size,
		.written = st->st_mtim,
		.is_linked = st->st_nlink > 1,
	};
}

static void tree_add(struct old_files *old, int dir_fd, int depth);

/* What is neither a file nor a directory never becomes one: a link or a fifo
 * has to be replaced, and then is not what was there. */
static void entry_add(struct old_files *old, int dir_fd, const char *name,
		      int depth)
{
	owned_fd int below = -1;
	struct stat st;

	if (++old->seen > OLD_FILES_MAX) {
		old->is_unknown = true;
		return;
	}
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		old->is_unknown |= errno != ENOENT;
		return;
	}
	if (S_ISREG(st.st_mode))
		file_add(old, &st);
	/* no artifact comes from further below */
	if (!S_ISDIR(st.st_mode) || depth > ARTIFACT_DEPTH_MAX)
		return;
	below = place_open_dir(dir_fd, name);
	if (below < 0)
		old->is_unknown = true;
	else
		tree_add(old, below, depth + 1);
}

static void tree_add(struct old_files *old, int dir_fd, int depth)
{
	struct arena arena = { 0 };
	char **names = NULL;
	size_t n = 0;

	if (place_read_names(dir_fd, &arena, &names, &n) != 0)
		old->is_unknown = true;
	for (size_t i = 0; i < n && !old->is_unknown; i++)
		entry_add(old, dir_fd, names[i], depth);
	free(names);
	arena_done(&arena);
}

void old_files_mark(struct old_files *ret, int tmpfs_fd, const char *path)
{
	char name[PLACE_NAME_BYTES];
	int r = place_open(tmpfs_fd, path, name);
	owned_fd int at = r >= 0 ? r : -1;

	if (at >= 0)
		entry_add(ret, at, name, 0);
	else
		ret->is_unknown |= r != -ENOENT && r != -EXDEV;
}

bool old_files_has(const struct old_files *old, int fd)
{
	struct stat st;

	if (old == NULL || test_wall_is_down(TEST_WALL_OLD_FILES))
		return false;
	if (old->is_unknown)
		return true;
	if (old->len == 0)
		return false;
	if (fstat(fd, &st) < 0)
		return true;
	for (size_t i = 0; i < old->len; i++) {
		const struct old_file *o = &old->items[i];

		if (o->ino == st.st_ino &&
		    (o->is_linked || (o->size == st.st_size &&
				      is_same_time(&o->written, &st.st_mtim))))
			return true;
	}
	return false;
}

void old_files_done(struct old_files *old)
{
	free(old->items);
	*old = (struct old_files){ 0 };
}
