/* phase.c -- the init of one phase: an ordinary init, in the root that a holder
 * keeps (docs/copies.md).
 *
 * It is a copy of the holder's process, in namespaces of its own.  It reads its
 * orders from its own control socket and its own image, as any init does. */
#include <errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/statfs.h>

#include "launch/native/init/init.h"

#define IS_READONLY 1 /* ST_RDONLY */
/* sys/mount.h clashes with linux/mount.h in older headers. */
#define TABLE_REMOUNT_BIND (32UL | 4096UL) /* MS_REMOUNT | MS_BIND */
#define OVERLAY_FS         0x794c7630L     /* OVERLAYFS_SUPER_MAGIC */

/* The walls that a phase takes over from the holder: the files and the ids. */
#define WALLS_OF_HOLDER                                                        \
	(WALL_BIT(WALL_ROOT_READONLY) | WALL_BIT(WALL_REPO_READONLY) |         \
	 WALL_BIT(WALL_REPO_OVERLAY) | WALL_BIT(WALL_REPO_OBJECTS) |           \
	 WALL_BIT(WALL_DEVICES) | WALL_BIT(WALL_SCRATCH_SIZE) |                \
	 WALL_BIT(WALL_SCRATCH_INODES) | WALL_BIT(WALL_SUPPLEMENTARY_GROUPS))

/* Its memory is its own, and is closed once the plan is known, as for any init
 * (privilege.c). */
static int dump_allow(struct init *in)
{
	long r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE, 1);

	return r < 0 ? init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "the init of a phase", NULL)
		     : 0;
}

static int namespace_hide(struct init *in)
{
	long r = sys1(&in->k, SYS_unshare, CLONE_NEWCGROUP);

	return r < 0 ? init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "making a cgroup namespace", NULL)
		     : 0;
}

int cgroup_hide(struct init *in, int procs_fd)
{
	if (procs_fd < 0)
		return 0;
	sys_close(procs_fd);
	return (in->begin.clone_flags & CLONE_NEWCGROUP) != 0
		       ? namespace_hide(in)
		       : 0;
}

static int image_take(struct init *in, const struct phase_given *given)
{
	int r = image_map_from(in, given->fds[1]);

	for (size_t i = 0; r == 0 && i < 4; i++)
		in->im->stdio[i] = given->fds[2 + i];
	return r;
}

/* Check, as this phase sees it, that the walls which the holder raised still
 * stand. */
static void files_attest(struct init *in, const struct image *held)
{
	struct statfs root = { 0 };
	struct statfs repo = { 0 };
	struct statfs base = { 0 };

	(void)sys2(&in->k, SYS_statfs, "/", &root);
	(void)sys2(&in->k, SYS_statfs, "/repo", &repo);
	(void)sys2(&in->k, SYS_fstatfs, in->base_fd, &base);
	init_found(in, WALL_ROOT_READONLY, root.f_flags & IS_READONLY);
	init_found(in, WALL_REPO_READONLY, repo.f_flags & IS_READONLY);
	init_found(in, WALL_REPO_OVERLAY, repo.f_type == OVERLAY_FS);
	init_found(in, WALL_SCRATCH_SIZE,
		   (uint64_t)base.f_blocks * (uint64_t)base.f_bsize <
			   held->tmpfs_bytes + (uint64_t)base.f_bsize);
	init_found(in, WALL_SCRATCH_INODES, base.f_files == held->tmpfs_inodes);
}

/* Make the holder's root writable, where a test asks for that. */
static void root_open_up(struct init *in)
{
#ifdef CUPEL_TEST_HOOKS
	if (init_drops(in, DROP_ATTEST))
		(void)sys5(&in->k, SYS_mount, 0, "/", 0, TABLE_REMOUNT_BIND, 0);
#endif
	(void)in;
}

static int phase_build(struct init *in, const struct phase_given *given)
{
	static init_stage *const first[] = { dump_allow, order_begin,
					     order_wait };
	static init_stage *const last[] = {
		names_set,   command_fork,   root_join,
		root_finish, command_settle, root_enter,
	};
	int r = stages_run(in, first, sizeof first / sizeof *first);

	if (r == 0)
		r = cgroup_hide(in, given->procs_fd);
	if (r == 0)
		r = image_take(in, given);
	if (r == 0)
		r = stages_run(in, last, sizeof last / sizeof *last);
	if (r < 0)
		return r;
	root_open_up(in);
	files_attest(in, given->holder->im);
	return command_release(in);
}

int phase_main(void *arg)
{
	_Alignas(16) char stack[CHILD_STACK_BYTES];
	_Alignas(16) char keeper_stack[KEEPER_STACK_BYTES];
	const struct phase_given *given = arg;
	const struct init *holder = given->holder;
	struct child child = { .gate = GATE_CLOSED, .stack = stack };
	struct init in = INIT_NONE;

	sys_close(holder->control_fd);
	in.part = PART_PHASE;
	in.control_fd = given->fds[0];
	in.keeper_stack = keeper_stack;
	in.child = &child;
	in.cross = holder->cross;
	in.out.objects_by_filter = holder->out.objects_by_filter;
	in.out.applied = holder->out.applied & WALLS_OF_HOLDER;
	in.out.refused = holder->out.refused & WALLS_OF_HOLDER;
	return vessel_live(&in, phase_build(&in, given));
}
