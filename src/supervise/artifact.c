/* artifact.c -- walks the dead vessel's tmpfs and copies what was asked for. */
#include "supervise/artifact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/test_wall.h"
#include "plan/plan.h"
#include "supervise/artifact_write.h"

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

/* One walk: its place inside, and the target of its files. */
struct walk {
	struct artifact_list *list;
	dev_t dev; /* of the tmpfs: nothing else is entered */
	bool no_memory, is_unreadable;
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
	if (why == NULL)
		why = artifact_write(fd, dst,
				     ARTIFACT_BYTES_MAX - k->list->bytes, a);
	a->skipped = why;
	if (why == NULL) {
		k->list->bytes += a->bytes;
		a->dst = arena_text(&k->list->arena, dst);
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of a directory, sorted, in the arena.  Returns how many. */
static size_t read_names(struct walk *k, int dir_fd, char ***ret)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	char **names = NULL;
	size_t len = 0, room = 0;
	struct dirent *e;

	k->is_unreadable |= dir == NULL;
	if (dir == NULL && fd >= 0)
		(void)close(fd);
	while (dir != NULL && len < NAMES_MAX && (e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (len == room) {
			char **more;

			room = room > 0 ? room * 2 : 64;
			more = realloc(names, room * sizeof *names);
			k->no_memory |= more == NULL;
			if (more == NULL)
				break;
			names = more;
		}
		names[len] = arena_text(&k->list->arena, e->d_name);
		k->no_memory |= names[len] == NULL;
		if (k->no_memory)
			break;
		len++;
	}
	if (dir != NULL)
		(void)closedir(dir);
	if (len > 0)
		qsort(names, len, sizeof *names, compare_names);
	*ret = names;
	return len;
}

static int open_dir(int dir_fd, const char *name)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_ARTIFACT_LINKS) ? 0 : O_NOFOLLOW;

	return openat(dir_fd, name,
		      O_PATH | O_DIRECTORY | O_CLOEXEC | nofollow);
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
	below = open_dir(dir_fd, name);
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
	size_t n = read_names(k, dir_fd, &names);

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

/* What follows the view's name in path; NULL when path is not below it. */
static const char *below_view(const char *path, const char *inside)
{
	size_t n = strlen(inside);

	if (strncmp(path, inside, n) != 0 ||
	    (path[n] != '/' && path[n] != '\0'))
		return NULL;
	return path + n;
}

/* Descend to the directory that holds the last component of rest, component
 * by component and through no link; name gets the last ("." when there is
 * none).  Returns a descriptor, or -errno. */
static int descend(int top_fd, const char *rest, char name[256])
{
	owned_fd int at = open_dir(top_fd, ".");

	(void)memcpy(name, ".", 2);
	while (at >= 0) {
		size_t n;
		int below;

		rest += strspn(rest, "/");
		n = strcspn(rest, "/");
		if (n == 0)
			return take_fd(&at);
		if (strcmp(name, ".") != 0) {
			below = open_dir(at, name);
			if (below < 0)
				return -errno;
			cleanup_fd(&at);
			at = below;
		}
		if (n > 255 || (n == 2 && memcmp(rest, "..", 2) == 0))
			return -EINVAL;
		memcpy(name, rest, n);
		name[n] = '\0';
		rest += n;
	}
	return -errno;
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
		     const struct plan_artifact *a, const char *dir,
		     const char *rest)
{
	const char *dst =
		a->dst != NULL ? a->dst : default_dst(&k->list->arena, a->path);
	owned_fd int top = open_dir(tmpfs_fd, dir);
	owned_fd int at = -1;
	char name[256];
	struct stat st;

	k->no_memory |= dst == NULL;
	if (k->no_memory)
		return;
	at = top >= 0 ? descend(top, rest, name) : -errno;
	if (at < 0 || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		bool is_odd = at == -ELOOP || at == -ENOTDIR || at == -EINVAL;

		at = -1;
		list_skip(k, a->path, is_odd ? "not_regular" : "not_found");
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		owned_fd int tree = open_dir(at, name);

		if (tree >= 0)
			copy_tree(k, tree, a->path, dst, 0);
		else
			list_skip(k, a->path, "unreadable");
		return;
	}
	copy_file(k, at, name, a->path, dst);
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

int artifact_open(int tmpfs_fd, const char *path, uint64_t cap,
		  const char **ret_why)
{
	const char *dir = NULL, *rest = find_view(path, &dir);
	owned_fd int top =
		tmpfs_fd >= 0 && rest != NULL ? open_dir(tmpfs_fd, dir) : -1;
	owned_fd int at = -1;
	char name[256];
	struct stat st;

	*ret_why = tmpfs_fd < 0 ? "no_scratch" : "not_in_scratch";
	if (top < 0 || fstat(tmpfs_fd, &st) < 0)
		return -1;
	at = descend(top, rest, name);
	if (at < 0) {
		*ret_why = at == -ENOENT ? "not_found" : "not_regular";
		at = -1;
		return -1;
	}
	return open_file(at, name, st.st_dev, cap, ret_why);
}

int artifact_names(int tmpfs_fd, const char *path, struct artifact_list *ret)
{
	const char *dir = NULL, *rest = find_view(path, &dir);
	struct walk k = { .list = ret };
	owned_fd int top = rest != NULL ? open_dir(tmpfs_fd, dir) : -1;
	owned_fd int at = -1, tree = -1;
	char name[256], **names = NULL;
	size_t n;

	at = top >= 0 ? descend(top, rest, name) : -1;
	tree = at >= 0 ? open_dir(at, name) : -1;
	k.is_unreadable =
		at == -EACCES || (at >= 0 && tree < 0 && errno == EACCES);
	n = tree >= 0 ? read_names(&k, tree, &names) : 0;
	for (size_t i = 0; i < n && !k.no_memory; i++) {
		char *one = arena_format(&ret->arena, "%s%s", path, names[i]);

		k.no_memory |= one == NULL || list_add(&k, one) == NULL;
	}
	free(names);
	return k.no_memory ? -ENOMEM : k.is_unreadable ? -EACCES : 0;
}

int artifact_copy_all(const struct plan *plan, int tmpfs_fd,
		      struct artifact_list *ret)
{
	struct walk k = { .list = ret };
	struct stat st;

	*ret = (struct artifact_list){ 0 };
	if (tmpfs_fd >= 0 && fstat(tmpfs_fd, &st) == 0)
		k.dev = st.st_dev;
	else
		tmpfs_fd = -1;
	for (size_t i = 0; i < plan->artifacts_len && !k.no_memory; i++) {
		const struct plan_artifact *a = &plan->artifacts[i];
		const char *dir = NULL, *rest = find_view(a->path, &dir);

		if (tmpfs_fd < 0)
			list_skip(&k, a->path, "no_scratch");
		else if (rest == NULL)
			list_skip(&k, a->path, "not_in_scratch");
		else
			copy_one(&k, tmpfs_fd, a, dir, rest);
	}
	return k.no_memory ? -ENOMEM : 0;
}

void artifact_list_done(struct artifact_list *list)
{
	free(list->items);
	arena_done(&list->arena);
	*list = (struct artifact_list){ 0 };
}
