/* step.c -- one handler for each kind of step.  Targets lie in our tmpfs. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"
#include "plan/plan.h"

#define UMOUNT_DETACH 2 /* MNT_DETACH; sys/mount.h clashes in older headers */

static int run_dir(struct init *in, const struct image_step *s)
{
	long r = sys3(&in->k, SYS_mkdirat, in->rootdir_fd,
		      image_text(in, s->target), s->mode);

	return r == -EEXIST ? 0 : (int)r;
}

static int run_file(struct init *in, const struct image_step *s)
{
	const char *from = image_text(in, s->content);
	owned_sys_fd int fd = -1;
	uint32_t done = 0;

	if (in->part == PART_PHASE) /* the phase before had its own */
		(void)sys3(&in->k, SYS_unlinkat, in->rootdir_fd,
			   image_text(in, s->target), 0);
	/* For a file that is empty, or only there to be mounted on, any will
	 * do. */
	if (s->content_len == 0)
		return (int)sys5(&in->k, SYS_linkat, in->rootdir_fd, COVER_FILE,
				 in->rootdir_fd, image_text(in, s->target), 0);
	fd = (int)sys4(
		&in->k, SYS_openat, in->rootdir_fd, image_text(in, s->target),
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, s->mode);
	if (fd < 0)
		return fd;
	while (done < s->content_len) {
		long n = sys3(&in->k, SYS_write, fd, from + done,
			      s->content_len - done);

		if (n <= 0)
			return n < 0 ? (int)n : -EIO;
		done += (uint32_t)n;
	}
	return 0;
}

static int run_link(struct init *in, const struct image_step *s)
{
	return (int)sys3(&in->k, SYS_symlinkat, image_text(in, s->text),
			 in->rootdir_fd, image_text(in, s->target));
}

static int run_bind(struct init *in, const struct image_step *s)
{
	const struct image_source *from = image_at(in, in->im->sources);

	return mount_source(in, &from[s->source], image_text(in, s->target),
			    s->attr);
}

/* A bind keeps the flags of the tmpfs that it comes from: nosuid, nodev. */
static int run_expose(struct init *in, const struct image_step *s)
{
	char from[FD_PATH_BYTES];

	fd_path(from, in->base_fd, image_text(in, s->text));
	return mount_bind(in, from, image_text(in, s->target), false);
}

/* The number as the kernel encodes it for fstat(2); ours are all small. */
static uint64_t device_number(const struct image_step *s)
{
	return (uint64_t)s->dev_major << 8 | s->dev_minor;
}

/* Bind a node of the host, only if it is the device that its name promises.  It
 * is known by its number alone, so a link that leads to it will do. */
static int run_device(struct init *in, const struct image_step *s)
{
	const char *target = image_text(in, s->target);
	struct stat st;
	long r = mount_bind(in, image_text(in, s->text), target, false);

	if (r == 0)
		r = mount_attr_set(in, target, s->attr, false);
	if (r == 0)
		r = sys4(&in->k, SYS_newfstatat, AT_FDCWD, target, &st,
			 AT_SYMLINK_NOFOLLOW);
	if (r < 0)
		return (int)r;
	if ((st.st_mode & S_IFMT) == S_IFCHR && st.st_rdev == device_number(s))
		return 0;
	/* A partial run goes on, but not with an unknown node. */
	r = sys2(&in->k, SYS_umount2, target, UMOUNT_DETACH);
	return r < 0 ? (int)r : -ENODEV;
}

/* Make a proc of this PID namespace, attached nowhere. */
static int proc_mount(struct init *in, const struct image_step *s, bool hides)
{
	owned_sys_fd int fs = fs_open(in, "proc");
	int r = fs;

	if (r >= 0 && hides)
		r = fs_text(in, fs, "hidepid", "ptraceable");
	if (r >= 0 && s->subset_pid)
		r = fs_text(in, fs, "subset", "pid");
	return r < 0 ? r : fs_mount(in, fs, s->attr);
}

/* The watchdog has a proc of its own: hidepid would hide from it, too, a
 * process made by a program that cannot be read (execve(2), "not dumpable").
 * Nothing inside can reach it.  It is attached where it goes away together with
 * the old root, because the end of a mount that was never attached waits for a
 * grace period.  In a copy it is not attached: its tmpfs is attached nowhere
 * either. */
int proc_watch(struct init *in, const struct image_step *s)
{
	owned_sys_fd int tree = proc_mount(in, s, false);
	long r = tree;

	if (r >= 0 && !in->is_copy)
		r = sys5(&in->k, SYS_move_mount, tree, "", in->base_fd,
			 BASE_PROC, MOVE_MOUNT_F_EMPTY_PATH);
	if (r >= 0)
		r = sys4(&in->k, SYS_openat, tree, ".",
			 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	/* In that case nothing is watched, and the supervisor sees that. */
	if (r < 0 && in->im->allow_partial)
		return 0;
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "mounting the watchdog's proc", NULL);
	in->proc_fd = (int)r;
	in->has_shm = !s->subset_pid;
	return 0;
}

static int run_proc(struct init *in, const struct image_step *s)
{
	const char *target = image_text(in, s->target);
	owned_sys_fd int tree = -1;

	/* A bare root has no /proc: there is only the supervisor's. */
	if (target[0] == '\0')
		return 0;
	tree = proc_mount(in, s, !init_drops(in, WALL_PROC_PRIVATE));
	return tree < 0 ? tree : mount_move(in, tree, target);
}

/* The cover is bound from the root, which is read-only, so the cover is,
 * too. */
static int run_cover(struct init *in, const struct image_step *s)
{
	const char *file = COVER_FILE;
	const char *dir = COVER_DIR;
	int r;

	if (in->part == PART_COPY) { /* the template keeps them */
		file = "/" COVER_FILE;
		dir = "/" COVER_DIR;
	}
	r = mount_bind(in, s->is_dir ? dir : file, image_text(in, s->target),
		       false);

	return r == -ENOENT ? 0 : r;
}

static const struct {
	const char *what;
	int (*run)(struct init *in, const struct image_step *s);
} kinds[] = {
	[STEP_DIR] = { "directory", run_dir },
	[STEP_FILE] = { "file", run_file },
	[STEP_LINK] = { "link", run_link },
	[STEP_BIND] = { "bind", run_bind },
	[STEP_OVERLAY] = { "overlay", overlay_run },
	[STEP_EXPOSE] = { "expose", run_expose },
	[STEP_DEVICE] = { "device", run_device },
	[STEP_PROC] = { "proc", run_proc },
	[STEP_TERMINAL] = { "terminal", terminal_run },
	[STEP_COVER] = { "cover", run_cover },
};
static_assert(sizeof kinds / sizeof *kinds == STEP_MAX_,
	      "a handler for every step");

/* Name the step as a person can find it in the plan: "bind /usr". */
static int step_fail(struct init *in, const struct image_step *s, int sys)
{
	char name[160];
	const char *target = image_text(in, s->target);
	size_t n = strlen(kinds[s->kind].what);
	size_t len = strlen(target);

	memcpy(name, kinds[s->kind].what, n);
	name[n++] = ' ';
	name[n++] = '/';
	if (len > sizeof name - n - 1)
		len = sizeof name - n - 1;
	memcpy(name + n, target, len);
	name[n + len] = '\0';
	return init_fail(in, CUPEL_STAGE_MOUNT, sys, "mounting", name);
}

int step_run(struct init *in, const struct image_step *s)
{
	int r;

	if (s->kind >= STEP_MAX_)
		return init_fail(in, CUPEL_STAGE_MOUNT, EPROTO,
				 "init: a step is from another build", NULL);
	r = kinds[s->kind].run(in, s);
	if (r >= 0) {
		if (s->kind != STEP_OVERLAY)
			init_applied(in, s->wall);
		return 0;
	}
	if (r != -ESTALE)
		(void)step_fail(in, s, -r);
	/* To go on without a view that was asked for is no lower degree of
	 * isolation, and to go on with another view is worse. */
	if (s->wall < WALL_MAX_ && in->im->allow_partial &&
	    s->kind != STEP_OVERLAY) {
		in->out.refused |= WALL_BIT(s->wall);
		in->out.applied &= ~WALL_BIT(s->wall);
		return 0;
	}
	return r;
}
