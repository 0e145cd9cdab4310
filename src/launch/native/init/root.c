/* root.c -- the one tmpfs, the root in it, and how the process enters the
 * root. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"
#include "plan/plan.h"

/* sys/mount.h clashes with linux/mount.h in older headers. */
#define UMOUNT_DETACH 2           /* MNT_DETACH */
#define TABLE_REC     (1UL << 14) /* MS_REC */
#define TABLE_PRIVATE (1UL << 18) /* MS_PRIVATE */

#define COVER_DIR_IN_BASE "root/" COVER_DIR

/* Directories of the one tmpfs.  Only those that a step exposes have a name
 * inside.  The command holds nothing by which it could reach the others. */
static const char *const base_dirs[] = { "root", "scratch", "tmp",
					 "shm",  "empty",   BASE_PROC };

static bool is_holder(const struct init *in)
{
	return in->part == PART_HOLDER || in->part == PART_TREE;
}

static char *number_write(char *end, uint64_t n)
{
	*--end = '\0';
	do {
		*--end = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return end;
}

int tmpfs_mount(struct init *in)
{
	owned_sys_fd int fs = fs_open(in, "tmpfs");
	char text[24];
	int r = fs;

	if (r >= 0 && !init_drops(in, WALL_SCRATCH_SIZE))
		r = fs_text(
			in, fs, "size",
			number_write(text + sizeof text, in->im->tmpfs_bytes));
	if (r >= 0 && !init_drops(in, WALL_SCRATCH_INODES))
		r = fs_text(
			in, fs, "nr_inodes",
			number_write(text + sizeof text, in->im->tmpfs_inodes));
	if (r >= 0)
		r = fs_text(in, fs, "mode", "0755");
	if (r >= 0)
		r = fs_mount(in, fs, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (r >= 0)
		in->base_fd = r;
	return r < 0 ? r : 0;
}

/* The covers are bound from these, until all are mounted. */
static long cover_names_make(struct init *in)
{
	long r =
		sys3(&in->k, SYS_mkdirat, in->base_fd, COVER_DIR_IN_BASE, 0755);

	if (r < 0)
		return r;
	r = sys4(&in->k, SYS_openat, in->base_fd, "root/" COVER_FILE,
		 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	sys_close((int)r);
	return r < 0 ? r : 0;
}

static int base_fill(struct init *in)
{
	long r = 0;

	for (size_t i = 0; i < sizeof base_dirs / sizeof *base_dirs; i++) {
		r = sys3(&in->k, SYS_mkdirat, in->base_fd, base_dirs[i], 0755);
		if (r < 0)
			return (int)r;
	}
	if (is_holder(in))
		r = sys3(&in->k, SYS_mkdirat, in->base_fd, BASE_NEW, 0755);
	if (r == 0)
		r = cover_names_make(in);
	if (r < 0)
		return (int)r;
	r = sys4(&in->k, SYS_openat, in->base_fd, "root",
		 O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (r >= 0)
		in->rootdir_fd = (int)r;
	return r < 0 ? (int)r : 0;
}

static int tree_clone(struct init *in, const char *name)
{
	return (int)sys3(&in->k, SYS_open_tree, in->base_fd, name,
			 OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
}

/* Attach the tmpfs at /sys while the root is built: nothing below /sys is a
 * source, and it goes away with the old root.  Without a /sys the old root
 * itself will do: lookups from "/" do not see what is stacked on it. */
static int base_attach(struct init *in)
{
	int r = mount_move(in, in->base_fd, "/sys");

	if (r == -ENOENT || r == -ENOTDIR) {
		in->is_stacked = true;
		r = mount_move(in, in->base_fd, "/");
	}
	return r;
}

/* The new root is read-only from the start.  What is made in it is made through
 * the tmpfs above it, and what is bound from it is read-only, too.  From here
 * on it is the working directory. */
static int root_attach(struct init *in)
{
	int r = base_attach(in);

	if (r < 0)
		return r;
	in->root_fd = tree_clone(in, "root");
	if (in->root_fd < 0)
		return in->root_fd;
	if (is_holder(in))
		r = (int)sys5(&in->k, SYS_move_mount, in->root_fd, "",
			      in->base_fd, BASE_NEW, MOVE_MOUNT_F_EMPTY_PATH);
	else
		r = mount_move(in, in->root_fd, in->is_stacked ? "/" : "/sys");
	if (r == 0)
		r = (int)sys1(&in->k, SYS_fchdir, in->root_fd);
	if (r == 0 && !init_drops(in, WALL_ROOT_READONLY)) {
		r = mount_attr_set(in, ".", MOUNT_ATTR_RDONLY, false);
		if (r == 0)
			init_applied(in, WALL_ROOT_READONLY);
	}
	return r;
}

/* The covers of /proc and the device nodes are half of all mounts, and depend
 * only on their mount points.  So the command's process mounts them while init
 * does the rest. */
static bool is_childs(const struct image_step *s)
{
	return s->kind == STEP_COVER || s->kind == STEP_DEVICE;
}

/* In a run of phases: the steps of the root that are each phase's own.  The
 * text files that we make are written anew, because a network changes them; the
 * directories exist already. */
static bool is_of_phase(const struct image_step *s)
{
	return s->kind == STEP_PROC || s->kind == STEP_COVER ||
	       s->kind == STEP_DIR || (s->kind == STEP_FILE && s->content != 0);
}

static bool is_inits(const struct init *in, const struct image_step *s)
{
	switch (in->part) {
	case PART_HOLDER:
		return s->kind == STEP_DIR || !is_of_phase(s);
	case PART_PHASE:
		return is_of_phase(s) && !is_childs(s);
	case PART_TREE:
		return s->kind != STEP_PROC && s->kind != STEP_COVER &&
		       s->kind != STEP_EXPOSE;
	default:
		return !is_childs(s);
	}
}

static int steps_run(struct init *in)
{
	const struct image_step *s = image_at(in, in->im->steps);

	for (uint32_t i = 0; i < in->im->steps.len; i++) {
		int r = is_inits(in, &s[i]) ? step_run(in, &s[i]) : 0;

		if (r < 0)
			return r;
		if (s[i].kind == STEP_PROC)
			gate_open(in, GATE_PROC);
	}
	gate_open(in, GATE_PROC);
	/* Last, because the command's process has enough to do meanwhile. */
	for (uint32_t i = 0; i < in->im->steps.len; i++)
		if (s[i].kind == STEP_PROC && !is_holder(in))
			return proc_watch(in, &s[i]);
	return 0;
}

int covers_run(struct init *in, int root_fd)
{
	const struct image_step *s = image_at(in, in->im->steps);
	long r = sys1(&in->k, SYS_fchdir, root_fd);

	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "entering the new root", NULL);
	for (uint32_t i = 0; i < in->im->steps.len; i++) {
		bool is_mine = is_childs(&s[i]) &&
			       (in->part == PART_WHOLE || is_of_phase(&s[i]));
		int e = is_mine ? step_run(in, &s[i]) : 0;

		if (e < 0)
			return e;
	}
	return in->part == PART_COPY ? copy_root_enter(in, root_fd) : 0;
}

int root_build(struct init *in)
{
	long r;

	if (!init_can(in, WALL_MOUNTNS))
		return 0;
	/* The copy of the mount table is a slave of the caller's.  Make sure
	 * that no mount travels in either direction. */
	r = sys5(&in->k, SYS_mount, 0, "/", 0, TABLE_REC | TABLE_PRIVATE, 0);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "making the mount table private", NULL);
	r = tmpfs_mount(in);
	if (r == 0)
		r = base_fill(in);
	if (r == 0)
		r = root_attach(in);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "mounting the tmpfs that holds the root",
				 NULL);
	if (!init_drops(in, WALL_SCRATCH_SIZE))
		init_applied(in, WALL_SCRATCH_SIZE);
	if (!init_drops(in, WALL_SCRATCH_INODES))
		init_applied(in, WALL_SCRATCH_INODES);
	in->child->root_fd = in->root_fd;
	return steps_run(in);
}

/* After the pivot the old root is stacked on the new one.  "." names the
 * topmost, so a tmpfs that was stacked on it takes a call of its own. */
static long old_root_detach(struct init *in)
{
	long r = 0;

	if (in->is_stacked)
		r = sys2(&in->k, SYS_umount2, ".", UMOUNT_DETACH);
	if (r == 0)
		r = sys2(&in->k, SYS_umount2, ".", UMOUNT_DETACH);
	return r == 0 ? sys1(&in->k, SYS_chdir, "/") : r;
}

/* The covers are mounted over what they hide, so their own names are
 * removed. */
static long cover_names_remove(struct init *in)
{
	long r = sys3(&in->k, SYS_unlinkat, in->rootdir_fd, COVER_FILE, 0);

	return r < 0 ? r
		     : sys3(&in->k, SYS_unlinkat, in->rootdir_fd, COVER_DIR,
			    AT_REMOVEDIR);
}

/* Whether ".." of "/" is "/": nothing is stacked on it, and nothing is above
 * it. */
bool root_is_alone(struct init *in)
{
	struct stat here;
	struct stat above;

	return sys4(&in->k, SYS_newfstatat, AT_FDCWD, "/", &here, 0) == 0 &&
	       sys4(&in->k, SYS_newfstatat, AT_FDCWD, "/..", &above, 0) == 0 &&
	       here.st_dev == above.st_dev && here.st_ino == above.st_ino;
}

int root_finish(struct init *in)
{
	long r;

	if (!init_can(in, WALL_MOUNTNS))
		return 0;
	help_await(in, HELP_COVERED);
	r = cover_names_remove(in);
	return r < 0 ? init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "removing names from the new root", NULL)
		     : 0;
}

int root_enter(struct init *in)
{
	long r;

	if (!init_can(in, WALL_MOUNTNS))
		return 0;
	r = sys2(&in->k, SYS_pivot_root, ".", ".");
	if (r == 0)
		r = old_root_detach(in);
	if (r == 0 && !root_is_alone(in))
		r = -EXDEV;
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "pivoting into the new root", NULL);
	init_applied(in, WALL_MOUNTNS);
	return 0;
}

/* --- of phases (docs/copies.md) ------------------------------------------ */

/* The tmpfs becomes the holder's root, with the root of the phases below it,
 * and nothing of the host has a name any more.  A proc must stay visible:
 * without one the kernel does not let a phase mount its own. */
int holder_enter(struct init *in)
{
	const struct image_step proc = { .attr = MOUNT_ATTR_NOSUID |
						 MOUNT_ATTR_NODEV |
						 MOUNT_ATTR_NOEXEC };
	int e = proc_watch(in, &proc);
	long r;

	if (e < 0)
		return e;
	in->is_stacked = false;
	r = cover_names_remove(in);
	if (r == 0)
		r = sys1(&in->k, SYS_fchdir, in->base_fd);
	if (r == 0)
		r = sys2(&in->k, SYS_pivot_root, ".", ".");
	if (r == 0)
		r = old_root_detach(in);
	if (r == 0 && !root_is_alone(in))
		r = -EXDEV;
	return r < 0 ? init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "entering the tmpfs that holds the phases' "
				 "root",
				 NULL)
		     : 0;
}

static long root_open(struct init *in)
{
	const struct {
		const char *path;
		int *fd;
	} dirs[] = {
		{ ".", &in->base_fd },
		{ "root", &in->rootdir_fd },
		{ BASE_NEW, &in->root_fd },
	};
	long r = sys1(&in->k, SYS_chdir, "/");

	for (size_t i = 0; r >= 0 && i < sizeof dirs / sizeof *dirs; i++) {
		r = sys4(&in->k, SYS_openat, AT_FDCWD, dirs[i].path,
			 O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
		*dirs[i].fd = (int)r;
	}
	if (r >= 0)
		r = cover_names_make(in);
	return r < 0 ? r : sys1(&in->k, SYS_fchdir, in->root_fd);
}

int root_join(struct init *in)
{
	long r = root_open(in);

	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "entering the root of the phases", NULL);
	in->child->root_fd = in->root_fd;
	return steps_run(in);
}
