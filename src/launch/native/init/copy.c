/* copy.c -- a vessel within a template's: its init, and its command until that
 * goes on as the program (see template.c). */
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>

#include "launch/native/init/template.h"
#include "plan/plan.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define KERNEL_SIGSET 8
#define TABLE_REC     (1UL << 14) /* MS_REC */
#define TABLE_PRIVATE (1UL << 18) /* MS_PRIVATE */
#define IS_READONLY   1           /* ST_RDONLY */

/* What a vessel takes over from the one around it: its tree, groups and
 * environment. */
#define WALLS_INHERITED                                                        \
	(WALL_BIT(WALL_ROOT_READONLY) | WALL_BIT(WALL_REPO_READONLY) |         \
	 WALL_BIT(WALL_REPO_OBJECTS) | WALL_BIT(WALL_DEVICES) |                \
	 WALL_BIT(WALL_SUPPLEMENTARY_GROUPS) | WALL_BIT(WALL_ENV))

/* --- init's half, in the new namespaces ----------------------------------- */

static int fail(struct init *in, enum cupel_stage stage, long r,
		const char *what)
{
	return init_fail(in, stage, (int)-r, what, NULL);
}

/* Block all signals, as for an init that is started in the usual way. */
static int signals_block(struct init *in)
{
	const uint64_t all = ~UINT64_C(0);
	long r = sys4(&in->k, SYS_rt_sigprocmask, SIG_SETMASK, &all, 0,
		      KERNEL_SIGSET);

	return r < 0 ? fail(in, CUPEL_STAGE_EXEC, r, "blocking signals") : 0;
}

static int ids_of_plan(struct init *in)
{
	return ids_map(in, in->im->uid, in->im->gid);
}

/* clone3(2) made them all, even that of the network. */
static int namespaces_note(struct init *in)
{
	init_applied(in, WALL_MOUNTNS);
	init_applied(in, WALL_NETNS);
	init_applied(in, WALL_NETWORK);
	return 0;
}

static int base_make(struct init *in)
{
	static const char *const dirs[] = { "scratch", "tmp", "shm" };
	int r = tmpfs_mount(in);

	for (size_t i = 0; r == 0 && i < sizeof dirs / sizeof *dirs; i++)
		r = (int)sys3(&in->k, SYS_mkdirat, in->base_fd, dirs[i], 0755);
	return r;
}

/* Put a directory of the new tmpfs over the template's.  It is a clone, because
 * the tmpfs itself is attached nowhere. */
static int place_cover(struct init *in, const struct image_step *s)
{
	owned_sys_fd int tree = (int)sys3(&in->k, SYS_open_tree, in->base_fd,
					  image_text(in, s->text),
					  1 /* OPEN_TREE_CLONE */ | O_CLOEXEC);

	return tree < 0 ? tree
			: mount_move(in, tree, image_text(in, s->target));
}

/* What the command could change or look through is new.  All else is the
 * template's tree: read-only, and locked, because it came from a namespace
 * above. */
static int places_mount(struct init *in)
{
	const struct image_step *s = image_at(in, in->im->steps);
	long r = sys5(&in->k, SYS_mount, 0, "/", 0, TABLE_REC | TABLE_PRIVATE,
		      0);

	if (r == 0)
		r = sys1(&in->k, SYS_chdir, "/");
	if (r == 0)
		r = base_make(in);
	for (uint32_t i = 0; r == 0 && i < in->im->steps.len; i++) {
		if (s[i].kind == STEP_EXPOSE)
			r = place_cover(in, &s[i]);
		else if (s[i].kind == STEP_PROC)
			r = step_run(in, &s[i]);
		if (r == 0 && s[i].kind == STEP_PROC)
			r = proc_watch(in, &s[i]);
	}
	if (r < 0)
		return in->out.error.stage != CUPEL_STAGE_NONE
			       ? (int)r
			       : fail(in, CUPEL_STAGE_MOUNT, r,
				      "mounting a scratch over the template's");
	init_applied(in, WALL_SCRATCH_SIZE);
	init_applied(in, WALL_SCRATCH_INODES);
	return 0;
}

static bool is_readonly(struct init *in, const char *path)
{
	struct statfs fs;

	return sys2(&in->k, SYS_statfs, path, &fs) == 0 &&
	       (fs.f_flags & IS_READONLY) != 0;
}

static int tree_attest(struct init *in)
{
	if (!is_readonly(in, "/"))
		in->out.applied &= ~WALL_BIT(WALL_ROOT_READONLY);
	if (!is_readonly(in, "/repo"))
		in->out.applied &= ~WALL_BIT(WALL_REPO_READONLY);
	return 0;
}

/* Nobody inside may look into init, whose memory is the template's.  Being
 * dumpable is a bit of the memory; the id maps are written before it is
 * cleared. */
static int undump(struct init *in)
{
	long r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE,
		      init_drops(in, DROP_DUMPABLE));

	return r < 0 ? fail(in, CUPEL_STAGE_PRIVILEGE, r,
			    "closing init's memory")
		     : 0;
}

static int sockets_note(struct init *in)
{
	sockets_open(in);
	return 0;
}

static int vessel_build(struct init *in)
{
	static int (*const stages[])(struct init *) = {
		signals_block,    ids_of_plan,    names_set,    namespaces_note,
		places_mount,     loopback_up,    sockets_note, tree_attest,
		descriptors_lift, privilege_drop, undump,
	};

	return stages_run(in, stages, sizeof stages / sizeof *stages);
}

/* --- the command's half --------------------------------------------------- */

/* The command's memory is its own, as after exec, but the copy came with the
 * bit that keeps others out. */
static int dump_allow(struct init *in)
{
	const uint64_t none = 0;
	long r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE, 1);

	if (r == 0)
		r = sys4(&in->k, SYS_rt_sigprocmask, SIG_SETMASK, &none, 0,
			 KERNEL_SIGSET);
	if (r < 0)
		return fail(in, CUPEL_STAGE_EXEC, r, "the command's process");
	privilege_attest(in);
	return 0;
}

/* The pipe for the report to init has the first number after the command's own,
 * until the report is written. */
static int descriptors_settle(struct init *in)
{
	uint32_t n = 4 + in->im->inputs.len;
	int report = in->report_fd;
	int r = descriptors_place(in);

	if (r == 0) {
		r = (int)sys3(&in->k, SYS_dup3, report, n, O_CLOEXEC);
		in->report_fd = r;
		r = r < 0 ? fail(in, CUPEL_STAGE_EXEC, r,
				 "placing the report's descriptor")
			  : 0;
	}
	return r < 0 ? r : descriptors_end(in, n + 1, 0);
}

static int command_confine(struct init *in)
{
	static int (*const stages[])(struct init *) = {
		dump_allow,         keyring_join,    session_start,
		descriptors_settle, directory_enter, landlock_prepare,
		landlock_enter,     limits_set,      halves_load,
		policy_load,        walls_check,
	};

	return stages_run(in, stages, sizeof stages / sizeof *stages);
}

/* To copy a page now costs a fraction of copying it when it is written to.  A
 * kernel before 5.14 cannot do it now, so it copies then. */
static void memory_populate(const struct template *t)
{
	for (size_t i = 0; i < t->ranges_len; i++)
		if (sys_raw(SYS_madvise, (long)t->ranges[i].start,
			    (long)t->ranges[i].len, MADV_POPULATE_WRITE, 0, 0,
			    0) < 0)
			return;
}

static void command_become(struct init *in)
{
	int r = command_confine(in);
	long n;

	in->out.had_started = r >= 0;
	n = sys_raw(SYS_write, in->report_fd, sys_arg(&in->out), sizeof in->out,
		    0, 0, 0);
	if (r < 0 || n != sizeof in->out)
		for (;;)
			(void)sys_raw(SYS_exit_group, 1, 0, 0, 0, 0, 0);
	sys_close(in->report_fd);
}

/* --- init again ----------------------------------------------------------- */

static int report_read(struct init *in)
{
	struct record side;
	long n = sys3(&in->k, SYS_read, in->report_fd, &side, sizeof side);

	if (n != sizeof side)
		return init_fail(in, CUPEL_STAGE_EXEC, ECHILD,
				 "the command's process was killed before the "
				 "command could start",
				 NULL);
	in->out = side;
	return side.had_started ? 0 : -EPROTO;
}

static int command_start(struct template *t, struct init *in)
{
	owned_sys_fd int ours = -1;
	int ends[2];
	long r = sys2(&in->k, SYS_pipe2, ends, O_CLOEXEC);

	if (r < 0)
		return fail(in, CUPEL_STAGE_EXEC, r, "a pipe to the command");
	/* Move it out of the way of the command's own numbers. */
	r = sys3(&in->k, SYS_fcntl, ends[1], F_DUPFD_CLOEXEC,
		 5 + in->im->inputs.len);
	sys_close(ends[1]);
	ours = ends[0];
	if (r < 0)
		return fail(in, CUPEL_STAGE_EXEC, r, "a pipe to the command");
	in->report_fd = (int)r;
	in->command_pid = t->fork();
	if (in->command_pid == 0) {
		sys_close(sys_take_fd(&ours));
#ifdef CUPEL_TEST_HOOKS
		in->k = (struct sys){
			.fault = t->order.hooks.faults[TEST_CHILD]
		};
#endif
		return 1;
	}
	sys_close(in->report_fd);
	in->report_fd = ours;
	if (in->command_pid < 0)
		return fail(in, CUPEL_STAGE_EXEC, -EAGAIN,
			    "forking the command");
	return report_read(in);
}

static void init_end(struct init *in, int r)
{
	if (r == 0)
		r = report_started(in);
	if (r < 0)
		report_failed(in);
	else
		r = command_watch(in);
	for (;;)
		(void)sys_raw(SYS_exit_group, r < 0, 0, 0, 0, 0, 0);
}

/* Put the order's descriptors where the plan has them. */
static void given_take(struct init *in, const struct fd_list *given)
{
	int32_t *inputs = image_at(in, in->im->inputs);

	for (size_t i = 0; i < 4; i++)
		in->im->stdio[i] = given->fds[i];
	in->control_fd = given->fds[4];
	for (size_t i = COPY_FDS; i < given->len; i++)
		inputs[i - COPY_FDS] = given->fds[i];
}

int copy_main(void *arg)
{
	struct template *t = arg;
	struct init copy = t->in;
	struct init *in = &copy;
	int r;

	given_take(in, &t->given);
	in->cross = t->order.cross != 0;
	in->out.applied = t->order.inherited & WALLS_INHERITED;
#ifdef CUPEL_TEST_HOOKS
	in->begin.hooks = t->order.hooks;
	in->k = (struct sys){ .fault = t->order.hooks.faults[TEST_INIT] };
#endif
	r = vessel_build(in);
	if (r == 0)
		r = command_start(t, in);
	if (r == 1) {
		memory_populate(t);
		command_become(in);
		__builtin_longjmp(t->jump, 1);
	}
	init_end(in, r);
	__builtin_unreachable();
}
