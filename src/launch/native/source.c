/* source.c -- see source.h. */
#include "launch/native/source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/fd.h"
#include "launch/native/idmap.h"
#include "plan/backend.h"
#include "plan/plan.h"

static int fail(const struct plan_source *s, long r, const char *what,
		struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SOURCE, cupel_cause_of((int)-r),
			  (int)-r, "%s: %s", s->path, what);
}

static int tree_clone(struct sys *k, const struct plan_source *s, int *ret,
		      struct cupel_error *err)
{
	owned_fd int tree = -1;
	struct stat st;
	long r =
		sys3(k, SYS_open_tree, AT_FDCWD, s->path,
		     OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW |
			     (s->needs_idmap ? 0U : (unsigned)AT_RECURSIVE));

	if (r < 0)
		return fail(s, r, "cannot be cloned as a mount", err);
	tree = (int)r;
	r = fd_raise(k, &tree);
	if (r == 0)
		r = sys2(k, SYS_fstat, tree, &st);
	if (r < 0)
		return fail(s, r, "cannot be examined", err);
	if (st.st_dev != s->dev || st.st_ino != s->ino)
		return fail(s, -ESTALE,
			    "has just been replaced by another file", err);
	*ret = take_fd(&tree);
	return 0;
}

static int tree_idmap(struct sys *k, const struct plan *plan,
		      const struct plan_source *s, int tree,
		      struct cupel_error *err)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_IDMAP };
	owned_fd int userns = -1;
	long r = idmap_open(k,
			    &(struct idmap){ .from_uid = s->uid,
					     .from_gid = s->gid,
					     .to_uid = plan->ids.host_uid,
					     .to_gid = plan->ids.host_gid },
			    &userns);

	if (r < 0)
		return cupel_fail(
			err, CUPEL_STAGE_IDMAP, CUPEL_CAUSE_HOST, (int)-r,
			"%s: an idmapped mount of it needs a user namespace, "
			"and none is available (see `cupel doctor`)",
			s->path);
	attr.userns_fd = (unsigned)userns;
	r = sys5(k, SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attr,
		 sizeof attr);
	if (r < 0)
		return cupel_fail(
			err, CUPEL_STAGE_IDMAP, cupel_cause_of((int)-r),
			(int)-r,
			"%s: its files belong to uid %u, and this file system "
			"refuses an idmapped mount that would show them to uid "
			"%u; run cupel as their owner, or give the tree to an "
			"ordinary user",
			s->path, (unsigned)s->uid,
			(unsigned)plan->ids.host_uid);
	return 0;
}

int sources_open(struct sys *k, const struct plan *plan, int trees[],
		 size_t *ret_unmapped, struct cupel_error *err)
{
	if (!plan->ids.by_root || !backend_has(plan->backend, WALL_USERNS))
		return 0;
	for (size_t i = 0; i < plan->sources_len; i++) {
		const struct plan_source *s = &plan->sources[i];
		struct cupel_error why = { 0 };
		int r = tree_clone(k, s, &trees[i], err);

		if (r < 0)
			return r;
		if (!s->needs_idmap)
			continue;
		r = tree_idmap(k, plan, s, trees[i], &why);
		if (r < 0 &&
		    (!plan->allow_partial || why.cause != CUPEL_CAUSE_HOST)) {
			*err = why;
			return r;
		}
		if (r < 0 && *ret_unmapped == 0)
			*ret_unmapped = i + 1;
	}
	return 0;
}
