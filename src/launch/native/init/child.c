/* child.c -- the command's process until it becomes the command.
 *
 * It runs in init's memory and with init's descriptor table, which exec
 * unshares.  Until the gate opens it runs at the same time as init, so it
 * places no descriptor before that.  A failure of ours is left in
 * in->out.error, one of exec in exec_errno. */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"

#define KERNEL_SIGSET 8 /* bytes of the kernel's sigset_t */

static int fail(struct init *in, enum cupel_stage stage, long r,
		const char *what)
{
	return init_fail(in, stage, (int)-r, what, NULL);
}

int session_start(struct init *in)
{
	bool is_leader = !init_drops(in, WALL_SESSION);
	long r;

	turn_await(in, DROP_TURN_COMMAND);
	r = life_share(&in->k, in->life, is_leader);
	if (r < 0)
		return fail(in, CUPEL_STAGE_EXEC, r, "a new session");
	if (is_leader)
		init_applied(in, WALL_SESSION);
	return 0;
}

int descriptors_place(struct init *in)
{
	const int32_t *inputs = image_at(in, in->im->inputs);
	uint32_t n = 4 + in->im->inputs.len;
	long r = 0;

	for (uint32_t i = 0; r >= 0 && i < n; i++) {
		int32_t from = i < 4 ? in->im->stdio[i] : inputs[i - 4];

		r = sys3(&in->k, SYS_dup3, from, i, 0);
		/* The listener needs a number below the NOFILE limit. */
		if (r >= 0)
			r = sys1(&in->k, SYS_close, from);
	}
	return r < 0 ? fail(in, CUPEL_STAGE_EXEC, r, "placing descriptors") : 0;
}

int descriptors_end(struct init *in, uint32_t from, unsigned flags)
{
	long r;

	if (init_drops(in, WALL_DESCRIPTORS))
		return 0;
	r = sys3(&in->k, SYS_close_range, from, ~0U, flags);
	if (r < 0)
		return fail(in, CUPEL_STAGE_EXEC, r, "closing descriptors");
	init_applied(in, WALL_DESCRIPTORS);
	return 0;
}

/* Put what the command keeps at its numbers; the rest closes at exec. */
static int fds_settle(struct init *in)
{
	int r = descriptors_place(in);

	return r < 0 ? r
		     : descriptors_end(in, 4 + in->im->inputs.len,
				       CLOSE_RANGE_CLOEXEC);
}

int directory_enter(struct init *in)
{
	const char *cwd = image_text(in, in->im->cwd);
	long r = sys1(&in->k, SYS_chdir, cwd);

	if (r == 0)
		return 0;
	(void)init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
			"--chdir: no such directory inside", cwd);
	in->out.error.cause = CUPEL_CAUSE_CALLER;
	return (int)r;
}

#define SCHED_CORE        62 /* PR_SCHED_CORE of linux/prctl.h, since 5.14 */
#define SCHED_CORE_CREATE 1

/* Take a cookie of our own, which all that the command starts inherits.  The
 * kernel runs nobody without it on another hardware thread of the same core.
 * Where a core has one thread, nobody ever runs beside us, so ENODEV is as
 * good. */
static int core_take(struct init *in)
{
	long r;

	if (!in->im->core_scheduling)
		return 0;
	r = sys5(&in->k, SYS_prctl, SCHED_CORE, SCHED_CORE_CREATE, 0, 0, 0);
	if (r == 0 || r == -ENODEV)
		return 0;
	return init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
			 "--core-scheduling: this kernel has no core "
			 "scheduling (Linux 5.14, CONFIG_SCHED_CORE)",
			 NULL);
}

static long command_exec(struct init *in, const char *path, bool by_fd)
{
	const uint64_t *argv = image_at(in, in->im->argv);
	const uint64_t *envp = image_at(in, in->im->envp);
	uint64_t none = 0;
	long r;

	(void)sys4(&in->k, SYS_rt_sigprocmask, SIG_SETMASK, &none, 0,
		   KERNEL_SIGSET);
	if (by_fd)
		r = sys5(&in->k, SYS_execveat, in->im->exec_fd, "", argv, envp,
			 AT_EMPTY_PATH);
	else
		r = sys3(&in->k, SYS_execve, path, argv, envp);
	/* The file existed a moment ago, so its interpreter is missing.  exec
	 * itself has no such answer. */
	return r == -ENOENT || r == -ENOTDIR ? -ELIBACC : r;
}

/* Under the policy wait by the rarer of two calls: see filters_early(). */
static void gate_sleep(struct child *child, int now)
{
	const struct futex_waitv on = { .val = (uint32_t)now,
					.uaddr = (uintptr_t)&child->gate,
					.flags = FUTEX_32 };
	long key = child->side.k.key;

	if (key == 0)
		(void)sys_raw(SYS_futex, sys_arg(&child->gate), FUTEX_WAIT, now,
			      0, 0, 0);
	else
		(void)sys_raw(SYS_futex_waitv, sys_arg(&on), 1, 0, 0, 0, key);
}

static void gate_await(struct child *child, enum gate want)
{
	int now;

	while ((now = __atomic_load_n(&child->gate, __ATOMIC_ACQUIRE)) <
	       (int)want)
		gate_sleep(child, now);
}

static void help_note(struct child *child, enum help what)
{
	__atomic_store_n(&child->help, (int)what, __ATOMIC_RELEASE);
	(void)sys_raw(SYS_futex, sys_arg(&child->help), FUTEX_WAKE, 1, 0, 0, 0);
}

/* Do our share of the root, and what nobody waits for while init enters the
 * root.  The descriptor table is init's, too.  After this is settled init moves
 * and closes by number, so of ours only the socket may be open then. */
static int root_help(struct child *child)
{
	struct init *in = &child->side;
	int counts_fd = counts_open(in);
	int r = loopback_up(in);

	if (r == 0 && in->im->network.len > 0) {
		r = network_scope(in);
		child->has_network = r == 0;
	}
	if (r == 0)
		r = trace_begin(in);
	if (r == 0 && init_can(in, WALL_MOUNTNS)) {
		gate_await(child, GATE_PROC);
		r = covers_run(in, child->root_fd);
	}
	help_note(child, HELP_COVERED);
	counts_bound(in, counts_fd);
	sockets_open(in);
	help_note(child, HELP_SETTLED);
	return r;
}

/* What we do while init builds the root. */
static int child_prepare(struct child *child)
{
	static int (*const stages[])(struct init *) = {
		keyring_join,
		privilege_drop,
	};
	struct init *in = &child->side;
	int r = session_start(in); /* before waiting for init, which may end */

	if (r == 0)
		r = network_make(in);
	if (r < 0)
		return r;
	gate_await(child, GATE_TOLD);
	in->im = child->im;
	if (in->begin.is_early)
		r = ids_take(in);
	if (r == 0)
		r = root_help(child);
	if (r == 0)
		r = stages_run(in, stages, sizeof stages / sizeof *stages);
	if (r == 0)
		privilege_attest(in);
	return r;
}

/* The policy, and all that must come before it. */
static int filters_load(struct init *in)
{
	static int (*const stages[])(struct init *) = {
		core_take,
		trace_load,
		policy_load,
		trace_seal,
	};
	int r = stages_run(in, stages, sizeof stages / sizeof *stages);

	in->is_filtered = r == 0;
	return r;
}

/* Whether the policy can be loaded while init still builds the root: the kernel
 * takes as long to translate it as for all that comes after.  That is possible
 * only if what is left to do then is only what the front lets pass, and if the
 * command's process cannot reach init. */
static bool filters_early(struct init *in)
{
	return init_can(in, WALL_MOUNTNS) && init_can(in, WALL_PIDNS) &&
	       !init_drops(in, DROP_EARLY) &&
	       sys_raw(SYS_futex_waitv, 0, 0, 0, 0, 0, 0) == -EINVAL;
}

/* Settle the command's descriptors at their numbers, as soon as init holds
 * nothing there. */
static int child_settle(struct child *child)
{
	struct init *in = &child->side;
	int r;

	gate_await(child, GATE_LIFTED);
	r = fds_settle(in);
	if (r == 0)
		r = terminal_take(in);
	help_note(child, HELP_PLACED);
	return r == 0 && filters_early(in) ? filters_load(in) : r;
}

static void gate_pass(struct child *child)
{
	gate_await(child, GATE_BUILT);
	child->side.cross = child->cross;
	child->side.ruleset_fd = child->ruleset_fd;
	child->side.out.applied |= child->applied;
	child->side.out.refused |= child->refused;
	child->side.out.applied &= ~child->side.out.refused;
}

/* The keeper comes with the policy.  It must stay outside the Landlock domain
 * and be born before the limit of processes is set. */
static int child_confine(struct child *child)
{
	static int (*const stages[])(struct init *) = {
		landlock_enter,
		limits_set,
		halves_load,
	};
	struct init *in = &child->side;
	int r = init_can(in, WALL_MOUNTNS) ? 0 : landlock_prepare(in);

	if (r < 0)
		return r;
	gate_await(child, GATE_READY);
	if (!in->is_filtered)
		r = filters_load(in);
	if (r == 0)
		r = stages_run(in, stages, sizeof stages / sizeof *stages);
	in->k.key = 0;
	return r;
}

/* The last check before the command starts: in a strict run every wall that was
 * asked for stands, by what was read back, or nothing is started. */
int walls_check(struct init *in)
{
	wall_set missing =
		in->im->requested & ~in->out.applied & ~WALLS_OF_SUPERVISOR;

	if (missing == 0 || in->im->allow_partial)
		return 0;
	return init_fail(in, CUPEL_STAGE_PRIVILEGE, EPROTO,
			 "asked for, and not found in force",
			 wall_name((enum wall)__builtin_ctzll(missing)));
}

int child_run(void *arg)
{
	struct child *child = arg;
	struct init *in = &child->side;
	char path[FIND_BYTES];
	const uint64_t *argv;
	bool by_fd;
	long r = child_prepare(child);

	if (r == 0)
		r = child_settle(child);
	if (r < 0)
		return 1;
	argv = image_at(in, in->im->argv);
	by_fd = in->im->exec_fd >= 0;
	gate_pass(child);
	if (directory_enter(in) < 0)
		return 1;
	if (!by_fd) {
		r = program_find(in, (const char *)(uintptr_t)argv[0], path);
		if (r < 0) {
			in->out.exec_errno = (int32_t)-r;
			return 1;
		}
	}
	if (child_confine(child) < 0)
		return 1;
	/* execve(2) passes what the image says, or it fails. */
	init_applied(in, WALL_ENV);
	if (walls_check(in) < 0)
		return 1;
	in->out.had_started = 1; /* if not, exec_errno says why */
	r = command_exec(in, path, by_fd);
	in->out.exec_errno = (int32_t)-r;
	return 1;
}
