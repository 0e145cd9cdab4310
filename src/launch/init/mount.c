/* mount.c -- the mount operations; nothing else changes the mount table. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

#include "launch/init/init.h"

int mount_clone(struct init *in, int dir_fd, const char *path, bool recursive)
{
	unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
			 AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;

	return (int)sys3(&in->k, SYS_open_tree, dir_fd, path,
			 recursive ? flags | AT_RECURSIVE : flags);
}

int mount_source(struct init *in, const struct image_source *s, bool recursive)
{
	owned_sys_fd int tree = -1;
	struct stat st;
	long r;

	if (s->tree_fd >= 0) {
		long fd = sys3(&in->k, SYS_fcntl, s->tree_fd, F_DUPFD_CLOEXEC,
			       3);
		return (int)fd;
	}
	tree = mount_clone(in, AT_FDCWD, image_text(in, s->path), recursive);
	if (tree < 0)
		return tree;
	r = sys2(&in->k, SYS_fstat, tree, &st);
	if (r < 0)
		return (int)r;
	if (st.st_dev != s->dev || st.st_ino != s->ino)
		return -ESTALE;
	return sys_take_fd(&tree);
}

int mount_set(struct init *in, int tree_fd, uint64_t attr, bool recursive)
{
	struct mount_attr set = { .attr_set = attr };
	unsigned flags = AT_EMPTY_PATH | (recursive ? AT_RECURSIVE : 0U);

	if (attr == 0)
		return 0;
	return (int)sys5(&in->k, SYS_mount_setattr, tree_fd, "", flags, &set,
			 sizeof set);
}

int mount_at(struct init *in, int tree_fd, int dir_fd, const char *target)
{
	return (int)sys5(&in->k, SYS_move_mount, tree_fd, "", dir_fd, target,
			 MOVE_MOUNT_F_EMPTY_PATH);
}

int fs_open(struct init *in, const char *type)
{
	return (int)sys2(&in->k, SYS_fsopen, type, FSOPEN_CLOEXEC);
}

int fs_text(struct init *in, int fs_fd, const char *key, const char *value)
{
	return (int)sys5(&in->k, SYS_fsconfig, fs_fd, FSCONFIG_SET_STRING, key,
			 value, 0);
}

int fs_flag(struct init *in, int fs_fd, const char *key)
{
	return (int)sys5(&in->k, SYS_fsconfig, fs_fd, FSCONFIG_SET_FLAG, key, 0,
			 0);
}

int fs_mount(struct init *in, int fs_fd, uint64_t attr)
{
	long r = sys5(&in->k, SYS_fsconfig, fs_fd, FSCONFIG_CMD_CREATE, 0, 0,
		      0);

	if (r < 0)
		return (int)r;
	return (int)sys3(&in->k, SYS_fsmount, fs_fd, FSMOUNT_CLOEXEC, attr);
}
