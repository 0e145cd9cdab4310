/* mounts.c -- probes the mounts that make up a vessel's root.  Each probe runs
 * in mount and PID namespaces of its own, so nothing is left when it ends. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/doctor/doctor.h"
#include "spec/spec.h"

#define ROOM "/tmp" /* covered by our own tmpfs in our own namespace */

/* Enter a private mount tree with a tmpfs to work in. */
static bool enter_room(struct finding *f)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		finding_fail(f, "mount private /");
		f->reached = TOPIC_CAPABILITY;
		return false;
	}
	if (mount("tmpfs", ROOM, "tmpfs", MS_NOSUID | MS_NODEV,
		  "size=1m,nr_inodes=64,mode=755") < 0) {
		finding_fail(f, "mount tmpfs");
		f->reached = TOPIC_MOUNT;
		return false;
	}
	if (chdir(ROOM) < 0) {
		finding_fail(f, "chdir");
		return false;
	}
	return true;
}

static bool make_dirs(const char *const names[], struct finding *f)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (mkdir(names[i], 0755) < 0) {
			finding_fail(f, "mkdir in tmpfs");
			return false;
		}
	return true;
}

void probe_tmpfs(const struct spec *spec, struct finding *f)
{
	static const char *const dirs[] = { "a", NULL };

	(void)spec;
	if (enter_room(f))
		(void)make_dirs(dirs, f);
}

/* A bind mount shows the options of its file system.  Those of an overlay, such
 * as a container's root, are paths of the host (cupel-run(1), THE RUNTIME). */
void probe_runtime(const struct spec *spec, struct finding *f)
{
	static const char *const dirs[] = { "/usr", "/etc" };
	bool is_overlay = false;
	struct statfs fs;

	(void)spec;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		if (statfs(dirs[i], &fs) < 0) {
			finding_fail(f, "statfs");
			return;
		}
		is_overlay |= fs.f_type == OVERLAYFS_SUPER_MAGIC;
	}
	f->ok = true;
	finding_value(
		f, "%s",
		is_overlay ? "they are on an overlay, as in a container: its "
			     "options, with paths of the host"
			   : "their device, its options, and their path in it");
}

/* A read-only clone of a host directory, set recursively, as launch makes its
 * bind mounts. */
void probe_bind(const struct spec *spec, struct finding *f)
{
	struct mount_attr attr = {
		.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
			    MOUNT_ATTR_NODEV,
	};
	owned_fd int tree = -1;

	(void)spec;
	if (!enter_room(f) || mkdir("usr", 0755) < 0)
		return;
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/usr",
			    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	if (tree < 0)
		finding_fail(f, "open_tree");
	else if (syscall(SYS_mount_setattr, tree, "",
			 AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr) < 0)
		finding_fail(f, "mount_setattr");
	else if (syscall(SYS_move_mount, tree, "", AT_FDCWD, "usr",
			 MOVE_MOUNT_F_EMPTY_PATH) < 0)
		finding_fail(f, "move_mount");
	else if (mkdir("usr/cupel-doctor", 0755) == 0 || errno != EROFS)
		finding_fail(f, "read-only bind");
}

/* A file system that is configured and mounted by descriptor, as launch makes
 * the root. */
void probe_fsopen(const struct spec *spec, struct finding *f)
{
	owned_fd int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	owned_fd int tree = -1;

	(void)spec;
	if (fs < 0) {
		finding_fail(f, "fsopen");
		return;
	}
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0) {
		finding_fail(f, "fsconfig");
		return;
	}
	tree = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (tree < 0)
		finding_fail(f, "fsmount");
}

void probe_overlay(const struct spec *spec, struct finding *f)
{
	static const char *const dirs[] = { "empty", "view", NULL };

	(void)spec;
	if (!enter_room(f) || !make_dirs(dirs, f))
		return;
	if (mount("overlay", "view", "overlay",
		  MS_RDONLY | MS_NOSUID | MS_NODEV,
		  "lowerdir=/usr:" ROOM "/empty,userxattr") < 0)
		finding_fail(f, "mount overlay");
	else if (access("view/bin", F_OK) < 0)
		finding_fail(f, "look through overlay");
}

static bool make_view(struct finding *f)
{
	static const char *const dirs[] = { "low", "low/dir", "low/dir/in",
					    "up",  "work",    "view",
					    NULL };

	if (!enter_room(f) || !make_dirs(dirs, f))
		return false;
	if (mount("overlay", "view", "overlay", MS_NOSUID | MS_NODEV,
		  "lowerdir=" ROOM "/low,upperdir=" ROOM "/up,workdir=" ROOM
		  "/work,userxattr") < 0)
		finding_fail(f, "mount overlay");
	return f->sys == 0;
}

void probe_overlay_writable(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (!make_view(f))
		return;
	if (mkdir("view/dir/new", 0700) < 0)
		finding_fail(f, "mkdir through overlay");
	else if (rmdir("view/dir/in") < 0)
		finding_fail(f, "rmdir through overlay");
}

/* A directory that replaces one of the repository hides the old contents by a
 * mark, for which the tmpfs needs user xattrs (Linux 6.6). */
void probe_overlay_dirs(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (!make_view(f))
		return;
	if (rmdir("view/dir/in") < 0 || rmdir("view/dir") < 0)
		finding_fail(f, "rmdir through overlay");
	else if (mkdir("view/dir", 0700) < 0)
		finding_fail(f, "mkdir through overlay");
}

void probe_pivot(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (!enter_room(f))
		return;
	if (syscall(SYS_pivot_root, ".", ".") < 0)
		finding_fail(f, "pivot_root");
	else if (umount2(".", MNT_DETACH) < 0)
		finding_fail(f, "umount2 the old root");
}

static void mount_proc(const char *options, struct finding *f)
{
	static const char *const dirs[] = { "proc", NULL };

	if (!enter_room(f) || !make_dirs(dirs, f))
		return;
	if (mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  options) < 0)
		finding_fail(f, "mount proc");
	else if (access("proc/self/status", R_OK) < 0)
		finding_fail(f, "read proc");
}

void probe_proc(const struct spec *spec, struct finding *f)
{
	(void)spec;
	mount_proc("hidepid=ptraceable", f);
}

void probe_proc_subset(const struct spec *spec, struct finding *f)
{
	(void)spec;
	mount_proc("hidepid=ptraceable,subset=pid", f);
}

struct device {
	const char *path;
	unsigned major, minor;
};

static bool bind_device(const struct device *d, struct finding *f)
{
	owned_fd int at = open(d->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	owned_fd int target = -1;
	struct stat st;

	finding_value(f, "%s", d->path);
	if (at < 0 || fstat(at, &st) < 0) {
		finding_fail(f, "open");
		return false;
	}
	if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(d->major, d->minor)) {
		errno = ENODEV;
		finding_fail(f, "is not the device it should be");
		return false;
	}
	target = open("null", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (mount(d->path, "null", NULL, MS_BIND, NULL) < 0) {
		finding_fail(f, "mount bind");
		return false;
	}
	cleanup_fd(&target);
	target = open("null", O_RDWR | O_CLOEXEC);
	if (target < 0) {
		finding_fail(f, "open the bound device");
		return false;
	}
	return umount2("null", MNT_DETACH) == 0;
}

void probe_devices(const struct spec *spec, struct finding *f)
{
	static const struct device devices[] = {
		{ "/dev/null", 1, 3 },    { "/dev/zero", 1, 5 },
		{ "/dev/full", 1, 7 },    { "/dev/random", 1, 8 },
		{ "/dev/urandom", 1, 9 },
	};

	(void)spec;
	if (!enter_room(f))
		return;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (!bind_device(&devices[i], f))
			return;
	f->value[0] = '\0';
}

/* Start a process with the user namespace whose map an idmapped clone uses. */
static pid_t start_mapped(int *ret_userns, struct finding *f)
{
	struct clone_args args = { .flags = CLONE_NEWUSER, .exit_signal = 17 };
	static const char *const names[] = { "uid_map", "gid_map" };
	char path[64];
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid == 0)
		for (;;)
			(void)pause();
	if (pid < 0) {
		finding_fail(f, "clone3");
		return -1;
	}
	for (int i = 0; i < 2; i++) {
		owned_fd int fd = -1;

		(void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid,
			       names[i]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		(void)snprintf(path, sizeof path, "0 %d 1\n", SPEC_OWN_ID);
		if (fd < 0 || write(fd, path, strlen(path)) < 0)
			finding_fail(f, "write uid_map");
	}
	(void)snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	*ret_userns = open(path, O_RDONLY | O_CLOEXEC);
	if (*ret_userns < 0)
		finding_fail(f, "open ns/user");
	return pid;
}

void probe_idmap(const struct spec *spec, struct finding *f)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_IDMAP };
	const char *dir = spec->repo != NULL ? spec->repo : ".";
	owned_fd int tree = -1, userns = -1;
	pid_t pid;

	if (geteuid() != 0) {
		finding_value(f, "not needed: launched by a user");
		return;
	}
	pid = start_mapped(&userns, f);
	if (!f->ok)
		goto out;
	attr.userns_fd = (unsigned)userns;
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, dir,
			    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
	if (tree < 0)
		finding_fail(f, "open_tree");
	else if (syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attr,
			 sizeof attr) < 0)
		finding_fail(f, "mount_setattr MOUNT_ATTR_IDMAP");
out:
	if (pid > 0)
		(void)syscall(SYS_kill, pid, 9);
}
