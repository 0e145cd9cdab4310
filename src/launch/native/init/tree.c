/* tree.c -- a root that is built once, and the vessels that are copied from it
 * (docs/copies.md).
 *
 * The template is a holder (holder.c) of another kind: it keeps a root that
 * nobody can write to, with the runtime, the files of /etc and the device
 * nodes.  Each copy is an ordinary init, forked by the template
 * into all namespaces, even that of users, so that what it took over is locked.
 * It lays its own /proc, scratch and overlays over that, checks what it took
 * over, and runs the command as any init does. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"
#include "plan/plan.h"

#define BASE_OF_COPY "/scratch" /* of the template's tmpfs, not of its root */

/* The walls that a copy takes over, and checks. */
#define WALLS_OF_TREE                                                          \
	(WALL_BIT(WALL_ROOT_READONLY) | WALL_BIT(WALL_DEVICES) |               \
	 WALL_BIT(WALL_SUPPLEMENTARY_GROUPS))

static int fail(struct init *in, enum cupel_stage stage, long r,
		const char *what)
{
	return init_fail(in, stage, (int)-r, what, NULL);
}

/* --- the template ----------------------------------------------------------- */

/* Make the files that covers are bound from, beside the root, where the command
 * of a copy has no name for them. */
static long covers_keep(struct init *in)
{
	long r = sys5(&in->k, SYS_linkat, in->rootdir_fd, COVER_FILE,
		      in->base_fd, COVER_FILE, 0);

	if (r == 0)
		r = sys3(&in->k, SYS_mkdirat, in->base_fd, COVER_DIR, 0755);
	return r;
}

/* A network for all copies, where a test asks for that. */
static long network_keep(struct init *in)
{
	return init_shares(in, WALL_NETNS)
		       ? sys1(&in->k, SYS_unshare, CLONE_NEWNET)
		       : 0;
}

/* Where a test asks for that: leave walls out, and go on as if they stood.  A copy
 * must find that itself. */
static long walls_spoil(struct init *in)
{
	long r = 0;
#ifdef CUPEL_TEST_HOOKS
	const struct mount_attr writable = { .attr_clr = MOUNT_ATTR_RDONLY };

	if (init_drops(in, DROP_ATTEST))
		r = sys5(&in->k, SYS_mount_setattr, AT_FDCWD, ".", 0, &writable,
			 sizeof writable);
	if (r == 0 && init_drops(in, DROP_ATTEST_BIND))
		r = sys5(&in->k, SYS_mount_setattr, AT_FDCWD, "usr", 0,
			 &writable, sizeof writable);
	if (r == 0 && init_drops(in, DROP_ATTEST_DEVICE))
		r = mount_bind(in, "dev/zero", "dev/null", false);
#endif
	(void)in;
	return r;
}

int tree_keep(struct init *in)
{
	long r = covers_keep(in);

	if (r == 0)
		r = walls_spoil(in);
	if (r == 0)
		r = network_keep(in);
	if (r == 0 && init_shares(in, WALL_NETNS))
		r = loopback_up(in);

	return r < 0 ? fail(in, CUPEL_STAGE_MOUNT, r,
			    "keeping what copies of the root need")
		     : 0;
}

/* Its own /proc is the only thing that can still be written to: copies write
 * their id maps and the counts of their namespaces there. */
int tree_close(struct init *in)
{
	long r = 0;

	if (!init_shares(in, WALL_SCRATCH_SIZE))
		r = mount_attr_set(in, "/", MOUNT_ATTR_RDONLY, false);
	if (r == 0)
		r = sys4(&in->k, SYS_openat, AT_FDCWD, "/" BASE_PROC "/sys",
			 O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (r < 0)
		return fail(in, CUPEL_STAGE_MOUNT, r,
			    "closing the root that copies are made from");
	in->counts_fd = (int)r;
	return 0;
}

/* --- a copy: its namespaces --------------------------------------------------- */

/* Its memory is its own, and is closed once the plan is known, as for any init
 * (privilege.c). */
static int memory_own(struct init *in)
{
	long r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE, 1);

	return r < 0 ? fail(in, CUPEL_STAGE_NAMESPACE, r,
			    "making the init of a copy dumpable")
		     : 0;
}

/* This comes before anything is made that the limits are for.  A copy that
 * cannot enter its cgroup ends, and its run is made from the beginning. */
static int cgroup_join(struct init *in, int procs_fd)
{
	long r = procs_fd >= 0 ? sys3(&in->k, SYS_write, procs_fd, "0", 1) : 1;

	return r == 1 ? cgroup_hide(in, procs_fd)
		      : fail(in, CUPEL_STAGE_LIMIT, r < 0 ? r : -EIO,
			     "a copy cannot enter its cgroup");
}

static int maps_own(struct init *in)
{
	return init_shares(in, WALL_USERNS)
		       ? 0
		       : ids_map(in, PLAN_UID_INSIDE, PLAN_GID_INSIDE);
}

/* --- a copy: what is its own -------------------------------------------------- */

static const char *const base_dirs[] = { "scratch", "tmp", "shm", BASE_PROC };

/* That of the template, where a test asks for that.  Returns 1 or -errno. */
static long base_share(struct init *in)
{
	long r = sys4(&in->k, SYS_openat, AT_FDCWD, "/",
		      O_PATH | O_DIRECTORY | O_CLOEXEC, 0);

	if (r < 0)
		return r;
	in->base_fd = (int)r;
	return 1;
}

/* The tmpfs is attached beside the root, so that it is taken apart with all the
 * rest: the end of a mount that is attached nowhere waits for a grace period of
 * its own. */
static long base_lay(struct init *in)
{
	long r = init_shares(in, WALL_SCRATCH_SIZE) ? base_share(in)
						    : tmpfs_mount(in);

	if (r != 0)
		return r < 0 ? r : 0;

	for (size_t i = 0; r == 0 && i < sizeof base_dirs / sizeof *base_dirs;
	     i++)
		r = sys3(&in->k, SYS_mkdirat, in->base_fd, base_dirs[i], 0755);
	return r == 0 ? mount_move(in, in->base_fd, BASE_OF_COPY) : r;
}

static long root_hold(struct init *in)
{
	long r = sys4(&in->k, SYS_openat, AT_FDCWD, "/" BASE_NEW,
		      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);

	if (r < 0)
		return r;
	in->root_fd = (int)r;
	in->child->root_fd = in->root_fd;
	return sys1(&in->k, SYS_fchdir, in->root_fd);
}

static bool is_own(const struct image_step *s)
{
	return s->kind == STEP_PROC || s->kind == STEP_OVERLAY ||
	       s->kind == STEP_EXPOSE;
}

static int steps_own(struct init *in)
{
	const struct image_step *s = image_at(in, in->im->steps);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < in->im->steps.len; i++) {
		if (is_own(&s[i]))
			r = step_run(in, &s[i]);
		if (s[i].kind == STEP_PROC)
			gate_open(in, GATE_PROC);
	}
	gate_open(in, GATE_PROC);
	for (uint32_t i = 0; r == 0 && i < in->im->steps.len; i++)
		if (s[i].kind == STEP_PROC)
			return proc_watch(in, &s[i]);
	return r;
}

static int root_own(struct init *in)
{
	long r = root_hold(in);

	if (r == 0)
		r = base_lay(in);
	if (r < 0)
		return fail(in, CUPEL_STAGE_MOUNT, r,
			    "mounting the scratch of a copy");
	return steps_own(in);
}

static bool is_root(struct init *in, int root_fd)
{
	struct stat held;
	struct stat root;

	return sys2(&in->k, SYS_fstat, root_fd, &held) == 0 &&
	       sys4(&in->k, SYS_newfstatat, AT_FDCWD, "/", &root, 0) == 0 &&
	       held.st_dev == root.st_dev && held.st_ino == root.st_ino &&
	       root_is_alone(in);
}

/* Init and the command's process each do this for themselves, and keep no
 * descriptor of anything above.  To pivot would take a copy of all mounts, since
 * those of the template are locked, and a grace period for their end. */
int copy_root_enter(struct init *in, int root_fd)
{
	long r = sys1(&in->k, SYS_fchdir, root_fd);

	if (r == 0)
		r = sys1(&in->k, SYS_chroot, ".");
	if (r == 0 && !is_root(in, root_fd))
		r = -EXDEV;
	return r < 0 ? fail(in, CUPEL_STAGE_MOUNT, r,
			    "entering the root of a copy")
		     : 0;
}

/* When the command's process has mounted the covers. */
static int root_close(struct init *in)
{
	int r;

	help_await(in, HELP_COVERED);
	r = copy_root_enter(in, in->root_fd);
	if (r == 0)
		init_applied(in, WALL_MOUNTNS);
	return r;
}

/* --- a copy: its life ----------------------------------------------------------- */

static int image_own(struct init *in, const struct phase_given *given)
{
	int r = image_map_from(in, given->fds[1]);

	for (size_t i = 0; r == 0 && i < 4; i++)
		in->im->stdio[i] = given->fds[2 + i];
	return r;
}

static int copy_build(struct init *in, const struct phase_given *given)
{
	/* The command's process makes its network namespace meanwhile. */
	static init_stage *const begin[] = { memory_own, order_begin };
	static init_stage *const first[] = {
		bounding_drop_early,
		command_fork_early,
		maps_own,
		order_wait,
	};
	static init_stage *const last[] = {
		names_set,      command_fork, root_own,        root_close,
		command_settle, copy_attest,  command_release,
	};
	int r = stages_run(in, begin, sizeof begin / sizeof *begin);

	if (r == 0)
		r = cgroup_join(in, given->procs_fd);
	if (r == 0)
		r = stages_run(in, first, sizeof first / sizeof *first);
	if (r == 0)
		r = image_own(in, given);
	return r < 0 ? r : stages_run(in, last, sizeof last / sizeof *last);
}

int tree_main(void *arg)
{
	_Alignas(16) char stack[CHILD_STACK_BYTES];
	_Alignas(16) char keeper_stack[KEEPER_STACK_BYTES];
	const struct phase_given *given = arg;
	const struct init *holder = given->holder;
	struct child child = { .gate = GATE_CLOSED, .stack = stack };
	struct init in = INIT_NONE;

	sys_close(holder->control_fd);
	in.part = PART_COPY;
	in.control_fd = given->fds[0];
	in.counts_fd = holder->counts_fd;
	in.keeper_stack = keeper_stack;
	in.child = &child;
	in.out.applied = holder->out.applied & WALLS_OF_TREE;
	return vessel_live(&in, copy_build(&in, given));
}
