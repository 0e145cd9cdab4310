/* mount.c -- the mount operations.  Nothing else changes the mount table.
 *
 * Binds go through mount(2): a clone by open_tree(2) makes a namespace of its
 * own each time, and if it is not attached in the end, it costs an RCU grace
 * period when it is closed.  Targets are relative to the working directory,
 * which is the new root (or, for a moment, the tmpfs above it). */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"

/* sys/mount.h clashes with linux/mount.h in older headers. */
#define BIND      (1UL << 12) /* MS_BIND */
#define RECURSIVE (1UL << 14) /* MS_REC */

int mount_bind(struct init *in, const char *source, const char *target,
	       bool recursive)
{
	return (int)sys5(&in->k, SYS_mount, source, target, 0,
			 BIND | (recursive ? RECURSIVE : 0UL), 0);
}

int mount_attr_set(struct init *in, const char *target, uint64_t attr,
		   bool recursive)
{
	struct mount_attr set = { .attr_set = attr };

	if (attr == 0)
		return 0;
	return (int)sys5(&in->k, SYS_mount_setattr, AT_FDCWD, target,
			 recursive ? AT_RECURSIVE : 0, &set, sizeof set);
}

int source_stale(struct init *in, const char *path)
{
	return init_fail(in, CUPEL_STAGE_SOURCE, ESTALE, path,
			 "has just been replaced by another file");
}

static bool is_file(const struct stat *st, const struct file_id *id)
{
	return st->st_dev == id->dev && st->st_ino == id->ino;
}

int mount_is(struct init *in, const char *target, const struct file_id *id)
{
	struct stat st;
	long r = sys4(&in->k, SYS_newfstatat, AT_FDCWD, target, &st,
		      AT_SYMLINK_NOFOLLOW);

	if (r < 0)
		return (int)r;
	return is_file(&st, id) || init_drops(in, DROP_PINS) ? 0 : -ESTALE;
}

int file_pin(struct init *in, int dir_fd, const char *path,
	     const struct file_id *id)
{
	int flags = O_PATH | O_CLOEXEC;
	owned_sys_fd int fd = -1;
	struct stat st;
	long r;

	if (!init_drops(in, DROP_PINS))
		flags |= O_NOFOLLOW;
	fd = (int)sys4(&in->k, SYS_openat, dir_fd, path, flags, 0);
	if (fd < 0) /* the name existed a moment ago */
		return fd == -ENOENT || fd == -ENOTDIR ? -ESTALE : fd;
	r = sys2(&in->k, SYS_fstat, fd, &st);
	if (r < 0)
		return (int)r;
	return is_file(&st, id) || init_drops(in, DROP_PINS) ? sys_take_fd(&fd)
							     : -ESTALE;
}

int mount_pin(struct init *in, int fd, const char *target, bool recursive)
{
	char from[FD_PATH_BYTES];

	fd_path(from, fd, NULL);
	return mount_bind(in, from, target, recursive);
}

/* What somebody else might replace is held while it is bound.  Of the host's own
 * files only what was bound is looked at (mount_source): a start binds a dozen of
 * them, and to hold each first costs it 2%. */
static int source_bind(struct init *in, const struct image_source *s,
		       const char *target)
{
	const char *path = image_text(in, s->path);
	owned_sys_fd int fd = -1;

	if (s->is_runtime) {
		int r = mount_bind(in, path, target, true);

		return r == -ENOENT || r == -ENOTDIR ? -ESTALE : r;
	}
	fd = file_pin(in, AT_FDCWD, path, &s->id);
	return fd < 0 ? fd : mount_pin(in, fd, target, true);
}

int mount_source(struct init *in, const struct image_source *s,
		 const char *target, uint64_t attr)
{
	int r;

	if (s->tree_fd >= 0)
		r = mount_move(in, s->tree_fd, target);
	else
		r = source_bind(in, s, target);
	if (r == 0)
		r = mount_attr_set(in, target, attr, true);
	if (r == 0)
		r = mount_is(in, target, &s->id);
	return r == -ESTALE ? source_stale(in, image_text(in, s->path)) : r;
}

int mount_move(struct init *in, int tree_fd, const char *target)
{
	return (int)sys5(&in->k, SYS_move_mount, tree_fd, "", AT_FDCWD, target,
			 MOVE_MOUNT_F_EMPTY_PATH);
}

void fd_path(char out[FD_PATH_BYTES], int fd, const char *name)
{
	static const char head[] = "/proc/self/fd/";
	char digits[12];
	char *from = number_before(digits + sizeof digits, fd);
	size_t n = sizeof head - 1;

	memcpy(out, head, n);
	while (from < digits + sizeof digits)
		out[n++] = *from++;
	if (name != NULL)
		out[n++] = '/';
	while (name != NULL && *name != '\0' && n + 1 < FD_PATH_BYTES)
		out[n++] = *name++;
	out[n] = '\0';
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
	long r =
		sys5(&in->k, SYS_fsconfig, fs_fd, FSCONFIG_CMD_CREATE, 0, 0, 0);

	if (r < 0)
		return (int)r;
	return (int)sys3(&in->k, SYS_fsmount, fs_fd, FSMOUNT_CLOEXEC, attr);
}
