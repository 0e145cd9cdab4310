/* tree_attest.c -- reads back, in a copy, the walls that its template raised
 * (docs/copies.md). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "launch/native/init/init.h"
#include "plan/plan.h"

#define IS_READONLY 1           /* ST_RDONLY */
#define OVERLAY_FS  0x794c7630L /* OVERLAYFS_SUPER_MAGIC */

static bool is_readonly(struct init *in, const char *path, long of_type)
{
	struct statfs fs = { 0 };

	return sys2(&in->k, SYS_statfs, path, &fs) == 0 &&
	       ((fs.f_flags & IS_READONLY) != 0 ||
		init_drops(in, WALL_ROOT_READONLY)) &&
	       (of_type == 0 || fs.f_type == of_type);
}

static bool is_device(struct init *in, const struct image_step *s)
{
	struct stat st;

	return sys4(&in->k, SYS_newfstatat, AT_FDCWD, image_text(in, s->target),
		    &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (st.st_mode & S_IFMT) == S_IFCHR &&
	       st.st_rdev ==
		       (dev_t)((uint64_t)s->dev_major << 8 | s->dev_minor);
}

/* Returns -ESTALE for a file of the template that is not the one of this
 * plan. */
static int step_attest(struct init *in, const struct image_step *s)
{
	const struct image_source *from = image_at(in, in->im->sources);
	const char *target = image_text(in, s->target);
	bool stands = true;
	int r = 0;

	switch (s->kind) {
	case STEP_BIND:
		r = mount_is(in, target, &from[s->source].id);
		stands = is_readonly(in, target, 0);
		if (!stands)
			init_found(in, WALL_ROOT_READONLY, false);
		return r == -ESTALE ? source_stale(in, target) : r;
	case STEP_DEVICE:
		init_found(in, WALL_DEVICES,
			   is_device(in, s) && is_readonly(in, target, 0));
		return 0;
	case STEP_OVERLAY:
		init_found(in, WALL_REPO_READONLY,
			   is_readonly(in, target, OVERLAY_FS));
		return 0;
	default:
		return 0;
	}
}

static void scratch_attest(struct init *in)
{
	struct statfs base = { 0 };

	(void)sys2(&in->k, SYS_fstatfs, in->base_fd, &base);
	if ((uint64_t)base.f_blocks * (uint64_t)base.f_bsize <
	    in->im->tmpfs_bytes + (uint64_t)base.f_bsize)
		init_applied(in, WALL_SCRATCH_SIZE);
	if (base.f_files == in->im->tmpfs_inodes)
		init_applied(in, WALL_SCRATCH_INODES);
}

/* Read back what the template raised, as this copy finds it. */
int copy_attest(struct init *in)
{
	const struct image_step *s = image_at(in, in->im->steps);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < in->im->steps.len; i++)
		r = step_attest(in, &s[i]);
	if (r < 0)
		return in->out.error.stage != CUPEL_STAGE_NONE
			       ? r
			       : init_fail(in, CUPEL_STAGE_MOUNT, -r,
					   "checking the root of a copy", NULL);
	scratch_attest(in);
	init_found(in, WALL_ROOT_READONLY, is_readonly(in, "/", 0));
	init_found(in, WALL_SUPPLEMENTARY_GROUPS,
		   sys2(&in->k, SYS_getgroups, 0, 0) == 0);
	return 0;
}
