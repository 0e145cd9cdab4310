/* overlay.c -- puts a source behind an overlay, so that its sockets, fifos,
 * locks and leases are objects of the vessel; where that is refused, it is
 * bound. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"
#include "plan/plan.h"

#define LEAF_BYTES 280 /* "lower1234/" and the longest name there is */

/* "lowerN": the source is bound here while the overlay is made.  Nothing inside
 * can name it, and it goes away with the old root. */
static void lower_name(char *out, unsigned n)
{
	size_t at = 5;

	memcpy(out, "lower", at);
	if (n >= 1000)
		out[at++] = (char)('0' + n / 1000 % 10);
	if (n >= 100)
		out[at++] = (char)('0' + n / 100 % 10);
	if (n >= 10)
		out[at++] = (char)('0' + n / 10 % 10);
	out[at++] = (char)('0' + n % 10);
	out[at] = '\0';
}

/* The layer that takes the writes, of the one view of the repository that may
 * be written to or of the cache. */
static int upper_set(struct init *in, int fs, const struct image_step *s)
{
	const char *upper = image_text(in, s->text);
	const char *work = upper != NULL ? PLAN_CACHE_WORK : "work";
	long r;

	if (upper == NULL)
		upper = "upper";
	r = sys3(&in->k, SYS_mkdirat, in->base_fd, upper, 0755);
	if (r == 0)
		r = sys3(&in->k, SYS_mkdirat, in->base_fd, work, 0755);
	if (r == 0)
		r = fs_text(in, fs, "upperdir", upper);
	if (r >= 0)
		r = fs_text(in, fs, "workdir", work);
	return (int)r;
}

static int layers_set(struct init *in, int fs, const struct image_step *s,
		      const char *lower)
{
	char lowers[32];
	size_t n = strlen(lower);
	int r = fs_flag(in, fs, "userxattr");

	memcpy(lowers, lower, n + 1);
	if (!s->writable && in->part == PART_COPY)
		memcpy(lowers + n, ":/empty", sizeof ":/empty");
	else if (!s->writable)
		memcpy(lowers + n, ":empty", sizeof ":empty");
	if (r >= 0)
		r = fs_text(in, fs, "lowerdir", lowers);
	if (r >= 0 && s->writable)
		r = upper_set(in, fs, s);
	return r;
}

/* The names of the layers are relative: the tmpfs is the working directory. */
static int overlay_mount(struct init *in, const struct image_step *s,
			 const char *lower)
{
	owned_sys_fd int fs = fs_open(in, "overlay");
	int r = fs;

	if (r >= 0)
		r = layers_set(in, fs, s, lower);
	if (r >= 0)
		r = fs_mount(in, fs, s->attr);
	return r;
}

static int lower_mount(struct init *in, const struct image_step *s,
		       const char *lower)
{
	const struct image_source *from = image_at(in, in->im->sources);
	long r = sys1(&in->k, SYS_fchdir, in->base_fd);

	if (s->source == PLAN_NO_SOURCE)
		return (int)r;
	if (r == 0)
		r = sys3(&in->k, SYS_mkdirat, AT_FDCWD, lower, 0755);
	if (r == 0)
		r = mount_source(in, &from[s->source], lower, 0);
	return (int)r;
}

/* The cache of --cache: either all of it as planned, or no run. */
static bool is_cache(const struct image_step *s)
{
	return s->text != 0;
}

static const char *leaf_of(struct init *in, const struct image_step *s)
{
	const struct image_source *from = image_at(in, in->im->sources);

	if (s->source == PLAN_NO_SOURCE)
		return NULL;
	return image_text(in, from[s->source].leaf);
}

/* "lower3/name" */
static int leaf_join(char out[LEAF_BYTES], const char *dir, const char *leaf)
{
	size_t n = strlen(dir);
	size_t len = strlen(leaf);

	if (n + len + 2 > LEAF_BYTES)
		return -ENAMETOOLONG;
	memcpy(out, dir, n);
	out[n] = '/';
	memcpy(out + n + 1, leaf, len + 1);
	return 0;
}

/* Hold the file.  It must be the one that the plan saw, in the directory in
 * which the plan saw it. */
static int leaf_pin(struct init *in, const struct image_step *s,
		    const char *lower)
{
	const struct image_source *from = image_at(in, in->im->sources);
	char path[LEAF_BYTES];
	int r = leaf_join(path, lower, leaf_of(in, s));

	if (r == 0)
		r = file_pin(in, in->base_fd, path, &from[s->source].leaf_id);
	return r == -ESTALE ? source_stale(in, leaf_of(in, s)) : r;
}

/* An overlay gives a file the number that it has in its layer, but for a few
 * bits at the top, by which the overlay tells layers apart ("xino"). */
static bool is_leaf(struct init *in, const struct image_step *s,
		    const struct stat *st)
{
	const struct image_source *from = image_at(in, in->im->sources);
	const uint64_t number = UINT64_MAX >> 8;

	return (st->st_mode & S_IFMT) == S_IFREG &&
	       (init_drops(in, DROP_PINS) ||
		((st->st_ino ^ from[s->source].leaf_id.ino) & number) == 0);
}

/* Mount the overlay beside the root and take the one file out of it, never
 * through a link, whatever has become of the directory meanwhile. */
static int leaf_take(struct init *in, const struct image_step *s,
		     const char *lower, int *tree)
{
	char path[LEAF_BYTES];
	char view[16];
	struct stat st;
	long r;

	memcpy(view, lower, sizeof view);
	memcpy(view, "views", 5); /* "lower3" -> "views3" */
	r = sys3(&in->k, SYS_mkdirat, in->base_fd, view, 0755);
	if (r == 0)
		r = mount_move(in, *tree, view);
	if (r == 0)
		r = leaf_join(path, view, leaf_of(in, s));
	if (r < 0)
		return (int)r;
	sys_close(*tree);
	*tree = (int)sys3(&in->k, SYS_open_tree, in->base_fd, path,
			  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
				  AT_SYMLINK_NOFOLLOW);
	if (*tree < 0)
		return *tree;
	r = sys2(&in->k, SYS_fstat, *tree, &st);
	if (r == 0 && !is_leaf(in, s, &st))
		r = source_stale(in, leaf_of(in, s));
	return (int)r;
}

/* Without an overlay the file is bound by the descriptor that holds it, and the
 * directory by its name in our tmpfs, where nobody else can change a name. */
static int plain_bind(struct init *in, const struct image_step *s,
		      const char *lower, int leaf_fd)
{
	const struct image_source *from = image_at(in, in->im->sources);
	const struct file_id *id = &from[s->source].id;
	const char *target = image_text(in, s->target);
	char path[FD_PATH_BYTES];
	uint64_t attr = s->attr;
	int r;

	if (!init_drops(in, WALL_REPO_READONLY))
		attr |= MOUNT_ATTR_RDONLY;
	if (leaf_of(in, s) != NULL) {
		id = &from[s->source].leaf_id;
		r = mount_pin(in, leaf_fd, target, false);
	} else {
		fd_path(path, in->base_fd, lower);
		r = mount_bind(in, path, target, true);
	}
	if (r == 0)
		r = mount_attr_set(in, target, attr, true);
	if (r == 0)
		r = mount_is(in, target, id);
	return r == -ESTALE ? source_stale(in, image_text(in, s->target)) : r;
}

static int bind_instead(struct init *in, const struct image_step *s,
			const char *lower, int leaf_fd)
{
	int r = plain_bind(in, s, lower, leaf_fd);

	if (r < 0)
		return r;
	in->cross = true;
	in->out.objects_by_filter = 1;
	init_applied(in, WALL_REPO_READONLY);
	return 0;
}

static int overlay_missing(struct init *in, const struct image_step *s, int r)
{
	if (!s->writable || init_drops(in, WALL_REPO_OBJECTS))
		return 0;
	return init_missing(in, WALL_REPO_OVERLAY, CUPEL_STAGE_MOUNT, -r,
			    "a writable overlay of /repo");
}

/* A template keeps what its copies put behind overlays of their own. */
static int tree_lower_keep(struct init *in, const struct image_step *s)
{
	char lower[16];
	long r;

	lower_name(lower, s->source);
	r = lower_mount(in, s, lower);
	return r == 0 ? (int)sys1(&in->k, SYS_fchdir, in->root_fd) : (int)r;
}

/* The copy's own overlay of what the template keeps.  Where the kernel refuses
 * that, there is no copy: the run is then made from the beginning. */
static int copy_overlay_mount(struct init *in, const struct image_step *s)
{
	owned_sys_fd int tree = -1;
	char lower[17] = "/";
	int r;

	lower_name(lower + 1, s->source);
	tree = overlay_mount(in, s, lower);
	if (tree < 0)
		return tree;
	r = mount_move(in, tree, image_text(in, s->target));
	if (r < 0)
		return r;
	init_applied(in, WALL_REPO_OBJECTS);
	init_applied(in, WALL_REPO_READONLY);
	return 0;
}

int overlay_run(struct init *in, const struct image_step *s)
{
	owned_sys_fd int tree = -1;
	owned_sys_fd int leaf = -1;
	bool has_leaf = leaf_of(in, s) != NULL;
	char lower[16];
	long r;

	if (is_cache(s) && (in->part == PART_TREE || in->part == PART_COPY))
		return -EINVAL; /* plan/template.c: no template has a cache */
	if (in->part == PART_TREE)
		return tree_lower_keep(in, s);
	if (in->part == PART_COPY)
		return copy_overlay_mount(in, s);
	if (s->source == PLAN_NO_SOURCE)
		memcpy(lower, "empty", sizeof "empty");
	else
		lower_name(lower, s->source);
	r = lower_mount(in, s, lower);
	if (r == 0 && has_leaf)
		r = leaf = leaf_pin(in, s, lower);
	if (r < 0)
		return (int)r;
	tree = init_drops(in, WALL_REPO_OBJECTS) && !is_cache(s)
		       ? -EPERM
		       : overlay_mount(in, s, lower);
	r = tree >= 0 && has_leaf ? leaf_take(in, s, lower, &tree) : 0;
	if (r == 0)
		r = sys1(&in->k, SYS_fchdir, in->root_fd);
	if (r < 0)
		return (int)r;
	if (tree < 0 && is_cache(s))
		return tree;
	if (tree < 0) {
		r = overlay_missing(in, s, tree);
		return r < 0 ? (int)r : bind_instead(in, s, lower, leaf);
	}
	r = mount_move(in, tree, image_text(in, s->target));
	if (r < 0 || is_cache(s))
		return (int)r;
	init_applied(in, WALL_REPO_OBJECTS);
	init_applied(in, s->writable ? WALL_REPO_OVERLAY : WALL_REPO_READONLY);
	return 0;
}
