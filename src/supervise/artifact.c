/* artifact.c -- walks the dead vessel's tmpfs and copies what was asked for. */
#include "supervise/artifact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/hooks.h"
#include "plan/plan.h"
#include "supervise/artifact_place.h"
#include "supervise/artifact_write.h"
#include "supervise/old_files.h"

/* One walk: its place inside, and the target of its files. */
struct walk {
	struct artifact_list *list;
	const struct old_files *old; /* these are not copied; may be NULL */
	dev_t dev;                   /* of the tmpfs: nothing else is entered */
	bool no_memory;
};

static struct artifact *list_add(struct walk *k, const char *path)
{
	struct artifact_list *l = k->list;

	if (l->len == l->room) {
		size_t room = l->room > 0 ? l->room * 2 : 16;
		void *items = realloc(l->items, room * sizeof *l->items);

		if (items == NULL) {
			k->no_memory = true;
			return NULL;
		}
		l->items = items;
		l->room = room;
	}
	l->items[l->len] = (struct artifact){
		.path = arena_text(&l->arena, path),
	};
	k->no_memory |= l->items[l->len].path == NULL;
	return k->no_memory ? NULL : &l->items[l->len++];
}

static void list_skip(struct walk *k, const char *path, const char *why)
{
	struct artifact *a = list_add(k, path);

	if (a != NULL)
		a->skipped = why;
}

/* Open a regular file of at most cap bytes.  Nothing inside is alive, so
 * nothing changes any more; still, fstat(2) is called on the opened descriptor.
 * Returns a descriptor, or -1 with *ret_why. */
static int open_file(int dir_fd, const char *name, dev_t dev, uint64_t cap,
		     const char **ret_why)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_ARTIFACT_LINKS) ? 0 : O_NOFOLLOW;
	owned_fd int fd =
		openat(dir_fd, name,
		       O_RDONLY | O_CLOEXEC | nofollow | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	*ret_why = NULL;
	if (fd < 0 || fstat(fd, &st) < 0)
		*ret_why = errno == ELOOP || errno == ENXIO ? "not_regular"
			   : errno == ENOENT                ? "not_found"
							    : "unreadable";
	else if (st.st_dev != dev && nofollow != 0)
		*ret_why = "not_in_scratch";
	else if (!S_ISREG(st.st_mode) &&
		 !test_wall_is_down(TEST_WALL_ARTIFACT_KIND))
		*ret_why = "not_regular";
	else if (st.st_size < 0 || (uint64_t)st.st_size > cap)
		*ret_why = "too_large";
	return *ret_why == NULL ? take_fd(&fd) : -1;
}

static void copy_file(struct walk *k, int dir_fd, const char *name,
		      const char *path, const char *dst)
{
	owned_fd int fd = -1;
	const char *why;
	struct artifact *a;

	if (k->list->len >= ARTIFACT_FILES_MAX)
		return;
	fd = open_file(dir_fd, name, k->dev,
		       ARTIFACT_BYTES_MAX - k->list->bytes, &why);
	a = list_add(k, path);
	if (a == NULL)
		return;
	if (why == NULL && old_files_has(k->old, fd))
		why = "earlier_phase";
	if (why == NULL)
		why = artifact_write(fd, dst,
				     ARTIFACT_BYTES_MAX - k->list->bytes,
				     k->list, a);
	a->skipped = why;
	if (why == NULL) {
		k->list->bytes += a->bytes;
		a->dst = arena_text(&k->list->arena, dst);
	}
}

static void copy_tree(struct walk *k, int dir_fd, const char *path,
		      const char *dst, int depth);

static void copy_entry(struct walk *k, int dir_fd, const char *name,
		       const char *const where[2], int depth)
{
	struct arena *arena = &k->list->arena;
	char *path = arena_format(arena, "%s/%s", where[0], name);
	char *dst = arena_format(arena, "%s/%s", where[1], name);
	owned_fd int below = -1;
	struct stat st;

	k->no_memory |= path == NULL || dst == NULL;
	if (k->no_memory)
		return;
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		list_skip(k, path, "unreadable");
		return;
	}
	if (!S_ISDIR(st.st_mode)) {
		copy_file(k, dir_fd, name, path, dst);
		return;
	}
	below = place_open_dir(dir_fd, name);
	if (depth >= ARTIFACT_DEPTH_MAX)
		list_skip(k, path, "too_deep");
	else if (below < 0)
		list_skip(k, path, "unreadable");
	else
		copy_tree(k, below, path, dst, depth + 1);
}

static void copy_tree(struct walk *k, int dir_fd, const char *path,
		      const char *dst, int depth)
{
	const char *const where[2] = { path, dst };
	char **names = NULL;
	size_t n = 0;
	int r = place_read_names(dir_fd, &k->list->arena, &names, &n);

	k->no_memory |= r == -ENOMEM;
	if (r < 0 && !k->no_memory)
		list_skip(k, path, "unreadable");
	for (size_t i = 0; i < n && !k->no_memory; i++) {
		if (k->list->len >= ARTIFACT_FILES_MAX) {
			k->list->items[ARTIFACT_FILES_MAX - 1].skipped =
				"too_many";
			break;
		}
		copy_entry(k, dir_fd, names[i], where, depth);
	}
	free(names);
}

/* Without a DST: the base name, in the current directory. */
static const char *default_dst(struct arena *arena, const char *path)
{
	size_t end = strlen(path);
	size_t from;

	while (end > 1 && path[end - 1] == '/')
		end--;
	from = end;
	while (from > 0 && path[from - 1] != '/')
		from--;
	return arena_copy(arena, path + from, end - from);
}

static void copy_one(struct walk *k, int tmpfs_fd,
		     const struct plan_artifact *a)
{
	const char *dst =
		a->dst != NULL ? a->dst : default_dst(&k->list->arena, a->path);
	char name[PLACE_NAME_BYTES];
	int r = place_open(tmpfs_fd, a->path, name);
	owned_fd int at = r >= 0 ? r : -1;
	struct stat st;

	k->no_memory |= dst == NULL;
	if (k->no_memory)
		return;
	if (at < 0 || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		bool is_odd = r == -ELOOP || r == -ENOTDIR || r == -EINVAL;

		list_skip(k, a->path, is_odd ? "not_regular" : "not_found");
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		owned_fd int tree = place_open_dir(at, name);

		if (tree >= 0)
			copy_tree(k, tree, a->path, dst, 0);
		else
			list_skip(k, a->path, "unreadable");
		return;
	}
	copy_file(k, at, name, a->path, dst);
}

int artifact_open(int tmpfs_fd, const char *path, uint64_t cap,
		  const char **ret_why)
{
	char name[PLACE_NAME_BYTES];
	int r = tmpfs_fd >= 0 ? place_open(tmpfs_fd, path, name) : -EXDEV;
	owned_fd int at = r >= 0 ? r : -1;
	struct stat st;

	*ret_why = tmpfs_fd < 0   ? "no_scratch"
		   : r == -EXDEV  ? "not_in_scratch"
		   : r == -ENOENT ? "not_found"
				  : "not_regular";
	if (at < 0 || fstat(tmpfs_fd, &st) < 0)
		return -1;
	return open_file(at, name, st.st_dev, cap, ret_why);
}

int artifact_names(int tmpfs_fd, const char *path, struct artifact_list *ret)
{
	struct walk k = { .list = ret };
	char name[PLACE_NAME_BYTES], **names = NULL;
	int r = place_open(tmpfs_fd, path, name);
	owned_fd int at = r >= 0 ? r : -1;
	owned_fd int tree = at >= 0 ? place_open_dir(at, name) : -1;
	size_t n = 0;

	if (at >= 0)
		r = tree >= 0 ? place_read_names(tree, &ret->arena, &names, &n)
			      : -errno;
	for (size_t i = 0; i < n && !k.no_memory; i++) {
		char *one = arena_format(&ret->arena, "%s%s", path, names[i]);

		k.no_memory |= one == NULL || list_add(&k, one) == NULL;
	}
	free(names);
	if (k.no_memory || r == -ENOMEM)
		return -ENOMEM;
	return r == -EACCES ? -EACCES : 0;
}

int artifact_copy_all(const struct plan *plan, int tmpfs_fd,
		      const struct old_files *old, struct artifact_list *ret)
{
	struct walk k = { .list = ret, .old = old };
	struct stat st;

	*ret = (struct artifact_list){ 0 };
	if (tmpfs_fd >= 0 && fstat(tmpfs_fd, &st) == 0)
		k.dev = st.st_dev;
	else
		tmpfs_fd = -1;
	for (size_t i = 0; i < plan->artifacts_len && !k.no_memory; i++) {
		const struct plan_artifact *a = &plan->artifacts[i];

		if (tmpfs_fd < 0)
			list_skip(&k, a->path, "no_scratch");
		else if (!place_is_known(a->path))
			list_skip(&k, a->path, "not_in_scratch");
		else
			copy_one(&k, tmpfs_fd, a);
	}
	return k.no_memory ? -ENOMEM : 0;
}

void artifact_list_done(struct artifact_list *list)
{
	free(list->items);
	arena_done(&list->arena);
	*list = (struct artifact_list){ 0 };
}
