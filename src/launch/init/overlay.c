/* overlay.c -- a source behind an overlay, so that its sockets, fifos, locks
 * and leases are objects of the vessel; a plain bind where that is refused. */
#include <linux/mount.h>
#include <string.h>

#include "launch/init/init.h"
#include "plan/plan.h"

/* "lowerN": where the source is bound while the overlay is made.  Nothing
 * inside can name it, and it goes away with the old root. */
static void lower_name(char out[16], unsigned n)
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

static int lower_bind(struct init *in, int tree, const char *name)
{
	long r = sys3(&in->k, SYS_mkdirat, in->base_fd, name, 0755);

	if (r == 0 && !init_drops(in, WALL_REPO_READONLY))
		r = mount_set(in, tree,
			      MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
				      MOUNT_ATTR_NODEV,
			      true);
	if (r == 0)
		r = mount_at(in, tree, in->base_fd, name);
	return (int)r;
}

static int layers_set(struct init *in, int fs, const char *lower, bool writable)
{
	char lowers[32];
	size_t n = strlen(lower);
	int r = fs_flag(in, fs, "userxattr");

	memcpy(lowers, lower, n + 1);
	if (!writable)
		memcpy(lowers + n, ":empty", sizeof ":empty");
	if (r >= 0)
		r = fs_text(in, fs, "lowerdir", lowers);
	if (r >= 0 && writable)
		r = fs_text(in, fs, "upperdir", "upper");
	if (r >= 0 && writable)
		r = fs_text(in, fs, "workdir", "work");
	return r;
}

/* The names above are relative: the tmpfs must be the working directory. */
static int overlay_mount(struct init *in, const struct image_step *s,
			 const char *lower)
{
	owned_sys_fd int fs = -1;
	owned_sys_fd int tree = -1;
	long r = sys1(&in->k, SYS_fchdir, in->base_fd);

	if (r < 0)
		return (int)r;
	fs = fs_open(in, "overlay");
	r = fs;
	if (r >= 0)
		r = layers_set(in, fs, lower, s->writable);
	if (r >= 0)
		r = tree = fs_mount(in, fs, s->attr);
	if (r >= 0)
		r = mount_at(in, tree, in->root_fd,
			     image_text(in, s->target));
	return r < 0 ? (int)r : 0;
}

static int bind_instead(struct init *in, const struct image_step *s,
			const char *lower)
{
	owned_sys_fd int tree = mount_clone(in, in->base_fd, lower, true);
	uint64_t attr = s->attr;
	int r;

	if (tree < 0)
		return tree;
	if (!init_drops(in, WALL_REPO_READONLY))
		attr |= MOUNT_ATTR_RDONLY;
	r = mount_set(in, tree, attr, true);
	if (r == 0)
		r = mount_at(in, tree, in->root_fd,
			     image_text(in, s->target));
	if (r < 0)
		return r;
	in->cross = true;
	in->out.objects_by_filter = 1;
	init_applied(in, WALL_REPO_READONLY);
	return 0;
}

int overlay_run(struct init *in, const struct image_step *s)
{
	const struct image_source *from = image_at(in, in->im->sources);
	owned_sys_fd int tree = -1;
	char lower[16];
	int r;

	lower_name(lower, s->source);
	tree = mount_source(in, &from[s->source], true);
	if (tree < 0)
		return tree;
	r = lower_bind(in, tree, lower);
	if (r < 0)
		return r;
	if (!init_drops(in, WALL_REPO_OBJECTS))
		r = overlay_mount(in, s, lower);
	else
		r = -1;
	if (r == 0) {
		init_applied(in, WALL_REPO_OBJECTS);
		init_applied(in, s->writable ? WALL_REPO_OVERLAY :
					       WALL_REPO_READONLY);
		return 0;
	}
	if (s->writable && !init_drops(in, WALL_REPO_OBJECTS)) {
		int missing = init_missing(in, WALL_REPO_OVERLAY,
					   CUPEL_STAGE_MOUNT, -r,
					   "a writable overlay of /repo");
		if (missing < 0)
			return missing;
	}
	return bind_instead(in, s, lower);
}
